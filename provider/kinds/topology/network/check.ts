import {
  type NamedSubnet,
  type Prefix,
  formatIp,
  formatPrefix,
  hostPrefix,
  networkOf,
  ofFamily,
  overlapFailures,
  parseIp,
  parsePrefix,
  sizeOf,
} from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { readPrefix } from "../fields";
import { externalFailures } from "../gateway-router/external-check";
import { Holders } from "../holders";
import { checkHostAddresses, checkServices } from "../management";
import { checkNodeAddresses } from "../node-addresses";
import { checkAdvertisements } from "../transit-router/check";
import { checkAdvertised } from "./advertised";
import { checkAutoconfiguration } from "./autoconfiguration";
import { checkFurtherExternals, furtherSubnets } from "./further-externals";
import { macOutside } from "./outside-claims";
import { checkMembers, givenAt } from "./members";
import { checkTunnelKeys } from "./tunnel-keys";
import { checkUpgrade } from "./upgrade";
import { checkVxlanPortKeys, usesVxlan } from "./vxlan";
import type { ResolvedNetwork } from "./resolve";

/** Relations between arguments. Each failure is at the argument that a user would change. */
export function check(network: ResolvedNetwork, failures: Failures): void {
  checkFamilies(network, failures);
  checkLinkFamilies(network, failures);
  failures.addAll(overlapFailures(namedSubnets(network)));
  if (haveRoom(network, failures)) checkMembers(network, failures);
  if (network.spec.tunnelKeys) checkTunnelKeys(network.spec.tunnelKeys, usesVxlan(network), failures);
  checkVxlanPortKeys(network, failures);
  checkNodes(network, failures);
  checkUpgrade(network, failures);
  checkAdvertised(network, failures);
  checkFurtherExternals(network, failures);
  checkServices(
    network.spec.management?.services ?? [],
    { subnets: network.subnets, hostAddresses: network.nodes.flatMap(({ spec }) => spec.hostAddresses) },
    failures,
  );
  checkAdvertisements(network.spec.routerAdvertisements, network.gateways, failures);
  checkAutoconfiguration(network, failures);
}

/** Families that an argument has, and the network has not. */
function checkFamilies({ spec, subnets }: ResolvedNetwork, failures: Failures): void {
  const lists: Record<string, readonly [string, readonly string[]]> = {
    gatewayAddresses: ["gateway", spec.gatewayAddresses],
    "management.addresses": ["management address", spec.management?.addresses ?? []],
    "advertised.translateTo": ["destination", spec.advertised?.translateTo ?? []],
    "advertised.isolateFrom": ["subnet", spec.advertised?.isolateFrom ?? []],
    "advertised.dropFrom": ["subnet", spec.advertised?.dropFrom ?? []],
  };
  for (const [path, [what, list]] of Object.entries(lists)) {
    list.forEach((text, index) => {
      const { family } = readPrefix(text);
      if (ofFamily(subnets, family)) return;
      failures.add(`${path}[${index}]`, "family", `${what} ${text} is IPv${family}, and the network has IPv${subnets[0]!.family} subnets only`);
    });
  }
}

/** Links can have a family more than the network, by a join subnet of it. */
function checkLinkFamilies({ spec, joins }: ResolvedNetwork, failures: Failures): void {
  const lists = { transitSubnets: ["transit", spec.transitSubnets], "masquerade.subnets": ["masquerade", spec.masquerade?.subnets ?? []] } as const;
  for (const [path, [what, list]] of Object.entries(lists)) {
    list.forEach((text, index) => {
      const { family } = readPrefix(text);
      if (!ofFamily(joins, family))
        failures.add(`${path}[${index}]`, "family", `${what} subnet ${text} is IPv${family}, and neither subnets nor joinSubnets have IPv${family}`);
    });
  }
}

/** Room for a gateway, a workload and, where there is one, the management port. */
function haveRoom({ subnets, spec }: ResolvedNetwork, failures: Failures): boolean {
  const needed = ["a gateway", ...(spec.management ? ["a management port"] : []), "a workload"];
  const small = subnets.filter((subnet) => sizeOf(subnet) - (subnet.family === 4 ? 2n : 1n) < needed.length);
  for (const subnet of small.map(formatPrefix)) {
    const list = `${needed.slice(0, -1).join(", ")} and ${needed.at(-1)}`;
    failures.add(givenAt("subnets", spec.subnets, subnet), "too-small", `subnet ${subnet} is too small: it has no room for ${list}`);
  }
  return small.length === 0;
}

function namedSubnets(network: ResolvedNetwork): NamedSubnet[] {
  const { spec, subnets, joins, transits, masquerade, nodes } = network;
  const named = (path: string, given: readonly string[], name: string, prefixes: readonly Prefix[]): NamedSubnet[] =>
    prefixes.map((prefix) => ({ name, prefix, path: givenAt(path, given, formatPrefix(prefix)) }));
  return [
    ...named("subnets", spec.subnets, "subnet", subnets),
    ...named("joinSubnets", spec.joinSubnets, "join subnet", joins),
    ...named("masquerade.subnets", spec.masquerade?.subnets ?? [], "masquerade subnet", masquerade?.subnets ?? []),
    ...nodes.flatMap(({ name, spec: node }) => [
      ...node.external.addresses.map((address, index) => ({
        name: `external network of ${name}`,
        path: propertyPath(["nodes", name, "external", "addresses", index]),
        prefix: networkOf(parsePrefix(address)),
        group: "outside",
      })),
      ...furtherSubnets(name, node.furtherExternals),
      ...node.hostAddresses.map((address, index) => ({
        name: `host address of ${name}`,
        path: propertyPath(["nodes", name, "hostAddresses", index]),
        prefix: hostPrefix(parseIp(address)),
        group: "outside",
      })),
    ]),
    ...named("transitSubnets", spec.transitSubnets, "transit subnet", transits),
  ];
}

const NO_HOST_FLOWS =
  "must be true: it confirms that the hosts' bridges translate the masquerade addresses of gateway routers, by flows that nothing here writes and without which nothing that leaves is answered; docs/how-to/masquerade.md has them";

function checkNodes(network: ResolvedNetwork, failures: Failures): void {
  const { spec, nodes, joins, transits, management } = network;
  if (nodes.length === 0) failures.add("nodes", "required", "needs at least one node");
  if (spec.masquerade && !spec.masquerade.hostFlows) failures.add("masquerade.hostFlows", "required", NO_HOST_FLOWS);
  if (spec.gatewayMode === "local" && !management) failures.add("management", "required", 'is required for gateway mode "local"');
  const given = (path: string, list: readonly string[], prefixes: readonly Prefix[]) =>
    prefixes.map((prefix) => ({ prefix, path: givenAt(path, list, formatPrefix(prefix)) }));
  const ids = nodes.map(({ name, spec: { id } }) => ({ id, path: () => propertyPath(["nodes", name, "id"]) }));
  checkNodeAddresses(given("joinSubnets", spec.joinSubnets, joins), given("transitSubnets", spec.transitSubnets, transits), ids, failures);
  const holders = new Holders(failures);
  for (const node of nodes) {
    const at = (...path: PropertyKey[]) => propertyPath(["nodes", node.name, ...path]);
    holders.take("node id", node.spec.id, node.name, at("id"));
    holders.take("zone", node.zone, node.name, at("zone"));
    holders.take("chassis", node.chassis, node.name, at("chassis"));
    failures.addAll(externalFailures(node.spec.external, at("external")));
    const free = node.spec.external.addresses.map((address, index) =>
      holders.take("external address", formatIp(parsePrefix(address)), node.name, at("external", "addresses", index)),
    );
    // A twin of an address has a twin of its MAC: one failure is enough.
    if (node.spec.external.mac !== undefined || !free.includes(false)) holders.take("MAC", macOutside(node), node.name, at("external", "mac"));
    node.spec.tunnelAddresses.forEach((address, index) => holders.take("tunnel address", address, node.name, at("tunnelAddresses", index)));
    if (management) checkHostAddresses(node.spec.hostAddresses, management.addresses, at("hostAddresses"), failures);
    else if (node.spec.hostAddresses.length > 0) failures.add(at("hostAddresses"), "required", "need management: they are reached through the management port");
  }
  // After the nodes' own chassis, so that a duplicate is reported at the additional chassis.
  for (const { name: node, additionalChassis } of nodes) {
    for (const [name, { tunnelAddresses }] of additionalChassis) {
      const at = (...path: PropertyKey[]) => propertyPath(["nodes", node, "additionalChassis", name, ...path]);
      holders.take("chassis", name, node, at());
      tunnelAddresses.forEach((address, index) => holders.take("tunnel address", address, name, at("tunnelAddresses", index)));
    }
  }
}

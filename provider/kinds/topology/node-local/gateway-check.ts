import { contains, ofFamily, overlapFailures, parseIp, parseSubnet } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { Holders } from "../holders";
import { checkHostAddresses } from "../management";
import { requireHost } from "../placement";
import { sortedEntries } from "../../../kit/entries";
import type { NodeLocalGatewaySpec, NodeLocalNodeSpec } from "./gateway-args";
import { SET_ASIDE, checkRoom } from "../pool-subnets";
import { localSubnets, usedSubnets } from "./subnets";

/** Relations between arguments that OVN would silently accept. */
export function check(args: NodeLocalGatewaySpec): void {
  const failures = new Failures();
  if (Object.keys(args.nodes).length === 0) failures.add("nodes", "required", "needs at least one node");
  if (args.chassis.length === 0) failures.add("chassis", "required", "needs at least one chassis: without one the port does not answer");
  checkSubnets(args, failures);
  const holders = new Holders(failures);
  if (checkRoom(args.subnets, SET_ASIDE, "subnets", failures))
    for (const [node, spec] of sortedEntries(args.nodes)) checkAddresses(args, node, spec, holders, failures);
  checkHosts(args, ["nodes"], failures);
  failures.throwIfAny();
}

/** Subnets that do not go together, whichever resource has them. */
export function checkSubnets(
  { subnets, usedSubnets: used, clusterSubnets, gatewayMode }: Pick<NodeLocalGatewaySpec, "subnets" | "usedSubnets" | "clusterSubnets" | "gatewayMode">,
  failures: Failures,
): void {
  if (gatewayMode === "local" && clusterSubnets.length === 0) {
    failures.add("clusterSubnets", "required", 'is required for gateway mode "local": what goes to them stays in the network');
  }
  failures.addAll(overlapFailures(usedSubnets(subnets, { usedSubnets: used, clusterSubnets })));
}

/** A router's hosts. */
export interface HostsSpec {
  readonly subnets: NodeLocalGatewaySpec["subnets"];
  readonly nodes: Readonly<Record<string, Pick<NodeLocalNodeSpec, "hostAddresses" | "management">>>;
}

/** Hosts of one router that get in each other's way, or that its management ports can't lead to. `path` is that of `nodes`. */
export function checkHosts({ subnets, nodes }: HostsSpec, path: readonly PropertyKey[], failures: Failures): void {
  const holders = new Holders(failures);
  const hosts = new Map(sortedEntries(nodes).flatMap(([node, { hostAddresses }]) => hostAddresses.map((address) => [address, node])));
  for (const [node, { hostAddresses, management }] of sortedEntries(nodes)) {
    const at = (...rest: PropertyKey[]) => propertyPath([...path, node, ...rest]);
    checkHostAddresses(hostAddresses, management.addresses.map(parseIp), at("hostAddresses"), failures);
    for (const [what, list, argument] of [
      ["host address", hostAddresses, ["hostAddresses"]],
      ["management address", management.addresses, ["management", "addresses"]],
    ] as const) {
      list.forEach((text, index) => {
        const inside = subnets.find((subnet) => contains(parseSubnet(subnet), parseIp(text)));
        // The local network would take its packets.
        if (inside) failures.add(at(...argument, index), "overlap", `${text} is inside of node-local subnet ${inside}`);
        holders.take(what, text, node, at(...argument, index));
      });
    }
    management.addresses.forEach((address, index) => {
      const host = hosts.get(address);
      if (host !== undefined && host !== node)
        failures.add(
          at("management", "addresses", index),
          "duplicate",
          `management address ${address} is host ${host}'s own: packets to the host would never leave the router`,
        );
    });
    holders.take("management port", management.port ?? `k8s-${node}`, node, at("management", "port"));
  }
}

function checkAddresses(args: NodeLocalGatewaySpec, node: string, spec: NodeLocalNodeSpec, holders: Holders, failures: Failures): void {
  const at = (...path: PropertyKey[]) => propertyPath(["nodes", node, ...path]);
  const given = spec.addresses.map(parseIp);
  spec.addresses.forEach((text, index) => {
    const path = at("addresses", index);
    const address = parseIp(text);
    failures.attempt(path, () => requireHost(address, args.subnets.map(parseSubnet)));
    const aside = localSubnets(args.subnets).flatMap(({ nextHop, gatewayPort }) => [nextHop, gatewayPort]);
    if (aside.some(({ family, value }) => family === address.family && value === address.value)) {
      failures.add(path, "reserved", `${text} is set aside: the first address is the host's, the second the router's`);
    }
    holders.take("node-local address", text, node, path);
  });
  for (const { family } of args.subnets.map(parseSubnet)) {
    const needed = ofFamily(spec.management.addresses.map(parseIp), family);
    if (needed && !ofFamily(given, family)) failures.add(at("addresses"), "required", `needs an IPv${family} address of ${args.subnets.join(" and ")}`);
  }
}

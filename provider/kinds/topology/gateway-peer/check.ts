import { type NamedSubnet, type Prefix, ofFamily, overlapFailures, parseIp, parseSubnet } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { Holders } from "../holders";
import { checkNodeAddresses } from "../node-addresses";
import { requireHost } from "../placement";
import { sortedEntries } from "../../../kit/entries";
import type { GatewayPeerSpec } from "./args";

/** Relations between arguments that OVN itself would silently accept. */
export function check(args: GatewayPeerSpec): void {
  const failures = new Failures();
  checkLinkSubnets(args, "", failures);
  checkNodes(args, failures);
  if (args.gatewayMode === "local") checkManagement(args, failures);
  failures.throwIfAny();
}

/** Subnets of a network and of its links that do not fit each other. `at` begins their paths. */
export function checkLinkSubnets(args: Pick<GatewayPeerSpec, "subnets" | "joinSubnets" | "transitSubnets">, at: string, failures: Failures): void {
  const named = (path: keyof typeof args, name: string): NamedSubnet[] =>
    args[path].map((text, index) => ({ path: `${at}${path}[${index}]`, name, prefix: parseSubnet(text) }));
  const [subnets, joins, transits] = [named("subnets", "subnet"), named("joinSubnets", "join subnet"), named("transitSubnets", "transit subnet")];
  failures.addAll(overlapFailures([...subnets, ...joins, ...transits]));
  for (const [path, kind, list] of [
    ["joinSubnets", "join", joins],
    ["transitSubnets", "transit", transits],
  ] as const) {
    for (const { family } of missingIn(list, subnets))
      failures.add(at + path, "required", `needs an IPv${family} ${kind} subnet, as the network has IPv${family}`);
    // Both ends of a route over a link are of one family.
    const [others, other] = kind === "join" ? [transits, "transit"] : [joins, "join"];
    for (const { family } of missingIn([...subnets, ...others], list))
      failures.add(at + path, "family", `has an IPv${family} ${kind} subnet, and there is no IPv${family} ${other} subnet`);
  }
}

function missingIn(list: readonly NamedSubnet[], others: readonly NamedSubnet[]): Prefix[] {
  return others.map(({ prefix }) => prefix).filter(({ family }) => !list.some(({ prefix }) => prefix.family === family));
}

function checkNodes({ node, nodes, joinSubnets, transitSubnets }: GatewayPeerSpec, failures: Failures): void {
  if (!Object.hasOwn(nodes, node)) failures.add("node", "unknown-node", `"${node}" is not one of nodes: ${Object.keys(nodes).sort().join(", ")}`);
  const holders = new Holders(failures);
  const ids = sortedEntries(nodes).map(([name, { id }]) => ({ name, id, path: () => propertyPath(["nodes", name, "id"]) }));
  for (const { name, id, path } of ids) holders.take("node id", id, name, path);
  const given = (argument: string, list: readonly string[]) => list.map((text, index) => ({ path: `${argument}[${index}]`, prefix: parseSubnet(text) }));
  checkNodeAddresses(given("joinSubnets", joinSubnets), given("transitSubnets", transitSubnets), ids, failures);
}

function checkManagement({ subnets, managementAddresses }: GatewayPeerSpec, failures: Failures): void {
  const addresses = managementAddresses.map(parseIp);
  const prefixes = subnets.map(parseSubnet);
  addresses.forEach((address, index) => failures.attempt(`managementAddresses[${index}]`, () => requireHost(address, prefixes)));
  for (const { family } of prefixes) {
    if (!ofFamily(addresses, family)) failures.add("managementAddresses", "required", `needs an IPv${family} address for gateway mode "local"`);
  }
}

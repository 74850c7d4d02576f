import { contains, ofFamily, overlapFailures, parseIp, parseSubnet } from "../../address";
import { Failures, propertyPath } from "../failures";
import { Holders } from "../holders";
import { requireHost } from "../placement";
import { sortedEntries } from "../rows";
import type { NodeLocalGatewaySpec, NodeLocalNodeSpec } from "./gateway-args";
import { SET_ASIDE, checkRoom } from "../pool-subnets";
import { localSubnets, usedSubnets } from "./subnets";

/** Relations between arguments that OVN would silently accept. */
export function check(args: NodeLocalGatewaySpec): void {
  const failures = new Failures();
  if (Object.keys(args.nodes).length === 0) failures.add("nodes", "required", "needs at least one node");
  if (args.chassis.length === 0) failures.add("chassis", "required", "needs at least one chassis: without one the port answers nobody");
  if (args.gatewayMode === "local" && args.clusterSubnets.length === 0) {
    failures.add("clusterSubnets", "required", 'is required for gateway mode "local": what goes to them stays in the network');
  }
  const { subnets, usedSubnets: used, clusterSubnets } = args;
  failures.addAll(overlapFailures(usedSubnets(subnets, { usedSubnets: used, clusterSubnets })));
  const holders = new Holders(failures);
  const hosts = new Map(sortedEntries(args.nodes).flatMap(([node, { hostAddresses }]) => hostAddresses.map((address) => [address, node])));
  const room = checkRoom(subnets, SET_ASIDE, "subnets", failures);
  for (const [node, spec] of sortedEntries(args.nodes)) {
    if (room) checkAddresses(args, node, spec, holders, failures);
    checkHost(args, node, spec, holders, failures);
    spec.management.addresses.forEach((address, index) => {
      const host = hosts.get(address);
      if (host !== undefined)
        failures.add(
          propertyPath(["nodes", node, "management", "addresses", index]),
          "duplicate",
          `management address ${address} is host ${host}'s own: packets to the host would never leave the router`,
        );
    });
  }
  failures.throwIfAny();
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
    holders.claim("node-local address", text, node, path);
  });
  for (const { family } of args.subnets.map(parseSubnet)) {
    const needed = ofFamily(spec.management.addresses.map(parseIp), family);
    if (needed && !ofFamily(given, family)) failures.add(at("addresses"), "required", `needs an IPv${family} address of ${args.subnets.join(" and ")}`);
  }
}

function checkHost(
  { subnets }: NodeLocalGatewaySpec,
  node: string,
  { hostAddresses, management }: NodeLocalNodeSpec,
  holders: Holders,
  failures: Failures,
): void {
  const at = (...path: PropertyKey[]) => propertyPath(["nodes", node, ...path]);
  const elsewhere = (text: string, path: string) => {
    const inside = subnets.find((subnet) => contains(parseSubnet(subnet), parseIp(text)));
    // The local network would take its packets.
    if (inside) failures.add(path, "overlap", `${text} is inside of node-local subnet ${inside}`);
  };
  hostAddresses.forEach((text, index) => elsewhere(text, at("hostAddresses", index)));
  management.addresses.forEach((text, index) => elsewhere(text, at("management", "addresses", index)));
  const own = management.addresses.map(parseIp);
  hostAddresses.forEach((text, index) => {
    const { family } = parseIp(text);
    if (!ofFamily(own, family))
      failures.add(at("hostAddresses", index), "family", `${text} is IPv${family}, and the management port has no address of that family`);
    holders.claim("host address", text, node, at("hostAddresses", index));
  });
  management.addresses.forEach((address, index) => holders.claim("management address", address, node, at("management", "addresses", index)));
  holders.claim("management port", management.port ?? `k8s-${node}`, node, at("management", "port"));
}

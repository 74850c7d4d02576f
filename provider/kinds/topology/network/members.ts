import { type Ip, formatIp, joinAddress, largestJoinId, macOfIp } from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { Holders } from "../holders";
import { PORTS } from "../naming";
import { requireHost } from "../placement";
import { type ChassisByNode, chassisByNode } from "./chassis";
import { switchPorts } from "./claims";
import { checkLocation } from "./location-check";
import type { ResolvedNetwork, ResolvedWorkload } from "./resolve";

/** Path of a value in the list that the user gave; of the list itself when the value is a default. */
export function givenAt(path: string, given: readonly string[], value: string): string {
  const index = given.indexOf(value);
  return index < 0 ? path : `${path}[${index}]`;
}

/** The gateway's, the management port's and the workloads' addresses, MACs, port keys and names. */
export function checkMembers(network: ResolvedNetwork, failures: Failures): void {
  const { spec, subnets, gateways, gatewayMac, management, workloads } = network;
  const holders = new Holders(failures);
  const own = (holder: string, path: string, given: readonly string[], addresses: readonly Ip[]): boolean =>
    addresses
      .map((address) => {
        const text = formatIp(address);
        failures.attempt(givenAt(path, given, text), () => requireHost(address, subnets));
        return holders.take("address", text, holder, givenAt(path, given, text));
      })
      .every(Boolean);
  own("the gateway", "gatewayAddresses", spec.gatewayAddresses, gateways);
  holders.take("MAC", gatewayMac, "the gateway", "gatewayAddresses");
  if (management) {
    const free = own("the management port", "management.addresses", spec.management!.addresses, management.addresses);
    if (free || spec.management!.mac !== undefined) holders.take("MAC", management.mac, "the management port", "management.mac");
  }
  for (const key of Object.values(network.portKeys)) holders.take("port key", key, "the switch", "");
  for (const port of switchPorts(network.names.switch)) holders.take("port name", port, "the switch", "");
  for (const { name } of network.nodes) {
    holders.take("port name", PORTS.storRemote(network.names.switch, name), `the switch and node "${name}"`, "");
    holders.take("port name", PORTS.etor(network.names.gatewayRouter(name)), `the gateway router of node "${name}"`, "");
    if (management) holders.take("port name", network.names.managementPort(name), `the management port of node "${name}"`, "");
  }
  checkGatewayRouterMacs(network, holders);
  const chassis = chassisByNode(network);
  for (const workload of workloads) checkWorkload(network, chassis, workload, holders, failures);
}

/** Gateway routers are on the switch in the gateway topology and in an upgrade; a MAC that is free today is to stay so. */
function checkGatewayRouterMacs({ nodes, joins: [join] }: ResolvedNetwork, holders: Holders): void {
  const seen = new Set<number>();
  for (const {
    name,
    spec: { id },
  } of nodes) {
    // Nodes beyond the subnet's end, and ids that occur twice, are refused elsewhere.
    if (!join || BigInt(id) > largestJoinId(join) || seen.has(id)) continue;
    seen.add(id);
    holders.take("MAC", macOfIp(joinAddress(join, id)), `the gateway router of node "${name}"`, propertyPath(["nodes", name, "id"]));
  }
}

function checkWorkload({ subnets }: ResolvedNetwork, chassis: ChassisByNode, workload: ResolvedWorkload, holders: Holders, failures: Failures): void {
  const { name, spec, tunnelKey } = workload;
  const at = (...path: PropertyKey[]) => propertyPath(["workloads", name, ...path]);
  checkLocation(chassis, spec, at, failures);
  holders.take("port name", workload.portName, name, at("portName"));
  const free = workload.addresses.map((address) => {
    const path = givenAt(at("addresses"), spec.addresses, formatIp(address));
    failures.attempt(path, () => requireHost(address, subnets));
    return holders.take("address", formatIp(address), name, path);
  });
  // Values derived from a duplicate address are duplicates too: one failure is enough.
  const derived = !free.includes(false);
  if (derived || spec.mac !== undefined) holders.take("MAC", workload.mac, name, at("mac"));
  if (tunnelKey === undefined || !(derived || spec.tunnelKey !== undefined)) return;
  holders.take("port key", tunnelKey, name, at("tunnelKey"));
}

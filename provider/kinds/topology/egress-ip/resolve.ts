import { type Ip, type Prefix, formatIp, joinAddress, parseIp, parsePrefix, parseSubnet, requireUse, transitPair } from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { namesOf } from "../naming";
import { sortedEntries } from "../../../kit/entries";
import type { EgressIPPolicySpec } from "./args";

export interface EgressNode {
  readonly name: string;
  readonly zone: string;
  readonly gatewayRouter: string;
  readonly externalSwitch: string;
  /** On the old topology: the gateway router is a port of the layer-2 switch. */
  readonly old: boolean;
  readonly transits: readonly Ip[];
  readonly joins: readonly Ip[];
  /** Addresses of the gateway router outside, with the masks of their subnets. */
  readonly externals: readonly Prefix[];
  readonly nextHops: readonly Ip[];
  /** Addresses by which the node is reached; workloads reach them as without a policy. */
  readonly own: readonly Ip[];
  /** The network outside. */
  readonly outside: { readonly networkName: string; readonly vlan?: number | undefined };
}

export interface EgressIP {
  readonly ip: Ip;
  readonly text: string;
  readonly node: string;
  /** As the user wrote it. */
  readonly path: string;
}

interface ServedWorkload {
  readonly name: string;
  /** The workload's node, and during a migration the destination. */
  readonly nodes: readonly string[];
  readonly addresses: readonly Ip[];
}

/** The arguments, read and with all that derives from them. */
export interface ResolvedPolicy {
  readonly spec: EgressIPPolicySpec;
  /** Nodes are about to move, or back: policies are on both routers of every zone. */
  readonly moving: boolean;
  /** Gateway routers are, or are about to be, on the switch: see `outsideOnly` of `EgressAddress`. */
  readonly onSwitch: boolean;
  readonly router: string;
  readonly switch: string;
  readonly subnets: readonly Prefix[];
  readonly nodes: readonly EgressNode[];
  readonly addresses: readonly EgressIP[];
  readonly workloads: readonly ServedWorkload[];
}

export function resolve(spec: EgressIPPolicySpec, failures: Failures): ResolvedPolicy {
  const { network } = spec;
  const names = namesOf(network.name);
  const [joins, transits] = [network.joinSubnets.map(parseSubnet), network.transitSubnets.map(parseSubnet)];
  const nodes = sortedEntries(network.nodes).map(([name, node]): EgressNode => {
    const at = propertyPath(["network", "nodes", name, "id"]);
    const externals = node.externalAddresses.map(parsePrefix);
    return {
      name,
      zone: node.zone ?? name,
      gatewayRouter: node.gatewayRouterName ?? names.gatewayRouter(name),
      externalSwitch: node.externalSwitchName ?? names.externalSwitch(name),
      old: node.topology === "gateway",
      transits: failures.attempt(at, () => transits.map((subnet) => transitPair(subnet, node.id).gateway)) ?? [],
      joins: failures.attempt(at, () => joins.map((subnet) => joinAddress(subnet, node.id))) ?? [],
      externals,
      nextHops: node.nextHops.map(parseIp),
      outside: { networkName: node.networkName, vlan: node.vlan },
      own: [...externals, ...node.hostAddresses.map(parseIp)],
    };
  });
  return {
    spec,
    moving: network.upgrade === "move",
    onSwitch: network.upgrade !== undefined || nodes.some(({ old }) => old),
    router: network.routerName ?? names.transitRouter,
    switch: network.switchName ?? names.switch,
    subnets: network.subnets.map(parseSubnet),
    nodes,
    addresses: sortedEntries(spec.addresses).flatMap(([text, node]) => egressIp(text, node, failures)),
    workloads: [...new Set(spec.workloads)].flatMap((name) => {
      const workload = Object.hasOwn(network.workloads, name) ? network.workloads[name] : undefined;
      return workload
        ? [{ name, nodes: [workload.node, ...(workload.migration ? [workload.migration.to] : [])], addresses: workload.addresses.map(parseIp) }]
        : [];
    }),
  };
}

function egressIp(text: string, node: string, failures: Failures): EgressIP[] {
  const path = propertyPath(["addresses", text]);
  const ip = failures.attempt(path, () => requireUse(parseIp(text), "host"));
  return ip ? [{ ip, text: formatIp(ip), node, path }] : [];
}

import { type Family, type Ip, formatIp } from "../../address";
import { inOrder } from "../fields";
import type { EgressAddressArgs } from "./address";
import type { EgressRerouteArgs, EgressWorkloadArgs } from "./reroute";
import type { EgressNode, ResolvedPolicy, ServedWorkload } from "./resolve";

/** The arguments of every resource of a policy; rows are referred to by name. */
export interface EgressIPPolicyPlan {
  readonly addresses: readonly PlannedAddress[];
  /** By zone; a zone without workloads of the policy and without egress addresses has none. */
  readonly reroutes: Readonly<Record<string, EgressRerouteArgs>>;
  /** Addresses of the workloads that the policy serves. */
  readonly served: readonly string[];
}

export interface PlannedAddress {
  readonly node: string;
  readonly args: EgressAddressArgs;
}

export function planOf(policy: ResolvedPolicy): EgressIPPolicyPlan {
  return {
    addresses: policy.addresses.map((address) => plannedAddress(policy, address)),
    reroutes: Object.fromEntries(policy.nodes.flatMap((node) => {
      const args = rerouteArgs(policy, node);
      return args ? [[node.zone, args]] : [];
    })),
    served: policy.workloads.flatMap(({ addresses }) => ofPolicy(policy, addresses)).map(formatIp),
  };
}

/** Those of a family that the policy has an egress address of. */
function ofPolicy({ addresses }: ResolvedPolicy, own: readonly Ip[]): Ip[] {
  return own.filter(({ family }) => addresses.some(({ ip }) => ip.family === family));
}

function common({ spec }: ResolvedPolicy, { zone }: EgressNode) {
  return { zone, ...(spec.externalIds && { externalIds: spec.externalIds }) };
}

function plannedAddress(policy: ResolvedPolicy, { ip, text, node: nodeName }: ResolvedPolicy["addresses"][number]): PlannedAddress {
  const { spec } = policy;
  const node = policy.nodes.find(({ name }) => name === nodeName)!;
  const workloads = policy.workloads.flatMap(({ addresses }) => addresses.filter(({ family }) => family === ip.family)).map(formatIp);
  return {
    node: nodeName,
    args: {
      ...common(policy, node),
      gatewayRouter: node.gatewayRouter,
      gatewayRouterName: node.gatewayRouter,
      externalSwitch: node.externalSwitch,
      address: text,
      workloads: inOrder(workloads),
      announce: spec.announce,
      ...(spec.mark !== undefined && { packetMark: spec.mark, subnets: spec.network.subnets }),
    },
  };
}

/** The zone's own workloads take all next hops. Those of other zones, should a packet of theirs come by, take the zone's own node. */
function rerouteArgs(policy: ResolvedPolicy, node: EgressNode): EgressRerouteArgs | undefined {
  const { spec } = policy;
  const nextHops = nextHopsFor(policy, node);
  const hasEgress = (family: Family, name: string) => policy.addresses.some((address) => address.node === name && address.ip.family === family);
  const hasHop = (family: Family) => Object.values(nextHops).flat().some((hop) => hop.includes(":") === (family === 6));
  const workloads = policy.workloads.flatMap((workload): [string, EgressWorkloadArgs][] => {
    const local = workload.node === node.name;
    if (!local && node.old) return [];
    const addresses = ofPolicy(policy, workload.addresses).filter(({ family }) => (local ? hasHop(family) : hasEgress(family, node.name)));
    return addresses.length === 0 ? [] : [[workload.name, workloadArgs(workload, addresses, node)]];
  });
  if (workloads.length === 0) return undefined;
  const used = workloads.every(([, { through }]) => through !== undefined) ? { [node.name]: nextHops[node.name]! } : nextHops;
  return {
    ...common(policy, node),
    policy: spec.name,
    router: node.old ? node.gatewayRouter : policy.router,
    switch: policy.switch,
    workloads: Object.fromEntries(workloads),
    nextHops: used,
    keep: keepOf(policy),
    replies: spec.replies,
    ...(spec.replyMark !== undefined && { replyMark: spec.replyMark }),
  };
}

function workloadArgs(workload: ServedWorkload, addresses: readonly Ip[], node: EgressNode): EgressWorkloadArgs {
  return { addresses: addresses.map(formatIp), ...(workload.node !== node.name && { through: [node.name] }) };
}

/**
 * From a transit router: transit addresses, or the join address of a node on the old topology. From a gateway router
 * on the old topology: join addresses, and for its own egress address the default gateway outside, as there is no
 * other way to say "out here"; without one the node's own address takes no share.
 */
function nextHopsFor(policy: ResolvedPolicy, from: EgressNode): Record<string, string[]> {
  const egress = policy.nodes.filter(({ name }) => policy.addresses.some(({ node }) => node === name));
  const hops = egress.map(({ name, old, joins, transits, nextHops }) => {
    const usable = from.old ? (name === from.name ? onePerFamily(nextHops) : joins) : old ? joins : transits;
    const families = policy.addresses.filter(({ node }) => node === name).map(({ ip }) => ip.family);
    return [name, usable.filter(({ family }) => families.includes(family)).map(formatIp)] as const;
  });
  return Object.fromEntries(hops.filter(([, list]) => list.length > 0));
}

function onePerFamily(list: readonly Ip[]): Ip[] {
  return list.filter(({ family }, index) => list.findIndex((other) => other.family === family) === index);
}

function keepOf({ spec, nodes }: ResolvedPolicy): string[] {
  const { subnets, joinSubnets, transitSubnets } = spec.network;
  return [...new Set([...subnets, ...joinSubnets, ...transitSubnets, ...nodes.flatMap(({ own }) => own.map(formatIp)), ...spec.keep])];
}

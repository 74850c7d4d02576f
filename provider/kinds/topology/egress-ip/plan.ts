import { type Family, type Ip, contains, formatIp } from "../../../kit/address";
import { inOrder } from "../fields";
import { extraPorts } from "../layer2-gateway/zone";
import { PORTS } from "../naming";
import type { ProgramClaim } from "../claims";
import type { EgressAddressArgs } from "./address";
import { policyClaims } from "./claims";
import type { EgressRerouteArgs, EgressWorkloadArgs } from "./reroute-args";
import type { EgressNode, ResolvedPolicy } from "./resolve";

/** The arguments of every resource of a policy; rows are referred to by name. */
export interface EgressIPPolicyPlan {
  readonly addresses: readonly PlannedAddress[];
  /** By zone; a zone without workloads of the policy and without egress addresses has none. */
  readonly reroutes: Readonly<Record<string, EgressRerouteArgs>>;
  /** Addresses of the workloads that the policy serves. */
  readonly served: readonly string[];
  /** What no other policy or network of the program may have. */
  readonly claims: readonly ProgramClaim[];
}

export interface PlannedAddress {
  readonly node: string;
  readonly args: EgressAddressArgs;
}

export function planOf(policy: ResolvedPolicy): EgressIPPolicyPlan {
  return {
    addresses: policy.addresses.map((address) => plannedAddress(policy, address)),
    reroutes: Object.fromEntries(
      policy.nodes.flatMap((node) => {
        const args = rerouteArgs(policy, node);
        return args ? [[node.zone, args]] : [];
      }),
    ),
    served: policy.workloads.flatMap(({ addresses }) => ofPolicy(policy, addresses)).map(formatIp),
    claims: policyClaims(policy),
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
      networkName: node.outside.networkName,
      ...(node.outside.vlan !== undefined && { vlan: node.outside.vlan }),
      externalSwitch: node.externalSwitch,
      address: text,
      workloads: inOrder(workloads),
      announce: spec.announce,
      ...(policy.onSwitch && { outsideOnly: true }),
      ...(spec.mark !== undefined && { packetMark: spec.mark, subnets: spec.network.subnets }),
    },
  };
}

/**
 * The zone's own workloads take all next hops. Those of other zones, should a packet of theirs come by, take the zone's
 * own node; a gateway router on the switch does that without a policy.
 */
function rerouteArgs(policy: ResolvedPolicy, node: EgressNode): EgressRerouteArgs | undefined {
  const { spec, moving } = policy;
  const transit = moving || !node.old ? transitHops(policy, node) : undefined;
  const gateway = moving || node.old ? gatewayHops(policy, node) : undefined;
  const leads = (family: Family, hops: NextHops = {}) =>
    Object.values(hops)
      .flat()
      .some((hop) => hop.includes(":") === (family === 6));
  const hasEgress = (family: Family) => policy.addresses.some((address) => address.node === node.name && address.ip.family === family);
  const workloads = policy.workloads.flatMap((workload): [string, EgressWorkloadArgs][] => {
    const local = workload.nodes.includes(node.name);
    if (!local && !transit) return [];
    const addresses = ofPolicy(policy, workload.addresses).filter(({ family }) =>
      local ? leads(family, transit) || leads(family, gateway) : hasEgress(family),
    );
    return addresses.length === 0 ? [] : [[workload.name, { addresses: addresses.map(formatIp), ...(!local && { through: [node.name] }) }]];
  });
  if (workloads.length === 0) return undefined;
  const own = workloads.filter(([, { through }]) => through === undefined);
  const onGateway =
    gateway !== undefined &&
    policy.workloads.some(({ nodes, addresses }) => nodes.includes(node.name) && addresses.some(({ family }) => leads(family, gateway)));
  return {
    ...common(policy, node),
    policy: spec.name,
    ...(transit && { router: policy.router, nextHops: own.length === 0 ? { [node.name]: transit[node.name]! } : transit }),
    ...(moving && { goWithRouter: true }),
    ...(onGateway && { gateway: { router: node.gatewayRouter, ...(moving && { inports: portsOnSwitch(policy) }), nextHops: gateway } }),
    switch: policy.switch,
    workloads: Object.fromEntries(workloads),
    keep: keepOf(policy),
    replies: spec.replies,
    ...(spec.replyMark !== undefined && { replyMark: spec.replyMark }),
  };
}

/** What comes to a gateway router from the transit router has been decided about there. */
function portsOnSwitch({ switch: name }: ResolvedPolicy): string[] {
  return [PORTS.rtos(name), extraPorts(name).aliasOnRouter];
}

type NextHops = Record<string, string[]>;

/**
 * From a transit router: transit addresses; the join address of a node on the old topology. In stage "move" every other node's,
 * which is reached over the switch whether the node has moved or not.
 */
function transitHops(policy: ResolvedPolicy, from: EgressNode): NextHops {
  return hopsOver(policy, ({ name, old, joins, transits }) => ((policy.moving ? name !== from.name : old) ? joins : transits));
}

/**
 * From a gateway router on the switch: join addresses, and for its own egress address the default gateway outside, as
 * there is no other way to say "out here"; without one the node's own address takes no share. A policy names no port: OVN finds the
 * one that has the address's subnet, which of a link-local address is any, and of one beside a single host's (/32) none.
 */
function gatewayHops(policy: ResolvedPolicy, from: EgressNode): NextHops {
  return hopsOver(policy, (node) => (node.name === from.name ? onePerFamily(inSubnets(node)) : node.joins));
}

function inSubnets({ externals, nextHops }: EgressNode): readonly Ip[] {
  return nextHops.filter((hop) => externals.some((external) => contains(external, hop)));
}

function hopsOver({ nodes, addresses }: ResolvedPolicy, reached: (node: EgressNode) => readonly Ip[]): NextHops {
  const hops = nodes.flatMap((node): [string, string[]][] => {
    const families = addresses.filter(({ node: name }) => name === node.name).map(({ ip }) => ip.family);
    const list = reached(node)
      .filter(({ family }) => families.includes(family))
      .map(formatIp);
    return list.length === 0 ? [] : [[node.name, list]];
  });
  return Object.fromEntries(hops);
}

function onePerFamily(list: readonly Ip[]): Ip[] {
  return list.filter(({ family }, index) => list.findIndex((other) => other.family === family) === index);
}

function keepOf({ spec, nodes }: ResolvedPolicy): string[] {
  const { subnets, joinSubnets, transitSubnets } = spec.network;
  return [...new Set([...subnets, ...joinSubnets, ...transitSubnets, ...nodes.flatMap(({ own }) => own.map(formatIp)), ...spec.keep])];
}

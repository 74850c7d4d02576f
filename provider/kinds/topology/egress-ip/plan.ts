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
  /** Reroutes by zone. A zone without workloads and without egress addresses of the policy has no entry. */
  readonly reroutes: Readonly<Record<string, EgressRerouteArgs>>;
  /** Addresses of the workloads that the policy serves. */
  readonly served: readonly string[];
  /** Values that no other policy or network of the program may use. */
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

/** Returns the addresses of families in which the policy has an egress address. */
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
 * The zone's own workloads use all next hops. Packets of workloads in other zones, if they pass here, use the zone's own
 * node; a gateway router on the switch does this without a policy.
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

/** Ports of a gateway router on which policies apply. Packets from the transit router are left out: its policies already decided about them. */
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
 * Next hops from a gateway router on the switch: the join addresses of other nodes. For its own egress address the next
 * hop is the default gateway outside; a policy has no other way to send packets out on this node. Without a default
 * gateway the node's own address gets no share of the traffic. A policy does not name a port: OVN uses the port that has
 * the address's subnet. A link-local address is in the subnet of any port; an address next to a single host's (/32) is
 * in no subnet.
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

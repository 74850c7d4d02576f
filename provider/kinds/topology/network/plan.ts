import { formatPrefix } from "../../../kit/address";
import type { ProgramClaim } from "../claims";
import type { GatewayRouterArgs } from "../gateway-router";
import type { Layer2SwitchArgs } from "../layer2-switch";
import type { Layer2GatewayArgs, Topology, UpgradeStage } from "../layer2-gateway";
import { chassisOutside } from "../members/chassis";
import { portsIn } from "../members/workloads";
import type { RemoteChassisArgs } from "../remote-chassis";
import type { WorkloadPortsArgs } from "../workload-ports";
import { networkClaims } from "./claims";
import { gatewayArgs } from "./gateway-part";
import { gatewayRouterArgs } from "./gateway-router-part";
import { membersOf, type NetworkMembersArgs } from "./lists";
import { type WorkloadPlan, workloadPlan } from "./places";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";
import { switchArgs, workloadsArgs } from "./switch-part";

/**
 * The arguments of every resource of a network. Resources of one zone refer to each other by name; whoever creates
 * them puts outputs there, so that the order is known: remote chassis, switch and gateway router, then what is between
 * them, and the workloads. Remote ports whose chassis comes later work as soon as it is there, but northd warns of each.
 */
export interface Layer2NetworkPlan extends SharedPlan {
  /** By zone. */
  readonly zones: Readonly<Record<string, ZonePlan>>;
}

/** What zones have in common. */
export interface SharedPlan {
  /** The lists that every zone has a part of. */
  readonly members: NetworkMembersArgs;
  readonly gateway: { readonly addresses: readonly string[]; readonly mac: string };
  /** By node. */
  readonly topologies: Readonly<Record<string, Topology>>;
  readonly upgrade: UpgradeStage | undefined;
  readonly joinSubnets: readonly string[];
  readonly transitSubnets: readonly string[];
  /** What the machines of the workloads must be configured with. */
  readonly workloads: Readonly<Record<string, WorkloadPlan>>;
  /** What no other network of the program may have, or must say too. */
  readonly claims: readonly ProgramClaim[];
}

export interface ZonePlan {
  readonly node: string;
  readonly switch: Layer2SwitchArgs;
  readonly gatewayRouter: GatewayRouterArgs;
  /** What is between the two. */
  readonly gateway: Layer2GatewayArgs;
  /** undefined when the network has no workloads. */
  readonly workloads?: WorkloadPortsArgs;
  /** undefined when no other node has tunnel addresses. */
  readonly remoteChassis?: RemoteChassisArgs;
}

/** What a zone has of its own: its plan without its parts of the lists. */
export interface OwnZonePlan extends Pick<ZonePlan, "node" | "switch" | "gatewayRouter"> {
  readonly gateway: Omit<Layer2GatewayArgs, "nodes">;
  readonly workloads?: Omit<WorkloadPortsArgs, "ports">;
  readonly remoteChassis?: Omit<RemoteChassisArgs, "chassis">;
}

/** A network with its lists once: grows with zones and workloads, and not with their product. */
export interface CompactPlan extends SharedPlan {
  /** By zone. */
  readonly zones: Readonly<Record<string, OwnZonePlan>>;
}

export function planOf(network: ResolvedNetwork): Layer2NetworkPlan {
  const compact = compactPlanOf(network);
  return { ...compact, zones: Object.fromEntries(Object.entries(compact.zones).map(([zone, own]) => [zone, wholePlan(zone, own, compact.members)])) };
}

function wholePlan(zone: string, { gateway, workloads, remoteChassis, ...rest }: OwnZonePlan, members: NetworkMembersArgs): ZonePlan {
  return {
    ...rest,
    gateway: { ...gateway, nodes: members.nodes },
    ...(workloads && { workloads: { ...workloads, ports: portsIn(members.workloads!, zone) } }),
    ...(remoteChassis && { remoteChassis: { ...remoteChassis, chassis: chassisOutside(members.chassis!, zone) } }),
  };
}

export function compactPlanOf(network: ResolvedNetwork): CompactPlan {
  const members = membersOf(network);
  return {
    zones: Object.fromEntries(network.nodes.map((node) => [node.zone, ownPlan(network, node, members)])),
    members,
    topologies: Object.fromEntries(network.nodes.map(({ name, spec }) => [name, spec.topology])),
    upgrade: network.spec.upgrade,
    gateway: defaultGateway(network),
    joinSubnets: network.joins.map(formatPrefix),
    transitSubnets: network.transits.map(formatPrefix),
    workloads: Object.fromEntries(network.workloads.map((workload) => [workload.name, workloadPlan(network, workload)])),
    claims: networkClaims(network),
  };
}

export function defaultGateway({ gateways, gatewayMac }: ResolvedNetwork): Layer2NetworkPlan["gateway"] {
  return { addresses: gateways.map(formatPrefix), mac: gatewayMac };
}

function ownPlan(network: ResolvedNetwork, node: ResolvedNode, { chassis = {}, workloads }: NetworkMembersArgs): OwnZonePlan {
  return {
    node: node.name,
    switch: switchArgs(network, node),
    gatewayRouter: gatewayRouterArgs(network, node),
    gateway: gatewayArgs(network, node),
    ...(workloads && { workloads: workloadsArgs(network, node) }),
    ...(Object.values(chassis).some(({ zone }) => zone !== node.zone) && { remoteChassis: common(network, node) }),
  };
}

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
import { type WorkloadPlan, workloadPlan } from "./workload-plan";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";
import { switchArgs, workloadsArgs } from "./switch-part";

/**
 * The arguments of every resource of a network. Resources of one zone refer to each other by name. The caller that
 * creates them inserts outputs there, so that the order is known: remote chassis, switch and gateway router, then the
 * links between them, and the workloads. Remote ports whose chassis is added later work as soon as it exists, but northd
 * logs a warning for each port.
 */
export interface Layer2NetworkPlan extends SharedPlan {
  /** Plans by zone. */
  readonly zones: Readonly<Record<string, ZonePlan>>;
}

/** The part of a plan that zones share. */
interface SharedPlan {
  /** The lists that every zone has a part of. */
  readonly members: NetworkMembersArgs;
  readonly gateway: { readonly addresses: readonly string[]; readonly mac: string };
  /** Topologies by node. */
  readonly topologies: Readonly<Record<string, Topology>>;
  readonly upgrade: UpgradeStage | undefined;
  readonly joinSubnets: readonly string[];
  readonly transitSubnets: readonly string[];
  /** Configuration that the machines of the workloads need. */
  readonly workloads: Readonly<Record<string, WorkloadPlan>>;
  /** Values that no other network of the program may use, or on which it must agree. */
  readonly claims: readonly ProgramClaim[];
}

export interface ZonePlan {
  readonly node: string;
  readonly switch: Layer2SwitchArgs;
  readonly gatewayRouter: GatewayRouterArgs;
  /** The part between the switch and the gateway router. */
  readonly gateway: Layer2GatewayArgs;
  /** undefined when the network has no workloads. */
  readonly workloads?: WorkloadPortsArgs;
  /** undefined when no other node has tunnel addresses. */
  readonly remoteChassis?: RemoteChassisArgs;
}

/** The plan of a zone without its parts of the shared lists. */
export interface OwnZonePlan extends Pick<ZonePlan, "node" | "switch" | "gatewayRouter"> {
  readonly gateway: Omit<Layer2GatewayArgs, "nodes">;
  readonly workloads?: Omit<WorkloadPortsArgs, "ports">;
  readonly remoteChassis?: Omit<RemoteChassisArgs, "chassis">;
}

/** A network with its lists once: grows with zones and workloads, and not with their product. */
export interface CompactPlan extends SharedPlan {
  /** Plans by zone. */
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

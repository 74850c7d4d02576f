import { type Family, type Prefix, formatIp, formatPrefix, joinAddress, networkOf, parsePrefix, sizeOf } from "../../address";
import type { ProgramClaim } from "../claims";
import type { GatewayRouterArgs } from "../gateway-router";
import type { Layer2SwitchArgs } from "../layer2-switch";
import type { Layer2GatewayArgs, Layer2GatewayNodeArgs, Topology, UpgradeStage } from "../layer2-gateway";
import { chassisOutside } from "../members/chassis";
import { portsIn } from "../members/workloads";
import type { RemoteChassisArgs } from "../remote-chassis";
import type { WorkloadPortsArgs } from "../workload-ports";
import { advertisedArgs } from "./advertised";
import { networkClaims } from "./claims";
import { ownPortKeys } from "../own-port-keys";
import { sortedEntries } from "../rows";
import { chassisList, type NetworkMembersArgs, workloadsList } from "./lists";
import { type WorkloadPlan, workloadPlan } from "./places";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";
import { onSwitch, translatesOutsideOnly, unusedAddress } from "./upgrade";

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

function membersOf(network: ResolvedNetwork): NetworkMembersArgs {
  const [chassis, workloads] = [chassisList(network), workloadsList(network)];
  return { nodes: nodesArgs(network), ...(chassis && { chassis }), ...(workloads && { workloads }) };
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

export function workloadsArgs(network: ResolvedNetwork, node: ResolvedNode): Omit<WorkloadPortsArgs, "ports"> {
  return { ...common(network, node), switch: network.names.switch };
}

export function switchArgs(network: ResolvedNetwork, node: ResolvedNode): Layer2SwitchArgs {
  const { spec, names, management } = network;
  return {
    ...common(network, node),
    name: names.switch,
    subnets: network.subnets.map(formatPrefix),
    interconnect: true,
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.switch }),
    ...(spec.multicast && { multicast: spec.multicast }),
    ...(management && {
      managementPort: {
        name: names.managementPort(node.name),
        addresses: management.addresses.map(formatIp),
        mac: management.mac,
        tunnelKey: network.portKeys.management,
      },
      aclFromManagement: spec.management!.acl,
    }),
  };
}

type Nodes = Record<string, Layer2GatewayNodeArgs>;

export function nodesArgs(network: ResolvedNetwork): Nodes {
  const upgrading = onSwitch(network);
  return Object.fromEntries(
    network.nodes.map(({ name, chassis, spec: { id, topology, switchPortKey } }) => [
      name,
      {
        id,
        ...(chassis !== name && { chassis }),
        ...(topology !== "transit" && { topology }),
        ...(upgrading && switchPortKey !== undefined && { switchPortKey }),
      },
    ]),
  );
}

export function gatewayArgs(network: ResolvedNetwork, node: ResolvedNode): Omit<Layer2GatewayArgs, "nodes"> {
  const { spec, names, management, masquerade } = network;
  const announceTo = spec.upgrade === "announce" ? unusedAddress(network) : undefined;
  return {
    ...common(network, node),
    network: spec.name,
    switch: names.switch,
    switchName: names.switch,
    gatewayRouter: names.gatewayRouter(node.name),
    node: node.name,
    ...ownKeysArgs(network),
    ...(spec.upgrade !== undefined && { upgrade: spec.upgrade }),
    ...(announceTo !== undefined && { announceTo }),
    subnets: network.subnets.map(formatPrefix),
    transitSubnets: network.transits.map(formatPrefix),
    joinSubnets: network.joins.map(formatPrefix),
    gateway: { addresses: network.gateways.map(formatPrefix), mac: network.gatewayMac },
    mtu: spec.mtu,
    gatewayMtu: spec.mtu,
    ctCommitAll: spec.ctCommitAll,
    gatewayMode: spec.gatewayMode,
    ...(spec.advertised?.importRoutes && { importsRoutes: true }),
    ...(spec.gatewayMode === "local" && { hostSubnets: hostSubnets(node) }),
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.router }),
    ...(spec.routerAdvertisements && { routerAdvertisements: spec.routerAdvertisements }),
    ...(management && {
      management: {
        addresses: management.addresses.map(formatIp),
        mac: management.mac,
        masqueradeAddresses: masquerade?.managements.map(formatIp) ?? [],
        hostAddresses: node.spec.hostAddresses,
        ...(spec.management!.services.length > 0 && { services: spec.management!.services }),
      },
    }),
    ...(management && masquerade && { masqueradeSubnets: masquerade.subnets.map(formatPrefix) }),
  };
}

/** Where they are the usual ones nothing is said: most networks' arguments stay as they always were. */
function ownKeysArgs({ portKeys: { router, alias } }: ResolvedNetwork): Pick<Layer2GatewayArgs, "ownPortKeys"> {
  const { router: usualRouter, alias: usualAlias } = ownPortKeys([]);
  return router === usualRouter && alias === usualAlias ? {} : { ownPortKeys: { router, alias } };
}

/** Subnets that the gateway router has ports in; a single address is in none. */
function hostSubnets({ spec }: ResolvedNode): string[] {
  const subnets = spec.external.addresses.map((address) => networkOf(parsePrefix(address)));
  return [...new Set(subnets.filter((subnet) => sizeOf(subnet) > 1n).map(formatPrefix))];
}

export function gatewayRouterArgs(network: ResolvedNetwork, node: ResolvedNode): GatewayRouterArgs {
  const { spec, names, masquerade, subnets } = network;
  const { bridge, networkName, vlan, mac, addresses, nextHops } = node.spec.external;
  const translatable: readonly { family: Family }[] = masquerade?.gateways ?? addresses.map(parsePrefix);
  const inside = (prefix: Prefix) => translatable.some(({ family }) => family === prefix.family);
  return {
    ...common(network, node),
    name: names.gatewayRouter(node.name),
    chassis: node.chassis,
    external: {
      switchName: names.externalSwitch(node.name),
      localnetPortName: names.localnetPort(bridge, node.name),
      networkName,
      addresses,
      nextHops,
      ...(vlan !== undefined && { vlan }),
      ...(mac !== undefined && { mac }),
    },
    ...furtherExternalsArgs(network, node),
    joinAddresses: network.joins.map((join) => formatIp(joinAddress(join, node.spec.id))),
    ...(translatesOutsideOnly(network) && { snatOutsideOnly: true }),
    ...advertisedArgs(network, node),
    snatSubnets: spec.snat ? subnets.filter(inside).map(formatPrefix) : [],
    ...(masquerade && { masquerade: { subnets: masquerade.subnets.map(formatPrefix), addresses: masquerade.gateways.map(formatIp) } }),
    ...(spec.neighbors && { neighbors: spec.neighbors }),
  };
}

function furtherExternalsArgs({ names }: ResolvedNetwork, { name, spec }: ResolvedNode): Pick<GatewayRouterArgs, "furtherExternals"> {
  const further = sortedEntries(spec.furtherExternals);
  if (further.length === 0) return {};
  const named = (key: string) => ({ switchName: names.furtherExternalSwitch(key, name), localnetPortName: names.furtherLocalnetPort(key, name) });
  return {
    furtherExternals: Object.fromEntries(
      further.map(([key, { networkName, vlan, mac, mtu, ...rest }]) => [
        key,
        {
          ...named(key),
          ...(networkName !== undefined && { networkName }),
          ...(vlan !== undefined && { vlan }),
          ...(mac !== undefined && { mac }),
          ...(mtu !== undefined && { mtu }),
          ...rest,
        },
      ]),
    ),
  };
}

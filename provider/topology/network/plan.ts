import { type Family, type Prefix, formatIp, formatPrefix, joinAddress, networkOf, parsePrefix, sizeOf } from "../../address";
import type { ProgramClaim } from "../claims";
import type { GatewayRouterArgs } from "../gateway-router";
import type { LayerTwoSwitchArgs } from "../layer-two-switch";
import type { Layer2GatewayArgs, Layer2GatewayNodeArgs, Topology, UpgradeStage } from "../layer2-gateway";
import type { RemoteChassisArgs } from "../remote-chassis";
import type { WorkloadPortsArgs } from "../workload-ports";
import { advertisedArgs } from "./advertised";
import { remoteChassisArgs } from "./chassis";
import { networkClaims } from "./claims";
import { ownPortKeys } from "../own-port-keys";
import { type WorkloadPlan, workloadPlan, workloadsArgs } from "./places";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";
import { onSwitch, translatesOutsideOnly, unusedAddress } from "./upgrade";

/**
 * The arguments of every resource of a network. Resources of one zone refer to each other by name; whoever creates
 * them puts outputs there, so that the order is known: remote chassis, switch and gateway router, then what is between
 * them, and the workloads. Remote ports whose chassis comes later work as soon as it is there, but northd warns of each.
 */
export interface Layer2NetworkPlan {
  /** By zone. */
  readonly zones: Readonly<Record<string, ZonePlan>>;
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
  readonly switch: LayerTwoSwitchArgs;
  readonly gatewayRouter: GatewayRouterArgs;
  /** What is between the two. */
  readonly gateway: Layer2GatewayArgs;
  /** undefined when the network has no workloads. */
  readonly workloads?: WorkloadPortsArgs;
  /** undefined when no other node has tunnel addresses. */
  readonly remoteChassis?: RemoteChassisArgs;
}

export function planOf(network: ResolvedNetwork): Layer2NetworkPlan {
  const nodes = nodesArgs(network);
  return {
    zones: Object.fromEntries(network.nodes.map((node) => [node.zone, zonePlan(network, node, nodes)])),
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

function zonePlan(network: ResolvedNetwork, node: ResolvedNode, nodes: Nodes): ZonePlan {
  const workloads = workloadsArgs(network, node);
  const remoteChassis = remoteChassisArgs(network, node);
  return {
    node: node.name,
    switch: switchArgs(network, node),
    gatewayRouter: gatewayRouterArgs(network, node),
    gateway: gatewayArgs(network, node, nodes),
    ...(workloads && { workloads }),
    ...(remoteChassis && { remoteChassis }),
  };
}

export function switchArgs(network: ResolvedNetwork, node: ResolvedNode): LayerTwoSwitchArgs {
  const { spec, names, management } = network;
  return {
    ...common(network, node),
    name: names.switch,
    subnets: network.subnets.map(formatPrefix),
    interconnect: true,
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.switch }),
    ...(spec.multicast && { multicast: spec.multicast }),
    ...(management && {
      managementPort: { name: names.managementPort(node.name), addresses: management.addresses.map(formatIp), mac: management.mac, tunnelKey: network.portKeys.management },
      aclFromManagement: spec.management!.acl,
    }),
  };
}

type Nodes = Record<string, Layer2GatewayNodeArgs>;

/** All zones share one object: a thousand nodes in a thousand zones would be a million. */
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

export function gatewayArgs(network: ResolvedNetwork, node: ResolvedNode, nodes: Nodes): Layer2GatewayArgs {
  const { spec, names, management, masquerade } = network;
  const announceTo = spec.upgrade === "announce" ? unusedAddress(network) : undefined;
  return {
    ...common(network, node),
    network: spec.name,
    switch: names.switch,
    switchName: names.switch,
    gatewayRouter: names.gatewayRouter(node.name),
    node: node.name,
    nodes,
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
    ...(spec.gatewayMode === "local" && { hostSubnets: hostSubnets(node) }),
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.router }),
    ...(spec.routerAdvertisements && { routerAdvertisements: spec.routerAdvertisements }),
    ...(management && {
      management: {
        addresses: management.addresses.map(formatIp),
        mac: management.mac,
        masqueradeAddresses: masquerade?.managements.map(formatIp) ?? [],
        hostAddresses: node.spec.hostAddresses,
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
    joinAddresses: network.joins.map((join) => formatIp(joinAddress(join, node.spec.id))),
    ...(translatesOutsideOnly(network) && { snatOutsideOnly: true }),
    ...advertisedArgs(network),
    snatSubnets: spec.snat ? subnets.filter(inside).map(formatPrefix) : [],
    ...(masquerade && { masquerade: { subnets: masquerade.subnets.map(formatPrefix), addresses: masquerade.gateways.map(formatIp) } }),
    ...(spec.neighbors && { neighbors: spec.neighbors }),
  };
}

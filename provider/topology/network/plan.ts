import { type Family, type Prefix, formatIp, formatPrefix, joinAddress, ofFamily, parsePrefix } from "../../address";
import type { GatewayPeerArgs } from "../gateway-peer";
import type { GatewayRouterArgs } from "../gateway-router";
import type { LayerTwoSwitchArgs } from "../layer-two-switch";
import type { RemoteChassisArgs } from "../remote-chassis";
import type { TransitRouterArgs } from "../transit-router";
import type { WorkloadPortsArgs } from "../workload-ports";
import type { ResolvedNetwork, ResolvedNode, ResolvedWorkload } from "./resolve";

/**
 * The arguments of every resource of a network. Resources of one zone refer to each other by name; whoever creates
 * them puts outputs there, so that the order is known: remote chassis, switch, transit router and gateway router,
 * peer and workloads. Remote ports whose chassis comes later work as soon as it is there, but northd warns of each.
 */
export interface Layer2NetworkPlan {
  /** By zone. */
  readonly zones: Readonly<Record<string, ZonePlan>>;
  readonly gateway: { readonly addresses: readonly string[]; readonly mac: string };
  readonly joinSubnets: readonly string[];
  readonly transitSubnets: readonly string[];
  /** What the machines of the workloads must be configured with. */
  readonly workloads: Readonly<Record<string, WorkloadPlan>>;
}

export interface ZonePlan {
  readonly node: string;
  readonly switch: LayerTwoSwitchArgs;
  readonly transitRouter: TransitRouterArgs;
  readonly gatewayRouter: GatewayRouterArgs;
  readonly peer: GatewayPeerArgs;
  /** undefined when the network has no workloads. */
  readonly workloads?: WorkloadPortsArgs;
  /** undefined when no other node has tunnel addresses. */
  readonly remoteChassis?: RemoteChassisArgs;
}

export interface WorkloadPlan {
  readonly node: string;
  readonly portName: string;
  /** With the masks of the subnets. */
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly tunnelKey: number;
}

// Reserved keys of the switch's own ports. Without one, northd could give a port the key that a workload asks for later, and would then renumber it.
const ROUTER_PORT_KEY = 1;
const MANAGEMENT_PORT_KEY = 2;

export function planOf(network: ResolvedNetwork): Layer2NetworkPlan {
  return {
    zones: Object.fromEntries(network.nodes.map((node) => [node.zone, zonePlan(network, node)])),
    gateway: { addresses: network.gateways.map(formatPrefix), mac: network.gatewayMac },
    joinSubnets: network.joins.map(formatPrefix),
    transitSubnets: network.transits.map(formatPrefix),
    workloads: Object.fromEntries(network.workloads.map((workload) => [workload.name, workloadPlan(network, workload)])),
  };
}

function zonePlan(network: ResolvedNetwork, node: ResolvedNode): ZonePlan {
  const workloads = workloadsArgs(network, node);
  const remoteChassis = remoteChassisArgs(network, node);
  return {
    node: node.name,
    switch: switchArgs(network, node),
    transitRouter: transitRouterArgs(network, node),
    gatewayRouter: gatewayRouterArgs(network, node),
    peer: peerArgs(network, node),
    ...(workloads && { workloads }),
    ...(remoteChassis && { remoteChassis }),
  };
}

function common({ spec }: ResolvedNetwork, { zone }: ResolvedNode) {
  return { zone, ...(spec.externalIds && { externalIds: spec.externalIds }) };
}

function switchArgs(network: ResolvedNetwork, node: ResolvedNode): LayerTwoSwitchArgs {
  const { spec, names, management } = network;
  return {
    ...common(network, node),
    name: names.switch,
    subnets: network.subnets.map(formatPrefix),
    interconnect: true,
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.switch }),
    ...(spec.multicast && { multicast: spec.multicast }),
    ...(management && {
      managementPort: { name: names.managementPort(node.name), addresses: management.addresses.map(formatIp), mac: management.mac, tunnelKey: MANAGEMENT_PORT_KEY },
      aclFromManagement: spec.management!.acl,
    }),
  };
}

function transitRouterArgs(network: ResolvedNetwork, node: ResolvedNode): TransitRouterArgs {
  const { spec, names, management, masquerade } = network;
  return {
    ...common(network, node),
    name: names.transitRouter,
    switch: names.switch,
    switchName: names.switch,
    gateway: { addresses: network.gateways.map(formatPrefix), mac: network.gatewayMac },
    chassis: node.chassis,
    mtu: spec.mtu,
    gatewayMtu: spec.mtu,
    switchPortTunnelKey: ROUTER_PORT_KEY,
    ctCommitAll: spec.ctCommitAll,
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
  };
}

function gatewayRouterArgs(network: ResolvedNetwork, node: ResolvedNode): GatewayRouterArgs {
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
    snatSubnets: spec.snat ? subnets.filter(inside).map(formatPrefix) : [],
    ...(masquerade && { masquerade: { subnets: masquerade.subnets.map(formatPrefix), addresses: masquerade.gateways.map(formatIp) } }),
    ...(spec.neighbors && { neighbors: spec.neighbors }),
  };
}

function peerArgs(network: ResolvedNetwork, node: ResolvedNode): GatewayPeerArgs {
  const { spec, names, management } = network;
  return {
    ...common(network, node),
    network: spec.name,
    router: names.transitRouter,
    gatewayRouter: names.gatewayRouter(node.name),
    node: node.name,
    nodes: Object.fromEntries(network.nodes.map(({ name, chassis, spec: { id } }) => [name, chassis === name ? { id } : { id, chassis }])),
    subnets: network.subnets.map(formatPrefix),
    transitSubnets: network.transits.map(formatPrefix),
    joinSubnets: network.joins.map(formatPrefix),
    gatewayMtu: spec.mtu,
    gatewayMode: spec.gatewayMode,
    ...(spec.gatewayMode === "local" && { managementAddresses: management!.addresses.map(formatIp) }),
  };
}

function workloadsArgs(network: ResolvedNetwork, node: ResolvedNode): WorkloadPortsArgs | undefined {
  if (network.workloads.length === 0) return undefined;
  const chassisOf = new Map(network.nodes.map(({ name, chassis }) => [name, chassis]));
  const ports = network.workloads.map(({ portName, addresses, mac, tunnelKey, spec }) => {
    const place = spec.node === node.name ? {} : { remote: true, chassis: [chassisOf.get(spec.node)!] };
    const port = { addresses: addresses.map(formatIp), mac, tunnelKey: tunnelKey!, portSecurity: spec.portSecurity };
    return [portName, { ...port, ...place }] as const;
  });
  return { ...common(network, node), switch: network.names.switch, ports: Object.fromEntries(ports) };
}

function remoteChassisArgs(network: ResolvedNetwork, node: ResolvedNode): RemoteChassisArgs | undefined {
  const others = network.nodes.filter((other) => other !== node && other.spec.tunnelAddresses.length > 0);
  if (others.length === 0) return undefined;
  const chassis = others.map((other) => [other.chassis, { addresses: other.spec.tunnelAddresses, encapsulation: other.spec.encapsulation, hostname: other.name }] as const);
  return { ...common(network, node), chassis: Object.fromEntries(chassis) };
}

function workloadPlan(network: ResolvedNetwork, { spec, portName, addresses, mac, tunnelKey }: ResolvedWorkload): WorkloadPlan {
  const withMask = addresses.map((address) => formatPrefix({ ...address, length: ofFamily(network.subnets, address.family)!.length }));
  return { node: spec.node, portName, addresses: withMask, mac, tunnelKey: tunnelKey! };
}

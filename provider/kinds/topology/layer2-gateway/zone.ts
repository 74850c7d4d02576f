import { type Prefix, gatewayPortKey, macOfIp, parsePrefix } from "../../../kit/address";
import { inOrder } from "../fields";
import { type Link, linksOf } from "../gateway-peer/links";
import type { GatewayPeerSpec } from "../gateway-peer/args";
import { PORTS, namesOf } from "../naming";
import { local } from "../rows";
import { RA_DEFAULTS, type TransitRouterSpec } from "../transit-router/args";
import type { Layer2GatewaySpec } from "./args";
import { type StageRows, stageRows } from "./stage";

/** The transit router's row. Its key is its role, as in `TransitRouter`. */
export const TRANSIT_ROUTER = local("Logical_Router", "router");

/** Port key of the upgrade port on the transit router, below those of nodes and above that of the port to the switch. */
export const UPGRADE_PORT_KEY = 2;

/** A node's link, with the key that its gateway router has on the switch. */
export interface NodeLink extends Link {
  readonly switchPortKey: number;
}

/** A zone as its arguments describe it, in the terms of the rows. */
export interface Zone {
  readonly args: Layer2GatewaySpec;
  readonly stage: StageRows;
  readonly own: NodeLink;
  readonly others: readonly NodeLink[];
  readonly router: TransitRouterSpec;
  readonly peer: GatewayPeerSpec;
  readonly gateways: readonly Prefix[];
  readonly gatewayMac: string;
}

export function zoneOf(args: Layer2GatewaySpec): Zone {
  const own = args.nodes[args.node]!;
  const stage = stageRows(args.upgrade, own.topology);
  const peer = peerSpec(args);
  const links = linksOf(peer).map((link): NodeLink => {
    const { id, switchPortKey = gatewayPortKey(id) } = args.nodes[link.node]!;
    return { ...link, switchPortKey };
  });
  const gateways = inOrder(args.gateway.addresses).map(parsePrefix);
  return {
    args,
    stage,
    own: links.find(({ node }) => node === args.node)!,
    others: links.filter(({ node }) => node !== args.node),
    router: routerSpec(args, stage),
    peer,
    gateways,
    gatewayMac: args.gateway.mac ?? macOfIp(gateways[0]!),
  };
}

/** The part of a zone that `GatewayPeer` has arguments for. */
export function peerSpec(args: Layer2GatewaySpec): GatewayPeerSpec {
  const { zone, network, gatewayRouter, node, nodes, subnets, transitSubnets, joinSubnets, gatewayMtu, gatewayMode, management, importsRoutes } = args;
  const router = namesOf(network).transitRouter;
  return {
    zone,
    network,
    router,
    gatewayRouter,
    node,
    nodes,
    subnets,
    transitSubnets,
    joinSubnets,
    gatewayMtu,
    gatewayMode,
    managementAddresses: management?.addresses ?? [],
    staticNeighbors: true,
    importsRoutes,
  };
}

/** The part of a zone that `TransitRouter` has arguments for. */
export function routerSpec(args: Layer2GatewaySpec, { advertised }: Pick<StageRows, "advertised">): TransitRouterSpec {
  const { zone, network, tunnelKey, switchName, gateway, node, nodes, mtu, gatewayMtu, ctCommitAll, management, routerAdvertisements } = args;
  const advertisements = routerAdvertisements ?? RA_DEFAULTS;
  const preferred = { ...advertisements, preference: "HIGH" as const };
  // Workloads keep a router for 65535 s, so the ones of the old topology must count less than the one that stays.
  const often = { ...preferred, sendPeriodic: true, maxInterval: 4, minInterval: 3 };
  return {
    zone,
    name: namesOf(network).transitRouter,
    tunnelKey,
    switch: args.switch,
    switchName,
    gateway,
    chassis: nodes[node]?.chassis ?? node,
    mtu,
    gatewayMtu,
    switchPortTunnelKey: args.ownPortKeys.router,
    routerAdvertisements: advertised === "often" ? often : advertised === "preferred" ? preferred : routerAdvertisements,
    ctCommitAll,
    management,
  };
}

/** Names of ports that exist in addition to those of both topologies. */
export const extraPorts = (switchName: string) => ({
  upgradeOnRouter: `${PORTS.trtos(switchName)}-upgrade`,
  upgradeOnSwitch: `${PORTS.stotr(switchName)}-upgrade`,
  aliasOnRouter: `${PORTS.rtos(switchName)}-alias`,
  aliasOnSwitch: `${PORTS.stor(switchName)}-alias`,
});

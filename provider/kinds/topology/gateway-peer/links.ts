import { type Prefix, formatIp, formatPrefix, joinAddress, macOfIp, parseSubnet, transitPair, transitPortKey } from "../../../kit/address";
import { inOrder } from "../fields";
import { namesOf } from "../naming";
import { sortedEntries } from "../../../kit/entries";
import type { GatewayPeerSpec } from "./args";

/** Everything that derives from a node's id: the link between the transit router and the node's gateway router. */
export interface Link {
  readonly node: string;
  readonly gatewayRouter: string;
  readonly chassis: string;
  readonly portKey: number;
  /** Ends of the link, IPv4 before IPv6. */
  readonly routerSide: readonly Prefix[];
  readonly gatewaySide: readonly Prefix[];
  readonly joins: readonly Prefix[];
  /** MAC of the transit router's port. */
  readonly routerMac: string;
  /** MAC of the gateway router's port. */
  readonly gatewayMac: string;
}

/** Values that all links of a network share. */
interface Shared {
  readonly network: string;
  readonly transitSubnets: readonly string[];
  readonly joinSubnets: readonly string[];
}

/** In the order of node names; each link depends on its own node only. */
export function linksOf({ network, transitSubnets, joinSubnets, nodes }: GatewayPeerSpec): Link[] {
  const shared = { network, transitSubnets: inOrder(transitSubnets), joinSubnets: inOrder(joinSubnets) };
  return sortedEntries(nodes).map(([node, spec]) => linkOf(node, spec, shared));
}

function linkOf(node: string, { id, chassis, gatewayRouterName }: GatewayPeerSpec["nodes"][string], { network, transitSubnets, joinSubnets }: Shared): Link {
  const pairs = transitSubnets.map((subnet) => transitPair(parseSubnet(subnet), id));
  const joins = joinSubnets.map((subnet) => joinAddress(parseSubnet(subnet), id));
  const routerSide = pairs.map(({ router }) => router);
  return {
    node,
    gatewayRouter: gatewayRouterName ?? namesOf(network).gatewayRouter(node),
    chassis: chassis ?? node,
    portKey: transitPortKey(id),
    routerSide,
    gatewaySide: pairs.map(({ gateway }) => gateway),
    joins,
    routerMac: macOfIp(routerSide[0]!),
    gatewayMac: macOfIp(joins[0]!),
  };
}

export const addressOf = (list: readonly Prefix[], { family }: Prefix): string => formatIp(list.find((item) => item.family === family)!);

export const texts = (list: readonly Prefix[]): string[] => list.map(formatPrefix);

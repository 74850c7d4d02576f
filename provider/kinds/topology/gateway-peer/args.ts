import { z } from "zod";
import { byName, common, ipPerFamily, mtu, name, networkName, nodeId, requiredSubnets, rowReference, schemaOf } from "../fields";
import type { TopologyArgs } from "../rows";

/**
 * Links between a zone's transit router and all gateway routers: the peered ports of the own node, a remote port for each other node, and the routes
 * over them.
 */
export interface GatewayPeerArgs extends TopologyArgs {
  /** Name of the network, part of routers' names. Default: "", the default network, without prefix. */
  network?: string;
  /** The transit router: UUID or name. */
  router: string;
  /** Name of the transit router, for the keys of its routes. Default: `<prefix>transit_router`. */
  routerName?: string;
  /** The gateway router of the zone's own node: UUID or name. */
  gatewayRouter: string;
  /** The zone's own node, a key of `nodes`. */
  node: string;
  /** All nodes of the network by name. */
  nodes: Record<string, PeerNodeArgs>;
  /** Subnets of the network, at most one per family. */
  subnets: string[];
  /**
   * Transit subnets, one per family of `subnets`, equal in every zone: node n has base + 2n and base + 2n + 1. With `joinSubnets`, links may have
   * further families.
   */
  transitSubnets: string[];
  /** Join subnets, one per family: node id n has base + n. The same in every zone. */
  joinSubnets: string[];
  /** Larger packets to gateway routers are answered with "fragmentation needed", in bytes. Default: off. */
  gatewayMtu?: number;
  /** Packets leave the network through the node's gateway router ("shared") or its host ("local"). Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** Addresses of the zone's management port, required for "local". */
  managementAddresses?: string[];
  /** Static MAC bindings of other nodes' gateway routers, so that no neighbor discovery crosses zones. Default: true. */
  staticNeighbors?: boolean;
  /** Lets the gateway router learn routes by its `importRoutes`; its inner ports learn none. Default: false. */
  importsRoutes?: boolean;
}

export interface PeerNodeArgs {
  /** Node id, unique in the network: addresses and the port key 10 + id derive from it. 1 to 32757. */
  id: number;
  /** The node's chassis (`system-id`), in every zone the same. Default: the node's name. */
  chassis?: string;
  /** Name of the node's gateway router. Default: `GR_<prefix><node>`. */
  gatewayRouterName?: string;
}

export const schema = schemaOf<GatewayPeerArgs>()(
  z.strictObject({
    ...common,
    network: networkName.default(""),
    router: rowReference,
    routerName: name.optional(),
    gatewayRouter: rowReference,
    node: name,
    nodes: byName(z.strictObject({ id: nodeId, chassis: name.optional(), gatewayRouterName: name.optional() })),
    subnets: requiredSubnets,
    transitSubnets: requiredSubnets,
    joinSubnets: requiredSubnets,
    gatewayMtu: mtu.optional(),
    gatewayMode: z.enum(["shared", "local"]).default("shared"),
    managementAddresses: ipPerFamily.default([]),
    staticNeighbors: z.boolean().default(true),
    importsRoutes: z.boolean().default(false),
  }),
);

export type GatewayPeerSpec = z.output<typeof schema>;

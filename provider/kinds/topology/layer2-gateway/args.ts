import { z } from "zod";
import {
  byName,
  common,
  datapathKey,
  mtu,
  name,
  networkName,
  nodeId,
  portKey,
  requiredSubnets,
  rowReference,
  schemaOf,
  subnetPerFamily,
  subnets,
  ip,
} from "../fields";
import type { PeerNodeArgs } from "../gateway-peer/args";
import type { TopologyArgs } from "../rows";
import { gateway, type GatewayArgs, management, type ManagementArgs, type RouterAdvertisementArgs, routerAdvertisements } from "../transit-router/args";
import { STAGES, TOPOLOGIES, type Topology, type UpgradeStage } from "./stage";

/**
 * Everything between a zone's switch and its gateway router, in both topologies and during an upgrade. A node's move is one transaction. In the
 * transit topology it has the rows of `TransitRouter` and `GatewayPeer`. (OKEP-5094)
 */
export interface Layer2GatewayArgs extends TopologyArgs {
  /** Name of the network, part of routers' names. Default: "", the default network, without prefix. */
  network?: string;
  /** The layer-2 switch: UUID or name. */
  switch: string;
  /** Name of the switch: part of the names of ports. */
  switchName: string;
  /** The gateway router of the zone's own node: UUID or name. */
  gatewayRouter: string;
  /** Datapath key of the transit router, the same in every zone. Default: none, for a network of one zone. */
  tunnelKey?: number;
  /** The zone's own node, a key of `nodes`. */
  node: string;
  /** All nodes of the network by name. */
  nodes: Record<string, Layer2GatewayNodeArgs>;
  /** Port keys of the switch's own ports, which no node and no workload has. Default: the usual ones, see there. */
  ownPortKeys?: SwitchPortKeysArgs;
  /** Stage of the network's upgrade, the same in every zone. See `Layer2Network`. Default: none. */
  upgrade?: UpgradeStage;
  /** An unused IPv4 address of the network: requesting it announces the gateway. Required for stage "announce" with IPv4. */
  announceTo?: string;
  /** Subnets of the network, at most one per family. */
  subnets: string[];
  /** As `GatewayPeer`. */
  transitSubnets: string[];
  /** As `GatewayPeer`. */
  joinSubnets: string[];
  /** The default gateway that workloads see. */
  gateway: GatewayArgs;
  /** Largest packet of the network in bytes. Default: 1400. */
  mtu?: number;
  /** Larger packets are answered with "fragmentation needed", in bytes. Default: off. */
  gatewayMtu?: number;
  /** Default: on, when there is an IPv6 gateway address. */
  routerAdvertisements?: RouterAdvertisementArgs;
  /** Default: as `TransitRouter`. */
  ctCommitAll?: boolean;
  /** As `GatewayPeer`. Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** External subnets of the gateway router, for mode "local" in the gateway topology (policies 99). Default: none. */
  hostSubnets?: string[];
  /** The management port of the zone's host; required for gateway mode "local". Default: none. */
  management?: ManagementArgs;
  /** Subnets of the management port's masquerade addresses; needed with those in an upgrade. Default: none. */
  masqueradeSubnets?: string[];
  /** As `GatewayPeer`. Default: false. */
  importsRoutes?: boolean;
}

export interface SwitchPortKeysArgs {
  /** Key of the switch's port to the transit router. Default: 1. */
  router?: number;
  /** Key of the alias port that the gateway router has on the switch in an upgrade. Default: 3. */
  alias?: number;
}

export interface Layer2GatewayNodeArgs extends PeerNodeArgs {
  /** Default: "transit". */
  topology?: Topology;
  /** Port key of the node's gateway router on the switch, for the gateway topology and upgrades. Default: 32768 - id. */
  switchPortKey?: number;
}

export const topology = z.enum(TOPOLOGIES).default("transit");
export const stage = z.enum(STAGES).optional();

export const gatewayNodes = byName(
  z.strictObject({ id: nodeId, chassis: name.optional(), gatewayRouterName: name.optional(), topology, switchPortKey: portKey.optional() }),
);

export const schema = schemaOf<Layer2GatewayArgs>()(
  z.strictObject({
    ...common,
    network: networkName.default(""),
    switch: rowReference,
    switchName: name,
    gatewayRouter: rowReference,
    tunnelKey: datapathKey.optional(),
    node: name,
    nodes: gatewayNodes,
    ownPortKeys: z.strictObject({ router: portKey.default(1), alias: portKey.default(3) }).prefault({}),
    upgrade: stage,
    announceTo: ip.optional(),
    subnets: requiredSubnets,
    transitSubnets: requiredSubnets,
    joinSubnets: requiredSubnets,
    gateway,
    mtu: mtu.default(1400),
    gatewayMtu: mtu.optional(),
    routerAdvertisements: routerAdvertisements.optional(),
    ctCommitAll: z.boolean().default(false),
    gatewayMode: z.enum(["shared", "local"]).default("shared"),
    hostSubnets: subnets.default([]),
    management: management.optional(),
    masqueradeSubnets: subnetPerFamily.default([]),
    importsRoutes: z.boolean().default(false),
  }),
);

export type Layer2GatewaySpec = z.output<typeof schema>;

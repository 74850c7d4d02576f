import { z } from "zod";
import { byName, common, ipPerFamily, mtu, networkId, networkName, requiredSubnets, schemaOf, subnetPerFamily } from "../../fields";
import { type NeighborArgs, neighbors } from "../../gateway-router/args";
import { stage } from "../../layer2-gateway/args";
import type { UpgradeStage } from "../../layer2-gateway/stage";
import { portRange } from "../../../vpc/port-range";
import { type MulticastArgs, multicast } from "../../layer2-switch";
import { type RouterAdvertisementArgs, routerAdvertisements } from "../../transit-router/args";
import { advertised, type NetworkAdvertisedArgs } from "./advertised-args";
import { management, type NetworkManagementArgs } from "./management-args";
import { masquerade, type NetworkMasqueradeArgs } from "./masquerade-args";
import { type NetworkNodeArgs, node } from "./node-args";
import { type NetworkTunnelKeysArgs, tunnelKeys } from "../tunnel-keys";
import { type NetworkWorkloadArgs, workload } from "./workload-args";

/** A layer-2 network over all zones: one switch, one default gateway, and a gateway router on every node. */
export interface Layer2NetworkArgs {
  /** Name of the network; names of its objects begin with it. "" is the default network, without prefix. */
  name: string;
  /** Subnets of the network, at most one per family, without host bits. */
  subnets: string[];
  /** Nodes by name. Each node is in its own zone. */
  nodes: Record<string, NetworkNodeArgs>;
  /** Stage of the upgrade between the topologies; see docs/reference/upgrade-rows.md. Default: none; all nodes have one topology. */
  upgrade?: UpgradeStage;
  /** Workloads by name. Default: none. */
  workloads?: Record<string, NetworkWorkloadArgs>;
  /**
   * Datapath keys of the switch and the transit router, the same in every zone: `{ switch, router }`, or a list of the two in this order, as an
   * owner of a `TunnelKeyPool` has them. A resource that spans zones is refused without one.
   */
  tunnelKeys?: NetworkTunnelKeysArgs | number[];
  /** Number of the network on its hosts, for masquerade addresses. 1 to 65535. Default: none; required with `masquerade`. */
  networkId?: number;
  /** Default gateways of the workloads, without masks. Default: the first address of each subnet. */
  gatewayAddresses?: string[];
  /**
   * Join subnets, also of families that the network lacks. Default: 100.65.0.0/16 and
   * fd99::/64, for the network's families.
   */
  joinSubnets?: string[];
  /** Default: 100.88.0.0/16 and fd97::/64, or the next ones that overlap no other subnet of the network. */
  transitSubnets?: string[];
  /** Whether packets leave through the node's gateway router ("shared") or its host ("local"). Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** Largest packet of the network in bytes: the hosts' MTU less the tunnel's header. Default: 1400. */
  mtu?: number;
  /** Translate packets that leave the network to addresses of the node. Default: true. */
  snat?: boolean;
  /** Source ports of all translations, such as "32768-60999" (ovn-kubernetes 1.2 and 1.3). Default: none is preferred. */
  snatPorts?: string;
  /** For networks that are announced outside. See docs/how-to/advertised-networks.md. Default: it is not. */
  advertised?: NetworkAdvertisedArgs;
  /** A port of each host in the network; `{}` for the defaults. Default: none. */
  management?: NetworkManagementArgs;
  /** Gateway routers that share their hosts' addresses: `{ hostFlows: true }` for the defaults. See docs/how-to/masquerade.md. Default: off. */
  masquerade?: NetworkMasqueradeArgs;
  /** Default: as `Layer2Switch`. */
  multicast?: MulticastArgs;
  /** Default: as `TransitRouter`. */
  routerAdvertisements?: RouterAdvertisementArgs;
  /** Default: as `GatewayRouter`. */
  neighbors?: NeighborArgs;
  /** Default: as `TransitRouter`. */
  ctCommitAll?: boolean;
  /** The same on gateway routers, as ovn-kubernetes has it in gateway mode "local". Default: false. */
  gatewayRouterCtCommitAll?: boolean;
  /** Entries of the column `external_ids` of every row that has one. Default: none. */
  externalIds?: Record<string, string>;
}

export const layer2NetworkSchema = schemaOf<Layer2NetworkArgs>()(
  z.strictObject({
    name: networkName,
    subnets: requiredSubnets,
    nodes: byName(node),
    upgrade: stage,
    workloads: byName(workload).default({}),
    tunnelKeys: tunnelKeys.optional(),
    networkId: networkId.optional(),
    gatewayAddresses: ipPerFamily.default([]),
    joinSubnets: subnetPerFamily.default([]),
    transitSubnets: subnetPerFamily.default([]),
    gatewayMode: z.enum(["shared", "local"]).default("shared"),
    mtu: mtu.default(1400),
    snat: z.boolean().default(true),
    snatPorts: portRange.optional(),
    advertised: advertised.optional(),
    management: management.optional(),
    masquerade: masquerade.optional(),
    multicast: multicast.optional(),
    routerAdvertisements: routerAdvertisements.optional(),
    neighbors: neighbors.optional(),
    ctCommitAll: z.boolean().default(false),
    gatewayRouterCtCommitAll: z.boolean().default(false),
    externalIds: common.externalIds,
  }),
);

export type Layer2NetworkSpec = z.output<typeof layer2NetworkSchema>;

import { z } from "zod";
import { byName, common, ips, name, schemaOf } from "../fields";
import { bridgeFields } from "./bridge";
import { type NodeLocalManagementArgs, gatewayFields, management } from "./gateway-args";

/** Access of workloads and hosts to what runs on the hosts themselves, over all zones. */
export interface NodeLocalAccessArgs {
  /** Zones by name, keys of `zones` in the file of targets. */
  zones: Record<string, NodeLocalZoneArgs>;
  /** Node-local subnets, at most one per family; the same on all hosts. Default: 169.254.0.0/20 and fd99:1::/64. */
  subnets?: string[];
  /** Other subnets of routers and hosts: an overlap is refused. Default: none. */
  usedSubnets?: string[];
  /** Fixed node-local addresses, by node. Default: none; every node gets the lowest free ones and keeps them. */
  addresses?: Record<string, string[]>;
  /** "local": packets of a management port to addresses outside of `clusterSubnets` leave through the host. Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** Subnets of the networks themselves, for mode "local". Default: none. */
  clusterSubnets?: string[];
  /** Adds default routes to routers that have none, which the policies need. Default: false; routers of a `Layer2Network` have routes. */
  defaultRoute?: boolean;
  /** Name of the node-local switch; names of ports derive from it. Default: "node_local_switch". */
  switchName?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: "locnet". */
  networkName?: string;
  /** Name of the bridge on every host, at most 15 characters. Default: "br-local". */
  bridge?: string;
  /** Name of the bridge's internal port on every host, at most 15 characters. Default: "ovn-k8s-gw0". */
  port?: string;
  /** MTU of the internal port. Default: the bridge's. */
  mtu?: number;
  /** "netdev" for the userspace datapath. Default: the kernel's, "system". */
  datapathType?: "system" | "netdev";
  /** Entries of the column `external_ids` of every row that has one. Default: none. */
  externalIds?: Record<string, string>;
}

export interface NodeLocalZoneArgs {
  /** The router whose workloads reach their nodes: UUID or name. */
  router: string;
  /** Nodes of this zone by name. A name occurs in one zone only. */
  nodes: Record<string, NodeLocalHostArgs>;
  /** The node whose chassis answers for the gateway port's own address. Default: the first by name. */
  gateway?: string;
}

export interface NodeLocalHostArgs {
  /** Name of the zone whose setting `openvswitch` leads to this host's Open vSwitch database. Default: the zone that the node is in. */
  hostZone?: string;
  /** The node's chassis (`system-id`). Default: the node's name. */
  chassis?: string;
  /** The router port that the node's workloads come in by; ovn-kubernetes: `rtos-<node>`. */
  routerPort: string;
  /** Addresses of the host that its services are at. */
  hostAddresses: string[];
  /** The node's management port: the host's own port in the network. */
  management: NodeLocalManagementArgs;
}

export const nodeLocalAccessSchema = schemaOf<NodeLocalAccessArgs>()(
  z.strictObject({
    ...gatewayFields,
    ...bridgeFields,
    zones: byName(
      z.strictObject({
        router: name,
        gateway: name.optional(),
        nodes: byName(z.strictObject({ hostZone: name.optional(), chassis: name.optional(), routerPort: name, hostAddresses: ips, management })),
      }),
    ),
    addresses: byName(ips).default({}),
    externalIds: common.externalIds,
  }),
);

export type NodeLocalAccessSpec = z.output<typeof nodeLocalAccessSchema>;

import { z } from "zod";
import {
  anySubnets,
  byName,
  common,
  destinations,
  interfaceAddresses,
  interfaceName,
  ipPerFamily,
  ips,
  mac,
  mappedName,
  mtu,
  name,
  networkId,
  networkName,
  nextHops,
  nodeId,
  portKey,
  requiredIps,
  requiredSubnets,
  schemaOf,
  subnetPerFamily,
  vlan,
} from "../fields";
import { type NeighborArgs, neighbors, type OutsideRouteArgs, outsideRoutes } from "../gateway-router/args";
import { stage, topology } from "../layer2-gateway/args";
import type { Topology, UpgradeStage } from "../layer2-gateway/stage";
import { type MulticastArgs, multicast } from "../layer2-switch";
import { type RouteImportArgs, routeImport } from "../route-import";
import { type RouterAdvertisementArgs, routerAdvertisements } from "../transit-router/args";
import { type NetworkTunnelKeysArgs, tunnelKeys } from "./tunnel-keys";

/** A layer-2 network over all zones: one switch, one default gateway, and a gateway router on every node. */
export interface Layer2NetworkArgs {
  /** Name of the network; names of its objects begin with it. "" is the default network, without prefix. */
  name: string;
  /** Subnets of the network, at most one of each family, without host bits. */
  subnets: string[];
  /** Nodes by name, in any order. One node in each zone. */
  nodes: Record<string, NetworkNodeArgs>;
  /**
   * Stage of the network's way from the gateway topology to the transit topology, or back; every stage can be entered
   * and left by hand, and what each one writes is in docs/upgrade-rows.md. "move": nodes may differ in topology, and reach
   * each other over the switch. Then, all nodes transit: "follow", they reach each other by transit links; "announce",
   * workloads are told the gateway's new MAC; "settle", nothing of the old topology is left but what helps workloads
   * that remember it. All nodes gateway: "shield" and "announce", which tell workloads the old MACs again. Default: none;
   * all nodes have one topology.
   */
  upgrade?: UpgradeStage;
  /** Workloads by name, in any order. Default: none. */
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
  /** Default: 100.65.0.0/16 and fd99::/64. */
  joinSubnets?: string[];
  /** Default: 100.88.0.0/16 and fd97::/64, or the next ones that overlap no other subnet of the network. */
  transitSubnets?: string[];
  /** Whether packets leave through the node's gateway router ("shared") or its host ("local"). Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** Largest packet of the network in bytes: the hosts' MTU less the tunnel's header. Default: 1400. */
  mtu?: number;
  /** Translate what leaves to addresses of the node. For networks that are announced outside see `advertised`. Default: true. */
  snat?: boolean;
  /** The network is announced outside: its packets leave with their own sources. See docs/advertised-networks.md. Default: it is not. */
  advertised?: NetworkAdvertisedArgs;
  /** A port of each host in the network; `{}` for the defaults. Default: none. */
  management?: NetworkManagementArgs;
  /** Gateway routers that share their hosts' addresses: `{ hostFlows: true }` for the defaults. See docs/masquerade.md. Default: off. */
  masquerade?: NetworkMasqueradeArgs;
  /** Default: as `Layer2Switch`. */
  multicast?: MulticastArgs;
  /** Default: as `TransitRouter`. */
  routerAdvertisements?: RouterAdvertisementArgs;
  /** Default: as `GatewayRouter`. */
  neighbors?: NeighborArgs;
  /** Default: as `TransitRouter`. */
  ctCommitAll?: boolean;
  /** Entries of the column `external_ids` of every row that has one. Default: none. */
  externalIds?: Record<string, string>;
}

export interface NetworkNodeArgs {
  /** Unique in the network, and never given to another node: addresses, MACs and port keys derive from it. 1 to 32757. */
  id: number;
  /** Name of the node's zone, a key of `zones` in the file of targets. Default: the node's name. */
  zone?: string;
  /** The node's chassis (`system-id`). Default: the node's name. */
  chassis?: string;
  /**
   * "transit": the node's workloads have the transit router as default gateway, the same on every node. "gateway": they
   * have the node's gateway router, as in ovn-kubernetes before 1.2. Nodes may differ in stage "move". Default: "transit".
   */
  topology?: Topology;
  /**
   * Port key of the node's gateway router on the switch, the same in every zone; counts in the gateway topology and in an
   * upgrade. The switch's own ports, which have 1 to 3 otherwise, make room for it. Default: 32768 - id.
   */
  switchPortKey?: number;
  /** The node's gateway router and the network outside. */
  external: NetworkExternalArgs;
  /**
   * Further networks outside that the node's gateway router is in, by names of `ovn-bridge-mappings`, each with its own addresses. What
   * leaves by one has the router's address there as its source. Not in gateway mode "local". See docs/external-networks.md. Default: none.
   */
  furtherExternals?: Record<string, NetworkFurtherExternalArgs>;
  /** The chassis's `ovn-encap-ip`. Given: the other zones get a remote chassis row, for installations in which nothing else writes them. Default: none. */
  tunnelAddresses?: string[];
  /** Kind of tunnel for `tunnelAddresses`. Default: "geneve". */
  encapsulation?: "geneve" | "vxlan";
  /** Addresses of the node that its workloads reach through the management port. Default: none. */
  hostAddresses?: string[];
  /**
   * Further chassis of the node's zone, by their `system-id`, where one OVN central has many hypervisors. Workloads can be
   * on them; packets to the outside go through the gateway router, which is on the node's own chassis. Default: none.
   */
  additionalChassis?: Record<string, NetworkChassisArgs>;
}

export interface NetworkChassisArgs {
  /** The chassis's `ovn-encap-ip`, for the other zones; see the node's own `tunnelAddresses`. Default: none. */
  tunnelAddresses?: string[];
}

export interface NetworkExternalArgs {
  /** Addresses of the gateway router, with prefix lengths. */
  addresses: string[];
  /** Default gateways outside. Default: none. */
  nextHops?: string[];
  /** MAC of the gateway router's port. Default: derived from the first address. */
  mac?: string;
  /** The node's bridge to the network outside, at most 15 characters; part of a port's name. Default: "br-ex". */
  bridge?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: "physnet". */
  networkName?: string;
  /** Default: untagged. */
  vlan?: number;
}

export interface NetworkFurtherExternalArgs {
  /** Addresses of the gateway router in it, with prefix lengths. They overlap no other network of the node. */
  addresses: string[];
  /** What is behind it besides its own subnets, by a name of your choice. Default: none. */
  routes?: Record<string, OutsideRouteArgs>;
  /** MAC of the gateway router's port. Default: derived from the first address. */
  mac?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: the network's name in `furtherExternals`. */
  networkName?: string;
  /** Default: untagged. */
  vlan?: number;
  /** Larger packets are answered with "fragmentation needed", in bytes. Default: off. */
  mtu?: number;
}

export interface NetworkWorkloadArgs {
  /** The node that the workload is on, a key of `nodes`. */
  node: string;
  /** The chassis that the workload is on: the node's own, or one of its `additionalChassis`. Default: the node's own. */
  chassis?: string;
  /** Addresses inside the subnets, without masks, at most one of each family. */
  addresses: string[];
  /** Default: derived from the first address, IPv4 before IPv6. */
  mac?: string;
  /**
   * Port key, the same in every zone, 10 to 32767. Default: 10 + the position of the first address in its subnet, so it
   * depends on no other workload; addresses beyond the 32757th have none and need a key of their own.
   */
  tunnelKey?: number;
  /** Name of the port, and the interface's `iface-id`. Default: the workload's name. */
  portName?: string;
  /** Drop packets that the workload sends from addresses other than its own. Default: true. */
  portSecurity?: boolean;
  /** A live migration in progress, started by this and finished by `node` alone. See docs/live-migration.md. Default: none. */
  migration?: NetworkMigrationArgs;
}

export interface NetworkMigrationArgs {
  /** The node that the guest is about to run on, or the one that it is on. In its zone both copies of the guest get packets until the migration is finished. */
  to: string;
  /** The chassis that the guest is about to run on: that of `to`, or one of its `additionalChassis`. Default: the node's own. */
  chassis?: string;
  /** "rarp": the copy on the new node is held back until the guest sends a RARP there, as QEMU does when it resumes. Default: not held back. (ovn-nb(5), options:activation-strategy) */
  activation?: "rarp";
}

export interface NetworkManagementArgs {
  /** Default: the second address of each subnet. */
  addresses?: string[];
  /** Default: derived from the first address. */
  mac?: string;
  /** Allow what the management addresses send, ahead of other rules. Default: true. */
  acl?: boolean;
  /**
   * Addresses and subnets of services, such as a cluster's own DNS, that workloads reach through their node's management port, whose host knows
   * the way to them; before egress addresses. See docs/services.md. Default: none.
   */
  services?: string[];
}

export interface NetworkAdvertisedArgs {
  /**
   * Addresses and subnets that workloads go on reaching under their gateway router's address, such as the nodes' own: hosts
   * that have no route to the network answer them, and policies that know nodes by address hold. Not a subnet that routers of the
   * fabric are in: what these ask would be answered with a translated source. Default: none.
   */
  translateTo?: string[];
  /**
   * Subnets of other advertised networks: the gateway routers drop what is sent there (policies at priority 9000). Without it the
   * fabric takes packets from one to the other. Egress addresses change nothing about it. Default: none.
   */
  isolateFrom?: string[];
  /** Routes that the gateway routers learn from a routing table of their hosts, on every host the same. Default: none. */
  importRoutes?: RouteImportArgs;
}

export interface NetworkMasqueradeArgs {
  /**
   * Says that the hosts' bridges translate the gateway routers' masquerade addresses to those of the hosts, and back: required,
   * because nothing here writes these flows, and without them nothing that leaves is answered. docs/masquerade.md has them.
   * Default: false, which is refused.
   */
  hostFlows?: boolean;
  /** Default: 169.254.0.0/17 and fd69::/112. */
  subnets?: string[];
}

const external = z.strictObject({
  addresses: interfaceAddresses,
  nextHops: nextHops.default([]),
  mac: mac.optional(),
  bridge: interfaceName.default("br-ex"),
  networkName: mappedName.default("physnet"),
  vlan: vlan.optional(),
});

const furtherExternal = z.strictObject({
  addresses: interfaceAddresses,
  routes: outsideRoutes.default({}),
  mac: mac.optional(),
  networkName: mappedName.optional(),
  vlan: vlan.optional(),
  mtu: mtu.optional(),
});

const node = z.strictObject({
  id: nodeId,
  topology,
  switchPortKey: portKey.optional(),
  zone: name.optional(),
  chassis: name.optional(),
  external,
  furtherExternals: z.record(mappedName, furtherExternal).default({}),
  tunnelAddresses: ips.default([]),
  encapsulation: z.enum(["geneve", "vxlan"]).default("geneve"),
  hostAddresses: ips.default([]),
  additionalChassis: byName(z.strictObject({ tunnelAddresses: ips.default([]) })).default({}),
});

const workload = z.strictObject({
  node: name,
  chassis: name.optional(),
  addresses: requiredIps,
  mac: mac.optional(),
  tunnelKey: portKey.optional(),
  portName: name.optional(),
  portSecurity: z.boolean().default(true),
  migration: z.strictObject({ to: name, chassis: name.optional(), activation: z.enum(["rarp"]).optional() }).optional(),
});

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
    advertised: z.strictObject({ translateTo: destinations.default([]), isolateFrom: anySubnets.default([]), importRoutes: routeImport.optional() }).optional(),
    management: z
      .strictObject({ addresses: ipPerFamily.default([]), mac: mac.optional(), acl: z.boolean().default(true), services: destinations.default([]) })
      .optional(),
    masquerade: z.strictObject({ hostFlows: z.boolean().default(false), subnets: subnetPerFamily.default([]) }).optional(),
    multicast: multicast.optional(),
    routerAdvertisements: routerAdvertisements.optional(),
    neighbors: neighbors.optional(),
    ctCommitAll: z.boolean().default(false),
    externalIds: common.externalIds,
  }),
);

export type Layer2NetworkSpec = z.output<typeof layer2NetworkSchema>;

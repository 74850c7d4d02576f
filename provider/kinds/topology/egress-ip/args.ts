import { z } from "zod";
import { stage, topology } from "../layer2-gateway/args";
import type { Topology, UpgradeStage } from "../layer2-gateway/stage";
import {
  byName,
  common,
  interfaceAddresses,
  ips,
  mappedName,
  name,
  networkName,
  nextHops,
  nodeId,
  packetMark,
  requiredIps,
  requiredSubnets,
  schemaOf,
  destination,
  vlan,
} from "../fields";

/** Several egress addresses for a set of workloads, each address on a node. (OKEP-5094, Story 2) */
export interface EgressIPPolicyArgs {
  /** Name of the policy, unique in its zones. */
  name: string;
  /** The network that the workloads are in. */
  network: EgressNetworkArgs;
  /** The node of each egress address. IPv4 and IPv6; of each family at most one on a node. */
  addresses: Record<string, string>;
  /** Names of the workloads, of `network.workloads`. */
  workloads: string[];
  /** Translate by this packet mark on gateway routers; see `EgressAddress`. 1 to 4294967295. Default: by workload address. */
  mark?: number;
  /** Further destinations that are not rerouted. Default: the network itself, its join and transit subnets, the nodes' addresses. */
  keep?: string[];
  /** See `EgressReroute`. Default: true. */
  replies?: boolean;
  /** See `EgressReroute`. Default: 42. */
  replyMark?: number;
  /** Tell the network outside where the IPv6 addresses are; see `EgressAddress`. Default: true. */
  announce?: boolean;
  /**
   * Refuses an address on a node without an external address and default gateway of its family. Default:
   * true.
   */
  requireDefaultGateway?: boolean;
  /** Entries of the column `external_ids` of every row that has one. Default: none. */
  externalIds?: Record<string, string>;
}

/** The properties of its network that a policy needs; a `Layer2Network` provides them. */
export interface EgressNetworkArgs {
  /** Name of the network, from which names of its objects derive. */
  name: string;
  /** Subnets of the network. */
  subnets: string[];
  /** Join subnets, one per family. */
  joinSubnets: string[];
  /** Transit subnets, one per family. */
  transitSubnets: string[];
  /** All nodes of the network by name. */
  nodes: Record<string, EgressNodeArgs>;
  /** Stage of the network's upgrade; see `Layer2Network`. In "move" every zone has the policies on both routers. Default: none. */
  upgrade?: UpgradeStage;
  /** All workloads of the network by name. */
  workloads: Record<string, EgressNetworkWorkloadArgs>;
  /** Default: `<prefix>transit_router`. */
  routerName?: string;
  /** Default: `<prefix>ovn_layer2_switch`. */
  switchName?: string;
}

export interface EgressNetworkWorkloadArgs {
  /** The node that the workload is on. */
  node: string;
  /** Addresses without masks. */
  addresses: string[];
  /** A live migration in progress. Default: none. */
  migration?: { to: string };
}

export interface EgressNodeArgs {
  /** The id that the node's transit and join addresses derive from. */
  id: number;
  /** Default: the node's name. */
  zone?: string;
  /** Addresses of the node's gateway router outside, with prefix lengths. */
  externalAddresses: string[];
  /** Default gateways outside. A node with an egress address needs one of its family; see `requireDefaultGateway` of the policy. Default: none. */
  nextHops?: string[];
  /** The bridge's name in `ovn-bridge-mappings`. Default: "physnet". */
  networkName?: string;
  /** VLAN of that network. Default: untagged. */
  vlan?: number;
  /** Addresses of the node itself. Default: none. */
  hostAddresses?: string[];
  /** Default: `GR_<prefix><node>`. */
  gatewayRouterName?: string;
  /** Default: `ext_<prefix><node>`. */
  externalSwitchName?: string;
  /** As `Layer2Network`. Default: "transit". */
  topology?: Topology;
}

const node = z.strictObject({
  id: nodeId,
  zone: name.optional(),
  externalAddresses: interfaceAddresses,
  nextHops: nextHops.default([]),
  hostAddresses: ips.default([]),
  networkName: mappedName.default("physnet"),
  vlan: vlan.optional(),
  gatewayRouterName: name.optional(),
  externalSwitchName: name.optional(),
  topology,
});

const network = z.strictObject({
  name: networkName,
  subnets: requiredSubnets,
  joinSubnets: requiredSubnets,
  transitSubnets: requiredSubnets,
  nodes: byName(node),
  upgrade: stage,
  workloads: byName(z.strictObject({ node: name, addresses: requiredIps, migration: z.strictObject({ to: name }).optional() })),
  routerName: name.optional(),
  switchName: name.optional(),
});

export const egressIPPolicySchema = schemaOf<EgressIPPolicyArgs>()(
  z.strictObject({
    name,
    network,
    // The keys are addresses in any spelling; they are read where failures can name the path.
    addresses: z.record(z.string(), z.string()),
    workloads: z.array(z.string()),
    mark: packetMark.optional(),
    keep: z.array(destination).default([]),
    replies: z.boolean().default(true),
    replyMark: packetMark.optional(),
    announce: z.boolean().default(true),
    requireDefaultGateway: z.boolean().default(true),
    externalIds: common.externalIds,
  }),
);

export type EgressIPPolicySpec = z.output<typeof egressIPPolicySchema>;

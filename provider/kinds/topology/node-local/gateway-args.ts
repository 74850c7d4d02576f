import { z } from "zod";
import { anySubnet, byName, common, ipPerFamily, ips, mappedName, name, names, requiredIps, requiredSubnets, rowReference, schemaOf, subnet } from "../fields";
import type { TopologyArgs } from "../rows";
import { DEFAULT_SUBNETS } from "../pool-subnets";

/**
 * The way from a router to the hosts themselves: a distributed gateway port towards a switch whose localnet port leads
 * to a bridge of each host (`NodeLocalBridge`), a 1-to-1 translation for each node that happens on the node itself, and
 * the policies that send packets for a node's own addresses to it without leaving it.
 */
export interface NodeLocalGatewayArgs extends TopologyArgs {
  /** The router whose workloads reach their nodes: UUID (an output of another resource) or name. */
  router: string;
  /** Nodes of this zone by name, in any order. At least one. */
  nodes: Record<string, NodeLocalNodeArgs>;
  /**
   * Chassis (`system-id`) on which the gateway port is bound, the first one before the others. They only answer for
   * the port's own address: translation happens on each node itself, also when they are all down. At least one.
   */
  chassis: string[];
  /**
   * Node-local subnets, at most one of each family; the same on all hosts, which never see each other's. The first
   * address is the host's, the second the gateway port's. Default: 169.254.0.0/20 and fd99:1::/64.
   */
  subnets?: string[];
  /** Subnets that the router or the hosts use otherwise: an overlap with a node-local one is refused. Default: none. */
  usedSubnets?: string[];
  /** Name of the Logical_Switch; names of ports derive from it. Default: "node_local_switch". */
  switchName?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: "locnet". */
  networkName?: string;
  /** "local": what a management port sends to addresses outside of `clusterSubnets` leaves through the host (priority 1003). Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** Subnets of the networks themselves, for mode "local". Default: none. */
  clusterSubnets?: string[];
  /**
   * Default routes for a router that has none: policies come after routes, so packets without a route are dropped before
   * any policy. Packets for no host are still dropped (policies at priority 1001). Not together with another default
   * route: OVN would alternate between both. Default: false.
   */
  defaultRoute?: boolean;
}

export interface NodeLocalNodeArgs {
  /**
   * The node's own node-local addresses, one of each family of `subnets` that the management port has, from an
   * `AddressPool`: the source address that its services see. An address of another family has no effect.
   */
  addresses: string[];
  /** Addresses of the host: what a workload on this node sends there goes to the management port (1004), what the host sends itself by way of a virtual address comes back to it (1005). */
  hostAddresses: string[];
  /** The node's router port that its workloads' packets come in by; ovn-kubernetes: `rtos-<node>`. */
  routerPort: string;
  /** The node's management port: the host's own port in the network. */
  management: NodeLocalManagementArgs;
}

export interface NodeLocalManagementArgs {
  /** At most one of each family. */
  addresses: string[];
  /** Name of the Logical_Switch_Port. The translation happens on the chassis that binds the port. Default: `k8s-<node>`. */
  port?: string;
}

export const management = z.strictObject({ addresses: requiredIps, port: name.optional() });

export const gatewayFields = {
  subnets: requiredSubnets.default(DEFAULT_SUBNETS),
  usedSubnets: z.array(anySubnet).default([]),
  switchName: name.default("node_local_switch"),
  networkName: mappedName.default("locnet"),
  gatewayMode: z.enum(["shared", "local"]).default("shared"),
  clusterSubnets: z.array(subnet).default([]),
  defaultRoute: z.boolean().default(false),
};

export const schema = schemaOf<NodeLocalGatewayArgs>()(
  z.strictObject({
    ...common,
    ...gatewayFields,
    router: rowReference,
    nodes: byName(z.strictObject({ addresses: ipPerFamily, hostAddresses: ips, routerPort: name, management })),
    chassis: names,
  }),
);

export type NodeLocalGatewaySpec = z.output<typeof schema>;
export type NodeLocalNodeSpec = NodeLocalGatewaySpec["nodes"][string];

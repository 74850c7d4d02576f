import { z } from "zod";
import { anySubnet, byName, common, ipPerFamily, ips, mappedName, name, names, requiredIps, requiredSubnets, rowReference, schemaOf, subnet } from "../fields";
import type { TopologyArgs } from "../rows";
import { DEFAULT_SUBNETS } from "../pool-subnets";

/**
 * Path from a router to the hosts: a distributed gateway port, a switch whose localnet port leads to each host's bridge (`NodeLocalBridge`),
 * 1-to-1 NAT on each node, and policies for the node's own addresses.
 */
export interface NodeLocalGatewayArgs extends TopologyArgs {
  /** The router whose workloads reach their nodes: UUID or name. */
  router: string;
  /** Nodes of this zone by name. At least one. */
  nodes: Record<string, NodeLocalNodeArgs>;
  /** Chassis (`system-id`) of the gateway port, the preferred one first. At least one. */
  chassis: string[];
  /**
   * Node-local subnets, one per family, equal on all hosts: first the host's address, then the gateway port's. Default:
   * 169.254.0.0/20 and fd99:1::/64.
   */
  subnets?: string[];
  /** Other subnets of routers and hosts: an overlap is refused. Default: none. */
  usedSubnets?: string[];
  /** Name of the Logical_Switch; names of ports derive from it. Default: "node_local_switch". */
  switchName?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: "locnet". */
  networkName?: string;
  /** "local": packets of a management port to addresses outside of `clusterSubnets` leave through the host. Default: "shared". */
  gatewayMode?: "shared" | "local";
  /** Subnets of the networks themselves, for mode "local". Default: none. */
  clusterSubnets?: string[];
  /** Adds default routes to a router that has none: OVN drops packets without a route before policies. Default: false. */
  defaultRoute?: boolean;
}

export interface NodeLocalNodeArgs {
  /** The node's own addresses from an `AddressPool`, one per family of the management port. */
  addresses: string[];
  /** Addresses of the host, for policies 1004 (from workloads) and 1005 (from the host itself). */
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

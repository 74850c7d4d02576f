import { z } from "zod";
import type { HostArgs } from "../../backends/flows/kind";
import { byName, ips, mac, name, names, schemaOf } from "../topology/fields";
import { type VpcAclRuleArgs, aclRule, tierFields, vpcFields } from "./args";

/**
 * The logical router of a VPC on one host: a bridge with a patch port to every tier's bridge, flows that route and apply ACLs, and redirect
 * flows on the tiers' bridges.
 */
export interface LogicalRouterBridgeArgs extends HostArgs {
  /** Name of the VPC. */
  vpc: string;
  /** The logical router's own MAC, on every host another one. */
  mac: string;
  /** Tiers by name, all of the VPC's. */
  tiers: Record<string, LogicalRouterTierArgs>;
  /** Workloads by name that packets are routed to; the virtual router gets all others. Default: none. */
  workloads?: Record<string, LogicalRouterWorkloadArgs>;
  /** ACL lists by name, for the tiers to refer to. Default: none. */
  acls?: Record<string, VpcAclRuleArgs[]>;
  /** Hosts at the other ends of tunnels. While a tunnel does not work, the logical router is disabled. Default: none. */
  remotes?: string[];
  /** False: no redirect flows. Default: true. */
  enabled?: boolean;
  /** Whether the host's agent restores all of it between updates (`pulumi-ovn agent --vpc`). Default: false. */
  agent?: boolean;
  /** Whether tunnels have BFD sessions. No effect without `agent`. Default: false. */
  bfd?: boolean;
  /** Conntrack zone, 1 to 65535, for replies to allowed packets. Default: none, every direction needs a rule of its own. */
  conntrackZone?: number;
  /** "netdev": the userspace datapath. Equal for all bridges of a host. Default: the kernel's, "system". (ovs-vswitchd.conf.db(5), Bridge datapath_type) */
  datapathType?: "system" | "netdev";
}

export interface LogicalRouterTierArgs {
  /** Key of the tier's tunnels, as of `VpcBridges`. */
  key: number;
  /** Subnets, at most one per family. */
  cidrs: string[];
  /** MAC of the gateway: what workloads send packets for other tiers to. */
  gatewayMac: string;
  /** Name of the tier's ACL list. Default: "default_deny". */
  acl?: string;
}

export interface LogicalRouterWorkloadArgs {
  /** Name of the tier. */
  tier: string;
  /** MAC of its interface. */
  mac: string;
  /** Addresses that packets for it are sent to. */
  addresses: string[];
}

export const logicalRouterBridgeSchema = schemaOf<LogicalRouterBridgeArgs>()(
  z.strictObject({
    host: name,
    vpc: name,
    mac,
    tiers: byName(z.strictObject({ key: tierFields.key, cidrs: tierFields.cidrs, gatewayMac: mac, acl: tierFields.acl })),
    workloads: byName(z.strictObject({ tier: name, mac, addresses: ips })).default({}),
    acls: byName(z.array(aclRule)).default({}),
    remotes: names.default([]),
    enabled: z.boolean().default(true),
    agent: vpcFields.agent,
    bfd: z.boolean().default(false),
    conntrackZone: vpcFields.conntrackZone,
    datapathType: vpcFields.datapathType,
  }),
);

export type LogicalRouterBridgeSpec = z.output<typeof logicalRouterBridgeSchema>;

import { z } from "zod";
import type { HostArgs } from "../../backends/flows/kind";
import { byName, interfaceName, ip, ips, mac, name, schemaOf } from "../topology/fields";
import { type VpcTunnelType, tierFields, vpcFields } from "./args";

/** A host's part of a VPC: the bridge of every tier, tunnels to every other host, interfaces of workloads, and the flows between them. */
export interface VpcBridgesArgs extends HostArgs {
  /** Name of the VPC. */
  vpc: string;
  /** Keys of the tiers' tunnels, by tier. */
  tiers: Record<string, number>;
  /** Type of the tunnels (ovs-vswitchd.conf.db(5), Interface type); over IPv6 "gre" needs `datapathType: "netdev"`. Default: "gre". */
  tunnelType?: VpcTunnelType;
  /** The host's own address that tunnels begin and end at. */
  tunnelAddress: string;
  /** Tunnel addresses of the VPC's other hosts, by host. */
  remotes: Record<string, string>;
  /** Tiers of the host's interfaces that belong on a tier's bridge, by interface. Default: none. */
  ports?: Record<string, string>;
  /** MACs and addresses that the workloads of `ports` may send from, by interface. Other interfaces are not restricted. Default: none. */
  portSecurity?: Record<string, VpcPortSecurityArgs>;
  /** Whether tunnels have BFD sessions (ovs-vswitchd.conf.db(5), Interface bfd). `Vpc` turns it on. Default: false. */
  bfd?: boolean;
  /** Whether the host's agent restores all of it between updates (`pulumi-ovn agent --vpc`). Default: false. */
  agent?: boolean;
  /** "netdev": the userspace datapath. Equal for all bridges of a host. Default: the kernel's, "system". (ovs-vswitchd.conf.db(5), Bridge datapath_type) */
  datapathType?: "system" | "netdev";
}

/** The sources of a workload's packets. */
export interface VpcPortSecurityArgs {
  /** Its MAC. */
  mac: string;
  /** Its addresses, at least one; with IPv6 the link-local address of the MAC is one, too. */
  addresses: string[];
}

export const vpcBridgesSchema = schemaOf<VpcBridgesArgs>()(
  z.strictObject({
    host: name,
    vpc: name,
    tiers: byName(tierFields.key),
    tunnelType: vpcFields.tunnelType,
    tunnelAddress: ip,
    remotes: byName(ip),
    ports: z.record(interfaceName, name).default({}),
    portSecurity: z.record(interfaceName, z.strictObject({ mac, addresses: ips })).default({}),
    bfd: z.boolean().default(false),
    agent: vpcFields.agent,
    datapathType: vpcFields.datapathType,
  }),
);

export type VpcBridgesSpec = z.output<typeof vpcBridgesSchema>;

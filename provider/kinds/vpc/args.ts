import { z } from "zod";
import { anySubnets, byName, interfaceName, ip, ips, mac, name, requiredIps, requiredSubnets, schemaOf, whole } from "../topology/fields";
import { portRange } from "./port-range";

/**
 * A VPC on hosts with plain Open vSwitch: tiers (layer-2 networks) on every host of the VPC, a central virtual router
 * that another program runs on one of them, and on each other host a logical router that routes between tiers and
 * applies their ACLs without a detour.
 */
export interface VpcArgs {
  /** Name of the VPC, unique on its hosts. */
  name: string;
  /** Hosts, by names in the file of targets. The VPC spans those with a workload, and the virtual router's. */
  hosts: Record<string, VpcHostArgs>;
  /** Tiers by name. At least one. */
  tiers: Record<string, VpcTierArgs>;
  /** Workloads by name. Default: none. */
  workloads?: Record<string, VpcWorkloadArgs>;
  /** The central virtual router, with the gateway's address and MAC in every tier. */
  virtualRouter: VpcVirtualRouterArgs;
  /** ACL lists by name, in addition to "default_allow" and "default_deny". Default: none of one's own. */
  acls?: Record<string, VpcAclRuleArgs[]>;
  /** Type of the tunnels between hosts (ovs-vswitchd.conf.db(5), Interface type); over IPv6 "gre" needs `datapathType: "netdev"`. Default: "gre". */
  tunnelType?: VpcTunnelType;
  /** False: packets between tiers use the virtual router. By host: `{ node3: false }`. Default: true. */
  enabled?: boolean | Record<string, boolean>;
  /** Replies to allowed packets pass, by conntrack (ovs-actions(7), ct). Default: false. */
  stateful?: boolean;
  /** Conntrack zone of `stateful`, 1 to 65535, used only by this VPC on every host. Default: derived from `name`. */
  conntrackZone?: number;
  /** "netdev": the userspace datapath. Equal for all bridges of a host. Default: the kernel's, "system". (ovs-vswitchd.conf.db(5), Bridge datapath_type) */
  datapathType?: "system" | "netdev";
  /** BFD on each tunnel: a dead end disables the logical routers of both ends within seconds. Default: true. */
  bfd?: boolean;
  /** An agent on each host restores bridges, tunnels and flows between updates. See docs/how-to/vpc-agent.md. Default: false. */
  agent?: boolean;
  /** Drops packets with other MACs or addresses than the workload's. Each needs its `port`, or `portSecurity: false`. Default: false. */
  portSecurity?: boolean;
}

export type VpcTunnelType = "gre" | "geneve" | "vxlan";

export interface VpcHostArgs {
  /** The host's address of tunnels, of one family in a VPC. */
  tunnelAddress: string;
}

export interface VpcTierArgs {
  /** Subnets, at most one per family. Tiers must not overlap. */
  cidrs: string[];
  /** The virtual router's address in each subnet: the workloads' default gateway. */
  gateways: string[];
  /** The virtual router's MAC in this tier. Default: 0a:58 and the IPv4 gateway's bytes, or a hash of the IPv6 one's. */
  gatewayMac?: string;
  /** Tunnel key, unique on the tier's hosts: 1 to 4294967295 for GRE, 1 to 16777215 for Geneve and VXLAN. */
  key: number;
  /** Name of the tier's ACL list. Your own lists end with: ingress denied, egress allowed. Default: "default_deny", both denied. */
  acl?: string;
}

export interface VpcWorkloadArgs {
  /** Name of the tier. */
  tier: string;
  /** Name of the host. */
  host: string;
  /** MAC of its interface, no other workload's. */
  mac: string;
  /** Addresses in the tier's subnets, at least one. */
  addresses: string[];
  /** Interface to put on the tier's bridge. Default: none, the hypervisor puts it there (outputs `bridges`). */
  port?: string;
  /** Port security of this workload; false for one that sends for others. Default: the VPC's. */
  portSecurity?: boolean;
  /** Labels by which intents select workloads. Default: none. */
  labels?: Record<string, string>;
}

export interface VpcVirtualRouterArgs {
  /** Name of the one host that it runs on. Another name moves the logical routers along. */
  host: string;
  /** Its interfaces on that host, by tier. Default: none, the hypervisor puts them there. */
  ports?: Record<string, string>;
}

/** One rule of an ACL list. The matching rule with the lowest number decides. */
export interface VpcAclRuleArgs {
  /** 1 to 65534; lower ones come first. No two rules of a list have the same. */
  number: number;
  /** Action on packets that match. */
  action: "allow" | "deny";
  /** "ingress": packets to the tier; "egress": packets from it. */
  direction: "ingress" | "egress";
  /** "tcp", "udp", "sctp", "icmp" (IPv4), "icmpv6", or an IP protocol number from 0 to 255 (IANA). Default: every protocol. */
  protocol?: VpcProtocol;
  /** The other end: sources of ingress, destinations of egress. Default: every address. */
  cidrs?: string[];
  /** Destination ports, for tcp, udp and sctp: "443", or "8000-8079" with both ends. Default: every port. */
  ports?: string;
  /** ICMP type, for icmp and icmpv6. Default: every type. */
  icmpType?: number;
  /** ICMP code; needs `icmpType`. Default: every code. */
  icmpCode?: number;
}

export type VpcProtocol = "tcp" | "udp" | "sctp" | "icmp" | "icmpv6" | number;

const byte = (what: string) => whole({ first: 0, last: 255 }, what);

/** The largest key of any tunnel type; see `largestKey`. */
const tunnelKey = whole({ first: 1, last: 4_294_967_295 }, "tunnel key");

const PROTOCOLS = z.enum(["tcp", "udp", "sctp", "icmp", "icmpv6"], {
  error: ({ input }) => `${JSON.stringify(input)} is not a protocol: expected tcp, udp, sctp, icmp, icmpv6, or a number from 0 to 255`,
});

export const aclRule = z.strictObject({
  number: whole({ first: 1, last: 65_534 }, "rule number"),
  action: z.enum(["allow", "deny"]),
  direction: z.enum(["ingress", "egress"]),
  protocol: z
    .union([PROTOCOLS, byte("protocol")], {
      error: ({ input }) => `${JSON.stringify(input)} is not a protocol: expected tcp, udp, sctp, icmp, icmpv6, or a number from 0 to 255`,
    })
    .optional(),
  cidrs: anySubnets.optional(),
  ports: portRange.optional(),
  icmpType: byte("ICMP type").optional(),
  icmpCode: byte("ICMP code").optional(),
});

/** Users with two hosts, or with none, may write a list or leave this out. */
const oneHost = z
  .custom<string>((given) => typeof given === "string", {
    error: ({ input }) =>
      Array.isArray(input) && input.length > 0
        ? `the virtual router is on one host, not on ${input.length}: ${input.join(", ")}`
        : "the virtual router is on no host: name one",
    params: { code: "one-host" },
  })
  .pipe(name);

export const vpcFields = {
  name,
  tunnelType: z.enum(["gre", "geneve", "vxlan"]).default("gre"),
  enabled: z.union([z.boolean(), byName(z.boolean())], { error: "expected true, false, or one of them by host: { node3: false }" }).default(true),
  stateful: z.boolean().default(false),
  conntrackZone: whole({ first: 1, last: 65_535 }, "conntrack zone").optional(),
  datapathType: z.enum(["system", "netdev"]).default("system"),
  portSecurity: z.boolean().default(false),
  agent: z.boolean().default(false),
  bfd: z.boolean().default(true),
};

export const tierFields = { cidrs: requiredSubnets, gateways: requiredIps, gatewayMac: mac.optional(), key: tunnelKey, acl: name.default("default_deny") };

export const vpcSchema = schemaOf<VpcArgs>()(
  z.strictObject({
    ...vpcFields,
    hosts: byName(z.strictObject({ tunnelAddress: ip })),
    tiers: byName(z.strictObject(tierFields)),
    workloads: byName(
      z.strictObject({
        tier: name,
        host: name,
        mac,
        addresses: ips,
        port: interfaceName.optional(),
        portSecurity: z.boolean().optional(),
        labels: z.record(z.string(), z.string()).optional(),
      }),
    ).default({}),
    virtualRouter: z.strictObject({ host: oneHost, ports: byName(interfaceName).default({}) }),
    acls: byName(z.array(aclRule)).default({}),
  }),
);

export type VpcSpec = z.output<typeof vpcSchema>;
export type AclRule = z.output<typeof aclRule>;
export type TierSpec = VpcSpec["tiers"][string];

import { z } from "zod";
import type { ZoneArgs } from "../../backends/rows/kind";
import { byName, ip, name, names, nextHops, schemaOf, whole } from "../topology/fields";
import { routingTable } from "../topology/route-import";

/**
 * Addresses that chassis announce to a BGP fabric: floating IPs, load balancers, provider ports and tenant networks. See docs/how-to/bgp-exposure.md.
 * (ovn-nb(5), options:dynamic-routing)
 */
export interface BgpExposureArgs extends ZoneArgs {
  /** "ovn": northd and ovn-controller find the addresses. "agent": `pulumi-ovn agent` on the chassis. */
  mode: "ovn" | "agent";
  /** Mode "ovn": the gateway routers, by name. Each announces from its own chassis (`options:chassis`). */
  routers?: Record<string, ExposedRouterArgs>;
  /** Mode "agent": names of the chassis (system-id) that announce. */
  chassis?: string[];
  /** Mode "agent": AS number of the chassis. 1 to 4294967295, except 23456, 65535 and 4294967295. */
  asNumber?: number;
  /** Mode "agent": BGP identifiers by chassis, as IPv4 addresses. Default: what FRR chooses. (RFC 4271 section 4.2) */
  routerIds?: Record<string, string>;
  /** Mode "agent": number of the announced routing table. 1 to 65535, except 252 to 255. Default: 1200. */
  table?: number;
  /** Mode "agent": name of the exposure in the zone, which agents report problems by. Default: the resource's name. */
  name?: string;
  /** Announce external addresses of NAT: floating IPs and source translation. Default: false. */
  floatingIPs?: boolean;
  /** Announce the addresses of routers' load balancers. Default: false. */
  loadBalancers?: boolean;
  /** Announce each address on networks with a localnet port. Default: false. */
  providerPorts?: boolean;
  /** Announces other networks of routers: "subnet" by subnet, "host" by used address. Default: none. */
  tenantNetworks?: "subnet" | "host";
  /** Announce only the provider ports and tenant networks that any entry names. Default: all. */
  select?: ExposureSelectionArgs;
  /** Networks and router ports from which nothing is announced, with precedence over other arguments. Default: none. */
  exclude?: ExposureSelectionArgs;
  /** "global": only tenant networks with global IPv6 addresses (2000::/3). Default: "all". */
  tenantAddresses?: "all" | "global";
  /**
   * Neutron's address scopes: only tenant networks in these. Default: any. (external_ids neutron:subnet_pool_addr_scope4 and 6 of the router's
   * port)
   */
  addressScopes?: string[];
  /** Mode "agent": IPv6 gateways of provider networks that no router has; the chassis answer for them. IPv4 needs none. Default: none. */
  gateways?: string[];
}

export interface ExposedRouterArgs {
  /** Routing table on the router's chassis, and the router's datapath key: unique in the zone. 1 to 16777215, except 252 to 255. */
  table: number;
}

export interface ExposureSelectionArgs {
  /** Names of Logical_Switches. Default: none. */
  networks?: string[];
  /** Names of routers' ports (Logical_Router_Port). Mode "agent": also of switch ports, so of single workloads. Default: none. */
  ports?: string[];
  /**
   * Required entries of `external_ids` of the Logical_Switch; in mode "agent" of the workload's port, or of either end of the router's. Default: none.
   */
  labels?: Record<string, string>;
}

/** Assigned to no one (RFC 6793, RFC 7300). */
const NOBODYS: readonly number[] = [23_456, 65_535, 4_294_967_295];

const asNumber = whole({ first: 1, last: 4_294_967_295 }, "AS number").superRefine((value, context) => {
  if (NOBODYS.includes(value))
    context.addIssue({ code: "custom", message: `AS number ${value} is reserved: no router can have it`, params: { code: "reserved" } });
});

const routerId = ip.superRefine((value, context) => {
  if (value.includes(":"))
    context.addIssue({ code: "custom", message: `${value} is not a BGP identifier: it has the form of an IPv4 address`, params: { code: "address" } });
});

const gateways = nextHops.superRefine((list, context) => {
  list.forEach((value, index) => {
    if (!value.includes(":"))
      context.addIssue({
        code: "custom",
        path: [index],
        message: `${value} is not an IPv6 address: the chassis answer for IPv4 gateways by themselves`,
        params: { code: "address" },
      });
  });
});

const selection = z.strictObject({ networks: names.default([]), ports: names.default([]), labels: z.record(z.string().min(1), z.string()).default({}) });

export const schema = schemaOf<BgpExposureArgs>()(
  z.strictObject({
    zone: name,
    mode: z.enum(["ovn", "agent"]),
    routers: byName(z.strictObject({ table: routingTable })).optional(),
    chassis: names.optional(),
    asNumber: asNumber.optional(),
    routerIds: byName(routerId).optional(),
    table: routingTable.optional(),
    name: name.optional(),
    floatingIPs: z.boolean().default(false),
    loadBalancers: z.boolean().default(false),
    providerPorts: z.boolean().default(false),
    tenantNetworks: z.enum(["subnet", "host"]).optional(),
    select: selection.optional(),
    exclude: selection.optional(),
    tenantAddresses: z.enum(["all", "global"]).default("all"),
    addressScopes: names.optional(),
    gateways: gateways.optional(),
  }),
);

export type BgpExposureSpec = z.output<typeof schema>;
/** The arguments in mode "ovn". */
export type OvnExposureSpec = BgpExposureSpec & { readonly routers: Readonly<Record<string, { readonly table: number }>> };
export type ExposureSelection = z.output<typeof selection>;

import { z } from "zod";
import type { ZoneArgs } from "../kind";
import { byName, name, names, schemaOf } from "../topology/fields";
import { routingTable } from "../topology/route-import";

/**
 * What the chassis of gateway routers announce to a BGP fabric: addresses and networks of these routers, by OVN's own route
 * exchange. ovn-controller writes them into a routing table of the chassis, from which its routing daemon, such as FRR, announces
 * them. Needs OVN 25.03. See docs/bgp-exposure.md. (ovn-nb(5), options:dynamic-routing)
 */
export interface BgpExposureArgs extends ZoneArgs {
  /** Who finds out what a chassis announces. "ovn": northd and ovn-controller. */
  mode: "ovn";
  /** The gateway routers, by name. Each announces from its own chassis (`options:chassis`). */
  routers: Record<string, ExposedRouterArgs>;
  /** Announce the external addresses of the routers' NAT: floating IPs, and those of source translation. Default: false. */
  floatingIPs?: boolean;
  /** Announce the addresses of the routers' load balancers. Default: false. */
  loadBalancers?: boolean;
  /** Announce each address on the routers' provider networks (networks with a localnet port), one route for each. Default: false. */
  providerPorts?: boolean;
  /** Announce the routers' other networks: "subnet" by one route for each subnet, "host" by one for each address that is in use. Default: none of them. */
  tenantNetworks?: "subnet" | "host";
  /** Of provider ports and tenant networks, only these: what any entry names. Default: all. */
  select?: ExposureSelectionArgs;
  /** Networks and router ports from which nothing is announced, whatever else says. Default: none. */
  exclude?: ExposureSelectionArgs;
  /** "global": of tenant networks, no others than those whose addresses are global ones of IPv6 (2000::/3). Default: "all". */
  tenantAddresses?: "all" | "global";
  /** Identifiers of Neutron's address scopes: of tenant networks only those of these scopes. Default: any, and networks without one. (external_ids neutron:subnet_pool_addr_scope4 and 6 of the port to the router) */
  addressScopes?: string[];
}

export interface ExposedRouterArgs {
  /**
   * Number of the routing table on the router's chassis. It becomes the router's datapath key, so nothing else in the zone may
   * have it as its key. 1 to 16777215, but for 252 to 255, which are the kernel's own.
   */
  table: number;
}

export interface ExposureSelectionArgs {
  /** Names of Logical_Switches. Default: none. */
  networks?: string[];
  /** Names of the routers' ports (Logical_Router_Port). Default: none. */
  ports?: string[];
  /** Entries of `external_ids` of a Logical_Switch, all of which it must have. Default: none. */
  labels?: Record<string, string>;
}

const selection = z.strictObject({ networks: names.default([]), ports: names.default([]), labels: z.record(z.string().min(1), z.string()).default({}) });

export const schema = schemaOf<BgpExposureArgs>()(
  z.strictObject({
    zone: name,
    mode: z.enum(["ovn"]),
    routers: byName(z.strictObject({ table: routingTable })),
    floatingIPs: z.boolean().default(false),
    loadBalancers: z.boolean().default(false),
    providerPorts: z.boolean().default(false),
    tenantNetworks: z.enum(["subnet", "host"]).optional(),
    select: selection.optional(),
    exclude: selection.optional(),
    tenantAddresses: z.enum(["all", "global"]).default("all"),
    addressScopes: names.optional(),
  }),
);

export type BgpExposureSpec = z.output<typeof schema>;
export type ExposureSelection = z.output<typeof selection>;

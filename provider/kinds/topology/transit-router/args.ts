import { z } from "zod";
import {
  common,
  datapathKey,
  destinations,
  ipPerFamily,
  ips,
  mac,
  mtu,
  name,
  portKey,
  requiredInterfaceAddresses,
  requiredIps,
  rowReference,
  schemaOf,
  whole,
} from "../fields";
import { portRange } from "../../vpc/port-range";
import { type RoutingPolicyArgs, type StaticRouteArgs, routingPolicies, staticRoutes } from "../routing";
import type { TopologyArgs } from "../rows";

/**
 * A zone's transit router, which is the default gateway of a layer-2 network with the same address and MAC in every zone, and its port on the
 * switch. Links and routes to gateway routers belong to `GatewayPeer`.
 */
export interface TransitRouterArgs extends TopologyArgs {
  /** Name of the Logical_Router; ovn-kubernetes: `<prefix>transit_router`. */
  name: string;
  /**
   * Datapath key, equal in every zone, unique in each. Default: none, for a router in one zone; it learns no neighbors from other hosts' ARP
   * requests.
   */
  tunnelKey?: number;
  /** The layer-2 switch of the zone: UUID or name. */
  switch: string;
  /** Name of the switch: part of the names of both ports. */
  switchName: string;
  /** The default gateway that workloads see. */
  gateway: GatewayArgs;
  /** The zone's chassis (`system-id`) for the Gateway_Chassis, which NAT and gateway announcements need. Default: none. */
  chassis?: string;
  /** Largest packet of the network in bytes. Default: 1400. */
  mtu?: number;
  /** Larger packets to workloads are answered with "fragmentation needed" (ovn-nb(5), options:gateway_mtu). Default: off. */
  gatewayMtu?: number;
  /** Port key of the switch's end of the link. Default: northd's choice, which moves when a workload asks for the same key. */
  switchPortTunnelKey?: number;
  /** IPv6 router advertisements (RFC 4861). Default: on when there is an IPv6 gateway address. */
  routerAdvertisements?: RouterAdvertisementArgs;
  /** Commit all packets to connection tracking (ovn-nb(5), options:ct-commit-all; OVN 25.03). Default: false. */
  ctCommitAll?: boolean;
  /** The management port of the zone's host, and what is reached through it. Default: none. */
  management?: ManagementArgs;
  /** Further static routes, by a name. */
  routes?: Record<string, StaticRouteArgs>;
  /** Further routing policies, by a name. */
  policies?: Record<string, RoutingPolicyArgs>;
}

export interface GatewayArgs {
  /** Addresses with the prefix lengths of the network's subnets, at most one per family. */
  addresses: string[];
  /** Default: derived from the first address, IPv4 before IPv6: the same in every zone. */
  mac?: string;
}

/** Defaults as ovn-kubernetes. (ovn-nb(5), Logical_Router_Port ipv6_ra_configs) */
export interface RouterAdvertisementArgs {
  /** Default: true. */
  enabled?: boolean;
  /**
   * How workloads get IPv6 addresses. "slaac" and "dhcpv6_stateless" need a /64 subnet; port security drops undeclared addresses. Default:
   * "dhcpv6_stateful".
   */
  addressMode?: "slaac" | "dhcpv6_stateful" | "dhcpv6_stateless";
  /** Send without being asked. Default: true. */
  sendPeriodic?: boolean;
  /** Seconds between periodic ones, at most: 4 to 1800 (RFC 4861 section 6.2.1). Default: 900. */
  maxInterval?: number;
  /** Seconds between periodic ones, at least: 3 to 1350, and at most three quarters of `maxInterval`. Default: 300. */
  minInterval?: number;
  /** Which router workloads prefer (RFC 4191). Default: "LOW". */
  preference?: "LOW" | "MEDIUM" | "HIGH";
}

export interface ManagementArgs {
  /** Addresses of the management port, inside of the network's subnets. */
  addresses: string[];
  /** MAC of the management port. Default: derived from its first address. */
  mac?: string;
  /** Source addresses of packets to the management port, one per family. Default: none. */
  masqueradeAddresses?: string[];
  /** Source ports of that translation, such as "32768-60999". Default: none is preferred. */
  snatPorts?: string;
  /** Addresses of this node that workloads reach through the management port (policies at priority 1004). Default: none. */
  hostAddresses?: string[];
  /** Services that workloads reach through their node's management port (policies 1004). Default: none. */
  services?: string[];
}

export const routerAdvertisements = z.strictObject({
  enabled: z.boolean().default(true),
  addressMode: z.enum(["slaac", "dhcpv6_stateful", "dhcpv6_stateless"]).default("dhcpv6_stateful"),
  sendPeriodic: z.boolean().default(true),
  // RFC 4861 section 6.2.1. northd silently replaces other values by the nearest of these.
  maxInterval: whole({ first: 4, last: 1800 }, "maxInterval").default(900),
  minInterval: whole({ first: 3, last: 1350 }, "minInterval").default(300),
  preference: z.enum(["LOW", "MEDIUM", "HIGH"]).default("LOW"),
});

export const gateway = z.strictObject({ addresses: requiredInterfaceAddresses, mac: mac.optional() });

export const management = z.strictObject({
  addresses: requiredIps,
  mac: mac.optional(),
  masqueradeAddresses: ipPerFamily.default([]),
  snatPorts: portRange.optional(),
  hostAddresses: ips.default([]),
  services: destinations.default([]),
});

export const schema = schemaOf<TransitRouterArgs>()(
  z.strictObject({
    ...common,
    name,
    tunnelKey: datapathKey.optional(),
    switch: rowReference,
    switchName: name,
    gateway,
    chassis: name.optional(),
    mtu: mtu.default(1400),
    gatewayMtu: mtu.optional(),
    switchPortTunnelKey: portKey.optional(),
    routerAdvertisements: routerAdvertisements.optional(),
    ctCommitAll: z.boolean().default(false),
    management: management.optional(),
    routes: staticRoutes.optional(),
    policies: routingPolicies.optional(),
  }),
);

export type TransitRouterSpec = z.output<typeof schema>;
export const RA_DEFAULTS = routerAdvertisements.parse({});

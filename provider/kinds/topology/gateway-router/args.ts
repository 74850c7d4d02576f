import { z } from "zod";
import {
  anySubnetPerFamily,
  byName,
  common,
  destination,
  destinations,
  interfaceAddresses,
  ipPerFamily,
  mac,
  mappedName,
  mtu,
  name,
  nextHops,
  schemaOf,
  seconds,
  subnetPerFamily,
  vlan,
} from "../fields";
import { portRange } from "../../vpc/port-range";
import { type RouteImportArgs, routeImport } from "../route-import";
import { type RoutingPolicyArgs, type StaticRouteArgs, routingPolicies, staticRoutes } from "../routing";
import type { TopologyArgs } from "../rows";

/** A node's gateway router and its external switch. Its link to the transit router belongs to `GatewayPeer`. */
export interface GatewayRouterArgs extends TopologyArgs {
  /** Name of the Logical_Router; ovn-kubernetes: `GR_<prefix><node>`. Port names derive from it. */
  name: string;
  /** The node's chassis (`system-id`), on which the router runs. (ovn-nb(5), options:chassis) */
  chassis: string;
  /** The network outside. */
  external: ExternalArgs;
  /** Further networks outside, by a name, part of ports' names. See docs/how-to/external-networks.md. Default: none. */
  furtherExternals?: Record<string, FurtherExternalArgs>;
  /** Join addresses of the router, without masks: the source of packets that load balancers send on (options:lb_force_snat_ip). Default: none. */
  joinAddresses?: string[];
  /**
   * Subnets translated to the router's external address of the family, or its masquerade address with `masquerade`. Default: none; nothing is
   * translated.
   */
  snatSubnets?: string[];
  /** Translates only packets that leave by the external port. Default: false. */
  snatOutsideOnly?: boolean;
  /**
   * Destinations whose packets are translated, per family of `snatSubnets`; see docs/how-to/advertised-networks.md. An empty list translates only
   * join addresses behind `masquerade`. Default: everything is translated.
   */
  snatDestinations?: string[];
  /**
   * Source ports of translations, such as "32768-60999" (ovn-kubernetes 1.2 and 1.3; ovn-nb(5), NAT external_port_range). Default: none is preferred.
   */
  snatPorts?: string;
  /**
   * Commit all packets to connection tracking (ovn-nb(5), options:ct-commit-all; OVN 25.03), as ovn-kubernetes does in gateway mode "local".
   * Default: false.
   */
  ctCommitAll?: boolean;
  /**
   * Routes learned from a routing table of the host, once `importsRoutes` of `GatewayPeer` is set, too. See docs/how-to/advertised-networks.md.
   * Default: none.
   */
  importRoutes?: RouteImportArgs;
  /** For a router that shares its host's addresses: see docs/how-to/masquerade.md. Default: off. */
  masquerade?: MasqueradeArgs;
  /** Version-dependent and rarely changed options. */
  neighbors?: NeighborArgs;
  /** Further static routes, by a name. */
  routes?: Record<string, StaticRouteArgs>;
  /** Further routing policies, by a name. */
  policies?: Record<string, RoutingPolicyArgs>;
}

export interface ExternalArgs {
  /** Name of the external Logical_Switch; ovn-kubernetes: `ext_<prefix><node>`. */
  switchName: string;
  /** Name of the localnet port; ovn-kubernetes: `<bridge>_<prefix><node>`. */
  localnetPortName: string;
  /** The name in the chassis's `ovn-bridge-mappings`. Default: "physnet". */
  networkName?: string;
  /** VLAN of the physical network, 1 to 4094. Default: untagged. */
  vlan?: number;
  /** MAC of the external port; with shared host addresses the bridge's. Default: derived from the first address. */
  mac?: string;
  /** The router's own addresses outside, with prefix lengths. SNAT uses the first of each family. */
  addresses: string[];
  /** Default gateways outside, several of a family share the load. Default: none; only the external subnets are reached. */
  nextHops?: string[];
}

/** A further external network, without default gateways. Packets that leave through it have the router's address there as source. */
export interface FurtherExternalArgs {
  /** Name of its Logical_Switch. */
  switchName: string;
  /** Name of the localnet port. */
  localnetPortName: string;
  /** The name in the chassis's `ovn-bridge-mappings`. Default: the network's name in `furtherExternals`. */
  networkName?: string;
  /** VLAN of the physical network, 1 to 4094. Default: untagged. */
  vlan?: number;
  /** MAC of the router's port. Default: derived from the first address. */
  mac?: string;
  /** The router's addresses in it, with prefix lengths; translation uses the first of each family. */
  addresses: string[];
  /** Larger packets are answered with "fragmentation needed", in bytes. Default: off. */
  mtu?: number;
  /** Networks behind this one, by a name. Default: none. */
  routes?: Record<string, OutsideRouteArgs>;
}

/** A destination that is reached through a network outside. */
export interface OutsideRouteArgs {
  /** Subnet or address; each can be behind one network only. */
  prefix: string;
  /** Routers in the network, of the prefix's family; several share the load. */
  nextHops: string[];
}

export interface MasqueradeArgs {
  /** Masquerade subnets, shared by all networks of the host; ovn-kubernetes: 169.254.0.0/17, fd69::/112. */
  subnets: string[];
  /** The router's own masquerade addresses, one of each family. */
  addresses: string[];
}

/** How the router learns neighbours and announces itself. (ovn-nb(5), Logical_Router options, Logical_Switch_Port options) */
export interface NeighborArgs {
  /** Learn from every ARP request. Default: false. */
  alwaysLearnFromArpRequest?: boolean;
  /** Resolve other routers on a switch by ARP instead of flows for each. Default: false. */
  dynamicNeighborRouters?: boolean;
  /** Seconds after which an unused neighbour is forgotten; 0: never. Default: 300. */
  agingThreshold?: number;
  /** Announce the router's external and NAT addresses (nat-addresses=router). Default: true. */
  announceAddresses?: boolean;
  /** Leave load balancer addresses out of announcements. Default: true. */
  excludeLoadBalancerVips?: boolean;
  /** Send no announcements at all (disable_garp_rarp; OVN 26.03). Default: false. */
  disableAnnouncements?: boolean;
}

export const neighbors = z.strictObject({
  alwaysLearnFromArpRequest: z.boolean().default(false),
  dynamicNeighborRouters: z.boolean().default(false),
  agingThreshold: seconds.default(300),
  announceAddresses: z.boolean().default(true),
  excludeLoadBalancerVips: z.boolean().default(true),
  disableAnnouncements: z.boolean().default(false),
});

export const outsideRoutes = byName(z.strictObject({ prefix: destination, nextHops }));

/** Keys must be valid in `ovn-bridge-mappings`, because they are the default names there. */
const furtherExternals = z.record(
  mappedName,
  z.strictObject({
    switchName: name,
    localnetPortName: name,
    networkName: mappedName.optional(),
    vlan: vlan.optional(),
    mac: mac.optional(),
    addresses: interfaceAddresses,
    mtu: mtu.optional(),
    routes: outsideRoutes.default({}),
  }),
);

export const schema = schemaOf<GatewayRouterArgs>()(
  z.strictObject({
    ...common,
    name,
    chassis: name,
    external: z.strictObject({
      switchName: name,
      localnetPortName: name,
      networkName: mappedName.default("physnet"),
      vlan: vlan.optional(),
      mac: mac.optional(),
      addresses: interfaceAddresses,
      nextHops: nextHops.default([]),
    }),
    furtherExternals: furtherExternals.default({}),
    joinAddresses: ipPerFamily.default([]),
    snatSubnets: anySubnetPerFamily.default([]),
    snatOutsideOnly: z.boolean().default(false),
    snatDestinations: destinations.optional(),
    snatPorts: portRange.optional(),
    ctCommitAll: z.boolean().default(false),
    importRoutes: routeImport.optional(),
    masquerade: z.strictObject({ subnets: subnetPerFamily, addresses: ipPerFamily }).optional(),
    neighbors: neighbors.prefault({}),
    routes: staticRoutes.optional(),
    policies: routingPolicies.optional(),
  }),
);

export type GatewayRouterSpec = z.output<typeof schema>;
export type FurtherExternalSpec = GatewayRouterSpec["furtherExternals"][string];

import { z } from "zod";
import { isLinkLocal } from "../../kit/address";
import { judgeMatches } from "../../kit/match/rows";
import type { DesiredRow, Reference } from "../../backends/rows/set";
import { type Failures, propertyPath } from "../../kit/arguments/failures";
import { byName, destination, name, nextHop, nextHops, packetMark, policyPriority, readPrefix } from "./fields";
import { listedIn, textMap } from "./rows";
import { sortedEntries } from "../../kit/entries";

/** A static route. OVN ignores it silently if its next hop is on no port and `outputPort` is not set. */
export interface StaticRouteArgs {
  /** Destinations (or sources): a subnet or an address. (ovn-nb(5), ip_prefix) */
  prefix: string;
  /** Address of the next router, of the prefix's family. A link-local one needs `outputPort`. */
  nextHop: string;
  /** Compared address of a packet. Default: "dst-ip". */
  policy?: "dst-ip" | "src-ip";
  /** Name of the router port that packets leave by. Default: the port whose subnet the next hop is in. */
  outputPort?: string;
}

/** A routing policy. Policies precede routes. (ovn-nb(5), Logical_Router_Policy) */
export interface RoutingPolicyArgs {
  /** 0 to 32767, the highest wins. ovn-kubernetes uses 1004, 102 and 100. */
  priority: number;
  /** Match expression; see docs/reference/match-expressions.md. */
  match: string;
  /** "allow": use the routes; "drop"; "reroute": to `nextHops`. (ovn-nb(5)) */
  action: "allow" | "drop" | "reroute";
  /** Required for "reroute", refused for others, not link-local. Several share the load. */
  nextHops?: string[];
  /** Mark that packets get; a tunnel to another host loses it. */
  packetMark?: number;
}

export const staticRoutes = byName(
  z.strictObject({ prefix: destination, nextHop, policy: z.enum(["dst-ip", "src-ip"]).default("dst-ip"), outputPort: name.optional() }),
);

export const routingPolicies = byName(
  z.strictObject({
    priority: policyPriority,
    match: z.string().min(1, "must not be empty"),
    action: z.enum(["allow", "drop", "reroute"]),
    nextHops: nextHops.optional(),
    packetMark: packetMark.optional(),
  }),
);

type Routes = z.output<typeof staticRoutes>;
type Policies = z.output<typeof routingPolicies>;

export function checkRouting(failures: Failures, routes: Routes = {}, policies: Policies = {}): void {
  for (const [key, route] of Object.entries(routes)) {
    const [prefix, nextHop] = [readPrefix(route.prefix), readPrefix(route.nextHop)];
    if (prefix.family !== nextHop.family)
      failures.add(propertyPath(["routes", key, "nextHop"]), "family", `${route.nextHop} is IPv${nextHop.family}, the prefix ${route.prefix} is not`);
    else if (isLinkLocal(nextHop) && route.outputPort === undefined)
      failures.add(propertyPath(["routes", key, "outputPort"]), "required", `is required with ${route.nextHop}: ${ON_ANY_PORT}`);
  }
  for (const [key, policy] of Object.entries(policies)) {
    const path = propertyPath(["policies", key, "nextHops"]);
    const hops = policy.nextHops?.length ?? 0;
    if (policy.action === "reroute" && hops === 0) failures.add(path, "required", 'is required for "reroute"');
    if (policy.action !== "reroute" && hops > 0) failures.add(path, "value", `has no meaning for "${policy.action}"`);
    checkPolicyHops(policy.nextHops, ["policies", key, "nextHops"], failures);
  }
}

const ON_ANY_PORT = "it is link-local, so every port has its subnet, and OVN would take one of them by chance";

/** Refuses policies that ovn-controller would leave out: states of older releases may have them. Throws an ArgumentError. */
export function judgePolicies({ policies = {} }: { readonly policies?: Policies | undefined }): void {
  judgeMatches(
    Object.entries(policies).map(([key, { match }]) => ({
      table: "Logical_Router_Policy",
      columns: { match },
      path: propertyPath(["policies", key, "match"]),
    })),
  );
}

/** A policy can't say by which port (OVN 25.03). */
export function checkPolicyHops(nextHops: readonly string[] = [], path: readonly PropertyKey[], failures: Failures): void {
  nextHops.forEach((hop, index) => {
    if (isLinkLocal(readPrefix(hop))) failures.add(propertyPath([...path, index]), "next-hop", `${hop} can't be a policy's next hop: ${ON_ANY_PORT}`);
  });
}

/** Rows of the routes and policies that the user named; the name is part of the key, so values can change in place. */
export function routingRows(router: Reference, routerName: string, routes: Routes = {}, policies: Policies = {}): DesiredRow[] {
  return [
    ...sortedEntries(routes).map(([key, route]) => staticRoute({ router, key: `${routerName} ${key}`, ...route })),
    ...sortedEntries(policies).map(([key, policy]) => routingPolicy({ router, key: `${routerName} ${key}`, ...policy })),
  ];
}

/** The prefix of all destinations, by IP family. */
export const DEFAULT_ROUTE = { 4: "0.0.0.0/0", 6: "::/0" } as const;

export interface RouteRow {
  readonly router: Reference;
  readonly key: string;
  readonly prefix: string;
  readonly nextHop: string;
  readonly policy?: "dst-ip" | "src-ip";
  readonly outputPort?: string;
}

export function staticRoute({ router, key, prefix, nextHop, policy = "dst-ip", outputPort }: RouteRow): DesiredRow {
  return {
    table: "Logical_Router_Static_Route",
    key,
    columns: { ip_prefix: prefix, nexthop: nextHop, policy, ...(outputPort !== undefined && { output_port: outputPort }) },
    parent: listedIn("Logical_Router", router, "static_routes"),
  };
}

export type PolicyRow = Policies[string] & { readonly router: Reference; readonly key: string };

export function routingPolicy({ router, key, ...policy }: PolicyRow): DesiredRow {
  return {
    table: "Logical_Router_Policy",
    key,
    columns: {
      priority: policy.priority,
      match: policy.match,
      action: policy.action,
      nexthops: policy.nextHops ?? [],
      options: textMap({ pkt_mark: policy.packetMark }),
    },
    parent: listedIn("Logical_Router", router, "policies"),
  };
}

/**
 * Entry of `external_ids` of policies that may be deleted together with their router. Their writer deletes them in the
 * same update, after the router, because the order of resources is the same in every update.
 */
export const GOES_WITH_ROUTER = { table: "Logical_Router_Policy", key: "pulumi-ovn:goes-with-router", value: "true" } as const;

export interface SnatRow {
  readonly router: Reference;
  readonly key: string;
  readonly externalIp: string;
  readonly logicalIp: string;
  readonly logicalPort?: string;
  readonly match?: string;
  /** Among translations with a match the highest wins; those without one come after all of them. */
  readonly priority?: number;
  /** Source ports, such as "32768-60999". Default: not named; OVN keeps the packet's own port if it can. */
  readonly ports?: string | undefined;
}

/** Source translation that keeps state: `stateless` is written out, as ovn-kubernetes does. */
export function snat({ router, key, externalIp, logicalIp, logicalPort, match = "", priority, ports }: SnatRow): DesiredRow {
  return {
    table: "NAT",
    key,
    columns: {
      type: "snat",
      external_ip: externalIp,
      logical_ip: logicalIp,
      ...(logicalPort !== undefined && { logical_port: logicalPort }),
      match,
      ...(priority !== undefined && { priority }),
      ...(ports !== undefined && { external_port_range: ports }),
      options: textMap({ stateless: false }),
    },
    parent: listedIn("Logical_Router", router, "nat"),
  };
}

/** The key of each of several like rows: as long as there is one of them, its value can change in place. */
export function keysOf(base: string, values: readonly string[]): string[] {
  return values.length === 1 ? [base] : values.map((value) => `${base} via ${value}`);
}

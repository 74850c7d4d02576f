import type { Failure } from "../../../kit/arguments/errors";
import { listed } from "../../../kit/text/listed";
import type { Router } from "../facts";
import { routerVrf } from "../names";
import { type MergeView, sessionOf } from "./merge-view";
import { type NextHop, isIpv6Hop, outRouteMap } from "./next-hops";
import type { NetworkPrefixes } from "../networks/prefixes";

/** An FRRConfiguration that applies to a node. */
export interface Hopping {
  readonly label: string;
  readonly nextHops: readonly NextHop[];
}

const MOST_NETWORKS = 4;

/**
 * Sessions on which one next hop would apply to several networks, so that the fabric would send packets of all of them to one
 * gateway router, and sessions for which two FRRConfigurations set different next hops: FRR uses the last one.
 */
export function nextHopFailures(routers: readonly Router[], own: readonly NetworkPrefixes[], applying: readonly Hopping[]): Failure[] {
  return routers.flatMap(({ vrf, neighbors = [] }) =>
    neighbors.flatMap((neighbor) => {
      const routeMap = outRouteMap(neighbor, routerVrf(vrf));
      const session = sessionOf(neighbor);
      const hops = hopsOf(routeMap, applying);
      const announced = new Set((neighbor.toAdvertise?.allowed as { prefixes?: readonly string[] } | undefined)?.prefixes);
      return hops.flatMap((hop, index) => {
        const first = hops.findIndex(({ entry, command }) => entry === hop.entry && command === hop.command);
        const entry = `route-map ${routeMap} permit ${hop.entry}`;
        if (first < index)
          return hops[first]!.address === hop.address
            ? []
            : [
                failure(
                  `${hop.label} sets the next hop ${hop.address} in ${entry}, ${hops[first]!.label} sets ${hops[first]!.address}: FRR uses one of them for both`,
                ),
              ];
        const networks = own.filter(({ prefixes }) => prefixes.some((prefix) => announced.has(prefix) && prefix.includes(":") === isIpv6Hop(hop)));
        if (networks.length < 2) return [];
        const names = listed(
          networks.map(({ network }) => network.label),
          MOST_NETWORKS,
        );
        return [
          failure(
            `${hop.label} sets the next hop ${hop.address} for everything that neighbour ${session} receives (${entry}), and several networks are announced to it (${names}): announce each network over sessions of its own`,
          ),
        ];
      });
    }),
  );
}

/** Warnings about sessions with a next hop over which another announcement announces as well. Its networks may have another gateway router. */
export function nextHopDoubts(routers: readonly Router[], applying: readonly Hopping[], others: readonly MergeView[]): Failure[] {
  return routers.flatMap(({ vrf, neighbors = [] }) =>
    neighbors.flatMap((neighbor) => {
      const session = sessionOf(neighbor);
      const [hop] = hopsOf(outRouteMap(neighbor, routerVrf(vrf)), applying);
      const sharing = others.filter((view) =>
        view.routers.some((router) => router.vrf === routerVrf(vrf) && router.neighbors.some(([name]) => name === session)),
      );
      if (!hop) return [];
      return sharing.map(({ label }) => ({
        path: "frrConfigurationSelector",
        code: "OVN_WARN_NEXT_HOP",
        message: `${hop.label} sets the next hop ${hop.address} for everything that neighbour ${session} receives, also for ${label}: networks with another gateway router need sessions of their own`,
      }));
    }),
  );
}

function hopsOf(routeMap: string, applying: readonly Hopping[]) {
  return applying.flatMap(({ label, nextHops }) => nextHops.filter((hop) => hop.routeMap === routeMap).map((hop) => ({ label, ...hop })));
}

function failure(message: string): Failure {
  return { path: "frrConfigurationSelector", code: "next-hop", message };
}

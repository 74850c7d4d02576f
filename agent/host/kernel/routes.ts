import { overlaps, type Prefix, type Problem, readable, type Route } from "@pulumi-ovn/provider/agent";
import type { LiveKernel, LiveRoute } from "../live";
import { conflict } from "../problems";
import type { IpStep } from "../steps";
import { destinationText, familyOf, prefixOf, PROTOCOL } from "./names";
import type { Followed } from "./changes";

interface PlannedRoutes {
  readonly changes: Followed<LiveRoute>;
  readonly removals: readonly IpStep[];
  readonly shared: ReadonlySet<number>;
  readonly problems: readonly Problem[];
}

/**
 * Pure. Plans route changes. A route with another next hop is replaced, which is atomic in the kernel, so packets always have a route.
 *
 * @param announced tables that FRR announces completely, with the routes of other writers
 * @param fresh deletes and adds unchanged routes again: FRR has not seen them, and the kernel sends no event for an identical replacement
 */
export function planRoutes(desired: readonly Route[], { routes }: LiveKernel, announced: ReadonlySet<number>, fresh = false): PlannedRoutes {
  const found = byTableAndDestination(routes);
  const problems: Problem[] = [];
  const made: IpStep[] = [];
  const coming: LiveRoute[] = [];
  const [kept, replaced] = [new Set<LiveRoute>(), new Set<LiveRoute>()];
  for (const route of desired) {
    const here = found.get(route.table)?.get(destinationText(route.destination)) ?? [];
    const [only] = here;
    // Among thousands of routes, almost every route is unchanged.
    if (here.length === 1 && only!.own && !fresh && sameWay(only!, route)) {
      kept.add(only!);
      continue;
    }
    const own = here.filter((other) => other.own);
    const foreign = here.find((other) => !other.own);
    const equal = own.find((other) => sameWay(other, route));
    if (foreign) problems.push(conflict(nameOf(route), `a route of others (${foreign.device}${foreign.via === null ? "" : ` via ${foreign.via}`})`));
    if (equal) {
      kept.add(equal);
      if (fresh) made.push(step(`route del ${lineOf(equal)}`, equal), step(`route add ${lineOf(route)}`, route));
    } else if (!foreign) {
      const verb = own.length > 0 ? "replace" : "add";
      made.push(step(`route ${verb} ${lineOf(route)}`, route));
      coming.push({ ...route, metric: null, plain: true, own: true });
      // `replace` overwrites the route with the default metric; routes with other metrics are deleted.
      for (const other of own) if (isDefault(other)) replaced.add(other);
    }
  }
  const others = unwanted(routes, announced, desired);
  const surplus = routes
    .filter((route) => route.own && !kept.has(route) && !replaced.has(route))
    .map((route) => ({ destination: destinationText(route.destination), removal: step(`route del ${lineOf(route)}`, route) }));
  const destinations = new Set(surplus.length === 0 ? [] : desired.map(({ destination }) => destinationText(destination)));
  const removals = surplus.filter(({ destination }) => !destinations.has(destination)).map(({ removal }) => removal);
  const after = [...routes.filter((route) => !route.own || kept.has(route)), ...coming];
  return {
    changes: { made, removed: surplus.map(({ removal }) => removal), after },
    removals: removals,
    shared: new Set(others.map(({ table }) => table)),
    problems: [...problems, ...foreignProblem(others)],
  };
}

/** Routes of other writers that FRR announces with the agent's. */
function unwanted(routes: readonly LiveRoute[], announced: ReadonlySet<number>, desired: readonly Route[]): readonly LiveRoute[] {
  const theirs = routes.filter((route) => !route.own && announced.has(route.table));
  const wanted = byTableAndDestination(theirs.length === 0 ? [] : desired);
  return theirs.filter(({ table, destination }) => !wanted.get(table)?.has(destinationText(destination)));
}

function foreignProblem([first, ...more]: readonly LiveRoute[]): Problem[] {
  if (!first) return [];
  const which = more.length === 0 ? `${nameOf(first)} is` : `${nameOf(first)} and ${more.length} more are`;
  const message = `${which} not the agent's, and FRR would announce all of the table: take another one`;
  return [{ code: "OVN_AGENT_FOREIGN_ROUTE", subject: nameOf(first), message }];
}

/**
 * Removes routes to a tenant network that overlaps a network of the host: the agent's rule precedes the main table, so the host would
 * lose its own route. On a provider network the operator assigns the addresses.
 */
export function withoutOwnNetworks(routes: readonly Route[], { connected }: LiveKernel, problems: Problem[]): readonly Route[] {
  const own = connected.map((network) => ({ ...network, prefix: prefixOf(network.destination) }));
  return apartFrom(own, routes, problems, {
    takes: (network, route) => route.via !== null && network.device !== route.device,
    why: ({ destination, device }) => ` of a tenant network is not announced: the host itself is in ${destination} (${device})`,
  });
}

/**
 * Routes without those that contain the address of one of FRR's BGP neighbours: the session would follow such a route and break, and
 * the chassis would lose all announcements. A neighbour's address is not OVN's, even if it is in a provider network.
 */
export function withoutPeers(routes: readonly Route[], neighbors: readonly string[], problems: Problem[]): readonly Route[] {
  const peers = neighbors.flatMap((text) => readable(text).map((prefix) => ({ text, prefix })));
  return apartFrom(peers, routes, problems, {
    takes: () => true,
    why: ({ text }) => ` is not announced: FRR has a session with ${text}, which would be led there`,
  });
}

interface Keeping<Other> {
  /** Whether a route around the other's addresses takes them away. */
  takes(other: Other, route: Route): boolean;
  /** Follows the destination. */
  why(other: Other): string;
}

/** Routes that take nothing away from others that the host needs; a problem for each of the rest. */
function apartFrom<Other extends { readonly prefix: Prefix }>(
  others: readonly Other[],
  routes: readonly Route[],
  problems: Problem[],
  { takes, why }: Keeping<Other>,
): readonly Route[] {
  if (others.length === 0) return routes;
  return routes.filter((route) => {
    const { destination } = route;
    const met = others.find((other) => takes(other, route) && overlaps(other.prefix, prefixOf(destination)));
    if (met) problems.push({ code: "OVN_AGENT_HOST_NETWORK", subject: destination, message: `${destination}${why(met)}` });
    return !met;
  });
}

/** Routes by table and destination. One text as key for each of thousands of routes takes too long. */
function byTableAndDestination<R extends Route>(routes: readonly R[]): ReadonlyMap<number, ReadonlyMap<string, readonly R[]>> {
  const tables = new Map<number, Map<string, R[]>>();
  for (const route of routes) {
    let table = tables.get(route.table);
    if (table === undefined) tables.set(route.table, (table = new Map()));
    const destination = destinationText(route.destination);
    const here = table.get(destination);
    if (here) here.push(route);
    else table.set(destination, [route]);
  }
  return tables;
}

const nameOf = ({ table, destination }: Route): string => `route ${destination} of table ${table}`;

const sameWay = (live: LiveRoute, { device, via }: Route): boolean => live.plain && live.device === device && live.via === via && isDefault(live);

/** Whether a route has the metric that ip(8) writes by default. */
const isDefault = ({ destination, metric }: LiveRoute): boolean => metric === null || metric === (familyOf(destination) === 6 ? 1024 : 0);

/**
 * Arguments of ip(8) for a route. Next hops are `onlink`: the kernel would otherwise look them up in tables that may not have the
 * agent's routes yet. A live route is named by the attributes that distinguish it from other routes to the same destination.
 */
function lineOf(route: Route | LiveRoute): string {
  const { table, destination, device, via } = route;
  const metric = "metric" in route && route.metric !== null ? ` metric ${route.metric}` : "";
  const way =
    "plain" in route && !route.plain
      ? ""
      : ` ${via === null ? "" : `via ${via} `}dev ${device}${via === null ? (familyOf(destination) === 4 ? " scope link" : "") : " onlink"}`;
  return `${destinationText(destination)}${way} table ${table}${metric} protocol ${PROTOCOL}`;
}

const step = (line: string, route: Route): IpStep => ({ kind: "ip", family: familyOf(route.destination), line, subject: nameOf(route) });

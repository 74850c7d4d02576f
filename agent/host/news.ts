import { WIDTH } from "@pulumi-ovn/provider/agent";
import type { Route } from "../desired/host-state";
import { destinationText, familyOf, PROTOCOL } from "./kernel/names";

/**
 * Pure. Whether a line of `ip -N monitor label` may be about what the agent wants or has. Hosts learn neighbours, and routes of
 * other tables, all the time. (Linux tells nothing of proxies: those are found at the daemon's own intervals.)
 */
export function concerns(line: string, tables: readonly number[] = []): boolean {
  if (line.startsWith("[NEIGH]")) return line.includes(" PERMANENT") || line.includes(` proto ${PROTOCOL} `);
  if (line.startsWith("[ROUTE]")) return line.includes(` proto ${PROTOCOL} `) || tables.includes(Number(/ table (\d+)/.exec(line)?.[1]));
  return line.startsWith("[");
}

/** A route as the agent makes them, of IPv4 (scope link is 253) or IPv6; what has more, or is of another type, is not. */
const OWN_ROUTE = new RegExp(`^\\[ROUTE\\](Deleted )?([\\d.a-f:/]+) (?:via (\\S+) )?dev (\\S+) table (\\d+) proto ${PROTOCOL} (?:scope 253|onlink|metric 1024 (?:onlink )?pref medium) ?$`);

/**
 * Pure. Whether a line says of a route of the agent what is wanted anyway: its own changes are told, too.
 *
 * @param wanted by their places
 */
export function asWanted(line: string, wanted: ReadonlyMap<string, Route>): boolean {
  const [, gone, destination, via, device, table] = OWN_ROUTE.exec(line) ?? [];
  if (destination === undefined) return false;
  const route = wanted.get(`${table} ${destination}`);
  return gone === undefined ? route?.device === device && route?.via === (via ?? null) : route === undefined;
}

/** Routes by table and destination, as ip(8) prints these. */
export const byPlace = (routes: readonly Route[]): ReadonlyMap<string, Route> => new Map(routes.map((route) => [`${route.table} ${printed(route.destination)}`, route]));

/** A single address is printed without its length. */
function printed(destination: string): string {
  const text = destinationText(destination);
  const length = `/${WIDTH[familyOf(text)]}`;
  return text.endsWith(length) ? text.slice(0, -length.length) : text;
}

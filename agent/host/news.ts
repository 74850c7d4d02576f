import { contains, type HostState, parseSubnet, readable, type Route, WIDTH } from "@pulumi-ovn/provider/agent";
import { destinationText, familyOf, OWN_ADDRESSES, PROTOCOL } from "./kernel/names";
import { scopeOf } from "./kernel/read";

/** What of a host a state is about. */
export interface Ground {
  readonly tables: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
  /** Indexes that these had when last seen: of one that is renamed the kernel tells the new name alone. */
  readonly indexes: ReadonlySet<number>;
}

export const NO_GROUND: Ground = { tables: new Set(), devices: new Set(), indexes: new Set() };

/** Pure. */
export function groundOf(desired: HostState, indexes: Ground["indexes"]): Ground {
  const { tables, devices, vrf } = scopeOf(desired, false);
  return { tables: new Set(tables), devices: new Set(vrf === undefined ? devices : [...devices, vrf]), indexes };
}

/**
 * Pure. Whether a line of `ip -N monitor label` may be about what the agent wants or has. Hosts learn neighbours, and routes of
 * other tables, all the time, and each workload has a device, with a link-local address. Networks that the host comes into or
 * leaves are told by the kernel's own routes. (Linux tells nothing of proxies: those are found at the daemon's own intervals.)
 */
export function concerns(line: string, { tables, devices, indexes }: Ground): boolean {
  if (line.startsWith("[NEIGH]")) return line.includes(" PERMANENT") || line.includes(` proto ${PROTOCOL} `);
  if (line.startsWith("[ROUTE]")) return line.includes(` proto ${PROTOCOL} `) || OWN_NETWORK.test(line) || tables.has(Number(/ table (\d+)/.exec(line)?.[1]));
  const [, configured] = CONFIGURED.exec(line) ?? [];
  if (configured !== undefined) return configured === "all" || devices.has(configured);
  const [, index, device, address] = DEVICE.exec(line) ?? [];
  if (device === undefined) return line.startsWith("[");
  const within = indexes.has(Number(index)) || namesIn(device).some((name) => devices.has(name));
  if (address === undefined) return within;
  return isOwnAddress(address) || (within && !address.startsWith("fe80:"));
}

/** What a device may be called that ip(8) prints like this: a lower one comes after an "@", which names may have, too. */
const namesIn = (device: string): string[] => [device, ...[...device.matchAll(/@/g)].map(({ index }) => device.slice(0, index))];

/** Settings of a device, or of all: forwarding and proxies among them, but no `proxy_delay`. */
const CONFIGURED = /^\[NETCONF\](?:Deleted )?inet6? (\S+)/;

/** Of a device, or of an address of it. */
const DEVICE = /^\[(?:LINK|ADDR)\](?:Deleted )?(\d+): ([^\s:]+)(?:\s+inet6? (\S+))?/;

/**
 * A route of the kernel (2), or of a router's advertisement (9), to what is on the link, in the main table, which is not printed; every
 * device with IPv6 has that of link-local addresses.
 */
const OWN_NETWORK = /^\[ROUTE\](?!(?:Deleted )?fe80:)(?!.* (?:table|via) ).* proto [29] /;

const ownAddresses = Object.values(OWN_ADDRESSES).map(parseSubnet);
/** Of the kind that the agent gives to its devices: on another one it is in the way. */
const isOwnAddress = (text: string): boolean => readable(text).some((address) => ownAddresses.some((range) => contains(range, address)));

/** A route as the agent makes them, of IPv4 (scope link is 253) or IPv6; what has more, or is of another type, is not. */
const OWN_ROUTE = new RegExp(
  `^\\[ROUTE\\](Deleted )?([\\d.a-f:/]+) (?:via (\\S+) )?dev (\\S+) table (\\d+) proto ${PROTOCOL} (?:scope 253|onlink|metric 1024 (?:onlink )?pref medium) ?$`,
);

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
export const byPlace = (routes: readonly Route[]): ReadonlyMap<string, Route> =>
  new Map(routes.map((route) => [`${route.table} ${printed(route.destination)}`, route]));

/** A single address is printed without its length. */
function printed(destination: string): string {
  const text = destinationText(destination);
  const length = `/${WIDTH[familyOf(text)]}`;
  return text.endsWith(length) ? text.slice(0, -length.length) : text;
}

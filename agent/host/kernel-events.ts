import { contains, type HostState, parseSubnet, readable, type Route, WIDTH } from "@pulumi-ovn/provider/agent";
import { destinationText, familyOf, OWN_ADDRESSES, PROTOCOL } from "./kernel/names";
import { scopeOf } from "./kernel/read";

/** Tables and devices that a desired state covers. */
export interface Watched {
  readonly tables: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
  /** Last seen indexes of the devices. When a device is renamed, the kernel reports only its new name. */
  readonly indexes: ReadonlySet<number>;
}

export const NOTHING_WATCHED: Watched = { tables: new Set(), devices: new Set(), indexes: new Set() };

/** Pure. */
export function watchedBy(desired: HostState, indexes: Watched["indexes"]): Watched {
  const { tables, devices, vrf } = scopeOf(desired, false);
  return { tables: new Set(tables), devices: new Set(vrf === undefined ? devices : [...devices, vrf]), indexes };
}

/**
 * Pure. Whether a line of `ip -N monitor label` may concern the agent's desired or live objects. Most lines do not: hosts learn
 * neighbours and routes of other tables all the time, and each workload has a device with a link-local address. The kernel's own
 * routes show which networks the host joins or leaves. Linux sends no event for proxies; the daemon's periodic scans find them.
 */
export function isRelevant(line: string, { tables, devices, indexes }: Watched): boolean {
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

/** Possible names of a device in the output of ip(8), which appends the lower device after an "@". A name may contain "@", too. */
const namesIn = (device: string): string[] => [device, ...[...device.matchAll(/@/g)].map(({ index }) => device.slice(0, index))];

/** Settings of a device, or of all: forwarding and proxies among them, but no `proxy_delay`. */
const CONFIGURED = /^\[NETCONF\](?:Deleted )?inet6? (\S+)/;

/** Event of a device, or of one of its addresses. */
const DEVICE = /^\[(?:LINK|ADDR)\](?:Deleted )?(\d+): ([^\s:]+)(?:\s+inet6? (\S+))?/;

/**
 * A route of the kernel (2), or of a router's advertisement (9), to what is on the link, in the main table, which is not printed; every
 * device with IPv6 has that of link-local addresses.
 */
const OWN_NETWORK = /^\[ROUTE\](?!(?:Deleted )?fe80:)(?!.* (?:table|via) ).* proto [29] /;

const ownAddresses = Object.values(OWN_ADDRESSES).map(parseSubnet);
/** Whether an address is in the agent's ranges. On another device such an address is a conflict. */
const isOwnAddress = (text: string): boolean => readable(text).some((address) => ownAddresses.some((range) => contains(range, address)));

/** A route as the agent makes them, of IPv4 (scope link is 253) or IPv6; what has more, or is of another type, is not. */
const OWN_ROUTE = new RegExp(
  `^\\[ROUTE\\](Deleted )?([\\d.a-f:/]+) (?:via (\\S+) )?dev (\\S+) table (\\d+) proto ${PROTOCOL} (?:scope 253|onlink|metric 1024 (?:onlink )?pref medium) ?$`,
);

/**
 * Pure. Whether a line reports one of the agent's routes as desired. The kernel reports the agent's own changes, too.
 *
 * @param wanted desired routes, from `routesByKey`
 */
export function isAsDesired(line: string, wanted: ReadonlyMap<string, Route>): boolean {
  const [, removal, destination, via, device, table] = OWN_ROUTE.exec(line) ?? [];
  if (destination === undefined) return false;
  const route = wanted.get(`${table} ${destination}`);
  return removal === undefined ? route?.device === device && route?.via === (via ?? null) : route === undefined;
}

/** Routes by table and destination, as ip(8) prints these. */
export const routesByKey = (routes: readonly Route[]): ReadonlyMap<string, Route> =>
  new Map(routes.map((route) => [`${route.table} ${printed(route.destination)}`, route]));

/** A single address is printed without its length. */
function printed(destination: string): string {
  const text = destinationText(destination);
  const length = `/${WIDTH[familyOf(text)]}`;
  return text.endsWith(length) ? text.slice(0, -length.length) : text;
}

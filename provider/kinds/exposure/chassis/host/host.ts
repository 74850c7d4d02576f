import { type Family, formatIp, formatPrefix, hostPrefix, networkOf } from "../../../../kit/address";
import { isLinkLocal } from "../addresses";
import type { Candidate } from "../candidates/candidate";
import { comparePrefixes } from "../conflicts";
import type { Bgp, HostState, Neighbor, Proxy, Route } from "./host-state";
import { addressesOfLink, flowsOfLink, type Link, taggedPorts } from "../link";

/** Priority of the rules that look up the agent's table before the main table (32766). */
const PRIORITY = 32_000;

/**
 * Returns the state that a host needs for its routes, sorted, without duplicates. A route whose next hop is not on the
 * link includes the next hop.
 *
 * @param prepared links that the host has without a route, too
 */
export function hostOf(bgp: Bgp, candidates: readonly Candidate[], silent: readonly string[], prepared: readonly Link[] = []): HostState {
  const sorted = candidates.toSorted((a, b) => comparePrefixes(a.prefix, b.prefix) || compare(orderOf(a), orderOf(b)));
  const direct = new Set(sorted.filter(({ next, mac }) => next === null && mac !== undefined).map(routeKey));
  const usable = sorted.filter(
    ({ next, link }) => next === null || isLinkLocal(next.address) || direct.has(routeKey({ link, prefix: hostPrefix(next.address) })),
  );
  const chosen = usable.filter(({ prefix }, at) => at === 0 || comparePrefixes(usable[at - 1]!.prefix, prefix) !== 0);
  const links = uniqueBy([...new Set([...chosen.map(({ link }) => link), ...prepared])], ({ device, patch }) => `${device} ${patch}`).sort(
    (a, b) => compare(a.device, b.device) || compare(a.patch ?? "", b.patch ?? ""),
  );
  const devices = uniqueBy(links, ({ device }) => device);
  return {
    taggedPorts: devices.flatMap(taggedPorts),
    devices: devices.map(({ device }) => device),
    silent,
    addresses: devices.flatMap(addressesOfLink),
    routes: chosen.map((candidate) => routeOf(bgp.table, candidate)),
    rules: ([4, 6] as const).map((family) => ({ family, priority: PRIORITY, table: bgp.table })),
    neighbors: uniqueBy(chosen.flatMap(neighborOf), ({ device, address }) => `${device} ${address}`),
    proxies: uniqueBy([...chosen.flatMap(anycastOf), ...usable.flatMap(answeredOf)].sort(compareProxies), ({ device, address }) => `${device} ${address}`),
    flows: Object.entries(Object.groupBy(links, ({ bridge }) => bridge))
      .map(([bridge, own]) => ({ bridge, flows: own!.flatMap(flowsOfLink) }))
      .sort((a, b) => compare(a.bridge, b.bridge)),
    bgp,
  };
}

const routeKey = ({ link, prefix }: Pick<Candidate, "link" | "prefix">) => `${link.device} ${formatPrefix(prefix)}`;

/** Order of several routes to one destination; the first is used. A route on the link is preferred, then a route with a known MAC. */
const orderOf = ({ next, mac, link, subnet }: Candidate) =>
  JSON.stringify([
    next ? 1 : 0,
    mac === undefined ? 1 : 0,
    subnet ? 0 : 1,
    link.device,
    link.patch,
    next ? formatIp(next.address) : "",
    mac ?? "",
    next?.mac ?? "",
    subnet ? formatPrefix(subnet) : "",
  ]);

/** The same object as in the state before for the same route: what differs between two states of thousands is found by that. */
function routeOf(table: number, { prefix, link: { device }, next }: Candidate): Route {
  const key = prefix.value * 256n + BigInt(prefix.length);
  const before = made[prefix.family].get(key);
  if (before?.route.table === table && before.route.device === device && (next === null ? before.next === null : before.next === next.address.value))
    return before.route;
  const route = { table, destination: formatPrefix(prefix), device, via: next && formatIp(next.address) };
  if (made[prefix.family].size >= MOST) made[prefix.family].clear();
  made[prefix.family].set(key, { route, next: next && next.address.value });
  return route;
}

const made: Readonly<Record<Family, Map<bigint, { readonly route: Route; readonly next: bigint | null }>>> = { 4: new Map(), 6: new Map() };

/** Routes of a family that are kept. */
const MOST = 20_000;

function neighborOf({ prefix, link: { device }, next, mac }: Candidate): Neighbor[] {
  if (mac !== undefined) return [{ device, address: formatIp(prefix), mac }];
  return next?.mac !== undefined && isLinkLocal(next.address) ? [{ device, address: formatIp(next.address), mac: next.mac }] : [];
}

/** The anycast address of routers (RFC 4291 section 2.6.1) of each IPv6 network: the host answers for it, as the kernel's proxy_ndp answers for no address by itself. */
function anycastOf({ subnet, link: { device } }: Candidate): Proxy[] {
  return subnet?.family === 6 && subnet.length < 128 ? [{ device, address: formatIp(networkOf(subnet)) }] : [];
}

/** Proxies of every exposure that announces the address, because each exposure has its own gateways. */
const answeredOf = ({ gateways = [], link: { device } }: Candidate): Proxy[] => gateways.map((address) => ({ device, address: formatIp(address) }));

const compareProxies = (a: Proxy, b: Proxy): number => compare(a.device, b.device) || compare(a.address, b.address);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The first of each. */
function uniqueBy<T>(list: readonly T[], key: (item: T) => string): T[] {
  const known = new Map<string, T>();
  for (const item of list) if (!known.has(key(item))) known.set(key(item), item);
  return [...known.values()];
}

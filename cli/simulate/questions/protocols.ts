import { portOf } from "../addresses";
import type { World } from "../zones/world";
import type { Protocol } from "../types";

const ICMP: Protocol = { name: "icmp" };

/** Destination ports of a match: `tcp.dst == 22`, `udp.dst == {53, 5353}`, `tcp.dst >= 1024`. */
const PORTS = /\b(tcp|udp|sctp)\.dst\s*(?:==|!=|>=|<=|>|<)\s*(\{[^}]*\}|\d+)/g;
const NAMED = /\b(tcp|udp|sctp)\b/g;

/** Port that represents all others, if a match names a protocol without a port. */
const ANY_PORT = 80;

/** Pure. ICMP, and the protocols and ports that ACLs, policies and load balancers of any zone name. */
export function protocolsOf(...worlds: readonly World[]): Protocol[] {
  const found: Named[] = [];
  const add = (name: string, port?: number) => found.push([name, port]);
  for (const { zones } of worlds)
    for (const { matches, virtual } of zones.values()) {
      for (const match of matches) {
        const named = [...match.matchAll(PORTS)];
        for (const [, name, ports] of named) for (const port of ports!.match(/\d+/g) ?? []) add(name!, Number(port));
        if (named.length === 0) for (const [name] of match.matchAll(NAMED)) add(name);
      }
      for (const { vip, protocol } of virtual) {
        const port = portOf(vip);
        if (port !== undefined) add(protocol, port);
      }
    }
  return protocolsNamed(found);
}

/** A protocol with a port, or with any. */
export type Named = readonly [name: string, port?: number];

/** Pure. ICMP, and each of these protocols once, sorted. */
export function protocolsNamed(named: readonly Named[]): Protocol[] {
  const found = new Map<string, Protocol>();
  for (const [name, port = ANY_PORT] of named) found.set(`${name} ${String(port).padStart(5, "0")}`, { name: name as "tcp", port });
  return [ICMP, ...[...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, protocol]) => protocol)];
}

import { bfdProblem, type InterfaceRow, interfaceProblem, isNewSession } from "../../backends/host/live/switch";
import { sortedEntries } from "../../kit/entries";
import { tierBridge, tunnelPort } from "./names";
import type { LogicalRouterBridgeSpec } from "./router-args";

/** Ends of tunnels that a logical router relies on and that do not work, by host and interface; what is wrong with them. */
export type MeshFacts = Readonly<Record<string, string>>;

/** Interfaces of a host. Undefined if they could not be read. */
export type HostInterfaces = ReadonlyMap<string, InterfaceRow> | undefined;

/**
 * Pure. Finds broken ends of the tunnels between a host and the others. Both ends are checked: a packet for a host whose
 * end is broken is lost there.
 *
 * A tunnel with neither end is one that the update is about to create. The same applies to a bridge of the host to which
 * no other host has a tunnel.
 */
export function brokenMesh(
  { host, tiers, remotes }: Pick<LogicalRouterBridgeSpec, "host" | "tiers" | "remotes">,
  interfaces: ReadonlyMap<string, HostInterfaces>,
): MeshFacts {
  const found: [string, string][] = [];
  const own = interfaces.get(host);
  // Ends that cannot be read are not reported as broken.
  const ordered = remotes.filter((remote) => own ?? interfaces.get(remote)).sort();
  for (const [, { key }] of sortedEntries(tiers)) {
    if (own && !own.has(tierBridge(key)) && remotes.some((remote) => interfaces.get(remote)?.has(tunnelPort(key, host))))
      found.push([`${host} ${tierBridge(key)}`, "missing"]);
    for (const remote of ordered) {
      const ends = [
        { at: host, all: own, name: tunnelPort(key, remote) },
        { at: remote, all: interfaces.get(remote), name: tunnelPort(key, host) },
      ];
      if (!ends.some(({ all, name }) => all?.has(name))) continue;
      for (const { at, name, all } of ends) {
        const problem = all && interfaceProblem(all.get(name));
        if (problem !== undefined) found.push([`${at} ${name}`, problem]);
      }
    }
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Milliseconds that a BFD session may take to come up: for the first time, and after a repair. Two ends that run need one or two seconds. */
const SESSION = { first: 10_000, again: 4_000 } as const;

/** Pure. Milliseconds that BFD sessions of these tunnels, at either end, may take to come up; 0 if all of them are up. */
export function sessionPatience(
  { host, tiers, remotes }: Pick<LogicalRouterBridgeSpec, "host" | "tiers" | "remotes">,
  interfaces: ReadonlyMap<string, HostInterfaces>,
): number {
  const ends = Object.values(tiers).flatMap(({ key }) =>
    remotes.flatMap((remote) => [interfaces.get(host)?.get(tunnelPort(key, remote)), interfaces.get(remote)?.get(tunnelPort(key, host))]),
  );
  return Math.max(0, ...ends.map((row) => (bfdProblem(row) === undefined ? 0 : isNewSession(row) ? SESSION.first : SESSION.again)));
}

/** Whether a host's own bridge is broken or missing: then nothing can be added to the bridge, or removed. */
export function lacksBridge(broken: MeshFacts, host: string, key: number): boolean {
  return Object.hasOwn(broken, `${host} ${tierBridge(key)}`);
}

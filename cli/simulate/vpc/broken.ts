import { routerBridge, tierBridge, tunnelPort } from "@pulumi-ovn/provider/tools";
import type { Packet } from "../../trace/packet";
import type { Route } from "../../trace/route";
import type { KnownVpc } from "./planned-topology";

/** Reason why an interface or a bridge of a host does not work. Undefined if it works. */
export type ProblemOf = (host: string, name: string) => string | undefined;

/** The end of a packet's path at an interface or a bridge that does not work. */
export interface Break {
  readonly host: string;
  /** Number of segments that the packet passes before. */
  readonly segments: number;
  readonly why: string;
}

type Ends = Pick<Packet, "source" | "destination">;
type Candidate = Omit<Break, "why"> & { readonly name: string };

/** Pure. The first interface on a packet's path that does not work: a workload's, or one end of a tunnel; or why the path ends. */
export function breakOf(found: Route, vpc: KnownVpc, packet: Ends, problemOf: ProblemOf): Break | undefined {
  return [...passed(found, vpc), ...neededAtEnd(found, vpc, packet)].flatMap(({ host, name, segments }): Break[] => {
    const problem = problemOf(host, name);
    return problem === undefined ? [] : [{ host, segments, why: `${name} of host "${host}" does not work: ${problem}` }];
  })[0];
}

function passed({ segments, outcome }: Route, { topology: { tiers, workloads } }: KnownVpc): Candidate[] {
  const all = segments.flatMap(({ host, tier, port }, index): Candidate[] => {
    const arrival = { host, name: port, segments: index };
    const from = segments[index - 1]?.host;
    const { key } = tiers[tier]!;
    return from === undefined || port !== tunnelPort(key, from) ? [arrival] : [{ host: from, name: tunnelPort(key, host), segments: index }, arrival];
  });
  const receiver = outcome.kind === "delivered" ? workloads[outcome.to]?.port : undefined;
  return receiver === undefined ? all : [...all, { host: outcome.host, name: receiver, segments: segments.length }];
}

/** Bridges, tunnels and ports that the host needs to send on a lost packet. Empty if an ACL or port security drops the packet. */
function neededAtEnd({ segments, outcome }: Route, { name, topology }: KnownVpc, { source, destination }: Ends): Candidate[] {
  const last = segments.at(-1);
  const isDecided = outcome.kind === "dropped" && (last?.verdict.router === "dropped" || last?.portSecurity !== undefined);
  if (outcome.kind === "delivered" || outcome.kind === "outside" || isDecided) return [];
  const { tiers, workloads, virtualRouter } = topology;
  const ends = Object.values(workloads).filter(({ addresses }) => addresses.includes(source) || addresses.includes(destination));
  const others = [...ends, virtualRouter].map(({ host }) => host).filter((host) => host !== outcome.host);
  const keys = [...new Set(ends.map(({ tier }) => tier))].map((tier) => tiers[tier]!.key);
  const ports = ends.flatMap(({ host, port }) => (host === outcome.host && port !== undefined ? [port] : []));
  const names = [...keys.map(tierBridge), routerBridge(name), ...others.flatMap((host) => keys.map((key) => tunnelPort(key, host))), ...ports];
  return names.map((each) => ({ host: outcome.host, name: each, segments: segments.length }));
}

import { type Ip, type Prefix, compareIps, formatIp, formatPrefix, lastOf } from "../../address";
import { readable } from "../../address/readable";
import { byObject } from "../../memo";
import type { Snapshot } from "./snapshot";
import type { Candidate } from "./candidate";
import type { Problem } from "./problem";

/** Addresses that the host itself must reach on its own way. */
interface Needed {
  readonly addresses: readonly string[];
  /** Whether a route to them takes that way. */
  takes(candidate: Candidate): boolean;
  /** What is at an address, as a sentence. */
  whose(address: string): string;
}

/**
 * Takes out what leads elsewhere than the host's main table, before which the agent's rule comes, where the host would lose its
 * way: to servers of OVN's databases, but for those on a provider network, where the operator gives the addresses; and to other
 * chassis' tunnels, which are nowhere behind tunnels themselves, so that the fabric would be told of another way to them, too. One
 * problem for each network.
 */
export function apartFromNeeded(candidates: readonly Candidate[], { servers, tunnels }: Pick<Snapshot, "servers" | "tunnels">): { clear: readonly Candidate[]; problems: Problem[] } {
  const all: readonly Needed[] = [
    { addresses: servers, takes: ({ next }) => next !== null, whose: (address) => `a server of OVN's databases is at ${address}` },
    { addresses: tunnels, takes: () => true, whose: (address) => `another chassis has its tunnels at ${address}` },
  ];
  const needed = all.filter(({ addresses }) => addresses.length > 0);
  const problems = new Map<string, Problem>();
  const clear = candidates.filter((candidate) => {
    const { prefix, next, network: { name, uuid } } = candidate;
    for (const { addresses, takes, whose } of needed) {
      const met = takes(candidate) ? firstWithin(addresses)(prefix) : undefined;
      if (met === undefined) continue;
      const what = next === null ? "network" : "tenant network";
      if (!problems.has(uuid)) problems.set(uuid, { code: "OVN_AGENT_HOST_NETWORK", subject: name, message: `${formatPrefix(prefix)} of ${what} "${name}" is not announced: ${whose(formatIp(met))}, and the host would lose its way there` });
      return false;
    }
    return true;
  });
  return { clear, problems: [...problems.values()] };
}

/** By a list of addresses, the first of them that a subnet has: there may be thousands of both. */
const firstWithin = byObject((texts: readonly string[]) => {
  const sorted: readonly Ip[] = texts.flatMap(readable).sort(compareIps);
  return (prefix: Prefix): Ip | undefined => {
    const found = sorted[placeOf(sorted, prefix)];
    return found && compareIps(found, lastOf(prefix)) <= 0 ? found : undefined;
  };
});

/** Of the first that is not before the address. */
function placeOf(sorted: readonly Ip[], address: Ip): number {
  let [from, end] = [0, sorted.length];
  while (from < end) {
    const middle = (from + end) >>> 1;
    if (compareIps(sorted[middle]!, address) < 0) from = middle + 1;
    else end = middle;
  }
  return from;
}

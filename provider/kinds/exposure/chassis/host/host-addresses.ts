import { type Ip, type Prefix, compareIps, formatIp, formatPrefix, lastOf } from "../../../../kit/address";
import { readable } from "../../../../kit/address/readable";
import { memo } from "../../../../kit/memo/memo";
import type { Snapshot } from "../snapshot/snapshot";
import type { Candidate } from "../candidates/candidate";
import type { Problem } from "../problem";

/** Addresses that the host itself must reach on its own way. */
interface Needed {
  readonly addresses: readonly string[];
  /** Addresses among these that the host itself has. */
  readonly own: ReadonlySet<string>;
  /** Whether a route to them uses the candidate. */
  takes(candidate: Candidate): boolean;
  /** Returns a clause that names what is at an address. */
  whose(address: string): string;
}

/**
 * Removes candidates that would cut the host off. The agent's rule comes before the host's main table. The first kind
 * covers servers of OVN's databases, except on a provider network, where the operator assigns the addresses. The second
 * kind covers tunnels of other chassis: they are never behind tunnels, so the fabric would also receive another route to
 * them. Reports one problem for each network.
 */
export function withoutHostAddresses(
  candidates: readonly Candidate[],
  { servers, tunnels, ownTunnels = NONE }: Pick<Snapshot, "servers" | "tunnels" | "ownTunnels">,
): { clear: readonly Candidate[]; problems: Problem[] } {
  const all: readonly Needed[] = [
    { addresses: servers, own: NONE, takes: ({ next }) => next !== null, whose: (address) => `a server of OVN's databases is at ${address}` },
    { addresses: tunnels, own: ownTunnels, takes: () => true, whose: (address) => `another chassis has its tunnels at ${address}` },
  ];
  const needed = all.filter(({ addresses }) => addresses.length > 0);
  const problems = new Map<string, Problem>();
  const clear = candidates.filter((candidate) => {
    const {
      prefix,
      next,
      network: { name, uuid },
    } = candidate;
    for (const { addresses, own, takes, whose } of needed) {
      const met = takes(candidate) ? firstWithin(addresses)(prefix, own) : undefined;
      if (met === undefined) continue;
      const what = next === null ? "network" : "tenant network";
      if (!problems.has(uuid))
        problems.set(uuid, {
          code: "OVN_AGENT_HOST_NETWORK",
          subject: name,
          message: `${formatPrefix(prefix)} of ${what} "${name}" is not announced: ${whose(formatIp(met))}, and the host would lose its way there`,
        });
      return false;
    }
    return true;
  });
  return { clear, problems: [...problems.values()] };
}

const NONE: ReadonlySet<string> = new Set();

interface Known {
  readonly ip: Ip;
  readonly text: string;
}

/** Finds the first address of a list that is in a subnet and is not the host's own. There may be thousands of addresses and subnets. */
const firstWithin = memo((texts: readonly string[]) => {
  const sorted: readonly Known[] = texts.flatMap((text) => readable(text).map((ip) => ({ ip, text }))).sort((a, b) => compareIps(a.ip, b.ip));
  return (prefix: Prefix, own: ReadonlySet<string>): Ip | undefined => {
    const last = lastOf(prefix);
    for (let at = firstIndex(sorted, prefix); at < sorted.length && compareIps(sorted[at]!.ip, last) <= 0; at++) {
      if (!own.has(sorted[at]!.text)) return sorted[at]!.ip;
    }
    return undefined;
  };
});

/** Index of the first entry that is not before the address. */
function firstIndex(sorted: readonly Known[], address: Ip): number {
  let [from, end] = [0, sorted.length];
  while (from < end) {
    const middle = (from + end) >>> 1;
    if (compareIps(sorted[middle]!.ip, address) < 0) from = middle + 1;
    else end = middle;
  }
  return from;
}

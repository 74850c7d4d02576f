import { type Prefix, compareIps, formatPrefix, lastOf } from "../../../kit/address";
import type { Candidate } from "./candidates/candidate";
import type { Problem } from "./problem";
import { incrementalSort } from "./incremental-sort";
import { routable } from "./routable";
import type { RowIndex } from "./row-index";

/** Maximum number of problems that are reported one by one: the number of pairs grows with the square of the networks that have one subnet. */
const REPORTED = 100;

/**
 * Removes announcements with addresses of two networks of the zone, on any chassis. A packet for such an address could reach either, and a
 * tenant could get another's packets by creating a network with its addresses. So neither tenant network announces the address. The operator
 * owns addresses of provider networks: there only the tenant network gives way.
 *
 * @param elsewhere announcements of other chassis, with their names
 */
export function withoutConflicts(
  own: readonly Candidate[],
  elsewhere: ReadonlyMap<Candidate, string>,
  rows: Pick<RowIndex, "shareWire">,
): { clear: Candidate[]; problems: Problem[] } {
  const others = routable([...elsewhere.keys()]).clear;
  const sorted = inOrder([...own, ...others]);
  const refused = new Set<Candidate>(others);
  const problems = new Map<string, Problem>();
  /** Candidates that contain the current one, the widest first. */
  let enclosing: Candidate[] = [];
  for (const candidate of sorted) {
    enclosing = enclosing.filter(({ prefix }) => prefix.family === candidate.prefix.family && lastOf(prefix).value >= candidate.prefix.value);
    for (const outer of enclosing.filter((one) => !haveSameNetwork(one, candidate, rows))) {
      const yields = (outer.next === null) === (candidate.next === null) ? [outer, candidate] : [outer, candidate].filter(({ next }) => next !== null);
      // Each chassis reports its own omissions.
      if (yields.some((one) => !elsewhere.has(one))) note(problems, outer, candidate, yields, elsewhere);
      for (const one of yields) refused.add(one);
    }
    enclosing.push(candidate);
  }
  return { clear: sorted.filter((candidate) => !refused.has(candidate)), problems: [...problems.values()] };
}

function note(
  problems: Map<string, Problem>,
  outer: Candidate,
  candidate: Candidate,
  yields: readonly Candidate[],
  elsewhere: ReadonlyMap<Candidate, string>,
): void {
  if (problems.size > REPORTED) return;
  if (problems.size === REPORTED) {
    problems.set("", { code: "OVN_AGENT_OVERLAP", subject: "more networks", message: `more networks than these ${REPORTED} pairs have addresses in common` });
    return;
  }
  const sorted = [outer, candidate].sort((a, b) => (a.network.name < b.network.name ? -1 : 1));
  const subject = sorted.map(({ network }) => network.name).join(" and ");
  const named = sorted.map((one) => `${one.network.name}${elsewhere.get(one) ? ` (chassis ${elsewhere.get(one)})` : ""}`).join(" and ");
  const who = yields.length === 2 ? "neither of them announces it" : `${yields[0]!.network.name}, a tenant network, does not announce it`;
  if (!problems.has(subject))
    problems.set(subject, { code: "OVN_AGENT_OVERLAP", subject, message: `networks ${named} both have ${formatPrefix(candidate.prefix)}: ${who}` });
}

const inOrder = incrementalSort<Candidate>((a, b) => comparePrefixes(a.prefix, b.prefix));

/** Whether two addresses are in one tenant network, or on one wire, which several switches of a physical network share. */
const haveSameNetwork = (one: Candidate, other: Candidate, rows: Pick<RowIndex, "shareWire">): boolean =>
  one.network.uuid === other.network.uuid || (one.next === null && other.next === null && rows.shareWire(one.network.uuid, other.network.uuid));

/** IPv4 first, by value; a prefix precedes the prefixes that it contains. */
export const comparePrefixes = (a: Prefix, b: Prefix): number => compareIps(a, b) || a.length - b.length;

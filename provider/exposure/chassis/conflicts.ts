import { type Prefix, compareIps, formatPrefix, lastOf } from "../../address";
import type { Candidate } from "./candidate";
import type { Problem } from "./problem";
import { resorted } from "./resorted";

/** Problems that are told one by one: many networks with one subnet have as many pairs as their square. */
const TOLD = 100;

/**
 * Takes out what two networks claim. A packet for such an address could reach a workload of either, and which of them had it
 * first the database doesn't tell: whoever made a network with somebody else's addresses would get that one's packets. So of
 * tenant networks neither is announced; what else they have is. Addresses on a provider network come from its operator, and no
 * tenant takes them away: there the tenant network alone gives way.
 */
export function withoutConflicts(candidates: readonly Candidate[]): { clear: Candidate[]; problems: Problem[] } {
  const sorted = inOrder(candidates);
  const refused = new Set<Candidate>();
  const problems = new Map<string, Problem>();
  /** What is around the one in turn, the widest first. */
  let around: Candidate[] = [];
  for (const candidate of sorted) {
    around = around.filter(({ prefix }) => prefix.family === candidate.prefix.family && lastOf(prefix).value >= candidate.prefix.value);
    for (const outer of around.filter((one) => placeOf(one) !== placeOf(candidate))) {
      const yields = (outer.next === null) === (candidate.next === null) ? [outer, candidate] : [outer, candidate].filter(({ next }) => next !== null);
      for (const one of yields) refused.add(one);
      note(problems, outer, candidate, yields);
    }
    around.push(candidate);
  }
  return { clear: sorted.filter((candidate) => !refused.has(candidate)), problems: [...problems.values()] };
}

function note(problems: Map<string, Problem>, outer: Candidate, candidate: Candidate, yields: readonly Candidate[]): void {
  if (problems.size > TOLD) return;
  if (problems.size === TOLD) {
    problems.set("", { code: "OVN_AGENT_OVERLAP", subject: "more networks", message: `more networks than these ${TOLD} pairs have addresses in common` });
    return;
  }
  const subject = [outer, candidate]
    .map(({ network }) => network.name)
    .sort()
    .join(" and ");
  const who = yields.length === 2 ? "neither of them announces it" : `${yields[0]!.network.name}, a tenant network, does not announce it`;
  if (!problems.has(subject))
    problems.set(subject, { code: "OVN_AGENT_OVERLAP", subject, message: `networks ${subject} both have ${formatPrefix(candidate.prefix)}: ${who}` });
}

const inOrder = resorted<Candidate>((a, b) => comparePrefixes(a.prefix, b.prefix));

/** Where an address is: in a tenant network, or on a link, which several switches of one physical network share. */
const placeOf = ({ network, link, next }: Candidate): string => (next === null ? link.device : network.uuid);

/** IPv4 first, by value, and what is around something else before it. */
export const comparePrefixes = (a: Prefix, b: Prefix): number => compareIps(a, b) || a.length - b.length;

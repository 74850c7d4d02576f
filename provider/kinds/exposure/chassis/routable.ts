import { type Prefix, formatPrefix, overlaps, parseSubnet } from "../../../kit/address";
import { memo } from "../../../kit/memo/memo";
import type { Candidate } from "./candidates/candidate";
import type { Problem } from "./problem";

/**
 * Never a workload's or network's that a fabric has a route to. OVN takes them all, and the agent's rule comes before the host's main
 * table: a tenant's 169.254.0.0/16 would get what the host sends to its cloud's metadata service.
 */
const NEVER: readonly Prefix[] = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/4",
  "255.255.255.255/32",
  "::/128",
  "::1/128",
  "fe80::/10",
  "ff00::/8",
].map(parseSubnet);

/**
 * The widest network of a tenant: the largest private block of IPv4 (RFC 1918), and what a provider gets from its registry of IPv6
 * (RFC 6177 gives a site /48 to /64). Two of one bit would be a default route.
 */
const WIDEST = { 4: 8, 6: 32 } as const;

/** Takes out what must not be led anywhere; one problem for each network. */
export function routable(candidates: readonly Candidate[]): { clear: Candidate[]; problems: Problem[] } {
  const problems = new Map<string, Problem>();
  const clear = candidates.filter(({ prefix, network: { name, uuid } }) => {
    const why = refusal(prefix);
    if (why !== "" && !problems.has(uuid))
      problems.set(uuid, { code: "OVN_AGENT_NOT_ROUTABLE", subject: name, message: `${formatPrefix(prefix)} of network "${name}" is not announced: ${why}` });
    return why === "";
  });
  return { clear, problems: [...problems.values()] };
}

/** Why not; "": it may be. */
const refusal = memo((prefix: Prefix): string => {
  if (prefix.length < WIDEST[prefix.family]) return `it is wider than /${WIDEST[prefix.family]}`;
  const met = NEVER.find((range) => overlaps(range, prefix));
  return met ? `no route leads to ${formatPrefix(met)}` : "";
});

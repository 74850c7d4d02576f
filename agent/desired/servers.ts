import { formatPrefix, overlaps, readable } from "@pulumi-ovn/provider/agent";
import type { Candidate } from "./candidate";
import type { Problem } from "./problem";

/**
 * Takes out what leads to a tenant network around a server of OVN's databases: the rule comes before the host's main table, so the
 * agent and ovn-controller would lose their way there. On a provider network the operator gives the addresses. One problem for each
 * network.
 */
export function apartFromServers(candidates: readonly Candidate[], servers: readonly string[]): { clear: readonly Candidate[]; problems: Problem[] } {
  const known = servers.flatMap((text) => readable(text).map((prefix) => ({ text, prefix })));
  if (known.length === 0) return { clear: candidates, problems: [] };
  const problems = new Map<string, Problem>();
  const clear = candidates.filter(({ prefix, next, network: { name, uuid } }) => {
    const met = next === null ? undefined : known.find((server) => overlaps(server.prefix, prefix));
    if (met && !problems.has(uuid)) problems.set(uuid, { code: "OVN_AGENT_HOST_NETWORK", subject: name, message: `${formatPrefix(prefix)} of tenant network "${name}" is not announced: a server of OVN's databases is at ${met.text}, and the host would lose its way there` });
    return !met;
  });
  return { clear, problems: [...problems.values()] };
}

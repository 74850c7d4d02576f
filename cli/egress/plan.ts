import { formatNextHops, parseNextHops } from "@pulumi-ovn/provider";

/** A reroute policy of a zone as the drain command reads it. */
export interface ReroutePolicy {
  readonly uuid: string;
  readonly match: string;
  readonly nexthops: readonly string[];
  /** Value of `NEXT_HOPS_KEY`. */
  readonly known: string;
  /** Value of `DRAINED_KEY`; undefined when nothing was taken out. */
  readonly drained: string | undefined;
}

export interface DrainRequest {
  readonly node: string;
  readonly policies: readonly ReroutePolicy[];
}

/** Change of one policy. */
export interface DrainStep {
  readonly uuid: string;
  readonly match: string;
  /** The next hops that were read. The write succeeds only if they are unchanged. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** New value of `DRAINED_KEY`. Undefined: no value. */
  readonly drained: string | undefined;
}

/** Nodes that have a next hop in one of the policies, or had one that was taken out. */
export function nodesOf(policies: readonly ReroutePolicy[]): string[] {
  return [...new Set(policies.flatMap(({ known, drained }) => parseNextHops(`${known} ${drained ?? ""}`).map(([node]) => node)))];
}

/** Removes the node's next hops. A policy without them is unchanged, so a second run changes nothing. */
export function planDrain({ node, policies }: DrainRequest): DrainStep[] {
  return policies.flatMap((policy) => {
    const recorded = parseNextHops(policy.known).filter(([owner, hop]) => owner === node && policy.nexthops.includes(hop));
    if (recorded.length === 0) return [];
    const after = policy.nexthops.filter((hop) => !recorded.some(([, taken]) => taken === hop));
    return [step(policy, after, [...parseNextHops(policy.drained ?? ""), ...recorded])];
  });
}

/**
 * Restores removed next hops that the stack still has. A next hop that the stack has removed or moved in the meantime is not
 * restored. A next hop that an update of the stack has already restored is only removed from the note.
 */
export function planRestore({ node, policies }: DrainRequest): DrainStep[] {
  return policies.flatMap((policy) => {
    const drained = parseNextHops(policy.drained ?? "");
    const own = drained.filter(([owner]) => owner === node);
    if (own.length === 0) return [];
    const known = parseNextHops(policy.known).map(([owner, hop]) => `${owner}=${hop}`);
    const back = own.filter(([owner, hop]) => known.includes(`${owner}=${hop}`) && !policy.nexthops.includes(hop));
    return [
      step(
        policy,
        [...policy.nexthops, ...back.map(([, hop]) => hop)],
        drained.filter(([owner]) => owner !== node),
      ),
    ];
  });
}

function step(policy: ReroutePolicy, after: readonly string[], drained: readonly (readonly [string, string])[]): DrainStep {
  const unique = [...new Map(drained.map((pair) => [pair.join("="), pair])).values()];
  const { uuid, match, nexthops: before } = policy;
  return { uuid, match, before, after: after.toSorted(), drained: unique.length === 0 ? undefined : formatNextHops(unique) };
}

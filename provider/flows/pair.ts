import type { PrintedFlow } from "./diff";
import type { BridgeDifference, WantedFlow } from "./plan";
import { areUsual, type DumpedFlow, type FlowWords } from "./words";

/** What a dump tells of a list. */
export interface Paired {
  readonly difference: BridgeDifference;
  /** Places in the list of flows that the switch has under no such words. */
  readonly missing: readonly number[];
}

/**
 * Pure. Wanted flows, each with the one that the switch has in the same words of table, priority and match. Undefined where such a
 * flow has actions in unusual words: they may mean what is wanted.
 */
export function paired(wanted: readonly FlowWords[], dumped: readonly DumpedFlow[], cookie: string): Paired | undefined {
  const byRule = new Map(dumped.map((flow) => [flow.rule, flow]));
  const changed: WantedFlow[] = [];
  const missing: number[] = [];
  for (const [place, { rule, actions }] of wanted.entries()) {
    const there = byRule.get(rule);
    if (there === undefined) missing.push(place);
    else if (there.cookie !== cookie) changed.push({ flow: printed(there, actions), own: undefined, foreign: printed(there), place });
    else if (there.actions !== actions) {
      if (!areUsual(there.actions)) return undefined;
      changed.push({ flow: printed(there, actions), own: printed(there), foreign: undefined, place });
    }
  }
  return { difference: { wanted: changed, surplus: surplusOf(wanted, dumped, cookie) }, missing };
}

function surplusOf(wanted: readonly FlowWords[], dumped: readonly DumpedFlow[], cookie: string): PrintedFlow[] {
  const rules = new Set(wanted.map(({ rule }) => rule));
  return dumped.filter((flow) => flow.cookie === cookie && !rules.has(flow.rule)).map((flow) => printed(flow));
}

function printed({ printed: rule, cookie, actions }: DumpedFlow, other = actions): PrintedFlow {
  return { rule, cookie, extra: "", actions: other };
}

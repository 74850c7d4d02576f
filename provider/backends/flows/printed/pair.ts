import type { PrintedFlow } from "./difference";
import type { BridgeDifference, WantedFlow } from "../plan";
import { areUsual, type DumpedFlow, type FlowWords } from "./words";

/** Result of comparing a list with a dump. */
export interface Paired {
  readonly difference: BridgeDifference;
  /** Positions in the list of flows that the switch has under no such words. */
  readonly missing: readonly number[];
}

/**
 * Pure. Wanted flows, each with the one that the switch has in the same words of table, priority and match. Undefined where such a
 * flow, or one that is not wanted, has actions in unusual words: they may mean what is wanted, or have ports.
 *
 * @param indexes of the wanted flows that are to be looked for, where the others are known to be on the switch as they are wanted
 */
export function paired(
  wanted: readonly FlowWords[],
  dumped: readonly DumpedFlow[],
  cookie: string,
  indexes: Iterable<number> = wanted.keys(),
): Paired | undefined {
  const open = new Map(dumped.map((flow) => [flow.rule, flow]));
  const changed: WantedFlow[] = [];
  const missing: number[] = [];
  for (const index of indexes) {
    const { rule, actions } = wanted[index]!;
    const there = open.get(rule);
    open.delete(rule);
    if (there === undefined) missing.push(index);
    else if (there.cookie !== cookie) changed.push({ flow: printed(there, actions), own: undefined, foreign: printed(there), index });
    else if (there.actions !== actions) {
      if (!areUsual(there.actions)) return undefined;
      changed.push({ flow: printed(there, actions), own: printed(there), foreign: undefined, index });
    }
  }
  const surplus = [...open.values()].filter((flow) => flow.cookie === cookie);
  // They are shown, and only usual words have port names.
  if (!surplus.every((flow) => areUsual(flow.actions))) return undefined;
  return { difference: { wanted: changed, surplus: surplus.map((flow) => printed(flow)) }, missing };
}

function printed({ printed: rule, cookie, actions }: DumpedFlow, other = actions): PrintedFlow {
  return { rule, cookie, extra: "", actions: other };
}

import type { PrintedFlow } from "./diff";
import type { BridgeFlowList, FlowSet } from "./flow-set";
import { parsedFlows, type FlowText } from "./flow-text";
import type { BridgeDifference, WantedFlow } from "./plan";

/** What of a bridge changes, where it holds what the state says. */
export interface AssumedChange {
  readonly bridge: string;
  /** Flows of the resource before and after. */
  readonly count: { readonly before: number; readonly after: number };
  readonly difference: BridgeDifference;
}

/**
 * Pure. What changes from one set to another, told by their texts alone; undefined where a switch has to be asked: a flow in a
 * new place may find somebody else's there, two texts may name one place, and of several bridges all are looked at before any
 * is changed. A flow whose place the resource has already, and one that goes, need no look at others.
 */
export function assumedChange(before: FlowSet, after: FlowSet): AssumedChange | undefined {
  if (before.bridges.length !== after.bridges.length) return undefined;
  const changes: AssumedChange[] = [];
  for (const list of after.bridges) {
    const old = before.bridges.find(({ bridge }) => bridge === list.bridge);
    const difference = old && differenceOf(old, list);
    if (difference === undefined) return undefined;
    if (difference.wanted.length > 0 || difference.surplus.length > 0) changes.push({ bridge: list.bridge, count: { before: old!.flows.length, after: list.flows.length }, difference });
  }
  return changes.length === 1 ? changes[0] : undefined;
}

/** Pure. What one set has beyond another, by bridge, in its order: flows that can be taken away without a look at the switch. */
export function beyond(set: FlowSet, other: FlowSet): { readonly bridge: string; readonly difference: BridgeDifference }[] {
  return set.bridges.flatMap((list) => {
    const kept = new Set((other.bridges.find(({ bridge }) => bridge === list.bridge)?.flows ?? []));
    const surplus = list.flows.filter((flow) => !kept.has(flow));
    return surplus.length === 0 ? [] : [{ bridge: list.bridge, difference: { wanted: [], surplus: parsedFlows({ ...list, flows: surplus }).map((flow) => printed(flow!)) } }];
  });
}

/** Undefined for a list with a flow in a new place. */
function differenceOf(before: BridgeFlowList, after: BridgeFlowList): BridgeDifference | undefined {
  const left = new Map(parsedFlows(before).map((flow) => [flow!.rule, flow!]));
  const wanted: WantedFlow[] = [];
  for (const flow of parsedFlows(after)) {
    const place = flow!.rule;
    const own = left.get(place);
    if (own === undefined) return undefined;
    left.delete(place);
    if (own.actions !== flow!.actions) wanted.push({ flow: printed(flow!), own: printed(own), foreign: undefined });
  }
  return { wanted, surplus: [...left.values()].map(printed) };
}

function printed({ table, priority, match, actions }: FlowText): PrintedFlow {
  return { rule: [`table=${table}`, `priority=${priority}`, match].filter(Boolean).join(","), cookie: "", extra: "", actions };
}

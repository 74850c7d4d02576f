import { asPrinted, type PrintedFlow } from "../printed/difference";
import type { BridgeFlowList, FlowSet } from "../set";
import { type FlowText, flowIndexes, parsedFlows, sameFields, writtenMatch } from "../set/text";
import { additionOf, removalOf, type BridgeDifference } from "../plan";

/** Change of a bridge, assuming that it matches the state. */
export interface AssumedChange {
  readonly bridge: string;
  readonly fragments: BridgeFlowList["fragments"];
  /** Flows of the resource before and after. */
  readonly count: { readonly before: number; readonly after: number };
  readonly difference: AssumedDifference;
}

interface AssumedDifference {
  /** Flows with other actions, as the program has them. */
  readonly wanted: readonly string[];
  readonly surplus: readonly PrintedFlow[];
}

/**
 * Pure. Changes between two sets, from their texts. Undefined if the switch must be asked: a new match may belong to another cookie, two texts
 * may mean one match, and all bridges must be checked before any changes. Changed actions and removed flows need no check.
 */
export function assumedChange(before: FlowSet, after: FlowSet): AssumedChange | undefined {
  if (before.bridges.length !== after.bridges.length) return undefined;
  const changes: AssumedChange[] = [];
  for (const list of after.bridges) {
    const old = before.bridges.find(({ bridge }) => bridge === list.bridge);
    const difference = old && old.fragments === list.fragments ? differenceOf(old, list) : undefined;
    if (difference === undefined) return undefined;
    if (difference.wanted.length > 0 || difference.surplus.length > 0)
      changes.push({ bridge: list.bridge, fragments: list.fragments, count: { before: old!.flows.length, after: list.flows.length }, difference });
  }
  return changes.length === 1 ? changes[0] : undefined;
}

/** Lines of the bundle. */
export function assumedBundle(cookie: string, { surplus, wanted }: AssumedDifference): string[] {
  return [...surplus.map((flow) => removalOf(flow, cookie)), ...wanted.map((text) => additionOf(text, cookie))];
}

/** Pure. Flows of one set that another lacks, by bridge, in its order: they can be removed without asking the switch. */
export function additions(set: FlowSet, other: FlowSet): { readonly bridge: string; readonly difference: BridgeDifference }[] {
  return set.bridges.flatMap((list) => {
    const kept = new Set(other.bridges.find(({ bridge }) => bridge === list.bridge)?.flows ?? []);
    const parsed = parsedFlows(list);
    const surplus = list.flows.flatMap((text, index) => (kept.has(text) ? [] : [asWritten(parsed[index]!, text)]));
    return surplus.length === 0 ? [] : [{ bridge: list.bridge, difference: { wanted: [], surplus } }];
  });
}

/** Undefined for a list with a flow in a new position, or with fields in another order, which may mean another position. */
function differenceOf(before: BridgeFlowList, after: BridgeFlowList): AssumedDifference | undefined {
  const [old, indexes] = [parsedFlows(before), flowIndexes(before)];
  const wanted: string[] = [];
  for (const [index, flow] of parsedFlows(after).entries()) {
    const found = indexes.get(flow!.rule);
    if (found === undefined) return undefined;
    const [was, text] = [before.flows[found]!, after.flows[index]!];
    if (was !== text && !sameFields(was, text)) return undefined;
    if (old[found]!.actions !== flow!.actions) wanted.push(text);
  }
  // None is in a new position, so as many are in the same ones.
  if (old.length === after.flows.length) return { wanted, surplus: [] };
  const kept = flowIndexes(after);
  return { wanted, surplus: before.flows.flatMap((text, index) => (kept.has(old[index]!.rule) ? [] : [asWritten(old[index]!, text)])) };
}

/** With its fields in their own order, in which they surely name the flow that was written. */
function asWritten(flow: FlowText, text: string): PrintedFlow {
  return asPrinted({ ...flow, match: writtenMatch(text) });
}

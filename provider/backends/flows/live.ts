import { liveDigest } from "../../kit/digest";
import type { Live } from "../contract/backend";
import { flowLines, type ShownFlow } from "./lines";
import { fragmentDrift, fragmentLines, otherFragments } from "./switch/fragments";
import type { BridgeFlowList, FlowSet } from "./set";
import { flowLabel, parsedFlows, parseFlow, type FlowText } from "./set/text";
import type { HostTarget } from "./shell/host";
import type { BridgeDifference } from "./plan";
import { compare, rulesOf } from "./switch/compare";

/** Live flows of a cookie on a host. Undefined if it has none. */
export async function liveFlows(target: HostTarget, cookie: string, { bridges }: FlowSet, digest: string): Promise<Live | undefined> {
  const differences = await compare(target, cookie, bridges);
  const states: BridgeState[] = [];
  for (const [index, list] of bridges.entries()) {
    const difference = differences[index];
    // Only a difference needs to know which flow the switch means by which rule.
    const rules =
      difference === undefined || difference.wanted.every((flow) => flow.index !== undefined) ? new Map<string, number>() : await rulesOf(target, list);
    states.push(stateOf(list, difference, rules));
  }
  if (states.every(({ present }) => present === 0)) return undefined;
  const modes = await otherFragments(target, bridges);
  const drift = { ...fragmentDrift(bridges, modes), ...Object.fromEntries(states.flatMap((state) => Object.entries(state.drift))) };
  return {
    lines: { ...fragmentLines(bridges, modes), ...flowLines(states.flatMap(({ shown }) => shown)) },
    digest: liveDigest(digest, drift),
    drift,
  };
}

/** Live state of one bridge. */
export interface BridgeState {
  readonly shown: readonly ShownFlow[];
  readonly drift: Readonly<Record<string, string>>;
  /** Flows under the cookie. */
  readonly present: number;
}

/**
 * Pure. Correct flows are shown as their kind wrote them, others as the switch has them.
 *
 * @param difference undefined for a missing bridge
 * @param rules desired flows by the rule of the switch
 */
export function stateOf(list: BridgeFlowList, difference: BridgeDifference | undefined, rules: ReadonlyMap<string, number>): BridgeState {
  const drift: Record<string, string> = {};
  const live = new Map<number, string | undefined>();
  const { bridge } = list;
  const texts = parsedFlows(list).map((flow) => flow!);
  if (difference === undefined) texts.forEach((flow, index) => differs(index, flow, undefined, `missing: there is no bridge "${bridge}"`));
  for (const { flow, own, foreign, index: target } of difference?.wanted ?? []) {
    const index = target ?? rules.get(flow.rule);
    const text = index === undefined ? undefined : texts[index];
    differs(
      index,
      text ?? printed(flow),
      own?.actions,
      own
        ? `actions=${own.actions} instead of actions=${(text ?? flow).actions}`
        : foreign
          ? `missing: the flow of cookie ${foreign.cookie} has its place`
          : "missing",
    );
  }
  const surplus = (difference?.surplus ?? []).map((flow) => ({ bridge, flow: printed(flow), actions: flow.actions }));
  for (const { flow } of surplus) drift[flowLabel(bridge, flow)] = "surplus";
  const shown = texts.map((flow, index): ShownFlow => ({ bridge, flow, actions: live.has(index) ? live.get(index) : flow.actions }));
  return { shown: [...shown, ...surplus], drift, present: shown.filter(({ actions }) => actions !== undefined).length + surplus.length };

  function differs(index: number | undefined, flow: FlowText, actions: string | undefined, how: string): void {
    drift[flowLabel(bridge, flow)] = how;
    if (index !== undefined) live.set(index, actions);
  }
}

const printed = ({ rule, actions }: { readonly rule: string; readonly actions: string }): FlowText => parseFlow(`${rule} actions=${actions}`)!;

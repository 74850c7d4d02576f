import { HIDDEN } from "../../kit/text/hidden";
import { type BridgeFlowList, type FlowSet } from "./set";
import { flowLabel, parsedFlows, type FlowText } from "./set/text";

/**
 * Flows for people, who must not read what other ones, of other secrets, say otherwise. A flow's twin is the one of the same
 * position in its list, so lists of other lengths are hidden whole.
 */
export function hideFlows({ bridges }: FlowSet, other: FlowSet): FlowSet {
  const twins = new Map(other.bridges.map((list) => [list.bridge, list]));
  return { bridges: bridges.map((list, index) => hideBridge(list, twins.get(list.bridge), index)) };
}

function hideBridge(list: BridgeFlowList, twin: BridgeFlowList | undefined, index: number): BridgeFlowList {
  const [flows, others] = [parsedFlows(list), twin ? parsedFlows(twin) : []];
  const paired = flows.length === others.length;
  const bridge = twin ? list.bridge : `${HIDDEN}${index + 1}`;
  return { ...list, bridge, flows: flows.map((flow, index) => textOf(hideFlow(flow!, paired ? others[index] : undefined, `${HIDDEN}${index + 1}`))) };
}

/** @param hidden what a hidden match is called: two flows of one bridge are never called the same */
function hideFlow(flow: FlowText, twin: FlowText | undefined, hidden: string): Omit<FlowText, "rule"> {
  const kept = (field: "table" | "priority") => (flow[field] === twin?.[field] ? flow[field] : HIDDEN);
  const match = twin && flowLabel("", flow) === flowLabel("", twin) ? flow.match : hidden;
  return { table: kept("table"), priority: kept("priority"), match, actions: hideActions(flow.actions, twin?.actions) };
}

/** Actions one by one, where there are as many. */
function hideActions(actions: string, twin = ""): string {
  const [parts, others] = [actions.split(","), twin.split(",")];
  return parts.length === others.length ? parts.map((part, index) => (part === others[index] ? part : HIDDEN)).join() : HIDDEN;
}

function textOf({ table, priority, match, actions }: Omit<FlowText, "rule">): string {
  return `table=${table},priority=${priority},${match},actions=${actions}`;
}

import type { BridgeFlowList, FlowSet } from "../flows/flow-set";
import { parsedFlows } from "../flows/flow-text";
import type { HostRendered } from "./kind";

/**
 * Pure. Flows for the time in which interfaces get other port numbers: those of before, and of the new ones those for numbers that
 * no flow of the bridge knows yet. An interface under its new number then meets flows at once, and one that gets a number of
 * another meets that one's. Undefined where every interface keeps its number.
 */
export function flowsMeanwhile(before: HostRendered | undefined, after: HostRendered): FlowSet | undefined {
  const changes = Object.entries(before?.numbers ?? {}).some(([name, number]) => (after.numbers?.[name] ?? number) !== number);
  if (before === undefined || !changes) return undefined;
  const coming = new Map(after.flows.bridges.map((list) => [list.bridge, list]));
  return { bridges: before.flows.bridges.map((list) => withNewNumbers(list, coming.get(list.bridge))) };
}

function withNewNumbers(list: BridgeFlowList, coming: BridgeFlowList | undefined): BridgeFlowList {
  if (coming === undefined) return list;
  const known = new Set(portsOf(list));
  const ports = portsOf(coming);
  return { ...list, flows: [...list.flows, ...coming.flows.filter((_, index) => ports[index] !== undefined && !known.has(ports[index]))] };
}

/** Of each flow the port that it is for; undefined: of every one. */
function portsOf(list: BridgeFlowList): (string | undefined)[] {
  return parsedFlows(list).map((flow) => flow!.match.split(",").find((field) => field.startsWith("in_port=")));
}

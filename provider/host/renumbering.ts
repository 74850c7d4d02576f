import type { BridgeFlowList, FlowSet } from "../flows/flow-set";
import { parsedFlows } from "../flows/flow-text";
import type { HostRendered } from "./kind";

/**
 * Pure. Flows for the time in which interfaces get port numbers that no flow of their bridge knows yet, of those bridges alone: the
 * ones of before, and of the new ones those for such numbers, with tables that only they lead to. An interface that comes, moves to
 * another bridge or is renumbered then meets flows at once, and one that takes the number of another meets the flows of that one. None where
 * every number is known, and for bridges that are new: without flows they pass nothing.
 */
export function flowsMeanwhile(before: HostRendered | undefined, after: HostRendered): FlowSet {
  if (before === undefined || after.numbers === undefined) return { bridges: [] };
  const numbers = new Set(Object.values(after.numbers).map((number) => `in_port=${number}`));
  const there = new Map(before.flows.bridges.map((list) => [list.bridge, list]));
  return { bridges: after.flows.bridges.flatMap((coming) => withNewNumbers(there.get(coming.bridge), coming, numbers)) };
}

/** @param numbers ports that flows may name before they are there */
function withNewNumbers(list: BridgeFlowList | undefined, coming: BridgeFlowList, numbers: ReadonlySet<string>): BridgeFlowList[] {
  if (list === undefined) return [];
  const known = new Set(portsOf(list));
  const ports = portsOf(coming);
  const isNew = (port: string | undefined) => port !== undefined && numbers.has(port) && !known.has(port);
  if (!ports.some(isNew)) return [];
  const tables = new Set(tablesOf(list));
  const common = tablesOf(coming).map((table, index) => ports[index] === undefined && !tables.has(table));
  return [{ ...list, flows: [...list.flows, ...coming.flows.filter((_, index) => isNew(ports[index]) || common[index])] }];
}

/** Of each flow the port that it is for; undefined: of every one. */
function portsOf(list: BridgeFlowList): (string | undefined)[] {
  return parsedFlows(list).map((flow) => flow!.match.split(",").find((field) => field.startsWith("in_port=")));
}

const tablesOf = (list: BridgeFlowList): string[] => parsedFlows(list).map((flow) => flow!.table);

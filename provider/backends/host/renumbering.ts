import type { BridgeFlowList, FlowSet } from "../flows/flow-set";
import { parsedFlows } from "../flows/flow-text";
import type { HostRendered } from "./kind";

/**
 * Pure. Flows for the time in which interfaces get port numbers that no flow of their bridge knows yet, or only for an interface that
 * goes, of those bridges alone: the ones of before, and of the new ones those for such numbers, with tables that only they lead to. An
 * interface that comes, moves to another bridge or is renumbered then meets flows at once, and one that takes the number of another which
 * stays meets the flows of that one. None where every number is known, and for bridges that are new: without flows they pass nothing.
 */
export function flowsMeanwhile(before: HostRendered | undefined, after: HostRendered): FlowSet {
  if (before === undefined || after.numbers === undefined) return { bridges: [] };
  const numbers = new Set(Object.values(after.numbers).map(fieldOf));
  const left = leftNumbers(before.numbers ?? {}, after.numbers);
  const there = new Map(before.flows.bridges.map((list) => [list.bridge, list]));
  return { bridges: after.flows.bridges.flatMap((coming) => withNewNumbers(there.get(coming.bridge), coming, numbers, left)) };
}

const fieldOf = (number: number): string => `in_port=${number}`;

/** Ports that only interfaces had which go: whoever gets one now is no interface of before. */
function leftNumbers(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): ReadonlySet<string> {
  const kept = new Set(Object.entries(before).flatMap(([name, number]) => (Object.hasOwn(after, name) ? [number] : [])));
  return new Set(
    Object.values(before)
      .filter((number) => !kept.has(number))
      .map(fieldOf),
  );
}

/**
 * @param numbers ports that flows may name before they are there
 * @param left of these, ports whose flows of before are for nobody who stays
 */
function withNewNumbers(list: BridgeFlowList | undefined, coming: BridgeFlowList, numbers: ReadonlySet<string>, left: ReadonlySet<string>): BridgeFlowList[] {
  if (list === undefined) return [];
  const [own, ports] = [portsOf(list), portsOf(coming)];
  const known = new Set(own.filter((port) => port === undefined || !left.has(port)));
  const isNew = (port: string | undefined) => port !== undefined && numbers.has(port) && !known.has(port);
  if (!ports.some(isNew)) return [];
  const tables = new Set(tablesOf(list));
  const common = tablesOf(coming).map((table, index) => ports[index] === undefined && !tables.has(table));
  const stay = list.flows.filter((_, index) => !isNew(own[index]));
  return [{ ...list, flows: [...stay, ...coming.flows.filter((_, index) => isNew(ports[index]) || common[index])] }];
}

/** Of each flow the port that it is for; undefined: of every one. */
function portsOf(list: BridgeFlowList): (string | undefined)[] {
  return parsedFlows(list).map((flow) => flow!.match.split(",").find((field) => field.startsWith("in_port=")));
}

const tablesOf = (list: BridgeFlowList): string[] => parsedFlows(list).map((flow) => flow!.table);

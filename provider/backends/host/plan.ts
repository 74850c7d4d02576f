import type { BridgeFlowList, FlowSet } from "../flows/set";
import { parsedFlows } from "../flows/set/text";
import type { HostRendered } from "./kind";

/**
 * Pure. Temporary flows while interfaces get port numbers that no flow of their bridge knows, or only flows of a removed interface: the previous
 * flows plus the new ones for such numbers, with the tables that only they use. A new, moved or renumbered interface then meets its flows
 * immediately; one that takes the number of a staying interface meets that one's. None if every number is known, and none for new bridges, which
 * forward nothing without flows.
 */
export function flowsMeanwhile(before: HostRendered | undefined, after: HostRendered): FlowSet {
  if (before === undefined || after.numbers === undefined) return { bridges: [] };
  const numbers = new Set(Object.values(after.numbers).map(fieldOf));
  const left = leftNumbers(before.numbers ?? {}, after.numbers);
  const there = new Map(before.flows.bridges.map((list) => [list.bridge, list]));
  return { bridges: after.flows.bridges.flatMap((coming) => withNewNumbers(there.get(coming.bridge), coming, numbers, left)) };
}

const fieldOf = (number: number): string => `in_port=${number}`;

/** Ports of removed interfaces only: their next user is a new interface. */
function leftNumbers(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): ReadonlySet<string> {
  const kept = new Set(Object.entries(before).flatMap(([name, number]) => (Object.hasOwn(after, name) ? [number] : [])));
  return new Set(
    Object.values(before)
      .filter((number) => !kept.has(number))
      .map(fieldOf),
  );
}

/**
 * @param numbers ports that flows may name before they exist
 * @param left ports whose previous flows serve no staying interface
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

/** Port of each flow; undefined for a flow of all ports. */
function portsOf(list: BridgeFlowList): (string | undefined)[] {
  return parsedFlows(list).map((flow) => flow!.match.split(",").find((field) => field.startsWith("in_port=")));
}

const tablesOf = (list: BridgeFlowList): string[] => parsedFlows(list).map((flow) => flow!.table);

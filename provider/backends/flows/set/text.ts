import { memo } from "../../../kit/memo/memo";
import { digestOf } from "../../../kit/digest";
import { fieldsOf, nameOf } from "./fields";
import type { BridgeFlowList, FlowSet } from "../set";

/** A parsed flow text: enough to name, sort and compare it. Only the host's ovs-ofctl knows the meaning of fields. */
export interface FlowText {
  /** Number or name, as written. */
  readonly table: string;
  /** As written, or the default of ovs-ofctl(8). */
  readonly priority: string;
  /** The other fields, in one order, joined by commas; empty for a flow that every packet matches. */
  readonly match: string;
  readonly actions: string;
  /** Table, priority and match in one text, as lines show them: numbers are aligned, because Pulumi sorts lines by their text. */
  readonly rule: string;
  /** A part of the position that the text has twice; ovs-ofctl takes the last one, and so do `table` and `priority`. */
  readonly repeated?: "table" | "priority";
}

const DEFAULT_PRIORITY = "32768";

/** Start of the actions. ovs-ofctl takes the whole rest for them. */
const ACTIONS = /(?:^|[\s,])actions?=/;

/** Undefined for a text without actions. */
export function parseFlow(text: string): FlowText | undefined {
  return readFlow(text)?.flow;
}

/** A flow, and its text before the actions. */
interface ReadFlow {
  readonly flow: FlowText;
  readonly head: string;
}

/** @param before a similar flow; most changed flows have only other actions, and are not parsed again */
function readFlow(text: string, before?: ReadFlow): ReadFlow | undefined {
  if (before !== undefined && text.startsWith(before.head)) {
    const { flow, head } = before;
    return { flow: { ...flow, actions: text.slice(head.length).trim() }, head };
  }
  const begin = ACTIONS.exec(text);
  if (begin === null) return undefined;
  const { table = "0", priority = DEFAULT_PRIORITY, fields, repeated } = positionOf(text.slice(0, begin.index));
  const match = sorted(fields).join();
  const head = text.slice(0, begin.index + begin[0].length);
  const rule = `table=${table.padStart(3)} priority=${priority.padStart(5)}${match === "" ? "" : ` ${match}`}`;
  return { flow: { table, priority, match, actions: text.slice(head.length).trim(), rule, ...(repeated && { repeated }) }, head };
}

const RULE = /^table= *(\S*) priority= *(\S*) ?(.*)$/;

/** Parses `rule` of a flow. */
export function parseRule(rule: string): Pick<FlowText, "table" | "priority" | "match"> {
  const [, table = "", priority = "", match = ""] = RULE.exec(rule) ?? [];
  return { table, priority, match };
}

/** Whether two texts surely have the same fields in the same order. */
export function sameFields(one: string, other: string): boolean {
  const begin = ACTIONS.exec(one);
  return (begin !== null && other.startsWith(one.slice(0, begin.index + begin[0].length))) || writtenMatch(one) === writtenMatch(other);
}

/** Match of a flow with its fields in the written order: ovs-ofctl reads it exactly as in the flow. */
export function writtenMatch(text: string): string {
  return positionOf(text.slice(0, ACTIONS.exec(text)?.index)).fields.join();
}

interface PositionText {
  readonly table: string | undefined;
  readonly priority: string | undefined;
  /** The other fields in their order. */
  readonly fields: string[];
  readonly repeated: FlowText["repeated"];
}

function positionOf(text: string): PositionText {
  let table: string | undefined;
  let priority: string | undefined;
  let repeated: FlowText["repeated"];
  const fields: string[] = [];
  for (const field of fieldsOf(text)) {
    if (field.startsWith("table=")) {
      if (table !== undefined) repeated = "table";
      table = field.slice("table=".length);
    } else if (field.startsWith("priority=")) {
      if (priority !== undefined) repeated = "priority";
      priority = field.slice("priority=".length);
    } else fields.push(field);
  }
  return { table, priority, fields, repeated };
}

/** Names of the fields of a flow but for its table and priority: `ip` and `nw_dst` for instance. */
export function matchNames({ match }: FlowText): string[] {
  return fieldsOf(match).map(nameOf);
}

/** Fields in the order in which `match` has them. */
export const orderedMatch = (text: string): string => sorted(fieldsOf(text)).join();

/** In place. A flow has few fields, and there are many thousands of flows: `sort` takes longer than everything else here. */
function sorted(fields: string[]): string[] {
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index]!;
    let at = index;
    for (; at > 0 && fields[at - 1]! > field; at--) fields[at] = fields[at - 1]!;
    fields[at] = field;
  }
  return fields;
}

/** `br0 table=  3 priority=  100 ip,nw_dst=10.0.0.0/24` */
export function flowLabel(bridge: string, { rule }: FlowText): string {
  return `${bridge} ${rule}`;
}

/** The order of a bridge's lines. */
export const inLineOrder = (a: FlowText, b: FlowText): number => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);

/** Equal for sets that say the same but for the order and the separators of fields. */
export function flowDigest({ bridges }: FlowSet): string {
  const lists = bridges.map((list) => ({ begin: `${list.bridge} `, text: digestText(list) })).filter(({ text }) => text !== "");
  const modes = bridges.flatMap(({ bridge, fragments }) => (fragments === undefined ? [] : [`${bridge} fragments ${fragments}`])).sort();
  return digestOf([...lists.sort((a, b) => (a.begin < b.begin ? -1 : 1)).map(({ text }) => text), ...modes].join("\n"));
}

/** Text for the digest of one bridge: a line per flow. */
export const digestText = memo((list: BridgeFlowList): string => {
  const flows = lineOrder(list).map((index) => parsedFlows(list)[index]!);
  const lines = flows.map(({ rule, actions }) => `${rule} ${actions}`);
  // The actions of a flow without a match stand where other flows have their match, so its line may have another position than its rule.
  const isUneven = flows.some(({ match, rule }, index) => match === "" && flows[index + 1]?.rule.startsWith(`${rule} `) === true);
  return bridgeLines(list.bridge, isUneven ? lines.sort() : lines);
});

/** One text of the lines of a bridge, each after the bridge's name. */
export function bridgeLines(bridge: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${bridge} ${lines.join(`\n${bridge} `)}`;
}

/** The last parsed list. The next one is mostly a later version of it. */
let previous: readonly { readonly text: string; readonly read: ReadFlow | undefined }[] = [];

/** Parsed flows of a bridge; undefined for invalid texts, which checked sets do not contain. */
export const parsedFlows = memo((list: BridgeFlowList): readonly (FlowText | undefined)[] => {
  previous = list.flows.map((text, index) => {
    const before = previous[index];
    return before?.text === text ? before : { text, read: isOneLine(text) ? readFlow(text, before?.read) : undefined };
  });
  return previous.map(({ read }) => read?.flow);
});

/** ovs-ofctl would take the rest of the line for a comment, and another line for another flow. */
export const isOneLine = (text: string): boolean => !/[\n\r#]/.test(text);

/** Whether two flows differ in their actions at most. */
export const sameRule = (one: FlowText | undefined, other: FlowText | undefined): boolean =>
  one === other || (one?.rule === other?.rule && one?.repeated === other?.repeated);

/** The first flow of each table, priority and match, by its `rule`; numbers are positions in the list. */
export const flowIndexes = memo((list: BridgeFlowList): ReadonlyMap<string, number> => {
  const indexes = new Map<string, number>();
  for (const [index, flow] of parsedFlows(list).entries()) if (flow !== undefined && !indexes.has(flow.rule)) indexes.set(flow.rule, index);
  return indexes;
});

/** Positions of a list's flows in the order of its lines. */
export const lineOrder = memo((list: BridgeFlowList): readonly number[] => [...flowIndexes(list).keys()].sort().map((rule) => flowIndexes(list).get(rule)!));

/** Indexes of invalid texts, and of flows whose table, priority and match occur earlier. */
export function unfitFlows(list: BridgeFlowList): number[] {
  const flows = parsedFlows(list);
  if (flowIndexes(list).size === flows.length) return [];
  return [...flows.keys()].filter((index) => flows[index] === undefined || flowIndexes(list).get(flows[index].rule) !== index);
}

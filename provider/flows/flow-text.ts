import { byObject, byText } from "../memo";
import { digestOf } from "../rows/lines";
import type { BridgeFlowList, FlowSet } from "./flow-set";

/** A flow as its text says it: enough to name, sort and compare it. What the fields mean only the host's ovs-ofctl knows. */
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
}

const DEFAULT_PRIORITY = "32768";

/** Where the actions begin. ovs-ofctl takes all that follows for them. */
const ACTIONS = /(?:^|[\s,])actions?=/;

/** Fields are separated by commas or white space; a port's name may be in quotes, and have both. */
const FIELD = /(?:"[^"]*"|[^\s,"])+/g;

/** Undefined for a text without actions. */
export function parseFlow(text: string): FlowText | undefined {
  return recent(text);
}

/** A check, the update after it and the state before it have mostly the same flows; each is some hundred bytes. */
const recent = byText(50_000, parse);

function parse(text: string): FlowText | undefined {
  const begin = ACTIONS.exec(text);
  if (begin === null) return undefined;
  let [table, priority] = ["0", DEFAULT_PRIORITY];
  const match: string[] = [];
  for (const field of fieldsOf(text.slice(0, begin.index))) {
    if (field.startsWith("table=")) table = field.slice("table=".length);
    else if (field.startsWith("priority=")) priority = field.slice("priority=".length);
    else match.push(field);
  }
  const fields = match.sort().join();
  return { table, priority, match: fields, actions: text.slice(begin.index + begin[0].length).trim(), rule: `table=${table.padStart(3)} priority=${priority.padStart(5)}${fields === "" ? "" : ` ${fields}`}` };
}

/** Names of the fields of a flow but for its table and priority: `ip` and `nw_dst` for instance. */
export function matchNames({ match }: FlowText): string[] {
  return fieldsOf(match).map((field) => field.split("=", 1)[0]!);
}

function fieldsOf(text: string): string[] {
  return text.includes('"') ? (text.match(FIELD) ?? []) : text.split(/[\s,]+/).filter(Boolean);
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
  return digestOf(lists.sort((a, b) => (a.begin < b.begin ? -1 : 1)).map(({ text }) => text).join("\n"));
}

/** What is digested of one bridge: a line for each flow. */
export const digestText = byObject((list: BridgeFlowList): string => parsedFlows(list).map((flow) => `${flowLabel(list.bridge, flow!)} ${flow!.actions}`).sort().join("\n"));

/** The flows of a bridge, which are checked, shown, compared and written; undefined for texts that are none, which no checked set has. */
export const parsedFlows = byObject((list: BridgeFlowList): readonly (FlowText | undefined)[] => list.flows.map(parseFlow));


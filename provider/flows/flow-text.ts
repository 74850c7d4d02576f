import { digestOf } from "../rows/lines";
import type { BridgeFlowList } from "./flow-set";

/** A flow as its text says it: enough to name, sort and compare it. What the fields mean only the host's ovs-ofctl knows. */
export interface FlowText {
  /** Number or name, as written. */
  readonly table: string;
  /** As written, or the default of ovs-ofctl(8). */
  readonly priority: string;
  /** The other fields, in one order, joined by commas; empty for a flow that every packet matches. */
  readonly match: string;
  readonly actions: string;
}

const DEFAULT_PRIORITY = "32768";

/** Where the actions begin. ovs-ofctl takes all that follows for them. */
const ACTIONS = /(?:^|[\s,])actions?=/;

/** Fields are separated by commas or white space; a port's name may be in quotes, and have both. */
const FIELD = /(?:"[^"]*"|[^\s,"])+/g;

/** Flows of texts that were read a moment ago: a check, the update after it and the state before it have mostly the same. */
const recent = new Map<string, FlowText>();

/** As many flows are kept; each is some hundred bytes. */
const MOST_RECENT = 50_000;

/** Undefined for a text without actions. */
export function parseFlow(text: string): FlowText | undefined {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const flow = parse(text);
  if (flow === undefined) return undefined;
  if (recent.size >= MOST_RECENT) recent.clear();
  recent.set(text, flow);
  return flow;
}

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
  return { table, priority, match: match.sort().join(), actions: text.slice(begin.index + begin[0].length).trim() };
}

/** Names of the fields of a flow but for its table and priority: `ip` and `nw_dst` for instance. */
export function matchNames({ match }: FlowText): string[] {
  return fieldsOf(match).map((field) => field.split("=", 1)[0]!);
}

function fieldsOf(text: string): string[] {
  return text.includes('"') ? (text.match(FIELD) ?? []) : text.split(/[\s,]+/).filter(Boolean);
}

/** `br0 table=  3 priority=  100 ip,nw_dst=10.0.0.0/24`: numbers are aligned, because Pulumi sorts lines by their text. */
export function flowLabel(bridge: string, flow: FlowText): string {
  return `${bridge} ${ruleOf(flow)}`;
}

const rules = new WeakMap<FlowText, string>();

/** Table, priority and match as written, without the bridge. */
export function ruleOf(flow: FlowText): string {
  const known = rules.get(flow);
  if (known !== undefined) return known;
  const { table, priority, match } = flow;
  const rule = `table=${table.padStart(3)} priority=${priority.padStart(5)}${match === "" ? "" : ` ${match}`}`;
  rules.set(flow, rule);
  return rule;
}

/** Equal for texts that say the same but for the order and the separators of fields. */
export function flowDigest(flows: readonly (readonly [bridge: string, flow: FlowText])[]): string {
  return digestOf(flows.map(([bridge, flow]) => `${flowLabel(bridge, flow)} ${flow.actions}`).sort().join("\n"));
}

/** Of lists that live as long as a call: each is checked, shown, compared and written. */
const parsed = new WeakMap<BridgeFlowList, readonly (FlowText | undefined)[]>();

/** The flows of a bridge; undefined for texts that are none, which no checked set has. */
export function parsedFlows(list: BridgeFlowList): readonly (FlowText | undefined)[] {
  const known = parsed.get(list) ?? list.flows.map(parseFlow);
  parsed.set(list, known);
  return known;
}

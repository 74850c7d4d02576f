import { digestOf } from "../rows/lines";

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

/** ovs-ofctl takes everything from the first `actions=` on, or `action=`, for the actions. */
const PARTS = /^((?:[^"]|"[^"]*")*?)(?:^|[\s,])actions?=(.*)$/;

/** Fields are separated by commas or white space; a port's name may be in quotes, and have both. */
const FIELD = /(?:"[^"]*"|[^\s,"])+/g;

/** Undefined for a text without actions. */
export function parseFlow(text: string): FlowText | undefined {
  const [, before, actions] = PARTS.exec(text.trim()) ?? [];
  if (before === undefined || actions === undefined) return undefined;
  const fields = fieldsOf(before);
  const last = (name: string) => fields.findLast((field) => nameOf(field) === name)?.slice(name.length + 1);
  return {
    table: last("table") ?? "0",
    priority: last("priority") ?? DEFAULT_PRIORITY,
    match: fields.filter((field) => !["table", "priority"].includes(nameOf(field))).sort().join(),
    actions: actions.trim(),
  };
}

/** Names of the fields before the actions, `ip` and `nw_dst` for instance. */
export function fieldNames(text: string): string[] {
  return fieldsOf(PARTS.exec(text.trim())?.[1] ?? "").map(nameOf);
}

function fieldsOf(text: string): string[] {
  return text.match(FIELD) ?? [];
}

const nameOf = (field: string): string => field.split("=", 1)[0]!;

/** `br0 table=  3 priority=  100 ip,nw_dst=10.0.0.0/24`: numbers are aligned, because Pulumi sorts lines by their text. */
export function flowLabel(bridge: string, { table, priority, match }: FlowText): string {
  return `${bridge} table=${table.padStart(3)} priority=${priority.padStart(5)}${match === "" ? "" : ` ${match}`}`;
}

/** Equal for texts that say the same but for the order and the separators of fields. */
export function flowDigest(flows: readonly (readonly [bridge: string, flow: FlowText])[]): string {
  return digestOf(flows.map(([bridge, flow]) => `${flowLabel(bridge, flow)} ${flow.actions}`).sort().join("\n"));
}

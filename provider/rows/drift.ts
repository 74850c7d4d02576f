import type { DatabaseSchema, Value } from "@pulumi-ovn/ovsdb-client";
import { digestOf, isMap, rowLine, setDigest, summarize, type RowLines } from "./lines";
import type { Snapshot } from "./plan";
import type { ResolvedRow } from "./resolve";
import type { Atom, ColumnValue, DesiredRow, RowSet } from "./rowset";
import { isResolvedMap, sameValue, toValue, type ResolvedMap } from "./values";

/** What the database holds of a row set, in the form in which `check` shows what it should hold. */
export interface LiveState {
  /** Of how many rows the database has any trace. */
  readonly present: number;
  readonly lines: RowLines;
  /** Equal to the desired set's own digest when nothing drifted. */
  readonly digest: string;
}

/**
 * Pure. A column that holds what it should is shown as its renderer wrote it, with references by name; another one as
 * it is. Of a map only the keys that the resource owns count.
 */
export function liveState(set: RowSet, rows: readonly ResolvedRow[], live: Snapshot, schema: DatabaseSchema): LiveState {
  let drifted = false;
  const lines = rows.map((row) => {
    const found = live.get(row.uuid);
    const shown = found && liveColumns(row, found, schema);
    if (!shown || shown.drifted) drifted = true;
    return { table: row.table, label: row.label, line: shown && rowLine({ columns: shown.columns }) };
  });
  const summary = summarize(lines);
  const digest = drifted ? `drift-${digestOf(JSON.stringify(lines))}` : setDigest(set);
  return { present: rows.filter((row) => live.has(row.uuid)).length, lines: summary, digest };
}

interface Shown {
  readonly columns: DesiredRow["columns"];
  readonly drifted: boolean;
}

function liveColumns(row: ResolvedRow, found: Readonly<Record<string, Value>>, schema: DatabaseSchema): Shown {
  const table = schema.table(row.table);
  const columns: Record<string, ColumnValue> = {};
  let drifted = false;
  for (const [name, desired] of Object.entries(row.columns)) {
    const column = table.column(name);
    const source = row.source.columns[name];
    const actual = found[name]!;
    if (isResolvedMap(desired)) {
      const kept = ownedKeys(desired, source, actual);
      if (kept.drifted) drifted = true;
      if (source !== undefined) columns[name] = { map: kept.map };
      continue;
    }
    const same = sameValue(toValue(column, desired), actual);
    columns[name] = same ? source! : plain(actual);
    if (!same) drifted = true;
  }
  return { columns, drifted };
}

function ownedKeys(desired: ResolvedMap, source: ColumnValue | undefined, actual: Value) {
  const held = new Map(actual instanceof Map ? [...actual].map(([key, value]) => [String(key), value]) : []);
  const shown = source !== undefined && isMap(source) ? source.map : {};
  const map: Record<string, Atom> = {};
  let drifted = false;
  for (const [key, value] of Object.entries(desired.map)) {
    const now = held.get(key);
    const same = now !== undefined && String(now) === String(value);
    if (!same) drifted = true;
    if (key in shown && now !== undefined) map[key] = (same ? shown[key] : String(now)) as Atom;
  }
  return { map, drifted };
}

/** A live value as a column value; integers beyond 2^53 become text, which is only shown. */
function plain(value: Value): ColumnValue {
  const atom = (item: unknown): Atom => (typeof item === "bigint" ? String(item) : (item as Atom));
  if (value === null) return null;
  if (value instanceof Map) return { map: Object.fromEntries([...value].map(([key, item]) => [String(key), atom(item)])) };
  return Array.isArray(value) ? value.map(atom) : atom(value);
}


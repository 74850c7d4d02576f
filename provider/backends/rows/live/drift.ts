import type { DatabaseSchema, Value } from "@pulumi-ovn/ovsdb-client";
import { setDigest } from "../lines/digest";
import { liveDigest } from "../../../kit/digest";
import { type Folding, summarize, type RowLines } from "../lines";
import { rowTexts } from "../lines/texts";
import { columnWords, isMap, rowWords } from "../set/words";
import type { Trace } from "../../contract/backend";
import { isClaimMark, OWNER_KEY } from "../../../kit/identity";
import type { LiveRow, Snapshot } from "../database/row";
import { sameMeaning } from "../database/meanings";
import type { Adopted, ResolvedRow } from "../set/resolve";
import type { Atom, ColumnValue, DesiredRow, RowSet } from "../set";
import { managerOf } from "../marks/ownership";
import { type Shared, sharedState } from "../shared/drift";
import { MISSING, namesMore, SURPLUS, surplusIn } from "../marks/surplus";
import { isResolvedMap, toValue, type ResolvedMap } from "../set/values";

/** Live state of a row set in the form in which `check` shows the desired one. */
export interface LiveState {
  /** Number of rows with any trace in the database. */
  readonly present: number;
  readonly lines: RowLines;
  /** Equal to the desired set's own digest when nothing drifted. */
  readonly digest: string;
  /** Differences by row: MISSING, SURPLUS, "options:mtu surplus", or "mac=A instead of mac=B". */
  readonly drift: Readonly<Record<string, string>>;
  /** By label of `drift`. */
  readonly traces?: Readonly<Record<string, Trace>>;
  /** Rows that were found under other UUIDs than the state has; see `movedRows`. */
  readonly moved?: Adopted | undefined;
}

interface ShownBesides {
  /** Rows of the same owner that are not in the set. */
  readonly surplus?: readonly ResolvedRow[];
  /** UUIDs of rows that are not in the sets of their parents. */
  readonly misplaced?: ReadonlySet<string>;
  readonly folding?: Folding | undefined;
}

/**
 * Pure. A correct column is shown as its renderer wrote it, with references by name; another one with its live value. Of a map only the
 * resource's keys count.
 */
export function liveState(
  set: RowSet,
  rows: readonly ResolvedRow[],
  live: Snapshot,
  schema: DatabaseSchema,
  shared?: Shared,
  { surplus = [], misplaced = new Set(), folding }: ShownBesides = {},
): LiveState {
  const contributed = shared ? sharedState(shared, schema) : { present: 0, lines: {}, drift: {} };
  const drift: Record<string, string> = { ...contributed.drift };
  // The digest needs the texts of all rows, too.
  const texts = new Map(rowTexts(set.rows).map(({ text }, index) => [set.rows[index]!, text]));
  const columnsByUuid = new Map<string, readonly string[]>();
  const shown = rows.map((row) => {
    const found = live.get(row.uuid);
    if (found && isAsWritten(row, found) && !namesMore(row, found))
      return { table: row.table, label: row.label, words: () => rowWords(row.source), text: texts.get(row.source)! };
    const columns = found && liveColumns(row, found, schema);
    const differences = columns ? columnDrifts(row, found, columns, schema).map((values) => (values ? driftText(values) : MARK_GONE)) : [MISSING];
    if (differences.length > 0) drift[row.label] = differences.join(", ");
    if (columns) columnsByUuid.set(row.uuid, columns.drifted);
    return { table: row.table, label: row.label, words: columns && rowWords({ columns: columns.columns }) };
  });
  for (const { uuid, label, parent } of rows)
    if (misplaced.has(uuid)) drift[label] = [...(label in drift ? [drift[label]] : []), `not in ${parent!.column} of ${parent!.label}`].join(", ");
  for (const { label } of surplus) drift[label] = SURPLUS;
  const drifted = [...rows, ...surplus].filter(({ label }) => label in drift);
  return {
    ...(drifted.length > 0 && { traces: Object.fromEntries(drifted.map((row) => [row.label, traceOf(row, live.get(row.uuid), columnsByUuid.get(row.uuid))])) }),
    present: rows.filter((row) => live.has(row.uuid)).length + contributed.present + surplus.length,
    lines: { ...summarize(shown, "rows", folding), ...contributed.lines },
    digest: liveDigest(setDigest(set), drift),
    drift,
  };
}

/** A mark of another owner names the writer. */
function traceOf(row: ResolvedRow, found: LiveRow | undefined, columns: readonly string[] = []): Trace {
  const { table, uuid } = row;
  const marks = row.columns.external_ids;
  const own = marks !== undefined && isResolvedMap(marks) ? marks.map[OWNER_KEY] : undefined;
  const manager = found && managerOf(found);
  return { row: { table, uuid, columns }, ...(manager !== undefined && own !== undefined && manager !== own && { writers: [manager] }) };
}

interface Shown {
  readonly columns: DesiredRow["columns"];
  /** Columns that differ. */
  readonly drifted: readonly string[];
}

const MARK_GONE = "the owner's mark is missing";

/** Differences of a row. */
export interface RowDrift {
  readonly label: string;
  readonly missing: boolean;
  /** Differing columns. A missing owner mark is not drift: adopting a row writes it. */
  readonly values: readonly ColumnDrift[];
}

/** Differing words of one column, in ovn-nbctl's syntax. */
export interface ColumnDrift {
  readonly found: readonly string[];
  readonly wanted: readonly string[];
}

/** A column or map key that is no longer wanted. */
const surplusDrift = (word: string): ColumnDrift => ({ found: [word], wanted: [] });

/** "mac=A instead of mac=B", "mac surplus" */
export function driftText({ found, wanted }: ColumnDrift): string {
  if (wanted.length === 0) return `${found.join(" ")} ${SURPLUS}`;
  return `${found.length === 0 ? "nothing" : found.join(" ")} instead of ${wanted.join(" ")}`;
}

/** Drift of each row as data, without texts. Pure. */
export function rowDrifts(rows: readonly ResolvedRow[], live: Snapshot, schema: DatabaseSchema): RowDrift[] {
  return rows.map((row) => {
    const found = live.get(row.uuid);
    const values = found === undefined ? [] : columnDrifts(row, found, liveColumns(row, found, schema), schema).filter((drift) => drift !== undefined);
    return { label: row.label, missing: found === undefined, values };
  });
}

/** Drift of the row set's columns, and of columns that only the row's annotation names. */
function columnDrifts(row: ResolvedRow, found: LiveRow, shown: Shown, schema: DatabaseSchema): (ColumnDrift | undefined)[] {
  return [...differencesOf(row, shown), ...surplusIn(row, found, schema.table(row.table)).map(surplusDrift)];
}

/** Drift of each column; undefined if only the owner mark is missing. */
function differencesOf(row: ResolvedRow, { columns, drifted }: Shown): (ColumnDrift | undefined)[] {
  return drifted.map((name) => {
    const desired = row.source.columns[name];
    // The owner mark is not a column of the renderer.
    if (desired === undefined) return undefined;
    const should = columnWords(name, desired);
    const now = columnWords(name, columns[name]!);
    const found = now.filter((word) => !should.includes(word));
    const wanted = should.filter((word) => !now.includes(word));
    return found.length + wanted.length === 0 ? undefined : { found, wanted };
  });
}

/** Whether a row holds each column of its renderer as it was written, with the mark: mostly so, and nothing has to be made to tell. */
function isAsWritten({ columns, source }: ResolvedRow, found: Readonly<Record<string, Value>>): boolean {
  for (const name in source.columns) if (!Object.hasOwn(columns, name)) return false;
  for (const name in columns) {
    const [desired, actual] = [columns[name]!, found[name]];
    if (desired === actual) continue;
    if (isResolvedMap(desired)) {
      if (!(actual instanceof Map)) return false;
      for (const key in desired.map) if (actual.get(key) !== desired.map[key]) return false;
    } else if (!Array.isArray(desired) || !Array.isArray(actual) || desired.length !== actual.length || !desired.every((item, index) => item === actual[index]))
      return false;
  }
  return true;
}

function liveColumns(row: ResolvedRow, found: Readonly<Record<string, Value>>, schema: DatabaseSchema): Shown {
  const table = schema.table(row.table);
  const columns: Record<string, ColumnValue> = {};
  const drifted: string[] = [];
  for (const [name, desired] of Object.entries(row.columns)) {
    const source = row.source.columns[name];
    const actual = found[name]!;
    if (isResolvedMap(desired)) {
      const kept = ownedKeys(desired, source, actual);
      if (kept.drifted) drifted.push(name);
      if (source !== undefined) columns[name] = { map: kept.map };
      continue;
    }
    const same = sameMeaning(table.column(name), toValue(table.column(name), desired), actual);
    columns[name] = same ? source! : plain(actual);
    if (!same) drifted.push(name);
  }
  return { columns, drifted };
}

function ownedKeys(desired: ResolvedMap, source: ColumnValue | undefined, actual: Value) {
  const actualValues = new Map(actual instanceof Map ? [...actual].map(([key, value]) => [String(key), value]) : []);
  const shown = source !== undefined && isMap(source) ? source.map : {};
  const map: Record<string, Atom> = {};
  let drifted = false;
  for (const [key, value] of Object.entries(desired.map)) {
    // Rows of an older release lack them.
    if (isClaimMark(key)) continue;
    const now = actualValues.get(key);
    const same = now !== undefined && String(now) === String(value);
    if (!same) drifted = true;
    if (key in shown && now !== undefined) map[key] = (same ? shown[key] : String(now)) as Atom;
  }
  return { map, drifted };
}

/** A live value as a column value; integers beyond 2^53 become text, which is only shown. */
export function plain(value: Value): ColumnValue {
  const atom = (item: unknown): Atom => (typeof item === "bigint" ? String(item) : (item as Atom));
  if (value === null) return null;
  if (value instanceof Map) return { map: Object.fromEntries([...value].map(([key, item]) => [String(key), atom(item)])) };
  return Array.isArray(value) ? value.map(atom) : atom(value);
}

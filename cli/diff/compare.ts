import { changedWords, type Outlook, type Word } from "@pulumi-ovn/provider/tools";
import { type ColumnDifference, type Counts, NO_COUNTS, type RowDifference, type TableDifference } from "./model";
import type { Untold } from "../plan/untold";
import { sortedBy } from "./order";
import type { Known, Row } from "./known";
import { ownWords } from "./rows";

export interface Compared {
  readonly rows: readonly RowDifference[];
  readonly tables: readonly TableDifference[];
  readonly counts: Counts;
  readonly untold?: Untold;
}

/**
 * Differences between two states of a resource's rows.
 * @param replaced rows that stay are written again
 * @param outlook what becomes of rows that exist without being in the state
 */
export function compareRows(before: Known, after: Known, replaced: boolean, outlook: Outlook = {}): Compared {
  const untold = after.untold ?? before.untold;
  if (before.untold !== undefined || after.untold !== undefined)
    return { rows: [], tables: [], counts: { ...NO_COUNTS, uncounted: 1 }, ...(untold && { untold }) };
  const keys = [...new Set([...before.rows.keys(), ...after.rows.keys()])];
  // If one side has only a count, rows that seem added or removed may be rows that the other side counts.
  const comparable = (row: Row) => !before.tables.has(tableOf(row)) && !after.tables.has(tableOf(row));
  const pairs = keys.map((key) => [before.rows.get(key), after.rows.get(key)] as const).filter((pair) => comparable((pair[0] ?? pair[1])!));
  const rows = sortedBy(
    pairs.flatMap(([old, wanted]) => (old ? undefined : takenOver(wanted!, outlook)) ?? difference(old, wanted) ?? []),
    ({ table, row, operation }) => [table, row, operation],
  );
  const tables = tableDifferences(before, after);
  const of = (operation: RowDifference["operation"]) => rows.filter((row) => row.operation === operation).length;
  const both = pairs.filter(([old, wanted]) => old && wanted).length;
  const counts = {
    added: of("add"),
    adopted: of("adopt"),
    changed: replaced ? 0 : of("change"),
    removed: of("remove"),
    recreated: replaced ? both : 0,
    uncounted: tables.length > 0 ? 1 : 0,
  };
  return { rows, tables, counts };
}

/** A row that is not in the state, and yet does not come. */
function takenOver(row: Row, { adopted = {}, changed = {}, shared = {} }: Outlook): RowDifference | undefined {
  const { label } = row;
  const named = namesOf(row);
  const change = Object.hasOwn(changed, label) ? changed[label] : undefined;
  if (change)
    return { operation: "change", adoption: "adopted", ...named, columns: columnDifferences(changedWords(change.before), changedWords(change.after)) };
  if (Object.hasOwn(adopted, label)) return { operation: "adopt", adoption: "adopted", ...named, columns: [] };
  return Object.hasOwn(shared, label) ? { operation: "adopt", adoption: "shared", ...named, columns: [] } : undefined;
}

function tableOf({ label }: Row): string {
  return label.split(" ", 1)[0]!;
}

/** The table and the row that a label names. */
function namesOf(row: Row): Pick<RowDifference, "table" | "row"> {
  const table = tableOf(row);
  return { table, row: row.label.slice(table.length + 1) };
}

function difference(before: Row | undefined, after: Row | undefined): RowDifference | undefined {
  const named = namesOf((after ?? before)!);
  if (!before) return { operation: "add", ...named, columns: ownWords(after!.words).map(({ name, value }) => ({ column: name, before: null, after: value })) };
  if (!after)
    return { operation: "remove", ...named, columns: ownWords(before.words).map(({ name, value }) => ({ column: name, before: value, after: null })) };
  const columns = columnDifferences(before.words, after.words);
  const renamed = before.label === after.label ? {} : { renamedFrom: before.label.slice(named.table.length + 1) };
  return columns.length === 0 && before.label === after.label ? undefined : { operation: "change", ...named, ...renamed, columns };
}

function columnDifferences(before: readonly Word[], after: readonly Word[]): ColumnDifference[] {
  const [old, wanted] = [valuesOf(before), valuesOf(after)];
  const names = [...new Set([...old.keys(), ...wanted.keys()])];
  return names
    .map((column) => ({ column, before: old.get(column) ?? null, after: wanted.get(column) ?? null }))
    .filter(({ before: from, after: to }) => from !== to);
}

function valuesOf(words: readonly Word[]): Map<string, string> {
  return new Map(words.map(({ name, value }) => [name, value]));
}

function tableDifferences(before: Known, after: Known): TableDifference[] {
  if (before.untold !== undefined || after.untold !== undefined) return [];
  const names = [...new Set([...before.tables.keys(), ...after.tables.keys()])];
  const count = (side: typeof before, table: string) => side.tables.get(table)?.rows ?? [...side.rows.values()].filter((row) => tableOf(row) === table).length;
  return sortedBy(names, (table) => [table])
    .filter((table) => before.tables.get(table)?.digest !== after.tables.get(table)?.digest)
    .map((table) => ({ table, before: count(before, table), after: count(after, table) }));
}

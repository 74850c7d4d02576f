import type { ColumnSchema, DatabaseSchema, TableSchema } from "@pulumi-ovn/ovsdb-client";
import { distance } from "fastest-levenshtein";
import { didYouMean, nearest } from "../../kit/arguments/nearest";
import { valueProblem } from "../../backends/rows/database/column-value";
import type { Misfit } from "../../backends/rows/database/misfit";
import { defaultValue, type ResolvedValue } from "../../backends/rows/set/values";
import { propertyPath } from "../../kit/arguments/failures";
import { sortedEntries } from "../../kit/entries";

/** A row of the arguments. */
export interface RawFitting {
  readonly table: string;
  readonly columns: Readonly<Record<string, ResolvedValue>>;
  /** Tables of the rows that columns refer to, as far as they are known. */
  readonly references: Readonly<Record<string, readonly (string | undefined)[]>>;
  readonly parent?: { readonly table: string; readonly column: string } | undefined;
}

/**
 * Names and values that a schema lacks: wrong ones, and what a newer database may have.
 *
 * @param adopts whether the rows may exist, so that required columns may be left out
 */
export function misfitsOf(schema: DatabaseSchema, entries: Readonly<Record<string, RawFitting>>, adopts = false): Misfit[] {
  return sortedEntries(entries).flatMap(([key, { table, columns, references, parent }]) => {
    const at = (...path: string[]) => propertyPath(["entries", key, ...path]);
    const own = inTable(schema, table, at("table"), (found) => [
      ...sortedEntries(columns).flatMap(([name, value]) => inColumn(found, name, at("columns", name), (column, path) => ofValue(column, value, path))),
      ...sortedEntries(references).flatMap(([name, to]) => inColumn(found, name, at("references", name), (column, path) => ofReferences(column, to, path))),
      ...(adopts ? [] : absentIn(found, { ...columns, ...references }, at("columns"))),
    ]);
    const listing = (found: TableSchema) =>
      inColumn(found, parent!.column, at("parent", "column"), (column, path) => ofReferences(column, schema.tables.has(table) ? [table] : [], path));
    const listed = parent ? inTable(schema, parent.table, at("parent", "table"), listing) : [];
    return [...own, ...listed];
  });
}

/** Columns that a new row must have: their defaults (RFC 7047, 5.2.1) are values that their types do not allow. */
function absentIn(table: TableSchema, given: object, path: string): Misfit[] {
  return [...table.columns.values()].flatMap((column) => {
    const { name } = column;
    const takesDefault = column.isMap || Object.hasOwn(given, name) || valueProblem(column, defaultValue(column) as ResolvedValue) === undefined;
    return takesDefault ? [] : [{ path, code: "required", message: `a row of ${table.name} needs a value of column "${name}"`, newer: false }];
  });
}

function inTable(schema: DatabaseSchema, name: string, path: string, find: (table: TableSchema) => Misfit[]): Misfit[] {
  const table = schema.tables.get(name);
  if (table) return find(table);
  const names = [...schema.tables.keys()];
  return [{ path, code: "unknown-table", message: `${schema.name} has no table "${name}"${didYouMean(name, names)}`, newer: !isTypo(name, names) }];
}

function inColumn(table: TableSchema, name: string, path: string, find: (column: ColumnSchema, path: string) => Misfit[]): Misfit[] {
  const column = table.columns.get(name);
  if (column) return find(column, path);
  const names = [...table.columns.keys()];
  return [{ path, code: "unknown-column", message: `table ${table.name} has no column "${name}"${didYouMean(name, names)}`, newer: !isTypo(name, names) }];
}

function ofValue(column: ColumnSchema, value: ResolvedValue, path: string): Misfit[] {
  const problem = valueProblem(column, value);
  if (!problem) return [];
  const choices = column.type.key.enum?.map(String) ?? [];
  const newer = problem.limits && !(typeof value === "string" && isTypo(value, choices));
  return [{ path, code: "column-value", message: problem.message, newer }];
}

/** @param tables of what the column is to refer to; undefined where it is not known */
function ofReferences(column: ColumnSchema, tables: readonly (string | undefined)[], path: string): Misfit[] {
  const { key } = column.type;
  if (column.isMap || key.type !== "uuid") return [{ path, code: "column-value", message: `${column.path}: is not a column of references`, newer: false }];
  if (tables.length > column.type.max)
    return [{ path, code: "column-value", message: `${column.path}: refers to ${column.type.max}, not ${tables.length}`, newer: false }];
  const wrong = tables.find((table) => table !== undefined && key.refTable !== undefined && table !== key.refTable);
  return wrong === undefined ? [] : [{ path, code: "mismatch", message: `${column.path}: refers to rows of ${key.refTable}, not of ${wrong}`, newer: false }];
}

/** Letters by which names differ that no two of one schema differ by. */
const MOST = 2;

/**
 * Whether a name is a misspelling of one of these names. Names that differ in a digit, such as dhcpv4_options and
 * dhcpv6_options, are different names; short words may be too.
 */
function isTypo(word: string, names: readonly string[]): boolean {
  const plain = (name: string) => name.toLowerCase().replaceAll("_", "");
  if (names.some((name) => plain(name) === plain(word))) return true;
  const near = nearest(word, names);
  const digits = (name: string) => name.replace(/\D/g, "");
  return near !== undefined && near.length > 4 && digits(near) === digits(word) && distance(word, near) <= MOST;
}

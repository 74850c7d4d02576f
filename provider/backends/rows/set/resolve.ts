import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { OWNER_KEY, rowUuid, STACK_KEY, stackOf } from "../../../kit/identity";
import { isMap, isReference, rowLabel } from "./words";
import { isResolvedMap, type ResolvedMap, type ResolvedValue } from "./values";
import type { Atom, Claim, ColumnValue, DesiredRow, MapValue, Parent, Reference } from "../set";

export interface ResolvedParent {
  readonly table: string;
  readonly column: string;
  readonly uuid: string;
  /** How errors call it. */
  readonly label: string;
}

/** A desired row as the database will hold it. */
export interface ResolvedRow {
  readonly table: string;
  readonly uuid: string;
  readonly label: string;
  readonly columns: Readonly<Record<string, ResolvedValue>>;
  readonly parent: ResolvedParent | undefined;
  readonly claims: readonly Claim[];
  /** The row as its renderer made it, for showing. */
  readonly source: DesiredRow;
}

/** A reference to a row in a set column of its parent. */
export interface ParentReference {
  readonly row: ResolvedRow;
  readonly parent: ResolvedParent;
}

/** A row referred to by name that has to be looked up first. */
export interface NameLookup {
  readonly table: string;
  readonly name: string;
}

/** UUIDs of rows that were there before their resource, and were taken over; the key is `adoptionKey()`. */
export type Adopted = Readonly<Record<string, string>>;

export function adoptionKey(table: string, key: string): string {
  return `${table} ${key}`;
}

/** UUIDs of the rows that were looked up by name; the key is `nameKey()`. */
export type ResolvedNames = ReadonlyMap<string, string>;

export function nameKey(lookup: NameLookup): string {
  return `${lookup.table}\0${lookup.name}`;
}

/** Every row that the rows refer to by name, once. */
export function namesIn(rows: readonly DesiredRow[], schema: DatabaseSchema): NameLookup[] {
  const lookups = new Map<string, NameLookup>();
  visitReferences(rows, schema, (table, reference) => {
    if ("name" in reference) lookups.set(nameKey({ table, name: reference.name }), { table, name: reference.name });
  });
  return [...lookups.values()];
}

function visitReferences(rows: readonly DesiredRow[], schema: DatabaseSchema, visit: (table: string, reference: Reference) => void): void {
  for (const row of rows) {
    if (row.parent) visit(row.parent.table, row.parent.row);
    for (const [column, value] of Object.entries(row.columns)) {
      // Most columns are not references, and some are sets of thousands.
      if (typeof value !== "object" || value === null || isMap(value)) continue;
      const { refTable } = schema.table(row.table).column(column).type.key;
      if (refTable === undefined) continue;
      for (const reference of [value].flat()) if (isReference(reference)) visit(refTable, reference);
    }
  }
}

/** UUIDs that the rows have, or will have. */
export function rowUuids(rows: readonly DesiredRow[], owner: string, adopted: Adopted = {}): string[] {
  return rows.map(({ table, key }) => adopted[adoptionKey(table, key)] ?? rowUuid(owner, table, key));
}

/** Pure: from rendered rows to rows with UUIDs, owner mark and resolved references. */
export function resolveRows(rows: readonly DesiredRow[], owner: string, schema: DatabaseSchema, names: ResolvedNames, adopted: Adopted = {}): ResolvedRow[] {
  const own = (table: string, key: string) => adopted[adoptionKey(table, key)] ?? rowUuid(owner, table, key);
  // Thousands of rows refer to the same few ones, and a UUID takes longer than all else that is done for a row.
  const referred = new Map<string, string>();
  const uuidOf = (table: string, reference: Reference): string => {
    if ("key" in reference) {
      const known = `${reference.table} ${reference.key}`;
      const uuid = referred.get(known) ?? own(reference.table, reference.key);
      referred.set(known, uuid);
      return uuid;
    }
    // An unresolved name becomes a UUID that no row has: the guards then say what is missing.
    return "uuid" in reference ? reference.uuid : (names.get(nameKey({ table, name: reference.name })) ?? rowUuid("", table, reference.name));
  };
  const ownerMark = { [OWNER_KEY]: owner };
  return rows.map((row) => {
    const table = schema.table(row.table);
    const value = (column: string, desired: ColumnValue): ResolvedValue => {
      const { refTable } = table.column(column).type.key;
      if (refTable === undefined && !isMap(desired)) return desired as ResolvedValue;
      const single = (item: Atom | Reference): Atom => (typeof item === "object" ? uuidOf(refTable ?? row.table, item) : item);
      if (desired === null) return null;
      if (isMap(desired)) {
        if (!hasReferences(desired)) return desired as ResolvedMap;
        return { map: Object.fromEntries(Object.entries(desired.map).map(([key, item]) => [key, single(item)])) };
      }
      return Array.isArray(desired) ? desired.map(single) : single(desired as Atom | Reference);
    };
    const columns: Record<string, ResolvedValue> = {};
    for (const [column, desired] of Object.entries(row.columns)) columns[column] = value(column, desired);
    if (table.columns.has("external_ids")) {
      const marks = row.marks ? { ...row.marks, [STACK_KEY]: stackOf(owner), ...ownerMark } : ownerMark;
      columns.external_ids = { map: isResolvedMap(columns.external_ids) ? { ...columns.external_ids.map, ...marks } : marks };
    }
    return {
      table: row.table,
      uuid: own(row.table, row.key),
      label: rowLabel(row),
      columns,
      parent: row.parent && resolveParent(row.parent, uuidOf),
      claims: row.claims ?? [],
      source: row,
    };
  });
}

function hasReferences({ map }: MapValue): boolean {
  for (const key in map) if (typeof map[key] === "object") return true;
  return false;
}

function resolveParent(parent: Parent, uuidOf: (table: string, reference: Reference) => string): ResolvedParent {
  const { row } = parent;
  const name = "key" in row ? row.key : "uuid" in row ? row.uuid : row.name;
  return { table: parent.table, column: parent.column, uuid: uuidOf(parent.table, row), label: `${parent.table} ${name}` };
}

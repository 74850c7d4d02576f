import type { ColumnSchema, TableSchema, WireRow, WireValue } from "@pulumi-ovn/ovsdb-client";

export const isUnlimited = (column: ColumnSchema): boolean => column.isSet && column.type.max === Infinity;

export const text = (value: unknown): string => JSON.stringify(value);

/** Counters that ask others to catch up: they only ever rise. */
const COUNTERS: ReadonlySet<string> = new Set(["nb_cfg", "nb_cfg_timestamp", "next_cfg"]);

export function storedColumns(table: TableSchema): ColumnSchema[] {
  return [...table.columns.values()].filter(({ name, ephemeral }) => !ephemeral && !COUNTERS.has(name));
}

/** UUIDs in columns that keep rows alive. */
export function referencesOf(table: TableSchema, row: WireRow): string[] {
  return storedColumns(table)
    .filter(isStrong)
    .flatMap(({ name }) => uuidsIn(row[name]));
}

export const setOf = (uuids: readonly string[]): WireValue => ["set", uuids.map((uuid) => ["uuid", uuid] as const)];

export function uuidsIn(value: WireValue | undefined): string[] {
  return elementsOf(value).flatMap((each) => (Array.isArray(each) && each[0] === "uuid" ? [String(each[1])] : []));
}

export function isStrong({ type }: ColumnSchema): boolean {
  return type.key.refTable !== undefined && type.key.refType !== "weak";
}

/**
 * A set of references that rows enter and leave by operations of their own. A set that must not be empty, such as `interfaces` of a Port, is not:
 * the server counts its elements after each operation. (RFC 7047, section 5.2.4)
 */
export const isFreeSet = (column: ColumnSchema): boolean => isStrong(column) && isUnlimited(column) && column.type.min === 0;

export function elementsOf(value: WireValue | undefined): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) && value[0] === "set" ? (value[1] as readonly unknown[]) : [value];
}

export function pairsOf(value: WireValue): readonly (readonly [key: never, value: never])[] {
  return Array.isArray(value) && value[0] === "map" ? (value[1] as never) : [];
}

export function without(value: WireValue, other: WireValue): never[] {
  const others = new Set(elementsOf(other).map(text));
  return elementsOf(value).filter((element) => !others.has(text(element))) as never[];
}

export function sameValue(left: WireValue, right: WireValue): boolean {
  return text(sorted(left)) === text(sorted(right));
}

/** Servers return sets and maps in any order. */
function sorted(value: WireValue): unknown {
  if (Array.isArray(value) && value[0] === "map") return [...(value[1] as readonly unknown[])].map(text).sort();
  return elementsOf(value).map(text).sort();
}

export function isDefault(value: WireValue | undefined): boolean {
  if (Array.isArray(value)) return value[0] !== "uuid" && (value[1] as readonly unknown[]).length === 0;
  return value === undefined || value === "" || value === 0 || value === false;
}

import type { Atom as WireAtom, ColumnSchema, Value } from "@pulumi-ovn/ovsdb-client";
import type { Atom } from "../set";

/** A column value without references: those have become UUIDs. */
export type ResolvedValue = Atom | null | readonly Atom[] | ResolvedMap;

export type ResolvedMap = { readonly map: Readonly<Record<string, Atom>> };

export function isResolvedMap(value: ResolvedValue | undefined): value is ResolvedMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "map" in value; // arrays have a method of that name
}

/** OVSDB map keys may be integers, those of a JSON object are text. */
function mapKey(column: ColumnSchema, key: string): WireAtom {
  return column.type.key.type === "integer" ? Number(key) : key;
}

/** A desired value in the client's form for this column. */
export function toValue(column: ColumnSchema, desired: ResolvedValue): Value {
  if (isResolvedMap(desired)) {
    return new Map(Object.entries(desired.map).map(([key, value]) => [mapKey(column, key), value]));
  }
  if (column.isSet) return Array.isArray(desired) ? desired : desired === null ? [] : [desired as Atom];
  if (Array.isArray(desired)) return desired.length === 0 ? null : (desired[0] as Atom);
  return desired as Atom | null;
}

/** Default value of a column (RFC 7047 5.2.1). */
export function defaultValue(column: ColumnSchema): Value {
  if (column.isMap) return new Map();
  if (column.isSet) return [];
  if (column.isOptional) return null;
  switch (column.type.key.type) {
    case "integer":
    case "real":
      return 0;
    case "boolean":
      return false;
    default:
      return "";
  }
}

/** Text that is equal for equal values: sets have no order, and a bigint may equal a number. */
export function canonical(value: Value): string {
  if (value === null) return "";
  if (value instanceof Map) return JSON.stringify([...value].map(([key, item]) => [String(key), String(item)]).sort());
  if (Array.isArray(value)) return JSON.stringify(value.map(String).sort());
  return JSON.stringify([String(value)]);
}

export function sameValue(left: Value, right: Value): boolean {
  return left === right || canonical(left) === canonical(right);
}

/** Keys of a map column to delete, and entries to insert. */
export interface MapChange {
  readonly remove: WireAtom[];
  readonly insert: Map<WireAtom, WireAtom>;
}

/**
 * Computes the change of a map. Unknown keys stay: other writers may own them. `dropped` are keys that this resource no longer sets. A changed
 * value needs its key deleted first, because inserting an existing key keeps the old value.
 */
export function mapChange(column: ColumnSchema, desired: ResolvedMap, dropped: readonly string[], live: Value): MapChange {
  const present = live instanceof Map ? live : new Map<WireAtom, WireAtom>();
  const change: MapChange = { remove: [], insert: new Map() };
  for (const key of dropped) {
    if (present.has(mapKey(column, key))) change.remove.push(mapKey(column, key));
  }
  for (const [text, value] of Object.entries(desired.map)) {
    const key = mapKey(column, text);
    const held = present.get(key);
    if (held !== undefined && String(held) === String(value)) continue;
    change.remove.push(key);
    change.insert.set(key, value);
  }
  return change;
}

/** Elements of a set column to put in and to take out. */
export interface SetChange {
  readonly insert: WireAtom[];
  readonly remove: WireAtom[];
}

export function setChange(desired: readonly WireAtom[], live: readonly WireAtom[]): SetChange {
  // Equal beginnings and ends, the usual case, need no lookup.
  let start = 0;
  while (start < desired.length && start < live.length && desired[start] === live[start]) start++;
  let [end, liveEnd] = [desired.length, live.length];
  while (end > start && liveEnd > start && desired[end - 1] === live[liveEnd - 1]) {
    end--;
    liveEnd--;
  }
  const [wanted, present] = [desired.slice(start, end), live.slice(start, liveEnd)];
  const [wantedTexts, heldTexts] = [new Set(wanted.map(String)), new Set(present.map(String))];
  return { insert: wanted.filter((element) => !heldTexts.has(String(element))), remove: present.filter((element) => !wantedTexts.has(String(element))) };
}

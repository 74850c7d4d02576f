import { decodeAtom, mapEntries, setMembers } from "../schema/decode";
import { DEFAULT_ATOM } from "../schema/defaults";
import type { ColumnSchema } from "../schema/column";
import type { Atom, Value } from "../values";
import type { ColumnPools } from "./intern";
import { applySorted } from "./sorted";

/**
 * A column's value as the cache keeps it: like `Value`, but a map is a flat list of keys and values, which
 * needs a tenth of a Map's memory. Cells are never changed, so that rows can share them.
 */
export type Cell = Atom | readonly Atom[] | null;

const EMPTY: readonly Atom[] = Object.freeze([]);

/** What a row has in a column that an update does not mention (RFC 7047 section 5.2.1). */
export function defaultCell({ type, isMap, isSet, isOptional }: ColumnSchema): Cell {
  if (isOptional) return null;
  const atom = DEFAULT_ATOM[type.key.type];
  if (isMap) return type.min === 0 ? EMPTY : [atom, DEFAULT_ATOM[type.value!.type]];
  return !isSet ? atom : type.min === 0 ? EMPTY : [atom];
}

export function decodeCell(wire: unknown, column: ColumnSchema, pools: ColumnPools): Cell {
  const { key, value } = column.type;
  if (value !== undefined) {
    const entries = mapEntries(wire, column.path);
    if (entries.length === 0) return EMPTY;
    // Of the right size at once: a list that grows by push keeps room for three times as much.
    const flat = new Array<Atom>(2 * entries.length);
    let at = 0;
    for (const [k, v] of entries) {
      flat[at++] = pools.keys.intern(decodeAtom(k, key, column.path));
      flat[at++] = pools.values.intern(decodeAtom(v, value, column.path));
    }
    return flat;
  }
  if (!column.isSet) return pools.keys.intern(column.decode(wire) as Atom | null);
  const members = setMembers(wire) ?? [wire];
  return members.length === 0 ? EMPTY : members.map((atom) => pools.keys.intern(decodeAtom(atom, key, column.path)));
}

/**
 * Applies the `modify` of ovsdb-server(7): a column of at most one element has its new value; of a set, the
 * elements that came or went; of a map, the pairs that came, went (same value) or changed (another value).
 */
export function applyDifference(cell: Cell, difference: Cell, column: ColumnSchema): Cell {
  if (column.type.max === 1) return difference;
  const changed = applySorted(cell as readonly Atom[], difference as readonly Atom[], column.isMap ? 2 : 1);
  return changed.length === 0 ? EMPTY : changed;
}

function* pairs(flat: readonly Atom[]): Iterable<[Atom, Atom]> {
  for (let at = 0; at < flat.length; at += 2) yield [flat[at]!, flat[at + 1]!];
}

export function cellValue(cell: Cell, column: ColumnSchema): Value {
  return column.isMap ? new Map(pairs(cell as readonly Atom[])) : cell;
}

export function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((atom, index) => atom === b[index]);
}

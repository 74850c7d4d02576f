import { DEFAULT_ATOM } from "../schema/defaults";
import type { ColumnSchema } from "../schema/column";
import type { Atom, Value } from "../values";
import { applySorted } from "./sorted";

/**
 * A column's value as the cache keeps it: like `Value`, but a map is a flat list of keys and values, which
 * needs a tenth of a Map's memory. Cells are never changed, so that rows can share them.
 */
export type Cell = Atom | readonly Atom[] | null;

export const EMPTY: readonly Atom[] = Object.freeze([]);

/** Value of a column that an update omits (RFC 7047 section 5.2.1). */
export function defaultCell({ type, isMap, isSet, isOptional }: ColumnSchema): Cell {
  if (isOptional) return null;
  const atom = DEFAULT_ATOM[type.key.type];
  if (isMap) return type.min === 0 ? EMPTY : [atom, DEFAULT_ATOM[type.value!.type]];
  return !isSet ? atom : type.min === 0 ? EMPTY : [atom];
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

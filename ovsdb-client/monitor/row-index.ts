import { SchemaError } from "../errors";
import type { ColumnSchema } from "../schema/column";
import type { AnyRow, IndexColumn, IndexValue } from "../typed/types";
import type { Atom } from "../values";
import type { CachedRow } from "./row";
import type { Cell } from "./cell";

/** What an index reads of a row: a column; of a map, the value of one key. */
export interface IndexPart {
  readonly column: ColumnSchema;
  /** The column's place among the row's cells. */
  readonly at: number;
  readonly key?: Atom;
}

type Cells = readonly Cell[];

/**
 * Rows of a monitored table by the values of columns. It follows each change of the table, and costs nothing for a
 * change of other columns.
 */
export class RowIndex<R extends object = AnyRow, C extends readonly IndexColumn<R>[] = readonly IndexColumn<R>[]> {
  /** UUIDs by key: most keys have one row, and a Set takes ten times the memory of a string. */
  private readonly buckets = new Map<Atom | null, string | Set<string>>();

  /** @internal Use `TableCache.index`. */
  constructor(
    private readonly parts: readonly IndexPart[],
    private readonly row: (uuid: string) => CachedRow<R> | undefined,
  ) {}

  /** How many different keys there are. */
  get size(): number {
    return this.buckets.size;
  }

  /** The rows with these values, one for each column of the index, in no particular order. */
  get(...values: { readonly [I in keyof C]: IndexValue<R, C[I]> }): CachedRow<R>[] {
    const bucket = this.bucket(values);
    if (bucket === undefined) return [];
    return typeof bucket === "string" ? [this.row(bucket)!] : [...bucket].map((uuid) => this.row(uuid)!);
  }

  /** One row with these values, where there is one; of several, any. */
  first(...values: { readonly [I in keyof C]: IndexValue<R, C[I]> }): CachedRow<R> | undefined {
    const bucket = this.bucket(values);
    if (bucket === undefined) return undefined;
    return this.row(typeof bucket === "string" ? bucket : bucket.values().next().value!);
  }

  /** @internal A row comes (`before` is undefined), goes (`after` is), or changes. */
  change(uuid: string, before: Cells | undefined, after: Cells | undefined): void {
    if (before !== undefined && after !== undefined && this.parts.every(({ at }) => before[at] === after[at])) return;
    const [gone, come] = differences(this.keys(before), this.keys(after));
    for (const key of gone) this.remove(key, uuid);
    for (const key of come) this.add(key, uuid);
  }

  private bucket(values: readonly unknown[]): string | Set<string> | undefined {
    return this.buckets.get(keyOf((values as readonly (Atom | null)[]).map(normal)));
  }

  private keys(cells: Cells | undefined): (Atom | null)[] {
    if (cells === undefined) return [];
    if (this.parts.length === 1) return [...valuesOf(cells, this.parts[0]!)];
    let keys: (Atom | null)[][] = [[]];
    // A set among the columns gives a key for each member.
    for (const part of this.parts) keys = valuesOf(cells, part).flatMap((value) => keys.map((key) => [...key, value]));
    return keys.map(keyOf);
  }

  private add(key: Atom | null, uuid: string): void {
    const bucket = this.buckets.get(key);
    if (bucket === undefined) this.buckets.set(key, uuid);
    else if (typeof bucket !== "string") bucket.add(uuid);
    else if (bucket !== uuid) this.buckets.set(key, new Set([bucket, uuid]));
  }

  private remove(key: Atom | null, uuid: string): void {
    const bucket = this.buckets.get(key);
    if (bucket === uuid) this.buckets.delete(key);
    else if (bucket instanceof Set && bucket.delete(uuid) && bucket.size === 0) this.buckets.delete(key);
  }
}

/** Throws a SchemaError for a column that is not monitored, and for a map without a key. */
export function indexPart(column: ColumnSchema, at: number | undefined, key: Atom | undefined): IndexPart {
  const where = { table: column.table, column: column.name };
  if (at === undefined) throw new SchemaError(`${column.path} is not monitored`, where);
  if (column.isMap && key === undefined) throw new SchemaError(`${column.path} is a map: an index needs one of its keys`, where);
  if (!column.isMap && key !== undefined) throw new SchemaError(`${column.path} is no map: an index takes no key of it`, where);
  return { column, at, ...(key !== undefined && { key: normal(key) as Atom }) };
}

/** Of a set its members; of a map the value of the key, or null; of other columns the value. */
function valuesOf(cells: Cells, { at, key }: IndexPart): readonly (Atom | null)[] {
  const cell = cells[at]!;
  if (!Array.isArray(cell)) return [cell as Atom | null];
  if (key === undefined) return cell as readonly Atom[];
  for (let entry = 0; entry < cell.length; entry += 2) if (cell[entry] === key) return [cell[entry + 1] as Atom];
  return [null];
}

/** One value is its own key. Strings of OVSDB have no U+0000, and the type of each column is always the same. */
function keyOf(values: readonly (Atom | null)[]): Atom | null {
  if (values.length === 1) return values[0]!;
  return values.map((value) => (value === null ? "" : `=${value}`)).join("\0");
}

/** The cache has a bigint only for what a number can't hold. */
function normal(value: Atom | null): Atom | null {
  return typeof value === "bigint" && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Of two lists of keys in one order, the part that is not the same: of a long set, one member may have changed. */
function differences<T>(before: readonly T[], after: readonly T[]): [readonly T[], readonly T[]] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

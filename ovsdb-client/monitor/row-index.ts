import { SchemaError } from "../errors";
import type { ColumnSchema } from "../schema/column";
import type { AnyRow, IndexColumn, IndexValue } from "../typed/types";
import type { Atom } from "../values";
import type { Cell } from "./cell";
import type { CachedRow, Layout } from "./row";

/** Indexed value of a row: a column, or one key of a map. */
export interface IndexPart {
  readonly column: string;
  readonly key?: Atom;
}

/** Positions of the columns among a row's cells. Undefined for a removed column, or if the column became a map or ceased to be one. */
type Positions = readonly (number | undefined)[];

/**
 * Rows of a monitored table by the values of columns. It follows each change of the table, and costs nothing for a
 * change of other columns.
 */
export class RowIndex<R extends object = AnyRow, C extends readonly IndexColumn<R>[] = readonly IndexColumn<R>[]> {
  /** UUIDs by key: most keys have one row, and a Set takes ten times the memory of a string. */
  private readonly buckets = new Map<Atom | null, string | Set<string>>();
  /** Rows mostly have the same layout; after a conversion of the database, those that were read before it have another one. */
  private layout: Layout | undefined;
  private at: Positions = [];

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

  /** @internal A row is added (`before` is undefined), deleted (`after` is), or changed. */
  change(uuid: string, before: CachedRow<R> | undefined, after: CachedRow<R> | undefined): void {
    if (before !== undefined && after !== undefined && before.layout === after.layout) {
      if (this.positions(after.layout).every((at) => at === undefined || before.cells[at] === after.cells[at])) return;
    }
    const [removed, added] = differences(this.keys(before), this.keys(after));
    for (const key of removed) this.remove(key, uuid);
    for (const key of added) this.add(key, uuid);
  }

  private bucket(values: readonly unknown[]): string | Set<string> | undefined {
    return this.buckets.get(keyOf((values as readonly (Atom | null)[]).map(normal)));
  }

  private keys(row: CachedRow<R> | undefined): readonly (Atom | null)[] {
    if (row === undefined) return [];
    const positions = this.positions(row.layout);
    if (positions.length === 1) return this.values(row, positions[0], 0);
    let keys: (Atom | null)[][] = [[]];
    // A set among the columns gives a key for each element.
    for (const [part, at] of positions.entries()) keys = this.values(row, at, part).flatMap((value) => keys.map((key) => [...key, value]));
    return keys.map(keyOf);
  }

  private values({ cells }: CachedRow<R>, at: number | undefined, part: number): readonly (Atom | null)[] {
    return at === undefined ? [] : valuesOf(cells[at]!, this.parts[part]!);
  }

  private positions(layout: Layout): Positions {
    if (layout === this.layout) return this.at;
    this.layout = layout;
    this.at = this.parts.map(({ column, key }) => {
      const at = layout.index.get(column);
      return at !== undefined && layout.columns[at]!.isMap === (key !== undefined) ? at : undefined;
    });
    return this.at;
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
export function indexPart(column: ColumnSchema, { index }: Layout, key: Atom | undefined): IndexPart {
  const where = { table: column.table, column: column.name };
  if (!index.has(column.name)) throw new SchemaError(`${column.path} is not monitored`, where);
  if (column.isMap && key === undefined) throw new SchemaError(`${column.path} is a map: an index needs one of its keys`, where);
  if (!column.isMap && key !== undefined) throw new SchemaError(`${column.path} is not a map: an index takes no key of it`, where);
  return { column: column.name, ...(key !== undefined && { key: normal(key) as Atom }) };
}

/** Elements of a set, the value of a map's key or null, or the column's value. */
function valuesOf(cell: Cell, { key }: IndexPart): readonly (Atom | null)[] {
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

/** Differences between two ordered lists of keys. In a long set, often only one element changed. */
function differences<T>(before: readonly T[], after: readonly T[]): [readonly T[], readonly T[]] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

import { ProtocolError } from "../errors";
import type { TableSchema } from "../schema/table";
import type { AnyRow, IndexColumn } from "../typed/types";
import type { Atom } from "../values";
import { applyDifference, type Cell, sameCell } from "./cell";
import { CellReader } from "./reader";
import { CachedRow, type Layout, layoutOf, type RowChange, sameLayout } from "./row";
import { indexPart, RowIndex } from "./row-index";

/** The rows of one monitored table, by UUID. */
export class TableCache<R extends object = AnyRow> implements Iterable<CachedRow<R>> {
  private readonly rows = new Map<string, CachedRow<R>>();
  /** While the table is read again: the rows that were seen. */
  private touched: Set<string> | undefined;
  private readonly indexes = new Map<string, RowIndex<R>>();
  private layout: Layout;
  /** By the column's name. */
  private readers: ReadonlyMap<string, CellReader>;

  constructor(
    private definition: TableSchema,
    columns: readonly string[],
  ) {
    this.layout = layoutOf(definition, columns);
    this.readers = readersOf(this.layout);
  }

  /** The table as the server has it now: a conversion of the database changes it. */
  get schema(): TableSchema {
    return this.definition;
  }

  /** @internal The table is another one since the database was converted. Returns whether its rows must be read again. */
  convert(definition: TableSchema, columns: readonly string[]): boolean {
    const layout = layoutOf(definition, columns);
    this.definition = definition;
    if (sameLayout(layout, this.layout)) return false;
    this.layout = layout;
    this.readers = readersOf(this.layout);
    return true;
  }

  get size(): number {
    return this.rows.size;
  }

  get(uuid: string): CachedRow<R> | undefined {
    return this.rows.get(uuid);
  }

  [Symbol.iterator](): Iterator<CachedRow<R>> {
    return this.rows.values();
  }

  /**
   * Index of the rows by column values, updated with the table: `index("name").get("vm1")`. For a map, by one key: `index(["options",
   * "network_name"], "type").get("physnet1", "localnet")`; for a set, by each element: `index("ports")` finds the row that contains a port. Created at
   * the first call and shared by equal columns. Throws a SchemaError for a column that is not monitored or can't be indexed.
   */
  index<const C extends readonly [IndexColumn<R>, ...IndexColumn<R>[]]>(...columns: C): RowIndex<R, C> {
    const parts = columns.map((given) => {
      const [name, key] = (typeof given === "string" ? [given] : given) as [string, Atom?];
      return indexPart(this.schema.column(name), this.layout, key);
    });
    const id = JSON.stringify(parts.map(({ column, key }) => [column, typeof key, String(key)]));
    const known = this.indexes.get(id);
    if (known !== undefined) return known as unknown as RowIndex<R, C>;
    const index = new RowIndex<R>(parts, (uuid) => this.rows.get(uuid));
    for (const row of this.rows.values()) index.change(row.uuid, undefined, row);
    this.indexes.set(id, index);
    return index as unknown as RowIndex<R, C>;
  }

  /** @internal A whole row; columns it does not name have their defaults. */
  put(uuid: string, wire: Readonly<Record<string, unknown>>): RowChange<R> | undefined {
    const { readers } = this;
    const cells = this.layout.defaults.slice();
    for (const name in wire) {
      const reader = readers.get(name);
      if (reader !== undefined) cells[reader.at] = reader.read(wire[name]);
    }
    return this.replace(uuid, cells);
  }

  /** @internal What changed in a row. */
  modify(uuid: string, wire: Readonly<Record<string, unknown>>): RowChange<R> | undefined {
    const old = this.rows.get(uuid);
    if (old === undefined) throw new ProtocolError(`an update modifies a row of ${this.schema.name} that is not there: ${uuid}`);
    const cells = [...old.cells];
    for (const name in wire) {
      const reader = this.readers.get(name);
      if (reader !== undefined) cells[reader.at] = applyDifference(cells[reader.at]!, reader.read(wire[name]), reader.column);
    }
    return this.replace(uuid, cells);
  }

  /** @internal */
  remove(uuid: string): RowChange<R> | undefined {
    const old = this.rows.get(uuid);
    this.set(uuid, undefined, old);
    return old === undefined ? undefined : { table: this.schema.name, uuid, old };
  }

  /** @internal Takes a change back, of an update that could not be applied as a whole. */
  undo({ uuid, old }: RowChange<R>): void {
    this.set(uuid, old, this.rows.get(uuid));
  }

  /** @internal The whole table follows. */
  beginRenewal(): void {
    if (this.rows.size > 0) this.touched = new Set();
  }

  /** @internal Ends the replacement of the whole table: rows that were not received are removed. */
  endRenewal(): RowChange<R>[] {
    const { touched } = this;
    this.touched = undefined;
    if (touched === undefined) return [];
    return [...this.rows.keys()].filter((uuid) => !touched.has(uuid)).map((uuid) => this.remove(uuid)!);
  }

  /** @internal What follows is not the whole table, after all. */
  breakRenewal(): void {
    this.touched = undefined;
  }

  private replace(uuid: string, cells: readonly Cell[]): RowChange<R> | undefined {
    this.touched?.add(uuid);
    const old = this.rows.get(uuid);
    if (old !== undefined && old.layout === this.layout && cells.every((cell, at) => sameCell(cell, old.cells[at]!))) return undefined;
    const row = new CachedRow<R>(uuid, this.layout, cells);
    this.set(uuid, row, old);
    const table = this.definition.name;
    return old === undefined ? { table, uuid, new: row } : { table, uuid, old, new: row };
  }

  private set(uuid: string, row: CachedRow<R> | undefined, before: CachedRow<R> | undefined): void {
    if (row === undefined) this.rows.delete(uuid);
    else this.rows.set(uuid, row);
    for (const index of this.indexes.values()) index.change(uuid, before, row);
  }
}

function readersOf({ columns }: Layout): ReadonlyMap<string, CellReader> {
  return new Map(columns.map((column, at) => [column.name, new CellReader(column, at)]));
}

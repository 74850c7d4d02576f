import { SchemaError } from "../errors";
import type { ColumnSchema } from "../schema/column";
import type { TableSchema } from "../schema/table";
import type { AnyRow, ColumnName } from "../typed/types";
import type { Row } from "../values";
import { type Cell, cellValue, defaultCell } from "./cell";

/** The columns of a monitored table, shared by all its rows. */
export interface Layout {
  readonly table: TableSchema;
  readonly columns: readonly ColumnSchema[];
  readonly index: ReadonlyMap<string, number>;
  readonly defaults: readonly Cell[];
}

export function layoutOf(table: TableSchema, names: readonly string[]): Layout {
  const columns = names.map((name) => table.column(name));
  return { table, columns, index: new Map(names.map((name, at) => [name, at])), defaults: columns.map(defaultCell) };
}

/** Do rows of both look alike? */
export function sameLayout(a: Layout, b: Layout): boolean {
  const shape = ({ columns }: Layout) =>
    columns.map(({ name, type: { key, value, min, max } }) => `${name} ${key.type} ${value?.type} ${min} ${max === 1}`).join();
  return shape(a) === shape(b);
}

/** A row as it was at one time: it never changes, a later state is another object. */
export class CachedRow<R extends object = AnyRow> {
  constructor(
    readonly uuid: string,
    /** @internal */
    readonly layout: Layout,
    /** @internal */
    readonly cells: readonly Cell[],
  ) {}

  /** Throws a SchemaError for a column that is not monitored. */
  get<C extends ColumnName<R>>(column: C): R[C] {
    const { table, columns, index } = this.layout;
    if (column === "_uuid") return this.uuid as R[C];
    const at = index.get(column);
    if (at === undefined) throw new SchemaError(`${table.column(column).path} is not monitored`, { table: table.name, column });
    return cellValue(this.cells[at]!, columns[at]!) as R[C];
  }

  /** All monitored columns, and `_uuid`. */
  toObject(): R {
    const row: Row = { _uuid: this.uuid };
    this.layout.columns.forEach((column, at) => (row[column.name] = cellValue(this.cells[at]!, column)));
    return row as R;
  }
}

/** One row's change within one update. */
export interface RowChange<R extends object = AnyRow> {
  readonly table: string;
  readonly uuid: string;
  /** Absent: the row is new. */
  readonly old?: CachedRow<R>;
  /** Absent if the row was deleted. */
  readonly new?: CachedRow<R>;
}

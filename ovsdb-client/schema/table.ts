import { SchemaError } from "../errors";
import type { Row, WritableValue } from "../values";
import type { WireRow, WireValue } from "../wire";
import { ColumnSchema } from "./column";
import type { ColumnType } from "./types";

/** Release that introduced a table or a column. */
export type Since = (table: string, column?: string) => string | undefined;

/** Columns that every table has, and no schema names (RFC 7047 section 3.2). */
const BUILT_IN = ["_uuid", "_version"];

export class TableSchema {
  private parsed: ReadonlyMap<string, ColumnSchema> | undefined;
  private implied: ReadonlyMap<string, ColumnSchema> | undefined;

  /** `read` reads the columns, when the first of them is wanted: a program uses few of a database's tables. */
  constructor(
    readonly name: string,
    private readonly read: () => ReadonlyMap<string, ColumnSchema>,
    /** False: a row vanishes when no strong reference holds it. */
    readonly isRoot: boolean,
    /** Infinity without a limit. */
    readonly maxRows: number,
    readonly indexes: readonly (readonly string[])[],
    private readonly since: Since,
  ) {}

  /** Throws a SchemaError for an invalid column description. */
  get columns(): ReadonlyMap<string, ColumnSchema> {
    return (this.parsed ??= this.read());
  }

  has(column: string): boolean {
    return this.find(column) !== undefined;
  }

  /** Includes `_uuid` and `_version`. Throws a SchemaError that names the release with the column, if known. */
  column(name: string): ColumnSchema {
    const column = this.find(name);
    if (column !== undefined) return column;
    const since = this.since(this.name, name);
    throw new SchemaError(`the server's table ${this.name} has no column ${name}`, { table: this.name, column: name, since });
  }

  encodeRow(row: Readonly<Record<string, WritableValue>>): WireRow {
    const wire: Record<string, WireValue> = {};
    for (const [name, value] of Object.entries(row)) wire[name] = this.column(name).encode(value);
    return wire;
  }

  /** A row of a select's or a monitor's. Columns that the schema does not know are left out. */
  decodeRow(wire: Readonly<Record<string, unknown>>): Row {
    const row: Row = {};
    for (const [name, value] of Object.entries(wire)) {
      const column = this.find(name);
      if (column !== undefined) row[name] = column.decode(value);
    }
    return row;
  }

  private find(name: string): ColumnSchema | undefined {
    return this.columns.get(name) ?? this.builtIn().get(name);
  }

  private builtIn(): ReadonlyMap<string, ColumnSchema> {
    const uuid: ColumnType = { key: { type: "uuid" }, min: 1, max: 1 };
    return (this.implied ??= new Map(BUILT_IN.map((column) => [column, new ColumnSchema(this.name, column, uuid, false, false)])));
  }
}

import { SchemaError } from "../errors";
import type { Row, Value, WritableValue } from "../values";
import type { WireRow, WireValue } from "../wire";
import { decodeValue } from "./decode";
import { encodeValue } from "./encode";
import { type ColumnType, object, parseType } from "./types";

/** Tells which release brought a table or a column. */
export type Since = (table: string, column?: string) => string | undefined;

export class ColumnSchema {
  /** For errors: `Logical_Switch.ports`. */
  readonly path: string;

  constructor(
    /** The table's name. */
    readonly table: string,
    readonly name: string,
    readonly type: ColumnType,
    /** False: it can be set by insert only. */
    readonly mutable: boolean,
    /** True: it does not outlive the server. */
    readonly ephemeral: boolean,
  ) {
    this.path = `${table}.${name}`;
  }

  get isMap(): boolean {
    return this.type.value !== undefined;
  }

  get isScalar(): boolean {
    return !this.isMap && this.type.min === 1 && this.type.max === 1;
  }

  /** At most one element, possibly none: null, or the element. */
  get isOptional(): boolean {
    return !this.isMap && this.type.min === 0 && this.type.max === 1;
  }

  /** More than one element possible: an array. */
  get isSet(): boolean {
    return !this.isMap && this.type.max > 1;
  }

  /** Throws a ValueError when the value does not fit the column's type. */
  encode(value: WritableValue): WireValue {
    return encodeValue(value, this.type, this.path);
  }

  /** Throws a ProtocolError when the server's value does not fit the column's type. */
  decode(wire: unknown): Value {
    return decodeValue(wire, this.type, this.path);
  }
}

/** Columns that every table has, and no schema names (RFC 7047 section 3.2). */
const BUILT_IN = ["_uuid", "_version"];

export class TableSchema {
  private readonly builtIn: ReadonlyMap<string, ColumnSchema>;

  constructor(
    readonly name: string,
    readonly columns: ReadonlyMap<string, ColumnSchema>,
    /** False: a row vanishes when no strong reference holds it. */
    readonly isRoot: boolean,
    /** Infinity when there is no limit. */
    readonly maxRows: number,
    readonly indexes: readonly (readonly string[])[],
    private readonly since: Since,
  ) {
    const uuid: ColumnType = { key: { type: "uuid" }, min: 1, max: 1 };
    this.builtIn = new Map(BUILT_IN.map((column) => [column, new ColumnSchema(name, column, uuid, false, false)]));
  }

  has(column: string): boolean {
    return this.columns.has(column) || this.builtIn.has(column);
  }

  /** Also `_uuid` and `_version`. Throws a SchemaError that says which release brought the column, where that is known. */
  column(name: string): ColumnSchema {
    const column = this.columns.get(name) ?? this.builtIn.get(name);
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
      const column = this.columns.get(name) ?? this.builtIn.get(name);
      if (column !== undefined) row[name] = column.decode(value);
    }
    return row;
  }
}

export class DatabaseSchema {
  constructor(
    readonly name: string,
    readonly version: string,
    readonly cksum: string | undefined,
    readonly tables: ReadonlyMap<string, TableSchema>,
    private readonly since: Since,
  ) {}

  /** Throws a SchemaError that says which release brought the table, where that is known. */
  table(name: string): TableSchema {
    const table = this.tables.get(name);
    if (table !== undefined) return table;
    throw new SchemaError(`the server's database ${this.name} has no table ${name}`, { table: name, since: this.since(name) });
  }
}

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Reads a `<database-schema>` of RFC 7047 section 3.2. */
export function parseSchema(json: unknown, since: Since = () => undefined): DatabaseSchema {
  const { name, version, cksum, tables } = object(json, "schema");
  if (typeof name !== "string") throw new SchemaError("schema: the name is missing");
  const entries = Object.entries(object(tables, `${name}.tables`));
  // Without any "isRoot" the schema is from before there were such: all tables are root tables.
  const noRoots = entries.every(([, table]) => object(table, name)["isRoot"] !== true);
  const parsed = entries.map(([table, description]) => [table, parseTable(table, object(description, table), noRoots, since)] as const);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return new DatabaseSchema(name, text(version) ?? "0.0.0", text(cksum), new Map(parsed), since);
}

function parseTable(name: string, json: Record<string, unknown>, noRoots: boolean, since: Since): TableSchema {
  checkIdentifier(name, "table");
  const columns = new Map<string, ColumnSchema>();
  for (const [column, description] of Object.entries(object(json["columns"], `${name}.columns`))) {
    checkIdentifier(column, `column of ${name}`);
    const { type, mutable, ephemeral } = object(description, `${name}.${column}`);
    columns.set(column, new ColumnSchema(name, column, parseType(type, `${name}.${column}`), mutable !== false, ephemeral === true));
  }
  const { isRoot, maxRows, indexes } = json;
  return new TableSchema(name, columns, noRoots || isRoot === true, typeof maxRows === "number" ? maxRows : Infinity, (indexes ?? []) as string[][], since);
}

/** Such names are safe as keys of plain objects, too. */
function checkIdentifier(name: string, what: string): void {
  if (!IDENTIFIER.test(name)) throw new SchemaError(`schema: ${JSON.stringify(name)} is not a name for a ${what}`);
}

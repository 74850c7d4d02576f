import { SchemaError } from "../errors";
import { ColumnSchema } from "./column";
import { type Since, TableSchema } from "./table";
import { object, parseType } from "./types";

export class DatabaseSchema {
  constructor(
    readonly name: string,
    readonly version: string,
    readonly cksum: string | undefined,
    readonly tables: ReadonlyMap<string, TableSchema>,
    private readonly since: Since,
  ) {}

  /** Throws a SchemaError that names the release with the table, if known. */
  table(name: string): TableSchema {
    const table = this.tables.get(name);
    if (table !== undefined) return table;
    throw new SchemaError(`the server's database ${this.name} has no table ${name}`, { table: name, since: this.since(name) });
  }
}

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Parses a `<database-schema>` (RFC 7047 section 3.2). Throws a SchemaError for an invalid schema. */
export function parseSchema(json: unknown, since: Since = () => undefined): DatabaseSchema {
  const schema = openSchema(json, since);
  for (const { columns } of schema.tables.values()) void columns;
  return schema;
}

/** As `parseSchema`, but the columns of a table are read when the first of them is wanted. */
export function openSchema(json: unknown, since: Since): DatabaseSchema {
  const { name, version, cksum, tables } = object(json, "schema");
  if (typeof name !== "string") throw new SchemaError("schema: the name is missing");
  const entries = Object.entries(object(tables, `${name}.tables`));
  // Without any "isRoot" the schema is from before there were such: all tables are root tables.
  const noRoots = entries.every(([, table]) => object(table, name)["isRoot"] !== true);
  const opened = entries.map(([table, description]) => [table, openTable(table, object(description, table), noRoots, since)] as const);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return new DatabaseSchema(name, text(version) ?? "0.0.0", text(cksum), new Map(opened), since);
}

function openTable(name: string, json: Record<string, unknown>, noRoots: boolean, since: Since): TableSchema {
  checkIdentifier(name, "table");
  const { columns, isRoot, maxRows, indexes } = json;
  const most = typeof maxRows === "number" ? maxRows : Infinity;
  return new TableSchema(name, () => readColumns(name, columns), noRoots || isRoot === true, most, (indexes ?? []) as string[][], since);
}

function readColumns(table: string, json: unknown): ReadonlyMap<string, ColumnSchema> {
  const columns = new Map<string, ColumnSchema>();
  for (const [name, description] of Object.entries(object(json, `${table}.columns`))) {
    checkIdentifier(name, `column of ${table}`);
    const { type, mutable, ephemeral } = object(description, `${table}.${name}`);
    columns.set(name, new ColumnSchema(table, name, parseType(type, `${table}.${name}`), mutable !== false, ephemeral === true));
  }
  return columns;
}

/** Such names are safe as keys of plain objects, too. */
function checkIdentifier(name: string, what: string): void {
  if (!IDENTIFIER.test(name)) throw new SchemaError(`schema: ${JSON.stringify(name)} is not a name for a ${what}`);
}

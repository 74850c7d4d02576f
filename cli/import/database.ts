import type { CallOptions, DatabaseSchema, OvsdbClient, Value } from "@pulumi-ovn/ovsdb-client";
import { type LiveRow, naturalKey, rowsOf, select } from "@pulumi-ovn/provider/tools";

/** A live row, with every column that the server has. */
export interface Row {
  readonly table: string;
  readonly uuid: string;
  readonly columns: LiveRow;
}

/** A column of a row that keeps another row alive. */
export interface Parent {
  readonly row: Row;
  readonly column: string;
}

/** All rows of a database at one moment. */
export class Database {
  readonly rows: ReadonlyMap<string, Row>;
  readonly #tables = new Map<string, Row[]>();
  readonly #natural = new Map<string, Row[]>();
  readonly #parents = new Map<string, Parent[]>();

  constructor(
    readonly schema: DatabaseSchema,
    rows: readonly Row[],
  ) {
    this.rows = new Map(rows.map((row) => [row.uuid, row]));
    for (const row of rows) {
      push(this.#tables, row.table, row);
      const columns = naturalKey(row.table)?.columns;
      if (columns)
        push(
          this.#natural,
          naturalText(
            row.table,
            columns.map((name) => row.columns[name]),
          ),
          row,
        );
      for (const column of this.#keeping(row.table)) {
        for (const uuid of elements(row.columns[column])) push(this.#parents, uuid, { row, column });
      }
    }
  }

  table(name: string): readonly Row[] {
    return this.#tables.get(name) ?? [];
  }

  /** Rows with these values in the columns of their table's natural key. */
  alike(table: string, values: readonly (Value | undefined)[]): readonly Row[] {
    return this.#natural.get(naturalText(table, values)) ?? [];
  }

  /** The only row of its table with this name. */
  named(table: string, name: string | undefined): Row | undefined {
    const found = name === undefined ? [] : this.alike(table, [name]);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Rows whose references keep a row of a non-root table alive. */
  parents(uuid: string): readonly Parent[] {
    return this.#parents.get(uuid) ?? [];
  }

  /** The rows in a set column of a row. */
  inside(row: Row, column: string): Row[] {
    return elements(row.columns[column]).flatMap((uuid) => this.rows.get(uuid) ?? []);
  }

  /** Columns with strong references that are lost with the rows. */
  #keeping(table: string): string[] {
    return [...this.schema.table(table).columns.values()]
      .filter(({ type: { key } }) => key.refTable !== undefined && key.refType !== "weak" && this.schema.tables.get(key.refTable)?.isRoot === false)
      .map(({ name }) => name);
  }
}

function push<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

function naturalText(table: string, values: readonly (Value | undefined)[]): string {
  return `${table} ${JSON.stringify(values.map(plainText))}`;
}

function plainText(value: Value | undefined): unknown {
  return value instanceof Map ? [...value].map(String).sort() : String(value);
}

/** The elements of a set, or the one that an optional column holds. */
export function elements(value: Value | undefined): readonly string[] {
  if (value === null || value === undefined || value instanceof Map) return [];
  return Array.isArray(value) ? (value as readonly string[]) : [value as string];
}

/** Reads every table with plain selects in one transaction: one moment, and nothing that the server has to keep for us. */
export async function readDatabase(client: OvsdbClient, call: CallOptions = {}): Promise<Database> {
  const schema = await client.getSchema(call);
  const tables = [...schema.tables.values()];
  const results = await client.transact(
    tables.map((table) => select(table.name, [], ["_uuid", ...table.columns.keys()])),
    call,
  );
  const rows = tables.flatMap((table, index) =>
    rowsOf(results[index]).map((wire): Row => {
      const { _uuid: uuid, ...columns } = table.decodeRow(wire);
      return { table: table.name, uuid: uuid as string, columns };
    }),
  );
  return new Database(schema, rows);
}

import type { DatabaseSchema } from "../schema/schema";
import type { TableCache } from "./cache";
import { type MonitorTables, type WantedTable, withColumns } from "./request";

export interface Conversion {
  /** Rows look otherwise than before, and must be read again. */
  readonly rows: boolean;
  /** Other columns are wanted than were asked for. */
  readonly columns: boolean;
}

/**
 * Applies another schema to the tables and requested columns, after a conversion of the database. Throws a SchemaError for a missing table or
 * column.
 */
export function convertTables(
  tables: ReadonlyMap<string, TableCache>,
  requested: MonitorTables,
  wanted: Record<string, WantedTable>,
  schema: DatabaseSchema,
): Conversion {
  const now = withColumns(requested, schema);
  let [rows, otherColumns] = [false, false];
  for (const [name, table] of tables) {
    const { columns } = now[name]!;
    otherColumns ||= columns.join() !== wanted[name]!.columns.join();
    if (table.convert(schema.table(name), columns)) rows = true;
    wanted[name] = { ...wanted[name], columns };
  }
  return { rows, columns: otherColumns };
}

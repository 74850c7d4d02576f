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
 * Gives the tables and what is wanted of them another schema: the database may have been converted. Throws a SchemaError
 * for a table or column that is gone.
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

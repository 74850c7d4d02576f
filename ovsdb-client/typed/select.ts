import type { DatabaseSchema } from "../schema/schema";
import type { Row } from "../values";
import type { Select, SelectResult } from "../transact/operations";
import { encodeWhere } from "./where";

export interface AnyQuery {
  readonly where?: unknown;
  readonly columns?: readonly string[] | undefined;
}

/** The operation, and how to read its result. Throws a SchemaError for a table or column that the server does not have. */
export function selectOperation(
  schema: DatabaseSchema,
  name: string,
  { where = [], columns }: AnyQuery,
  also: readonly string[] = [],
): { operation: Select; read(result: SelectResult): Row[] } {
  const table = schema.table(name);
  for (const column of columns ?? []) table.column(column);
  // With its UUID, no row is like another: the server leaves out repetitions.
  const wanted = columns && [...new Set(["_uuid", ...also, ...columns])];
  return {
    operation: { op: "select", table: name, where: encodeWhere(table, where), ...(wanted && { columns: wanted }) },
    read: ({ rows }) => rows.map((row) => table.decodeRow(row)),
  };
}

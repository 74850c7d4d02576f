import { ValueError } from "../errors";
import type { ColumnSchema } from "../schema/column";
import type { TableSchema } from "../schema/table";
import type { Wait } from "../transact/operations";
import type { Row, Value } from "../values";
import type { Condition, WireRow, WireValue } from "../wire";

/** Operations that fail unless the database still holds what was read (as `ovsdb_idl_txn_verify` of the C IDL adds them). */

/** The row is there, and has these values. `version`: its `_version`, if that was read. */
export function rowGuard(table: TableSchema, uuid: string, values: Readonly<Row>, version: Value | undefined): Wait {
  const where: Condition[] = [["_uuid", "==", table.column("_uuid").encode(uuid)]];
  const row: Record<string, WireValue> = {};
  for (const [name, value] of Object.entries(values)) {
    const column = table.column(name);
    const wire = comparable(column, value);
    if (wire !== undefined) row[name] = wire;
    else if (version === undefined || version === null)
      throw new ValueError(column.path, "can't be verified without the row's _version: read the row with the transaction's select");
    else row["_version"] = table.column("_version").encode(version);
  }
  // A row without columns would equal a deleted one.
  const columns = Object.keys(row).length === 0 ? ["_uuid"] : Object.keys(row);
  if (columns[0] === "_uuid") row["_uuid"] = table.column("_uuid").encode(uuid);
  return { op: "wait", timeout: 0, table: table.name, where, columns, until: "==", rows: [row] };
}

/** These rows, and no others, are found by the condition. */
export function resultGuard(table: TableSchema, where: readonly Condition[], rows: readonly Row[], columns: readonly string[]): Wait {
  const names = columns.filter((name) => name !== "_version");
  const exact = rows.map((row) => wireRow(table, row, names));
  const whole = exact.every((row) => row !== undefined);
  const used = whole ? names : ["_uuid", "_version"];
  const expected = whole ? exact : rows.map((row) => wireRow(table, row, used)!);
  return { op: "wait", timeout: 0, table: table.name, where, columns: used, until: "==", rows: expected };
}

function wireRow(table: TableSchema, row: Row, names: readonly string[]): WireRow | undefined {
  const cells = names.map((name) => [name, comparable(table.column(name), row[name]!)] as const);
  return cells.every(([, wire]) => wire !== undefined) ? (Object.fromEntries(cells) as WireRow) : undefined;
}

/**
 * The value for a comparison by the server. Undefined: it does not compare as it was read. Reals come with 15 digits
 * only; and defaults may be outside of their column's limits, where the server would not read them.
 */
function comparable(column: ColumnSchema, value: Value): WireValue | undefined {
  if (column.type.key.type === "real" || column.type.value?.type === "real") return undefined;
  try {
    return column.encode(value);
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

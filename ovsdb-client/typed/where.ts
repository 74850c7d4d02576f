import { ValueError } from "../errors";
import { CachedRow } from "../monitor/row";
import { encodeValue } from "../schema/encode";
import type { ColumnSchema } from "../schema/column";
import type { TableSchema } from "../schema/table";
import type { ColumnType } from "../schema/types";
import { NamedUuid, type WritableValue } from "../values";
import type { Condition, ConditionFunction, WireValue } from "../wire";

/** Puts a `Where` (see `types.ts`) into wire form. Throws a ValueError, or a SchemaError for an unknown column. */
export function encodeWhere(table: TableSchema, where: unknown): Condition[] {
  const one = uuidOf(where);
  if (one !== undefined) return [["_uuid", "==", table.column("_uuid").encode(one)]];
  if (Array.isArray(where)) return where.map((clause) => encodeClause(table, clause));
  if (typeof where !== "object" || where === null) throw new ValueError(table.name, `${String(where)} does not say which rows`);
  const columns = Object.entries(where as Record<string, WritableValue>);
  // Most likely a variable was empty; all rows are `[]`.
  if (columns.length === 0) throw new ValueError(table.name, "{} does not say which rows; all rows are []");
  return columns.map(([column, value]) => encodeClause(table, [column, "==", value]));
}

/** The UUID of a row that is given as such, or as an object that has one. */
function uuidOf(where: unknown): string | NamedUuid | undefined {
  if (typeof where === "string" || where instanceof NamedUuid) return where;
  if (where instanceof CachedRow) return where.uuid;
  if (typeof where !== "object" || where === null || !("_uuid" in where)) return undefined;
  return where._uuid as string;
}

const COMPARING = new Set(["==", "!=", "<", "<=", ">", ">="]);

function encodeClause(table: TableSchema, clause: unknown): Condition {
  const [name, how, value] = (Array.isArray(clause) ? clause : []) as [string, ConditionFunction, WritableValue];
  if (typeof name !== "string") throw new ValueError(table.name, "a condition is [column, function, value]");
  const column = table.column(name);
  if (value === undefined) throw new ValueError(column.path, "the condition has no value");
  if (COMPARING.has(how)) return [name, how, column.encode(value)];
  if (how !== "includes" && how !== "excludes") throw new ValueError(column.path, `${JSON.stringify(how)} is not a function of conditions`);
  return [name, how, encodePart(column, value)];
}

/** A part of a set or map: without the least size of the whole. */
export function encodePart(column: ColumnSchema, value: WritableValue): WireValue {
  const type: ColumnType = column.isMap || column.isSet ? { ...column.type, min: 0, max: Infinity } : column.type;
  return encodeValue(value, type, column.path);
}

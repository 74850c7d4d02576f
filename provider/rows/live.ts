import type { Condition, DatabaseSchema, TableSchema, Value } from "@pulumi-ovn/ovsdb-client";

/** The columns of one row as they were read. */
export type LiveRow = Readonly<Record<string, Value>>;

/** Rows that exist, by UUID. */
export type Snapshot = ReadonlyMap<string, LiveRow>;

export function byUuid(row: { readonly uuid: string }): readonly Condition[] {
  return [["_uuid", "==", ["uuid", row.uuid]]];
}

/** Columns that hold rows which live only as long as this one: strong references to tables that are no root set. */
export function childColumns(schema: DatabaseSchema, table: TableSchema): string[] {
  return [...table.columns.values()]
    .filter(({ type, isSet }) => isSet && type.key.refType !== "weak" && schema.tables.get(type.key.refTable ?? "")?.isRoot === false)
    .map(({ name }) => name);
}

/** Set columns with strong references to rows of the table: such a row can't go, or be elsewhere, while it is in one. */
export function holdingColumns(schema: DatabaseSchema, table: string): (readonly [table: string, column: string])[] {
  return [...schema.tables.values()].flatMap((holder) =>
    [...holder.columns.values()]
      .filter(({ type, isSet }) => isSet && type.key.refType !== "weak" && type.key.refTable === table)
      .map(({ name }) => [holder.name, name] as const),
  );
}

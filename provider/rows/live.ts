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
    .filter(({ type, isSet }) => {
      const { refTable, refType } = type.key;
      return isSet && refTable !== undefined && refType !== "weak" && schema.tables.get(refTable)?.isRoot === false;
    })
    .map(({ name }) => name);
}

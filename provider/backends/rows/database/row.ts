import type { ColumnSchema, Condition, DatabaseSchema, TableSchema, Value } from "@pulumi-ovn/ovsdb-client";
import { memo } from "../../../kit/memo/memo";

/** The columns of one row as they were read. */
export type LiveRow = Readonly<Record<string, Value>>;

/** Rows that exist, by UUID. */
export type Snapshot = ReadonlyMap<string, LiveRow>;

export function byUuid(row: { readonly uuid: string }): readonly Condition[] {
  return [["_uuid", "==", ["uuid", row.uuid]]];
}

/** Columns with rows that exist only inside this one: strong references to non-root tables. */
export function childColumns(schema: DatabaseSchema, table: TableSchema): readonly string[] {
  return childColumnsOf(schema).get(table.name) ?? [];
}

const childColumnsOf = memo(
  ({ tables }: DatabaseSchema): ReadonlyMap<string, readonly string[]> =>
    new Map(
      [...tables.values()].map((table) => [
        table.name,
        setsOfStrong(table)
          .filter(({ type }) => tables.get(type.key.refTable!)?.isRoot === false)
          .map(({ name }) => name),
      ]),
    ),
);

/** Set columns with strong references to rows of the table: such a row can't go, or be elsewhere, while it is in one. */
export function holdingColumns(schema: DatabaseSchema, table: string): readonly HoldingColumn[] {
  return holdingColumnsOf(schema).get(table) ?? [];
}

type HoldingColumn = readonly [table: string, column: string];

const holdingColumnsOf = memo(({ tables }: DatabaseSchema): ReadonlyMap<string, readonly HoldingColumn[]> => {
  const all = [...tables.values()].flatMap((table) =>
    setsOfStrong(table).map(({ name, type }) => ({ held: type.key.refTable!, at: [table.name, name] as const })),
  );
  return new Map([...Map.groupBy(all, ({ held }) => held)].map(([key, columns]) => [key, columns.map(({ at }) => at)]));
});

/** Set columns with references that keep rows alive. */
function setsOfStrong(table: TableSchema): ColumnSchema[] {
  return [...table.columns.values()].filter(({ type, isSet }) => isSet && type.key.refTable !== undefined && type.key.refType !== "weak");
}

import { rowsOf, select, uuidIn } from "../../../targets/select";
import type { DatabaseSchema, TableSchema } from "@pulumi-ovn/ovsdb-client";
import { byUuid, childColumns, type LiveRow, type Snapshot } from "../database/row";
import type { Query } from "../database/query";
import type { ResolvedRow } from "../set/resolve";
import type { Carried } from "../set";

/** Columns to read in addition to those that the rows name. */
export type MoreColumns = (table: string) => readonly string[];

/** The live state of these rows, by UUID. */
export function rowsQuery(schema: DatabaseSchema, rows: readonly ResolvedRow[], more: MoreColumns = () => []): Query<Snapshot> {
  const wanted = new Map<string, { table: TableSchema; row: ResolvedRow; columns: Set<string> }>();
  for (const row of rows) {
    const table = schema.table(row.table);
    const entry = wanted.get(row.uuid) ?? { table, row, columns: new Set([...childColumns(schema, table), ...more(row.table)]) };
    for (const column of Object.keys(row.columns)) entry.columns.add(column);
    wanted.set(row.uuid, entry);
  }
  const entries = [...wanted.values()];
  return {
    operations: entries.map(({ row, columns }) => select(row.table, byUuid(row), [...columns])),
    read(results) {
      const live = new Map<string, LiveRow>();
      entries.forEach(({ table, row }, index) => {
        const [found] = rowsOf(results[index]);
        if (found) live.set(row.uuid, table.decodeRow(found));
      });
      return live;
    },
  };
}

/** UUIDs of rows of others that may go with rows that hold them. */
export function carriedQuery(carried: readonly Carried[]): Query<Set<string>> {
  return {
    operations: carried.map(({ table, key, value }) => select(table, [["external_ids", "includes", ["map", [[key, value]]]]], ["_uuid"])),
    read: (results) => new Set(results.flatMap((result) => rowsOf(result).map(uuidIn))),
  };
}

/** UUIDs of those of the rows that exist. */
export function existing(rows: readonly Pick<ResolvedRow, "table" | "uuid">[]): Query<ReadonlySet<string>> {
  return {
    operations: rows.map((row) => select(row.table, byUuid(row), ["_uuid"])),
    read: (results) => new Set(results.flatMap((result) => rowsOf(result).map(uuidIn))),
  };
}

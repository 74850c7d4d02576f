import type { CallOptions, Condition, DatabaseSchema, OperationResult, OvsdbClient, Select, TableSchema, WireRow } from "@pulumi-ovn/ovsdb-client";
import { byUuid, childColumns, type LiveRow, type Snapshot } from "./live";
import type { ResolvedRow } from "./resolve";

/** The live state of these rows, in one transaction of selects by UUID. */
export async function observe(
  client: OvsdbClient,
  schema: DatabaseSchema,
  rows: readonly ResolvedRow[],
  call: CallOptions,
): Promise<Snapshot> {
  const wanted = new Map<string, { table: TableSchema; row: ResolvedRow; columns: Set<string> }>();
  for (const row of rows) {
    const table = schema.table(row.table);
    const entry = wanted.get(row.uuid) ?? { table, row, columns: new Set(childColumns(schema, table)) };
    for (const column of Object.keys(row.columns)) entry.columns.add(column);
    wanted.set(row.uuid, entry);
  }
  if (wanted.size === 0) return new Map();
  const entries = [...wanted.values()];
  const results = await client.transact(
    entries.map(({ row, columns }) => select(row.table, byUuid(row), [...columns])),
    call,
  );
  const live = new Map<string, LiveRow>();
  entries.forEach(({ table, row }, index) => {
    const [found] = rowsOf(results[index]);
    if (found) live.set(row.uuid, table.decodeRow(found));
  });
  return live;
}

/** UUIDs of rows of others that may go with these rows. */
export async function observeCarried(client: OvsdbClient, rows: readonly ResolvedRow[], call: CallOptions): Promise<Set<string>> {
  const carried = rows.flatMap(({ source }) => source.carries ?? []);
  if (carried.length === 0) return new Set();
  const results = await client.transact(carried.map(({ table, key, value }) => select(table, [["external_ids", "includes", ["map", [[key, value]]]]], ["_uuid"])), call);
  return new Set(results.flatMap((result) => rowsOf(result).map((row) => (row._uuid as [string, string])[1])));
}

export function select(table: string, where: readonly Condition[], columns: readonly string[]): Select {
  return { op: "select", table, where, columns };
}

export function rowsOf(result: OperationResult | undefined): readonly WireRow[] {
  return result?.rows ?? [];
}

import { ProtocolError } from "../errors";
import { asRecord, type JsonRecord, noRecord, record } from "../rpc/record";
import type { TableCache } from "./cache";
import type { RowChange } from "./row";

/** Fills empty tables; reports no changes. */
export function fill(tables: ReadonlyMap<string, TableCache>, contents: unknown): RowChange[] {
  eachRow(tables, contents, applyRow);
  return [];
}

/** Replaces the whole contents: missing rows are deleted. */
export function applyContents(tables: ReadonlyMap<string, TableCache>, contents: unknown): RowChange[] {
  for (const table of tables.values()) table.beginRenewal();
  try {
    const changes = applyUpdates(tables, contents);
    for (const table of tables.values()) changes.push(...table.endRenewal());
    return changes;
  } finally {
    for (const table of tables.values()) table.breakRenewal();
  }
}

/**
 * Applies `<table-updates>` (RFC 7047 section 4.1.6) or `<table-updates2>` (ovsdb-server(7)), which differ in their rows. All or nothing: if a
 * part can't be applied, the tables do not change.
 */
export function applyUpdates(tables: ReadonlyMap<string, TableCache>, updates: unknown): RowChange[] {
  const changes: RowChange[] = [];
  try {
    eachRow(tables, updates, (table, uuid, update) => {
      const change = applyRow(table, uuid, update);
      if (change !== undefined) changes.push(change);
    });
    return changes;
  } catch (error) {
    for (const change of changes.reverse()) tables.get(change.table)!.undo(change);
    throw error;
  }
}

function eachRow(tables: ReadonlyMap<string, TableCache>, updates: unknown, take: (table: TableCache, uuid: string, update: JsonRecord) => void): void {
  for (const [name, rows] of Object.entries(record(updates, "an update"))) {
    const table = tables.get(name);
    if (table === undefined) throw new ProtocolError(`an update of the table ${JSON.stringify(name)}, which is not monitored`);
    const byUuid = record(rows, `the update of the table ${name}`) as Record<string, unknown>;
    for (const uuid of Object.keys(byUuid)) {
      const update = byUuid[uuid];
      // A long update is parsed, and let go, row by row: it need not be in memory twice.
      byUuid[uuid] = undefined;
      take(table, uuid, asRecord(update) ?? noRecord(`the update of row ${uuid} of ${name}`));
    }
  }
}

/** Fields of an update that hold a whole row: of monitor_cond, and of RFC 7047's monitor. */
const WHOLE = ["initial", "insert", "new"] as const;

function applyRow(table: TableCache, uuid: string, update: JsonRecord): RowChange | undefined {
  // In long messages of RFC 7047's monitor and of monitor_cond, rows are not parsed yet.
  for (const whole of WHOLE) if (whole in update) return table.put(uuid, rowOf(table, uuid, update, whole));
  if ("modify" in update) return table.modify(uuid, rowOf(table, uuid, update, "modify"));
  if ("delete" in update || "old" in update) return table.remove(uuid);
  throw new ProtocolError(`an update of row ${uuid} of ${table.schema.name} is empty`);
}

function rowOf(table: TableCache, uuid: string, update: JsonRecord, field: string): JsonRecord {
  return asRecord(update[field]) ?? noRecord(`"${field}" of row ${uuid} of ${table.schema.name}`);
}

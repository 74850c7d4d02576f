import type { Condition, DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { isDerivedUuid, OWNER_KEY, rowUuid } from "../../../kit/identity";
import { childColumns, type LiveRow } from "../database/row";
import { isMarkless, keyOf } from "../marks/markless";
import { rowsOf, select, uuidIn } from "../../../targets/select";
import type { Query } from "../database/query";
import type { Adopted, ResolvedRow } from "../set/resolve";

/** A row with the resource's mark. */
export interface OwnedRow {
  readonly table: string;
  readonly uuid: string;
  readonly live: LiveRow;
}

/** Columns to read of owned rows of a table. */
export type OwnedColumns = (table: string) => readonly string[];

/** Columns of a row to delete that identify it: its name, and the rows inside. */
export function goingColumns(schema: DatabaseSchema): OwnedColumns {
  return (name) => {
    const table = schema.table(name);
    return [...childColumns(schema, table), ...["name"].filter((column) => table.columns.has(column))];
  };
}

/**
 * Query for every row of these tables with the owner's mark. The server scans whole tables, about a million rows a second. Marks and annotations
 * are half of most rows, so `external_ids` is read only if requested; found rows have the owner mark in any case.
 */
export function markedQuery(schema: DatabaseSchema, owner: string, tables: readonly string[], columns: OwnedColumns): Query<OwnedRow[]> {
  const marked = tables.filter((table) => !isMarkless(schema, table));
  const where: Condition[] = [["external_ids", "includes", ["map", [[OWNER_KEY, owner]]]]];
  const implied = { external_ids: new Map([[OWNER_KEY, owner]]) };
  return ownedQuery(
    schema,
    marked.map((table) => ({ table, where, columns: columns(table), implied })),
  );
}

/**
 * Rows of tables without marks, of any owner: all of a table, or those of these ports; `isOwn` selects the resource's. Reading
 * a whole table costs 20 times as much for each row as looking for marks.
 */
export function unmarkedQuery(schema: DatabaseSchema, tables: readonly string[], columns: OwnedColumns, ports?: readonly string[]): Query<OwnedRow[]> {
  const parts = tables.flatMap((table): Part[] => {
    const known = isMarkless(schema, table) ? keyOf(table) : undefined;
    if (!known) return [];
    const all = [...new Set([...known.columns, ...columns(table)])];
    return (ports ? ports.map((port): Condition[] => [["logical_port", "==", port]]) : [[]]).map((where) => ({ table, where, columns: all }));
  });
  return ownedQuery(schema, parts);
}

/**
 * Which rows without marks are the owner's: their UUIDs derive from it, or were taken over, or they are of a port that has the
 * owner's mark and has got another UUID: a restored database has given both of them new ones.
 */
export function isOwn(owner: string, adopted: Adopted = {}, marked: readonly OwnedRow[] = []): (row: OwnedRow) => boolean {
  const uuids = new Set(Object.values(adopted));
  const hasOther = (uuid: string) => !isDerivedUuid(uuid) && !uuids.has(uuid);
  const moved = new Set(marked.filter(({ uuid }) => hasOther(uuid)).map(({ live }) => live.name));
  return ({ table, uuid, live }) =>
    uuids.has(uuid) || uuid === rowUuid(owner, table, keyOf(table)!.key(live)) || (hasOther(uuid) && moved.has(live.logical_port));
}

interface Part {
  readonly table: string;
  readonly where: readonly Condition[];
  readonly columns: readonly string[];
  /** Values that the condition implies, for columns that are not read. */
  readonly implied?: LiveRow;
}

function ownedQuery(schema: DatabaseSchema, parts: readonly Part[]): Query<OwnedRow[]> {
  return {
    operations: parts.map(({ table, where, columns }) => select(table, where, ["_uuid", ...columns])),
    read: (results) =>
      parts.flatMap(({ table, implied }, index) =>
        rowsOf(results[index]).map((wire): OwnedRow => ({ table, uuid: uuidIn(wire), live: { ...implied, ...schema.table(table).decodeRow(wire) } })),
      ),
  };
}

/** A row that is no longer rendered, for the planner to delete. */
export function leftoverRow({ table, uuid, live }: OwnedRow): ResolvedRow {
  return { table, uuid, label: ownedLabel(table, uuid, live), columns: {}, parent: undefined, claims: [], source: { table, key: uuid, columns: {} } };
}

/** How a row is called whose key is not known: by its name, or its UUID. */
export function ownedLabel(table: string, uuid: string, { name }: LiveRow): string {
  return `${table} ${typeof name === "string" && name !== "" ? name : uuid}`;
}

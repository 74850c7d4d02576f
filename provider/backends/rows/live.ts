import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { observeShared, resolveContributions } from "./shared/contributions";
import { liveState, plain, type LiveState } from "./live/drift";
import { liveDigest } from "../../kit/digest";
import type { Target } from "./live/target";
import { type Extent, extentTables } from "./marks/extent";
import { isDerivedUuid } from "../../kit/identity";
import { goingColumns, isOwn, leftoverRow, markedQuery, type OwnedColumns, ownedLabel, unmarkedQuery, type OwnedRow } from "./live/leftovers";
import { type Folding, summarize } from "./lines";
import { columnWords, type RowWords } from "./set/words";
import { byUuid, childColumns, type Snapshot } from "./database/row";
import { isMarkless, keyOf } from "./marks/markless";
import { ungrouped, extentApart } from "./joint/groups";
import { jointRows } from "./joint/read";
import { misplacedRows } from "./live/misplaced";
import { movedRows } from "./live/moved";
import { lookupNames, requireName } from "./set/names";
import type { OwnColumns } from "./marks/note";
import { withNoted } from "./live/noted";
import { rowsQuery } from "./live/observe";
import { rowsOf, select, uuidIn } from "../../targets/select";
import { ask } from "./database/query";
import { namesIn, type ResolvedRow, resolveRows } from "./set/resolve";
import type { ColumnValue, RowSet } from "./set";
import type { OwnerScope } from "./live/survey";
import { ownByTable, ownIn, rowText, textsDigest, writtenOf, type Written } from "./marks/written";

/** Live state of these rows, and of others in the extent with the owner's mark; undefined without any trace. */
export async function readRows(target: Target, set: RowSet, extent?: Extent, folding?: Folding): Promise<LiveState | undefined> {
  const { client, owner, adopted, call = {} } = target;
  const schema = await client.getSchema(call);
  const separate = ungrouped(set.rows);
  const names = await lookupNames(client, namesIn(separate, schema), call);
  const rows = resolveRows(separate, owner, schema, names.found, adopted);
  const { previous: shared } = await resolveContributions(client, schema, owner, { previous: set.contributions }, call);
  const sharedLive = { contributions: shared, live: await observeShared(client, schema, owner, shared, call), owner };
  const tables = extent ? extentTables(schema, extentApart(extent), separate) : [];
  const joint = await jointRows({ client, schema, owner, call }, set.rows, extent);
  const { live, marked } = await observeOwn({ client, schema, owner, call }, rows, tables);
  const moved = await movedRows({ client, schema, owner, call }, rows, live);
  if (Object.keys(moved).length > 0)
    return readRows({ ...target, adopted: { ...adopted, ...moved }, moved: { ...target.moved, ...moved } }, set, extent, folding);
  const known = new Set(rows.map(({ uuid }) => uuid));
  const surplus = [...marked.filter(({ uuid }) => !known.has(uuid)), ...joint.surplus].map(leftoverRow);
  const misplaced = await misplacedRows({ client, schema, call }, rows, live, names);
  const state = liveState(set, [...rows, ...joint.rows], new Map([...live, ...joint.live]), schema, sharedLive, { surplus, misplaced, folding });
  if (state.present === 0 && set.rows.length + shared.length > 0) return undefined;
  return target.moved ? { ...state, moved: target.moved } : state;
}

/**
 * Live state of these rows, and all rows of the tables with the owner's mark. Rows found by mark are not read by UUID again: one operation per
 * table instead of one per row. A second query finds rows that lost their mark.
 */
async function observeOwn(
  scope: OwnerScope,
  rows: readonly ResolvedRow[],
  tables: readonly string[],
): Promise<{ live: Snapshot; marked: readonly OwnedRow[] }> {
  const { client, schema, owner, call } = scope;
  const searched = new Set(tables.filter((table) => !isMarkless(schema, table)));
  const named = rowColumns(rows.filter(({ table }) => searched.has(table)));
  const columns: OwnedColumns = (table) => [...new Set([...goingColumns(schema)(table), ...(named.get(table) ?? [])])];
  const [found, marked] = await ask<[Snapshot, OwnedRow[]]>(
    client,
    call,
    rowsQuery(
      schema,
      rows.filter(({ table }) => !searched.has(table)),
    ),
    markedQuery(schema, owner, tables, columns),
  );
  const byMark = new Map(marked.map(({ uuid, live }) => [uuid, live]));
  const [rest] = await ask<[Snapshot]>(
    client,
    call,
    rowsQuery(
      schema,
      rows.filter(({ table, uuid }) => searched.has(table) && !byMark.has(uuid)),
    ),
  );
  return { live: await withNoted(scope, rows, new Map([...found, ...byMark, ...rest])), marked };
}

/** Columns that rows name, by table; with `external_ids`, whose annotation shows leftovers of an interrupted run. */
function rowColumns(rows: readonly ResolvedRow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const columns = new Map<string, Set<string>>();
  for (const row of rows) {
    const known = columns.get(row.table) ?? new Set();
    for (const column of Object.keys(row.columns)) known.add(column);
    columns.set(row.table, known);
  }
  return columns;
}

/** Data about written rows for `readOwned`. */
export async function writtenRows(target: Target, set: RowSet): Promise<Written> {
  const { client, owner, adopted, call = {} } = target;
  const schema = await client.getSchema(call);
  const lookups = namesIn(set.rows, schema);
  const names = await lookupNames(client, lookups, call);
  for (const lookup of lookups) requireName(names, lookup);
  return writtenOf(set, resolveRows(set.rows, owner, schema, names.found, adopted), schema);
}

/** Live state of this owner's rows compared with what it wrote; undefined without any trace. */
export async function readOwned(target: Target, extent: Extent, written: Written): Promise<LiveState | undefined> {
  const schema = await target.client.getSchema(target.call);
  const own = ownByTable(written);
  const rows = await ownedRows(target, schema, extent, own);
  if (rows.length === 0 && Object.keys(written.tables).length > 0) return undefined;
  const shown = rows.map((row) => ({ ...row, label: ownedLabel(row.table, row.uuid, row.live), own: ownIn(row.live, own[row.table] ?? new Map()) }));
  const drift: Record<string, string> = {};
  for (const table of [...new Set([...Object.keys(written.tables), ...rows.map((row) => row.table)])].sort()) {
    const texts = shown.filter((row) => row.table === table).map((row) => rowText(row.uuid, row.live, row.own, schema, table));
    const { rows: count, digest } = written.tables[table] ?? { rows: 0, digest: "" };
    if (texts.length !== count) drift[table] = `${texts.length} rows instead of ${count}`;
    else if (textsDigest(texts) !== digest) drift[table] = "values differ from those that were written";
  }
  const lines = summarize(shown.map(({ table, label, live, own: columns }) => ({ table, label, words: ownWords(live, columns) })));
  return { present: rows.length, lines, digest: liveDigest(written.digest, drift), drift };
}

function ownWords(live: OwnedRow["live"], own: OwnColumns): RowWords {
  return [...own].flatMap(([name, keys]) => {
    if (name === "name" || live[name] === undefined) return [];
    const value = plain(live[name]!);
    const shown: ColumnValue =
      keys === "whole" ? value : { map: Object.fromEntries(Object.entries((value as { map: Record<string, string> }).map).filter(([key]) => keys.has(key))) };
    return [[name, columnWords(name, shown)] as const];
  });
}

/** Rows of the owner, found by mark, by derived UUID, or by the row that refers to them. */
async function ownedRows(
  { client, owner, adopted, call = {} }: Target,
  schema: DatabaseSchema,
  extent: Extent,
  own: Readonly<Record<string, OwnColumns>>,
): Promise<OwnedRow[]> {
  const tables = extentTables(schema, extent, []);
  const columns = (table: string) =>
    [...new Set(["external_ids", ...goingColumns(schema)(table), ...(own[table]?.keys() ?? [])])].filter((name) => schema.table(table).columns.has(name));
  const [marked, unmarked] = await ask<[OwnedRow[], OwnedRow[]]>(
    client,
    call,
    markedQuery(schema, owner, tables, columns),
    unmarkedQuery(schema, tables, columns),
  );
  const inside = marked.flatMap(({ table, live }) => {
    const definition = schema.table(table);
    return childColumns(schema, definition).flatMap((name) => {
      const child = definition.column(name).type.key.refTable!;
      return tables.includes(child) && isMarkless(schema, child) && !keyOf(child)
        ? (live[name] as readonly string[]).filter(isDerivedUuid).map((uuid) => ({ table: child, uuid }))
        : [];
    });
  });
  const [owned] = await ask<[OwnedRow[]]>(client, call, {
    operations: inside.map((row) => select(row.table, byUuid(row), ["_uuid", ...columns(row.table)])),
    read: (results) =>
      results.flatMap((result, index) =>
        rowsOf(result).map((wire) => ({ table: inside[index]!.table, uuid: uuidIn(wire), live: schema.table(inside[index]!.table).decodeRow(wire) })),
      ),
  });
  return [...marked, ...unmarked.filter(isOwn(owner, adopted, marked)), ...owned];
}

import type { DatabaseSchema, Value } from "@pulumi-ovn/ovsdb-client";
import { isDerivedUuid } from "../../../kit/identity";
import { type OwnedRow, markedQuery } from "./leftovers";
import { childColumns } from "../database/row";
import { isMarkless } from "../marks/markless";
import { type Candidate, matchRows } from "./matching";
import { sameMeaning } from "../database/meanings";
import { naturalKey } from "../database/natural-keys";
import { rowsOf, select, uuidIn } from "../../../targets/select";
import { ask, type Query } from "../database/query";
import { type Adopted, adoptionKey, type ResolvedRow } from "../set/resolve";
import type { OwnerScope } from "./survey";
import { canonical, defaultValue, toValue } from "../set/values";

/**
 * UUIDs of the resource's rows that the database has under other UUIDs than the state: `ovsdb-client restore` gives each row a new
 * one. They are found by the owner mark and the natural key. Searches tables only if a row is missing.
 *
 * @param rows all rows that should exist
 * @param live UUIDs that exist
 */
export async function movedRows(scope: OwnerScope, rows: readonly ResolvedRow[], live: { has(uuid: string): boolean }): Promise<Adopted> {
  const missing = rows.filter(({ uuid }) => !live.has(uuid));
  if (missing.length === 0) return {};
  const { client, schema, owner, call } = scope;
  const tables = [...new Set(missing.map(({ table }) => table))];
  const known = new Set(rows.map(({ uuid }) => uuid));
  const isOther = ({ uuid }: OwnedRow) => !known.has(uuid);
  const columns = (table: string) => comparedColumns(schema, table, missing);
  const [marked] = await ask<[OwnedRow[]]>(client, call, markedQuery(schema, owner, tables, columns));
  const candidates = marked.filter(isOther);
  // A row without a mark proves nothing by itself; with moved marked rows, it moved with them.
  if (candidates.length === 0) return {};
  const [unmarked] = await ask<[OwnedRow[]]>(client, call, unmarkedQuery(schema, missing));
  return matched(schema, missing, [...candidates, ...unmarked.filter((row) => isOther(row) && !isDerivedUuid(row.uuid))]);
}

function comparedColumns(schema: DatabaseSchema, name: string, missing: readonly ResolvedRow[]): string[] {
  const table = schema.table(name);
  const named = missing.filter((row) => row.table === name).flatMap(({ columns }) => Object.keys(columns));
  return [...new Set([...named, ...(naturalKey(name)?.columns ?? []), ...childColumns(schema, table)])].filter((column) => table.columns.has(column));
}

/** Rows of tables without marks, by natural key. */
function unmarkedQuery(schema: DatabaseSchema, missing: readonly ResolvedRow[]): Query<OwnedRow[]> {
  const searchable = missing.filter(({ table }) => isMarkless(schema, table) && naturalKey(table) !== undefined);
  return {
    operations: searchable.map((row) => {
      const table = schema.table(row.table);
      const where = naturalKey(row.table)!.columns.map((name) => [name, "==", table.column(name).encode(desiredValue(schema, row, name))] as const);
      return select(row.table, where, ["_uuid", ...comparedColumns(schema, row.table, missing)]);
    }),
    read: (results) =>
      searchable.flatMap(({ table }, index) =>
        rowsOf(results[index]).map((wire) => ({ table, uuid: uuidIn(wire), live: schema.table(table).decodeRow(wire) })),
      ),
  };
}

/** Pure. Assigns found rows with equal natural keys by similarity: all have the resource's mark. */
function matched(schema: DatabaseSchema, missing: readonly ResolvedRow[], found: readonly OwnedRow[]): Adopted {
  const byKey = Map.groupBy(found, ({ table, live }) => JSON.stringify([table, ...keyColumns(table).map((name) => canonical(live[name]!))]));
  const candidates = missing.map((row): readonly Candidate[] => {
    const values = keyColumns(row.table).map((name) => canonical(desiredValue(schema, row, name)));
    return byKey.get(JSON.stringify([row.table, ...values])) ?? [];
  });
  const anywhere = missing.map(() => undefined);
  const matches = matchRows(missing, candidates, anywhere, schema, (row, left) => mostSimilar(schema, row, left));
  return Object.fromEntries([...matches].map(([{ source }, { uuid }]) => [adoptionKey(source.table, source.key), uuid]));
}

const keyColumns = (table: string): readonly string[] => naturalKey(table)?.columns ?? [];

function desiredValue(schema: DatabaseSchema, { table, columns }: ResolvedRow, name: string): Value {
  const column = schema.table(table).column(name);
  return columns[name] === undefined ? defaultValue(column) : toValue(column, columns[name]);
}

function mostSimilar(schema: DatabaseSchema, row: ResolvedRow, candidates: readonly Candidate[]): Candidate {
  const alike = ({ live }: Candidate) => Object.keys(row.columns).filter((name) => isAlike(schema, row, name, live[name])).length;
  return candidates.reduce((best, other) => (alike(other) > alike(best) ? other : best));
}

/** References have other UUIDs after a restore. */
function isAlike(schema: DatabaseSchema, row: ResolvedRow, name: string, live: Value | undefined): boolean {
  const column = schema.table(row.table).column(name);
  return column.type.key.refTable === undefined && live !== undefined && sameMeaning(column, desiredValue(schema, row, name), live);
}

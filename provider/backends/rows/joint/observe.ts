import type { Condition, DatabaseSchema, WireRow } from "@pulumi-ovn/ovsdb-client";
import { OWNER_KEY } from "../../../kit/identity";
import { childColumns, type LiveRow } from "../database/row";
import { naturalKey } from "../database/natural-keys";
import { rowsOf, select, uuidIn } from "../../../targets/select";
import { ask, type Query } from "../database/query";
import type { DesiredRow } from "../set";
import type { OwnerScope } from "../live/survey";
import { toValue, canonical } from "../set/values";
import type { JointGroup } from "./groups";
import { userKey } from "./users";

/** A row as the database has it. */
export interface LiveGroup {
  readonly table: string;
  readonly uuid: string;
  readonly live: LiveRow;
  /** The rows that it refers to and that live only as long as it does, by UUID. */
  readonly parts: ReadonlyMap<string, LivePart>;
}

interface LivePart {
  readonly table: string;
  readonly live: LiveRow;
}

export interface JointSurvey {
  /** By what makes a row what it is: see `groupKey`. */
  readonly found: ReadonlyMap<string, LiveGroup>;
  /** Rows with the owner's mark, wherever they were looked for. */
  readonly marked: readonly LiveGroup[];
}

/**
 * Rows up to this number are read one by one, more with their whole table: the server searches the table for each name, and returning a row
 * costs as much as passing twenty. A resource with many of a table's rows has most of them.
 */
const ONE_BY_ONE = 20;

/**
 * Live rows found by natural key, because their UUIDs may derive from another owner.
 *
 * @param tables where rows with the owner's mark are searched, too
 */
export async function observeJoint(scope: OwnerScope, groups: readonly JointGroup[], tables: readonly string[]): Promise<JointSurvey> {
  const { client, schema, call } = scope;
  const [found, marked] = await ask<[Found[], Found[]]>(client, call, namedQuery(schema, groups), markedQuery(scope, tables));
  const heads = new Map([...marked, ...found].map((row) => [row.uuid, row]));
  const wanted = new Set(groups.map(({ row }) => groupKey(schema, row)));
  const live = [...heads.values()].filter(({ table, live }) => wanted.has(liveKey(table, live)));
  const [parts] = await ask<[Map<string, LivePart>]>(client, call, partsQuery(schema, live, groups));
  const groupOf = (row: Found): LiveGroup => ({
    ...row,
    parts: new Map(refersTo(schema, row).flatMap((uuid) => (parts.has(uuid) ? [[uuid, parts.get(uuid)!]] : []))),
  });
  return { found: new Map(live.map((row) => [liveKey(row.table, row.live), groupOf(row)])), marked: marked.map(groupOf) };
}

interface Found {
  readonly table: string;
  readonly uuid: string;
  readonly live: LiveRow;
}

/** Natural key of a row. */
export function groupKey(schema: DatabaseSchema, { table, columns }: DesiredRow): string {
  const values = naturalColumns(table).map((name) => canonical(toValue(schema.table(table).column(name), columns[name] as string)));
  return JSON.stringify([table, values]);
}

export function liveKey(table: string, live: LiveRow): string {
  return JSON.stringify([table, naturalColumns(table).map((name) => canonical(live[name]!))]);
}

function naturalColumns(table: string): readonly string[] {
  return naturalKey(table)!.columns;
}

/** By which these rows of a table are asked for. */
function conditionsOf<Item>(rows: readonly Item[], one: (row: Item) => Condition[]): Condition[][] {
  return rows.length > ONE_BY_ONE ? [[]] : rows.map(one);
}

function namedQuery(schema: DatabaseSchema, groups: readonly JointGroup[]): Query<Found[]> {
  const tables = [...new Set(groups.map(({ row }) => row.table))];
  const requests = tables.flatMap((table) => {
    const own = groups.filter(({ row }) => row.table === table);
    const columns = [...new Set([...headColumns(schema, table), ...own.flatMap(({ row }) => Object.keys(row.columns))])];
    const conditions = conditionsOf(own, ({ row }) => naturalColumns(table).map((name) => [name, "==", row.columns[name] as string]));
    return conditions.map((where) => ({ table, where, columns }));
  });
  return {
    operations: requests.map(({ table, where, columns }) => select(table, where, columns)),
    read: (results) => requests.flatMap(({ table }, index) => rowsOf(results[index]).map((wire) => foundRow(schema, table, wire))),
  };
}

function markedQuery({ schema, owner }: OwnerScope, tables: readonly string[]): Query<Found[]> {
  const requests = tables.filter((table) => schema.tables.has(table)).flatMap((table) => [OWNER_KEY, userKey(owner)].map((key) => ({ table, key })));
  return {
    operations: requests.map(({ table, key }) => select(table, [["external_ids", "includes", ["map", [[key, owner]]]]], headColumns(schema, table))),
    read: (results) => requests.flatMap(({ table }, index) => rowsOf(results[index]).map((wire) => foundRow(schema, table, wire))),
  };
}

function headColumns(schema: DatabaseSchema, table: string): string[] {
  return ["_uuid", "external_ids", ...naturalColumns(table), ...childColumns(schema, schema.table(table))];
}

function partsQuery(schema: DatabaseSchema, heads: readonly Found[], groups: readonly JointGroup[]): Query<Map<string, LivePart>> {
  const columns = new Map<string, Set<string>>();
  for (const { table, columns: named } of groups.flatMap(({ parts }) => parts))
    columns.set(table, new Set([...(columns.get(table) ?? []), ...Object.keys(named)]));
  const referred = heads.flatMap((row) => {
    const definition = schema.table(row.table);
    return childColumns(schema, definition).flatMap((name) => {
      const table = definition.column(name).type.key.refTable!;
      return columns.has(table) ? (row.live[name] as readonly string[]).map((uuid) => ({ table, uuid })) : [];
    });
  });
  const requests = [...columns.keys()].flatMap((table) => {
    const own = referred.filter((part) => part.table === table);
    return conditionsOf(own, ({ uuid }) => [["_uuid", "==", ["uuid", uuid]]]).map((where) => ({ table, where }));
  });
  return {
    operations: requests.map(({ table, where }) => select(table, where, ["_uuid", ...columns.get(table)!])),
    read: (results) =>
      new Map(
        requests.flatMap(({ table }, index) =>
          rowsOf(results[index]).map((wire): [string, LivePart] => [uuidIn(wire), { table, live: schema.table(table).decodeRow(wire) }]),
        ),
      ),
  };
}

function refersTo(schema: DatabaseSchema, { table, live }: Found): string[] {
  return childColumns(schema, schema.table(table)).flatMap((name) => live[name] as readonly string[]);
}

function foundRow(schema: DatabaseSchema, table: string, wire: WireRow): Found {
  return { table, uuid: uuidIn(wire), live: schema.table(table).decodeRow(wire) };
}

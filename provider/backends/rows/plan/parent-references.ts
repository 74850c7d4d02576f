import type { DatabaseSchema, Mutator, Operation, OvsdbClient, CallOptions, Value } from "@pulumi-ovn/ovsdb-client";
import { byUuid, childColumns, holdingColumns, type Snapshot } from "../database/row";
import type { Step } from "./steps";
import { rowsOf, select, uuidIn } from "../../../targets/select";
import type { Query } from "../database/query";
import type { ParentReference, ResolvedParent, ResolvedRow } from "../set/resolve";

/** The reference from a row's parent that its renderer asks for. */
export function wantedReference(row: ResolvedRow): ParentReference[] {
  return row.parent ? [{ row, parent: row.parent }] : [];
}

/** Equal for the same row in the same set. */
export function referenceKey(uuid: string, parent: Pick<ResolvedParent, "uuid" | "column">): string {
  return `${uuid} ${parent.uuid} ${parent.column}`;
}

/** One mutation of each parent's set, however many of its rows come or go. */
export function setMutations(references: readonly ParentReference[], mutator: Mutator): Step[] {
  const groups = new Map<string, { first: ParentReference; uuids: Set<string> }>();
  for (const reference of references) {
    const { table, uuid, column } = reference.parent;
    const key = `${table} ${uuid} ${column}`;
    const group = groups.get(key);
    if (group) group.uuids.add(reference.row.uuid);
    else groups.set(key, { first: reference, uuids: new Set([reference.row.uuid]) });
  }
  return Array.from(groups.values(), ({ first: { row, parent }, uuids }): Step => {
    const children = ["set", Array.from(uuids, (uuid) => ["uuid", uuid] as const)] as const;
    const operation: Operation = { op: "mutate", table: parent.table, where: byUuid(parent), mutations: [[parent.column, mutator, children]] };
    return { operation, subject: { kind: "write", row } };
  });
}

/** Whether a parent's set is read with these rows. */
export function isRead(schema: DatabaseSchema, rows: readonly ResolvedRow[]): (parent: ResolvedParent) => boolean {
  const own = new Set(rows.map(({ uuid }) => uuid));
  return ({ table, uuid, column }) => own.has(uuid) && childColumns(schema, schema.table(table)).includes(column);
}

/** Keys of the wanted references that exist, in parents that are not read themselves. */
export function presentReferencesQuery(schema: DatabaseSchema, rows: readonly ResolvedRow[]): Query<Set<string>> {
  const read = isRead(schema, rows);
  const wanted = rows.flatMap(wantedReference).filter(({ parent }) => !read(parent));
  return {
    operations: wanted.map(({ row, parent }) =>
      select(parent.table, [...byUuid(parent), [parent.column, "includes", ["set", [["uuid", row.uuid]]]]], ["_uuid"]),
    ),
    read: (results) => new Set(wanted.filter((_, index) => rowsOf(results[index]).length > 0).map(({ row, parent }) => referenceKey(row.uuid, parent))),
  };
}

/** Parents of these rows, as far as the rows that were read show. */
export function parentsAmong(schema: DatabaseSchema, candidates: readonly ResolvedRow[], live: Snapshot): (row: ResolvedRow) => ParentReference[] {
  const parents = new Map<string, ResolvedParent[]>();
  for (const { table, uuid, label } of candidates) {
    const found = live.get(uuid);
    for (const column of found ? childColumns(schema, schema.table(table)) : []) {
      for (const child of uuidsIn(found![column])) parents.set(child, [...(parents.get(child) ?? []), { table, uuid, column, label }]);
    }
  }
  return (row) => (parents.get(row.uuid) ?? []).map((parent) => ({ row, parent }));
}

function uuidsIn(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Searches rows in the sets of all possible parents. One set mostly holds many of them, so a few are searched first, and the result shows the
 * others.
 */
export async function findParents(client: OvsdbClient, schema: DatabaseSchema, rows: readonly ResolvedRow[], call: CallOptions): Promise<ParentReference[]> {
  const found = new Map<string, ParentReference>();
  let pending = rows.filter(({ table }) => holdingColumns(schema, table).length > 0);
  for (let size = 1; pending.length > 0; size *= 4) {
    const references = pending.slice(0, size).flatMap((row) => holdingColumns(schema, row.table).map(([table, column]) => ({ row, table, column })));
    const results = await client.transact(
      references.map(({ row, table, column }) => select(table, [[column, "includes", ["set", [["uuid", row.uuid]]]]], ["_uuid", column])),
      call,
    );
    references.forEach(({ table, column }, index) => {
      for (const wire of rowsOf(results[index])) {
        const parent: ResolvedParent = { table, column, uuid: uuidIn(wire), label: `${table} ${uuidIn(wire)}` };
        const children = new Set(uuidsIn(schema.table(table).decodeRow(wire)[column]));
        for (const row of rows) if (children.has(row.uuid)) found.set(referenceKey(row.uuid, parent), { row, parent });
      }
    });
    const placed = new Set([...found.values()].map(({ row }) => row.uuid));
    pending = pending.slice(size).filter(({ uuid }) => !placed.has(uuid));
  }
  return [...found.values()];
}

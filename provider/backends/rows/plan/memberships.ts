import type { DatabaseSchema, Mutator, Operation, OvsdbClient, CallOptions, Value } from "@pulumi-ovn/ovsdb-client";
import { byUuid, childColumns, holdingColumns, type Snapshot } from "../database/row";
import type { Step } from "./steps";
import { rowsOf, select, uuidIn } from "../../../targets/select";
import type { Query } from "../database/query";
import type { Membership, ResolvedParent, ResolvedRow } from "../set/resolve";

/** The membership that a row asks for. */
export function wantedMembership(row: ResolvedRow): Membership[] {
  return row.parent ? [{ row, parent: row.parent }] : [];
}

/** Equal for the same row in the same set. */
export function membershipKey(uuid: string, parent: Pick<ResolvedParent, "uuid" | "column">): string {
  return `${uuid} ${parent.uuid} ${parent.column}`;
}

/** One mutation of each parent's set, however many of its rows come or go. */
export function setMutations(memberships: readonly Membership[], mutator: Mutator): Step[] {
  const groups = new Map<string, { first: Membership; uuids: Set<string> }>();
  for (const membership of memberships) {
    const { table, uuid, column } = membership.parent;
    const key = `${table} ${uuid} ${column}`;
    const group = groups.get(key);
    if (group) group.uuids.add(membership.row.uuid);
    else groups.set(key, { first: membership, uuids: new Set([membership.row.uuid]) });
  }
  return Array.from(groups.values(), ({ first: { row, parent }, uuids }): Step => {
    const members = ["set", Array.from(uuids, (uuid) => ["uuid", uuid] as const)] as const;
    const operation: Operation = { op: "mutate", table: parent.table, where: byUuid(parent), mutations: [[parent.column, mutator, members]] };
    return { operation, subject: { kind: "write", row } };
  });
}

/** Whether a parent's set is read with these rows. */
export function isRead(schema: DatabaseSchema, rows: readonly ResolvedRow[]): (parent: ResolvedParent) => boolean {
  const own = new Set(rows.map(({ uuid }) => uuid));
  return ({ table, uuid, column }) => own.has(uuid) && childColumns(schema, schema.table(table)).includes(column);
}

/** Keys of the wanted memberships that stand, as far as rows that are read themselves don't tell. */
export function membersQuery(schema: DatabaseSchema, rows: readonly ResolvedRow[]): Query<Set<string>> {
  const read = isRead(schema, rows);
  const wanted = rows.flatMap(wantedMembership).filter(({ parent }) => !read(parent));
  return {
    operations: wanted.map(({ row, parent }) =>
      select(parent.table, [...byUuid(parent), [parent.column, "includes", ["set", [["uuid", row.uuid]]]]], ["_uuid"]),
    ),
    read: (results) => new Set(wanted.filter((_, index) => rowsOf(results[index]).length > 0).map(({ row, parent }) => membershipKey(row.uuid, parent))),
  };
}

/** Parents of these rows, as far as the rows that were read show. */
export function heldBy(schema: DatabaseSchema, holders: readonly ResolvedRow[], live: Snapshot): (row: ResolvedRow) => Membership[] {
  const parents = new Map<string, ResolvedParent[]>();
  for (const { table, uuid, label } of holders) {
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
export async function findHolders(client: OvsdbClient, schema: DatabaseSchema, rows: readonly ResolvedRow[], call: CallOptions): Promise<Membership[]> {
  const found = new Map<string, Membership>();
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
        const members = new Set(uuidsIn(schema.table(table).decodeRow(wire)[column]));
        for (const row of rows) if (members.has(row.uuid)) found.set(membershipKey(row.uuid, parent), { row, parent });
      }
    });
    const placed = new Set([...found.values()].map(({ row }) => row.uuid));
    pending = pending.slice(size).filter(({ uuid }) => !placed.has(uuid));
  }
  return [...found.values()];
}

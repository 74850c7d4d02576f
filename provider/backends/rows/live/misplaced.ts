import { byUuid, type Snapshot } from "../database/row";
import { heldBy, isRead, membershipKey, membersQuery, wantedMembership } from "../plan/memberships";
import { isUnresolved, type Lookups } from "../set/names";
import { rowsOf, select } from "../../../targets/select";
import { ask, type Query, type Source } from "../database/query";
import type { Membership, ResolvedRow } from "../set/resolve";

/**
 * UUIDs of existing rows outside their parents' sets: an interrupted run or another writer moved them. Parents that were not found by name are
 * skipped: most likely they were renamed, or are ambiguous.
 */
export async function misplacedRows(
  { client, schema, call }: Source,
  rows: readonly ResolvedRow[],
  live: Snapshot,
  names: Lookups,
): Promise<ReadonlySet<string>> {
  const parents = heldBy(schema, rows, live);
  const read = isRead(schema, rows);
  const existing = rows.filter(({ uuid, source: { parent } }) => live.has(uuid) && !(parent && isUnresolved(names, parent))).flatMap(wantedMembership);
  const { inside = [], outside = [] } = Object.groupBy(existing, ({ parent }) => (read(parent) ? "inside" : "outside"));
  const [incomplete] = await ask<[Membership[]]>(client, call, wholeQuery(outside));
  const [members] = await ask<[Set<string>]>(
    client,
    call,
    membersQuery(
      schema,
      incomplete.map(({ row }) => row),
    ),
  );
  const isHeld = ({ row, parent }: Membership) => parents(row).some((other) => membershipKey(row.uuid, other.parent) === membershipKey(row.uuid, parent));
  const missing = [
    ...inside.filter((membership) => !isHeld(membership)),
    ...incomplete.filter(({ row, parent }) => !members.has(membershipKey(row.uuid, parent))),
  ];
  return new Set(missing.map(({ row }) => row.uuid));
}

/** Rows of parents whose sets lack some of them: one query per parent, which usually succeeds. */
function wholeQuery(memberships: readonly Membership[]): Query<Membership[]> {
  const groups = [...Map.groupBy(memberships, ({ parent }) => `${parent.uuid} ${parent.column}`).values()];
  return {
    operations: groups.map((group) => {
      const { table, uuid, column } = group[0]!.parent;
      const members = group.map(({ row }) => ["uuid", row.uuid] as const);
      return select(table, [...byUuid({ uuid }), [column, "includes", ["set", members]]], ["_uuid"]);
    }),
    read: (results) => groups.filter((_, index) => rowsOf(results[index]).length === 0).flat(),
  };
}

import { byUuid, type Snapshot } from "../database/row";
import { parentsAmong, isRead, referenceKey, presentReferencesQuery, wantedReference } from "../plan/parent-references";
import { isUnresolved, type Lookups } from "../set/names";
import { rowsOf, select } from "../../../targets/select";
import { ask, type Query, type Source } from "../database/query";
import type { ParentReference, ResolvedRow } from "../set/resolve";

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
  const parents = parentsAmong(schema, rows, live);
  const read = isRead(schema, rows);
  const existing = rows.filter(({ uuid, source: { parent } }) => live.has(uuid) && !(parent && isUnresolved(names, parent))).flatMap(wantedReference);
  const { inside = [], outside = [] } = Object.groupBy(existing, ({ parent }) => (read(parent) ? "inside" : "outside"));
  const [incomplete] = await ask<[ParentReference[]]>(client, call, wholeQuery(outside));
  const [present] = await ask<[Set<string>]>(
    client,
    call,
    presentReferencesQuery(
      schema,
      incomplete.map(({ row }) => row),
    ),
  );
  const isHeld = ({ row, parent }: ParentReference) => parents(row).some((other) => referenceKey(row.uuid, other.parent) === referenceKey(row.uuid, parent));
  const missing = [
    ...inside.filter((reference) => !isHeld(reference)),
    ...incomplete.filter(({ row, parent }) => !present.has(referenceKey(row.uuid, parent))),
  ];
  return new Set(missing.map(({ row }) => row.uuid));
}

/** Rows of parents whose sets lack some of them: one query per parent, which usually succeeds. */
function wholeQuery(references: readonly ParentReference[]): Query<ParentReference[]> {
  const groups = [...Map.groupBy(references, ({ parent }) => `${parent.uuid} ${parent.column}`).values()];
  return {
    operations: groups.map((group) => {
      const { table, uuid, column } = group[0]!.parent;
      const uuids = group.map(({ row }) => ["uuid", row.uuid] as const);
      return select(table, [...byUuid({ uuid }), [column, "includes", ["set", uuids]]], ["_uuid"]);
    }),
    read: (results) => groups.filter((_, index) => rowsOf(results[index]).length === 0).flat(),
  };
}

import { holdsGuard } from "./guards";
import { byUuid, childColumns } from "./live";
import { type PlanInput, refuseForeign, RowRefusal, type Step } from "./steps";

/** Rows that go, after they have left the sets that hold them. Throws a RowRefusal when rows of others would vanish with one. */
export function removalSteps(input: PlanInput): Step[] {
  const { gone, live, carried, schema } = input;
  // Rows inside that belong elsewhere enter their own parent's set in this transaction.
  const accounted = new Set([...carried, ...[...gone, ...input.astray].map(({ uuid }) => uuid)]);
  const guards = gone.flatMap((row): Step[] => {
    const found = live.get(row.uuid)!;
    refuseForeign(input, row, found);
    const table = schema.table(row.table);
    const inside = childColumns(schema, table).map((column) => [column, (found[column] ?? []) as readonly string[]] as const);
    const others = inside.flatMap(([, uuids]) => uuids).filter((uuid) => !accounted.has(uuid));
    if (others.length > 0) throw new RowRefusal("not-empty", row, others);
    if (inside.length === 0) return [];
    return [{ operation: holdsGuard(row, table, Object.fromEntries(inside)), subject: { kind: "empty", row } }];
  });
  return [...guards, ...gone.map((row): Step => ({ operation: { op: "delete", table: row.table, where: byUuid(row) }, subject: { kind: "write", row } }))];
}

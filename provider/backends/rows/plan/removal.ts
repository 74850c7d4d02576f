import type { Operation } from "@pulumi-ovn/ovsdb-client";
import { existsGuard, goingGuard, holdsGuard, ownedGuard } from "./guards";
import { OWNER_KEY } from "../../../kit/identity";
import { byUuid, childColumns } from "../database/row";
import { ownerIn } from "../marks/ownership";
import type { ResolvedRow } from "../set/resolve";
import { type PlanInput, refuseForeign, RowRefusal, type Step } from "./steps";

/**
 * Guards of rows to delete: they are still ours, and hold only rows that were read. Throws a RowRefusal if foreign rows would be deleted with
 * one.
 */
export function goingSteps(input: PlanInput): Step[] {
  // Rows inside that belong elsewhere enter their own parent's set in this transaction.
  const accounted = new Set([...input.carried, ...[...input.removals, ...input.astray].map(({ uuid }) => uuid)]);
  return input.removals.flatMap((row) => goingRow(input, row, accounted));
}

/**
 * One guard covers a row with a mark: if it fails, the rows are read again. A row that can't have a mark, and has no sets, needs none: it may
 * already be deleted.
 */
function goingRow(input: PlanInput, row: ResolvedRow, accounted: ReadonlySet<string>): Step[] {
  const { schema } = input;
  const found = input.live.get(row.uuid)!;
  refuseForeign(input, row, found);
  const table = schema.table(row.table);
  const inside = Object.fromEntries(childColumns(schema, table).map((column) => [column, (found[column] ?? []) as readonly string[]]));
  const others = Object.values(inside).flatMap((uuids) => uuids.filter((uuid) => !accounted.has(uuid)));
  if (others.length > 0) throw new RowRefusal("not-empty", row, others);
  const [owner, holds] = [ownerIn(found), Object.keys(inside).length > 0];
  const exists = (operation: Operation): Step => ({ operation, subject: { kind: "exists", row } });
  if (owner !== undefined) return [exists(holds ? goingGuard(row, [[OWNER_KEY, owner]], table, inside) : ownedGuard(row, [[OWNER_KEY, owner]]))];
  return [
    ...(table.columns.has("external_ids") ? [exists(existsGuard(row, table, found))] : []),
    ...(holds ? [{ operation: holdsGuard(row, table, inside), subject: { kind: "empty", row } } as const] : []),
  ];
}

/** After the rows have left the sets that hold them. */
export function removalSteps({ removals }: PlanInput): Step[] {
  return removals.map((row): Step => ({ operation: { op: "delete", table: row.table, where: byUuid(row) }, subject: { kind: "write", row } }));
}

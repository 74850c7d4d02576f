import type { ColumnSchema, Condition, Operation, TableSchema } from "@pulumi-ovn/ovsdb-client";
import { STACK_KEY, stackOf } from "../../../kit/identity";
import type { LiveRow } from "../database/row";
import type { ResolvedParent, ResolvedRow } from "../set/resolve";
import type { Claim } from "../set";

/**
 * `wait` operation (RFC 7047 5.2.6) that fails a transaction if the database has changed since the read. A timeout of 0 decides immediately.
 * Guards cover existence and ownership; values need none, because the stack decides about its columns.
 */
function wait(table: string, where: readonly Condition[], until: "==" | "!="): Operation {
  return { op: "wait", table, where, columns: ["_uuid"], until, rows: [], timeout: 0 };
}

function uuidIs(row: { readonly uuid: string }): Condition {
  return ["_uuid", "==", ["uuid", row.uuid]];
}

/** The row exists, and has no foreign mark since it was read without an owner. */
export function existsGuard(row: Pick<ResolvedRow, "table" | "uuid">, table: TableSchema, live: LiveRow): Operation {
  if (!table.columns.has("external_ids")) return wait(row.table, [uuidIs(row)], "!=");
  const rows = [table.encodeRow({ external_ids: live.external_ids! })];
  return { op: "wait", table: row.table, where: [uuidIs(row)], columns: ["external_ids"], until: "==", rows, timeout: 0 };
}

/** Entries of a row's `external_ids`. */
export type Marks = readonly (readonly [key: string, value: string])[];

/** The row exists, has these marks, and its own sets of rows hold these and nothing else: what others put there would go with it. */
export function goingGuard(row: ResolvedRow, marks: Marks, table: TableSchema, sets: LiveRow): Operation {
  const where = markedRow(row, marks);
  return { op: "wait", table: row.table, where, columns: Object.keys(sets), until: "==", rows: [table.encodeRow(sets)], timeout: 0 };
}

/** The row exists, and has these marks: its owner, and for a row that stays what its owner set in it. */
export function ownedGuard(row: ResolvedRow, marks: Marks): Operation {
  return wait(row.table, markedRow(row, marks), "!=");
}

function markedRow(row: ResolvedRow, marks: Marks): Condition[] {
  return [uuidIs(row), ["external_ids", "includes", ["map", marks]]];
}

/** Without its parent a new row would silently be removed at commit. */
export function parentGuard(parent: ResolvedParent): Operation {
  return wait(parent.table, [uuidIs(parent)], "!=");
}

/** No other row holds the claimed value. */
export function claimGuard(row: ResolvedRow, claim: Claim, column: ColumnSchema, owner: string): Operation {
  return wait(claim.table, claimConditions(row, claim, column, owner), "==");
}

/** Selects the rows that violate the claim. */
export function claimConditions(row: ResolvedRow, claim: Claim, column: ColumnSchema, owner: string): Condition[] {
  const value = claim.key === undefined ? column.encode(column.isSet ? [claim.value] : claim.value) : ["map", [[claim.key, claim.value]]];
  return [
    [claim.column, claim.key === undefined ? "==" : "includes", value as never],
    ["_uuid", "!=", ["uuid", row.uuid]],
    ...(claim.betweenStacks ? [["external_ids", "excludes", ["map", [[STACK_KEY, stackOf(owner)]]]] as Condition] : []),
  ];
}

/** The row's own sets of rows hold these and nothing else: what others put there would go with it. */
export function holdsGuard(row: ResolvedRow, table: TableSchema, sets: LiveRow): Operation {
  return { op: "wait", table: row.table, where: [uuidIs(row)], columns: Object.keys(sets), until: "==", rows: [table.encodeRow(sets)], timeout: 0 };
}

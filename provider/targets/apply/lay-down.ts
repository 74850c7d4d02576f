import { type Operation, OperationError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../database";
import { otherApply, PendingApplyError } from "../errors";
import { rowsOf, select } from "../select";
import { type ApplyFacts, markPending, noApplyGuard, readRecord, rootTable } from "./record";

/**
 * Lays down a pending apply without inverses. A database without its root row gets it, as ovn-nbctl(8) does. Throws a PendingApplyError if
 * another apply is pending.
 */
export async function layDown(client: OvsdbClient, database: DatabaseName, id: string, facts: ApplyFacts): Promise<void> {
  const [rows] = await client.transact([select(rootTable(database), [], ["_uuid"])]);
  const root: Operation[] = rowsOf(rows).length > 0 ? [] : [{ op: "insert", table: rootTable(database), row: {} }];
  const comment: Operation = { op: "comment", comment: `pulumi-ovn: apply ${id}` };
  await unlessPending(client, database, 0, () => client.transact([noApplyGuard(database), ...root, comment, markPending(database, id, facts)]));
}

/**
 * Runs a transaction that contains `noApplyGuard`. Throws a PendingApplyError if that operation fails.
 * @param guard its index
 */
export async function unlessPending<T>(client: OvsdbClient, database: DatabaseName, guard: number, transact: () => Promise<T>): Promise<T> {
  try {
    return await transact();
  } catch (error) {
    if (error instanceof OperationError && error.operationIndex === guard) throw await pendingError(client, database, error);
    throw error;
  }
}

async function pendingError(client: OvsdbClient, database: DatabaseName, cause: OperationError): Promise<PendingApplyError> {
  const record = await readRecord(client, database);
  return record ? otherApply(record, { cause }) : new PendingApplyError("an apply was pending when the rows were written; run again", { cause });
}

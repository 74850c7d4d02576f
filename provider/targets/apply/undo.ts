import { setTimeout } from "node:timers/promises";
import { type Operation, OperationError, OutcomeUnknownError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../database";
import { PendingApplyError } from "../errors";
import type { StoredPart } from "./part";
import {
  applyGuard,
  type ApplyRecord,
  clear,
  endWrites,
  markPartsUndone,
  markRowsUndone,
  markUndone,
  openGuard,
  type Phase,
  readRecord,
  type StoredInverse,
  transactIf,
} from "./record";

/** Result of an undo in one database. */
export interface Undone {
  /** Rows, flows and files that stay, because another writer changed them since. */
  readonly kept: readonly string[];
}

/** Result of restoring the parts of a host. */
export interface RestoredParts {
  readonly kept: readonly string[];
  /** False: bridges, ports or the switch are missing. */
  readonly isComplete: boolean;
}

/** Restores parts on their host. @param isLast gives up what can't be restored, and names it */
export type RestoreParts = (parts: readonly StoredPart[], isLast: boolean) => Promise<RestoredParts>;

/** Attempts and milliseconds between them, for bridges and ports that ovs-vswitchd has to make first. */
const PART_ATTEMPTS = 10;
const PART_PAUSE = 500;

/**
 * Undoes a pending apply: rows in one transaction, flows and files before it as far as possible, and the rest after it. What another writer
 * changed since stays. Undefined if the apply is not pending in this database: it was confirmed or undone.
 * @param restore needed if the record has parts
 */
export async function undoApply(client: OvsdbClient, database: DatabaseName, id: string, restore?: RestoreParts): Promise<Undone | undefined> {
  // Before the inverses are read: what is written later would not be undone.
  if (await transactIf(client, applyGuard(database, id, "pending"), [endWrites(database)])) return undefined;
  const record = await readRecord(client, database);
  if (record?.id !== id || record.phase !== "pending") return undefined;
  const { parts, kept: former } = record;
  if (parts.length === 0) return undoRows(client, database, record, markUndone);
  if (!restore) throw new Error(`the host of this database is not in the file of targets, and apply ${id} changed flows or files of it`);
  await restore(parts, false);
  const rows = await undoRows(client, database, record, markRowsUndone);
  if (!rows) return undefined;
  const { kept } = await restored(restore, parts);
  const refusal = await transactIf(client, applyGuard(database, id, "pending"), markPartsUndone(database, parts, kept));
  return refusal ? undefined : { kept: [...former, ...rows.kept, ...kept] };
}

async function restored(restore: RestoreParts, parts: readonly StoredPart[]): Promise<RestoredParts> {
  for (let attempt = 1; ; attempt++) {
    const result = await restore(parts, attempt === PART_ATTEMPTS);
    if (result.isComplete) return result;
    await setTimeout(PART_PAUSE);
  }
}

type Mark = typeof markUndone;

/** Errors of a commit that rows cause. Others, such as a full disk, do not concern rows: the same undo succeeds later. */
const CONFLICTS: ReadonlySet<string> = new Set(["constraint violation", "referential integrity violation"]);

async function undoRows(client: OvsdbClient, database: DatabaseName, record: ApplyRecord, mark: Mark): Promise<Undone | undefined> {
  const skipped = new Set<string>();
  for (;;) {
    const inverses = executable(record, skipped);
    const kept = record.undo.filter(({ key }) => !inverses.some((each) => each.key === key)).map(({ label }) => label);
    const { operations, owners } = undoOperations(database, record, inverses, mark, kept);
    try {
      await client.transact(operations);
      return { kept };
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        const now = await readRecord(client, database);
        if (now?.id !== record.id || now.phase !== "pending") return undefined;
        if (now.undo.length === 0) return { kept: now.kept };
        continue;
      }
      if (!(error instanceof OperationError)) throw error;
      if (error.operationIndex === 0) return undefined;
      if (error.operationIndex === "commit" && !CONFLICTS.has(error.error)) throw error;
      const owner = typeof error.operationIndex === "number" ? owners[error.operationIndex] : undefined;
      const lost = owner === undefined ? nextTransaction(inverses) : [owner];
      if (lost.length === 0) throw error;
      for (const key of lost) skipped.add(key);
    }
  }
}

/** Last changes first. An inverse is left out with those that it needs, which may be in any order. */
function executable({ undo }: Pick<ApplyRecord, "undo">, skipped: ReadonlySet<string>): StoredInverse[] {
  let left = undo.toReversed().filter(({ key }) => !skipped.has(key));
  for (;;) {
    const keys = new Set(left.map(({ key }) => key));
    const recorded = new Set(undo.map(({ key }) => key));
    const next = left.filter(({ needs }) => needs.every((key) => keys.has(key) || !recorded.has(key)));
    if (next.length === left.length) return left;
    left = next;
  }
}

interface UndoOperations {
  readonly operations: readonly Operation[];
  /** Key of the inverse that each operation belongs to. */
  readonly owners: readonly (string | undefined)[];
}

/** Guards stand before their own inverse: they hold when later changes are undone. */
function undoOperations(database: DatabaseName, record: ApplyRecord, inverses: readonly StoredInverse[], mark: Mark, kept: readonly string[]): UndoOperations {
  const head: Operation[] = [applyGuard(database, record.id, "pending"), { op: "comment", comment: `pulumi-ovn: undo of apply ${record.id}` }];
  const body = inverses.flatMap(({ key, guards, operations }) => [...guards, ...operations].map((operation) => [operation, key] as const));
  const tail = mark(
    database,
    record.undo.map(({ key }) => key),
    kept,
  );
  return {
    operations: [...head, ...body.map(([operation]) => operation), ...tail],
    owners: [...head.map(() => undefined), ...body.map(([, key]) => key)],
  };
}

/** The commit failed, which names no row: the last transaction that is left is given up as a whole. */
function nextTransaction(inverses: readonly StoredInverse[]): string[] {
  const first = inverses[0]?.key.replace(/\/\d+$/, "/");
  return first === undefined ? [] : inverses.map(({ key }) => key).filter((key) => key.startsWith(first));
}

/** Keeps the changes. Throws a PendingApplyError if the apply is not pending any more. */
export const confirmApply = (client: OvsdbClient, database: DatabaseName, id: string): Promise<void> => finish(client, database, id, "pending");

/** Forgets an undone apply, when the state is put back. */
export const forgetApply = (client: OvsdbClient, database: DatabaseName, id: string): Promise<void> => finish(client, database, id, "undone");

async function finish(client: OvsdbClient, database: DatabaseName, id: string, phase: Phase): Promise<void> {
  const record = await readRecord(client, database);
  if (record?.id !== id) return;
  const comment: Operation = { op: "comment", comment: `pulumi-ovn: ${phase === "pending" ? "confirmed" : "forgot"} apply ${id}` };
  const condition = phase === "pending" ? openGuard(database, id) : applyGuard(database, id, phase);
  const refusal = await transactIf(client, condition, [comment, clear(database, record)]);
  if (!refusal) return;
  const state = record.phase === phase ? "being undone" : record.phase;
  throw new PendingApplyError(`apply ${id} is ${state}, not ${phase}`, { cause: refusal });
}

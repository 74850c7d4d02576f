import { setTimeout as sleep } from "node:timers/promises";
import { AbortError, ConflictError, OperationError } from "../errors";
import type { DatabaseSchema } from "../schema/schema";
import { Backoff } from "../session/backoff";
import type { Operation, OperationResult, Select, SelectResult } from "../transact/operations";
import type { InsertedRow } from "./inserted";
import { type Matched, Transaction } from "./transaction";
import type { DatabaseTypes, Uuid } from "./types";

export interface TransactionOptions {
  /** Milliseconds from the call to the commit, over all attempts and their reads; default: the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** As for every call (`CallOptions.signal`); also ends the wait for the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /** How often it is tried at most, when what was verified has changed. Default 12. */
  readonly attempts?: number | undefined;
}

export interface Committed<T> {
  /** Result of the function at the committed attempt. */
  readonly value: T;
  /** 1: nothing that was verified had changed. */
  readonly attempts: number;
  /** The UUID of a row that the transaction inserted. Throws a TypeError for one of another transaction or attempt. */
  uuid<N extends string>(row: InsertedRow<N>): Uuid<N>;
  /** How many rows an update, mutate or delete matched, changed or not. Throws a TypeError for one of another transaction. */
  count(matched: Matched): number;
}

/** Functions of a client that the loop uses. */
export interface Committing {
  schema(limits: Limits): Promise<DatabaseSchema>;
  transact(operations: readonly Operation[], limits: Limits): Promise<readonly OperationResult[]>;
}

interface Limits {
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 12;
/** Milliseconds between attempts: others need a moment to finish what is in conflict with ours. */
const PAUSES = { initialDelay: 2, maxDelay: 250, factor: 2, jitter: 1 };

/** Puts a transaction together and commits it, again with new reads for as long as what it verifies is changed by others. */
export async function commit<DB extends DatabaseTypes, T>(
  client: Committing,
  build: (transaction: Transaction<DB>) => T | Promise<T>,
  { timeout, signal, attempts = ATTEMPTS }: TransactionOptions & { readonly timeout: number },
): Promise<Committed<T>> {
  const end = performance.now() + timeout;
  const limits = (): Limits => ({ timeout: Math.max(end - performance.now(), 0), signal });
  const backoff = new Backoff(PAUSES);
  for (let attempt = 1; ; attempt++) {
    const read = async (operation: Select) => (await client.transact([operation], limits()))[0] as SelectResult;
    const transaction = new Transaction<DB>(await client.schema(limits()), read);
    const value = await build(transaction);
    const operations = transaction.operations();
    try {
      const results = operations.length === 0 ? [] : await client.transact(operations, limits());
      return committed(transaction, results, value, attempt);
    } catch (error) {
      if (!(error instanceof OperationError) || error.error !== "timed out" || !transaction.isGuard(error.operationIndex)) throw error;
      if (attempt >= attempts || performance.now() >= end) throw new ConflictError(attempt, error);
    }
    await pause(backoff.next(), signal);
  }
}

function committed<DB extends DatabaseTypes, T>(transaction: Transaction<DB>, results: readonly OperationResult[], value: T, attempts: number): Committed<T> {
  const resultOf = (handle: InsertedRow | Matched): OperationResult => {
    const result = transaction.resultOf(handle, results);
    if (result === undefined) throw new TypeError(`this operation on ${handle.table} is not of the transaction that was committed`);
    return result;
  };
  return {
    value,
    attempts,
    uuid: (row) => resultOf(row).uuid![1],
    count: (matched) => resultOf(matched).count!,
  };
}

async function pause(delay: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delay, undefined, { signal });
  } catch {
    throw new AbortError("the transaction was aborted", { cause: signal?.reason });
  }
}

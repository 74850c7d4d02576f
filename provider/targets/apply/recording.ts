import { setTimeout } from "node:timers/promises";
import { type CallOptions, type Operation, OperationError, type OperationResult, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../database";
import { noLongerPending } from "../errors";
import { imagesOf, shifted } from "./images";
import { beforeGuards, inverseOf } from "./inverse";
import { unlessPending } from "./lay-down";
import { append, noApplyGuard, openGuard, type StoredInverse, undoKey } from "./record";

/** Attempts while others write the same rows. */
const ATTEMPTS = 12;

/** Milliseconds before another attempt, at most. */
const PAUSE = 20;

type Transact = (operations: readonly Operation[], options?: CallOptions) => Promise<readonly OperationResult[]>;

const READS: ReadonlySet<string> = new Set(["select", "wait", "comment", "abort"]);

/** Columns whose increase asks northd or ovs-vswitchd to catch up. Changes nothing that an apply undoes. */
const COUNTERS: ReadonlySet<string> = new Set(["nb_cfg", "next_cfg"]);

function isWrite(operation: Operation): boolean {
  if (READS.has(operation.op)) return false;
  return operation.op !== "mutate" || operation.mutations.some(([column]) => !COUNTERS.has(column));
}

/**
 * The same client, whose writes fail while an apply is pending. The test is one more operation of the same transaction.
 * @param id the own apply, whose writes are recorded with their inverses in the same transaction. Default: none
 */
export function guardedByApply(client: OvsdbClient, database: DatabaseName, id: string | undefined): OvsdbClient {
  const write: Transact = id === undefined ? guarding(client, database) : recording(client, database, id);
  const transact: Transact = (operations, options) =>
    operations.some(isWrite) ? write(operations, options) : client.transact(operations as readonly Operation[], options);
  return Object.create(client, { transact: { value: transact, writable: true, configurable: true } }) as OvsdbClient;
}

function guarding(client: OvsdbClient, database: DatabaseName): Transact {
  const guard = noApplyGuard(database);
  return async (operations, options) =>
    (await unlessPending(client, database, operations.length, () => client.transact([...operations, guard], options))).slice(0, -1);
}

/** Each transaction is tried in a dry run first, which gives the rows before and after it. */
function recording(client: OvsdbClient, database: DatabaseName, id: string): Transact {
  let transactions = 0;
  const own = openGuard(database, id);
  return async (operations, options) => {
    const schema = await client.getSchema(options);
    for (let attempt = 1; ; attempt++) {
      const images = await imagesOf(client, schema, operations, options);
      const inverses = inverseOf(schema, images);
      const guards = [own, ...beforeGuards(schema, images)];
      transactions++;
      // Undone last to first: references precede their row.
      const keys = new Map(inverses.map(({ uuid }, row) => [uuid, undoKey(transactions, row)]));
      const stored = inverses.map(
        ({ uuid, label, needs, guards: conditions, operations: undo }): StoredInverse => ({
          key: keys.get(uuid)!,
          label,
          needs: needs.flatMap((each) => (keys.has(each) && each !== uuid ? [keys.get(each)!] : [])),
          guards: conditions,
          operations: undo,
        }),
      );
      try {
        const results = await client.transact([...guards, ...operations, ...(stored.length > 0 ? [append(database, stored)] : [])], options);
        return results.slice(guards.length, guards.length + operations.length);
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        const { operationIndex: at } = error;
        if (at === 0) throw noLongerPending(id, error);
        if (typeof at !== "number" || at >= guards.length) throw shifted(error, -guards.length);
        if (attempt === ATTEMPTS) throw error;
        await setTimeout(Math.random() * PAUSE * attempt);
      }
    }
  };
}

import { type ApplyRecord, type Connections, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import type { Engine } from "../upgrade/engine";
import { configuredDatabases, type Database, openDatabase } from "./databases";
import { KeptState } from "./kept-state";
import { putBack } from "./undo";

/** A database with a record of an apply. */
export interface Found {
  readonly database: Database;
  readonly record: ApplyRecord;
}

/** Applies in the databases of the file of targets. Databases that can't be reached are named. */
export async function findApplies(targets: Connections): Promise<{ readonly found: readonly Found[]; readonly lost: readonly string[] }> {
  const refs = configuredDatabases(targets);
  const settled = await Promise.allSettled(
    refs.map(async (ref) => {
      const database = await openDatabase(targets, ref);
      return { database, record: await readRecord(database.client, database.name) };
    }),
  );
  return {
    found: settled.flatMap((each) => (each.status === "fulfilled" && each.value.record ? [{ database: each.value.database, record: each.value.record }] : [])),
    lost: settled.flatMap((each, index) =>
      each.status === "rejected" ? [`${refs[index]!.name} of zone "${refs[index]!.zone}": ${(each.reason as Error).message}`] : [],
    ),
  };
}

export const isOverdue = ({ phase, deadline }: ApplyRecord): boolean => phase === "pending" && Date.parse(deadline) <= Date.now();

/**
 * Completes applies of this stack whose command has died: undoes those whose deadline has passed, and puts the state back if all
 * databases of an apply are undone. Returns whether the state has changed.
 */
export async function recover(targets: Connections, { engine, folder, stack, say }: Recovery): Promise<boolean> {
  const { found } = await findApplies(targets);
  const own = found.filter(({ record }) => record.stack === stack);
  let changed = false;
  for (const [id, applies] of Map.groupBy(own, ({ record }) => record.id)) {
    for (const { database, record } of applies) {
      if (!isOverdue(record)) continue;
      say(`apply ${id} was not confirmed in time: undoing it in ${database.title}`);
      await undoApply(database.client, database.name, id);
    }
    if (applies.some(({ record }) => record.phase === "pending" && !isOverdue(record))) continue;
    say(`apply ${id} was undone in ${applies.map(({ database }) => database.title).join(", ")}`);
    await putBack(
      applies.map(({ database }) => database),
      new KeptState(folder, id),
      engine,
      say,
    );
    changed = true;
  }
  return changed;
}

interface Recovery {
  readonly engine: Engine;
  readonly folder: string;
  /** `PROJECT/STACK` */
  readonly stack: string;
  readonly say: (text: string) => void;
}

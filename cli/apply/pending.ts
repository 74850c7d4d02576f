import { type ApplyRecord, type Connections, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
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
  const { found, lost } = await findApplies(targets);
  if (lost.length === 0) forgetUnknown(new Set(found.map(({ record }) => record.id)), { engine, folder });
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
    const kept = new KeptState(folder, id);
    const isPartial = applies.length < kept.targets;
    if (isPartial && lost.length > 0) throw new CommandError("OVN_APPLY_UNKNOWN", `apply ${id} may be pending elsewhere; not reached: ${lost.join("; ")}`);
    await putBack(
      applies.map(({ database }) => database),
      kept,
      engine,
      say,
    );
    if (isPartial) say(`! its other databases confirmed it before the command ended: run "pulumi up --refresh"`);
    changed = true;
  }
  return changed;
}

/** Deletes states of applies that died before their first change, or after their confirmation. */
function forgetUnknown(ids: ReadonlySet<string>, { engine, folder }: Pick<Recovery, "engine" | "folder">): void {
  for (const kept of KeptState.abandoned(folder, engine.name)) if (!ids.has(kept.id)) kept.delete();
}

interface Recovery {
  readonly engine: Engine;
  readonly folder: string;
  /** `PROJECT/STACK` */
  readonly stack: string;
  readonly say: (text: string) => void;
}

import { setTimeout } from "node:timers/promises";
import { forgetApply, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import type { Engine } from "../upgrade/engine";
import type { Database } from "./databases";
import type { KeptState } from "./kept-state";

type Say = (text: string) => void;

/** Milliseconds between two attempts to reach a database. */
const PAUSE = 1000;

/**
 * Undoes an apply in its databases, last one first, and puts the state back. A database that can't be reached is tried again until the
 * time: its own timer undoes it. Returns databases that could not be reached, with the reason.
 * @param until milliseconds since 1970
 */
export async function undoEverywhere(databases: readonly Database[], kept: KeptState, engine: Engine, until: number, say: Say): Promise<string[]> {
  let left = databases.toReversed().map((database) => ({ database, problem: "" }));
  for (;;) {
    const failed: typeof left = [];
    for (const { database } of left) {
      const problem = await undone(database, kept.id, say);
      if (problem !== undefined) failed.push({ database, problem });
    }
    left = failed;
    if (left.length === 0) break;
    if (Date.now() >= until) return left.map(({ database, problem }) => `${database.title}: ${problem}`);
    await setTimeout(PAUSE);
  }
  await putBack(databases, kept, engine, say);
  return [];
}

/** For databases in which the apply is undone. */
export async function putBack(databases: readonly Database[], kept: KeptState, engine: Engine, say: Say): Promise<void> {
  await kept.putBack(engine);
  say(`the state of stack ${engine.name} is as before`);
  await forget(databases, kept);
}

export async function forget(databases: readonly Database[], kept: KeptState): Promise<void> {
  await Promise.all(databases.map(({ client, name }) => forgetApply(client, name, kept.id)));
  kept.delete();
}

/** Returns why the database could not be reached. Undefined if it is undone. */
async function undone(database: Database, id: string, say: Say): Promise<string | undefined> {
  try {
    await undoApply(database.client, database.name, id);
    const { kept = [] } = (await readRecord(database.client, database.name)) ?? {};
    say(`undone: ${database.title}`);
    for (const row of kept) say(`  ! ${row} was changed by another writer since, and stays`);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

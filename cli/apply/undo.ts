import { setTimeout } from "node:timers/promises";
import type { Engine } from "../stack/engine";
import type { KeptState } from "./kept-state";
import type { ApplyTarget } from "./target";

type Say = (text: string) => void;

/** Milliseconds between two attempts to reach a target. */
const PAUSE = 1000;

/**
 * Undoes an apply in its targets, last one first. A target that can't be reached is tried again until the time: its own timer undoes it.
 * Returns targets that could not be reached, with the reason.
 * @param until milliseconds since 1970
 */
export async function undoEverywhere(targets: readonly ApplyTarget[], id: string, until: number, say: Say): Promise<string[]> {
  let left = targets.toReversed().map((target) => ({ target, problem: "" }));
  for (;;) {
    const failed: typeof left = [];
    for (const { target } of left) {
      const problem = await undone(target, id, say);
      if (problem !== undefined) failed.push({ target, problem });
    }
    left = failed;
    if (left.length === 0) return [];
    if (Date.now() >= until) return left.map(({ target, problem }) => `${target.title}: ${problem}`);
    await setTimeout(PAUSE);
  }
}

/** For targets in which the apply is undone. */
export async function putBack(targets: readonly ApplyTarget[], kept: KeptState, engine: Engine, say: Say): Promise<void> {
  await kept.putBack(engine);
  say(`the state of stack ${engine.name} is as before`);
  await forget(targets, kept);
}

export async function forget(targets: readonly ApplyTarget[], kept: KeptState): Promise<void> {
  await Promise.all(targets.map((target) => target.forget(kept.id)));
  kept.delete();
}

/** Names what the undo has left in a target because another writer changed it. */
export async function nameKept(target: ApplyTarget, say: Say): Promise<void> {
  const { kept = [] } = (await target.read()) ?? {};
  for (const label of kept) say(`  ! ${label} was changed by another writer since, and stays`);
}

/** Returns why the target could not be reached. Undefined if it is undone. */
async function undone(target: ApplyTarget, id: string, say: Say): Promise<string | undefined> {
  try {
    await target.undo(id);
    say(`undone: ${target.title}`);
    await nameKept(target, say);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

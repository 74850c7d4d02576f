import { setTimeout as sleep } from "node:timers/promises";
import type { Connections } from "./connections";

/** Milliseconds after which a target counts as unreachable for a preview. */
const PATIENCE = 2_000;

/** Milliseconds for which it is not asked again: every resource of a large stack would wait as long. */
const SPARED = 10_000;

const unreachable = new WeakMap<Connections, Map<string, number>>();

/** Answer of a target; undefined if it can't be reached now. */
export function answerIfReachable<T>(ask: () => Promise<T>, patience = PATIENCE): Promise<T | undefined> {
  return Promise.race([ask(), sleep(patience, undefined, { ref: false })]).catch(() => undefined);
}

/** The same, but for a target that could not be reached a moment ago, which is not asked again. */
export async function spared<T>(targets: Connections, target: string, ask: () => Promise<T>, patience?: number): Promise<T | undefined> {
  const until = unreachable.get(targets) ?? new Map<string, number>();
  unreachable.set(targets, until);
  if ((until.get(target) ?? 0) > performance.now()) return undefined;
  const answer = await answerIfReachable(ask, patience);
  if (answer === undefined) until.set(target, performance.now() + SPARED);
  return answer;
}

import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two looks. */
const PAUSE = 2;
/** Looks, and not seconds: on a busy machine there are fewer of them in the same time. Together at least 50 s. */
const LOOKS = 25_000;

/** Resolves when `check` succeeds; on timeout throws an error with its text. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    if (await check()) return;
    await sleep(PAUSE);
  }
  throw new Error(`never: ${check}`);
}

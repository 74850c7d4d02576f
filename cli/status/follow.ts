import { setTimeout as sleep } from "node:timers/promises";

/** One look at everything. */
export interface Look {
  readonly problems: number;
  /** What is printed, whole. */
  readonly text: string;
}

export interface FollowOptions {
  /** Milliseconds between two looks. */
  readonly pause: number;
  /** Ends it, also in the middle of a pause. */
  readonly signal: AbortSignal;
  /** What is printed before each status. */
  readonly head: () => string;
  readonly write: (text: string) => void;
  /** A later look that fails, such as at a state that is just being written, is told and tried again. */
  readonly failed: (error: Error) => void;
}

/** Looks again and again, and prints what has changed. Returns the last look, of which a failure is a problem more. */
export async function follow(look: () => Promise<Look>, { pause, signal, head, write, failed }: FollowOptions): Promise<Look> {
  let last = await look();
  write(head() + last.text);
  while (!signal.aborted) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    try {
      const now = await look();
      if (now.text !== last.text) write(head() + now.text);
      last = now;
    } catch (error) {
      last = { ...last, problems: last.problems + 1 };
      failed(error as Error);
    }
  }
  return last;
}

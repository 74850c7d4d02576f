import { setTimeout as sleep } from "node:timers/promises";

/** One look at everything. */
export interface Look {
  readonly problems: number;
  /** The complete printed text. */
  readonly text: string;
}

export interface FollowOptions {
  /** Milliseconds between two looks. */
  readonly pause: number;
  /** Ends it, also in the middle of a pause. */
  readonly signal: AbortSignal;
  /** Text that is printed before each status. */
  readonly head: () => string;
  readonly write: (text: string) => void;
  /** Called when a later look fails, for example while the state is being written. The look is then repeated. */
  readonly failed: (error: Error) => void;
}

/** Looks repeatedly and prints changes. Returns the last look; a failure of this look is one more problem. */
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

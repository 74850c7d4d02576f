import { endingAt, isTimeOver, pause } from "./pause";

/** Returns what is still missing; undefined if nothing is. */
export type Look = (signal: AbortSignal) => Promise<Error | undefined>;

export interface Patience {
  /** Milliseconds between two looks: doubled each time, up to the longest. */
  readonly pace: { readonly first: number; readonly longest: number };
  /** When the wait ends, on the clock of `performance.now()`. */
  readonly until: number;
  /** When the last request ends. Default: with the wait. */
  readonly answersUntil?: number;
  /** Error if no look was answered in time. Default: the error that ended it. */
  readonly unanswered?: Error;
  /** Whether what a look throws may have passed at the next one. Default: never. */
  readonly passes?: (error: Error) => boolean;
}

/** One look begins so long before the end, so that it can be answered; after that as many as are answered sooner. */
const LAST_LOOKS = 1_000;

/** Looks at a cluster until nothing is missing; past the time what was missing last is thrown, also that the cluster could not be read. */
export async function repeat(look: Look, { pace, until, answersUntil = until, unanswered, passes }: Patience, signal: AbortSignal | undefined): Promise<void> {
  let missing = unanswered;
  for (let rest = pace.first; missing === undefined || performance.now() < answersUntil; rest = Math.min(2 * rest, pace.longest)) {
    const bounded = endingAt(answersUntil, signal);
    const found = await look(bounded).catch((error: Error) => {
      // There was no time for another look: what was missing before still is.
      if (missing !== undefined && isTimeOver(bounded)) return missing;
      if (passes?.(error)) return error;
      throw error;
    });
    if (found === undefined) return;
    missing = found;
    const left = until - performance.now();
    if (left <= 0 || isTimeOver(bounded)) break;
    await pause(left > LAST_LOOKS ? Math.min(rest, left - LAST_LOOKS) : Math.min(pace.first, left), signal);
  }
  throw missing;
}

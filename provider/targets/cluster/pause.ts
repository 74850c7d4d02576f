import { setTimeout as sleep } from "node:timers/promises";
import { ObjectError } from "./errors";

/** Waits between two looks at a cluster. Throws OVN_ABORTED when the operation is cancelled meanwhile. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal && { signal });
  } catch {
    throw new ObjectError("OVN_ABORTED", "the operation was cancelled");
  }
}

/** No timer waits longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Fires after milliseconds, which may be a fraction; Node accepts only integers. */
export function after(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.max(Math.ceil(milliseconds), 0), LONGEST_TIMER));
}

/**
 * Ends a request with the operation that it belongs to, or when the time of a wait is over.
 *
 * @param time on the clock of `performance.now()`
 */
export function endingAt(time: number, signal: AbortSignal | undefined): AbortSignal {
  const over = after(time - performance.now());
  return signal ? AbortSignal.any([signal, over]) : over;
}

/** Whether a timeout, not a cancellation, has ended a request. */
export function isTimeOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && (signal.reason as { name?: unknown } | undefined)?.name === "TimeoutError";
}

/** Settles like the promise, or rejects at the signal if work such as a credential program ignores it. The signal must not be aborted yet. */
export function within<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

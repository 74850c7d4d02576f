import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The exit code by which shells tell that a signal ended a program. */
export function codeOf(signal: (typeof SIGNALS)[number]): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends the process at a signal, between two steps of JavaScript: files that are written together, without a wait in between, are there all or
 * none. Without a handler the system would end it at once.
 */
export function endAtSignal(): Disposable {
  const end = (signal: (typeof SIGNALS)[number]) => process.exit(codeOf(signal));
  for (const signal of SIGNALS) process.on(signal, end);
  return {
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, end);
    },
  };
}

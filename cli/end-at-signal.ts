import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { killGroup } from "@pulumi-ovn/ovsdb-client";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The exit code by which shells tell that a signal ended a program. */
export function codeOf(signal: (typeof SIGNALS)[number]): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends the process at a signal, between two steps of JavaScript: files that are written together, without a wait in between, are there all or
 * none. Without a handler the system would end it at once.
 */
export function endAtSignal(exit: (code: number) => void = (code) => process.exit(code)): Disposable {
  const end = (signal: (typeof SIGNALS)[number]) => exit(codeOf(signal));
  for (const signal of SIGNALS) process.on(signal, end);
  return {
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, end);
    },
  };
}

/** Milliseconds that an interrupted program has to end what it has started. */
const PATIENCE = 10_000;

/**
 * Ends the process at a signal when a program that it runs has ended, which is told as by Ctrl-C: what the program has started may be in groups of
 * its own, and only the program ends it. One that does not end within 10 seconds, or before the next signal, is killed.
 * @param start starts it, with `detached`, so that a terminal's Ctrl-C does not reach it as well
 */
export function endAtSignalAfter<Program extends ChildProcess>(start: () => Program): Disposable & { readonly program: Program } {
  let asked = false;
  // From before there is a program: a signal in between would leave it behind.
  const handled = endAtSignal((code) => {
    const kill = () => {
      killGroup(program, "SIGKILL");
      process.exit(code);
    };
    if (asked) return kill();
    asked = true;
    // Before whoever waits for the program goes on without it.
    program.prependOnceListener("exit", () => process.exit(code));
    program.kill("SIGINT");
    setTimeout(kill, PATIENCE).unref();
  });
  const program = start();
  return { program, [Symbol.dispose]: () => handled[Symbol.dispose]() };
}

import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { killGroup } from "@pulumi-ovn/ovsdb-client";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The exit code by which shells tell that a signal ended a program. */
export function codeOf(signal: (typeof SIGNALS)[number]): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends the process at a signal, between two steps of JavaScript. Files that are written together, without a wait in between, exist either all
 * or not at all. Without a handler the system would end the process immediately.
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
 * Ends the process at a signal, after a program that it runs. The program receives SIGINT, as from Ctrl-C: its child processes may have their own
 * process groups, and only the program ends them. A program that does not end within 10 seconds, or before the next signal, is killed.
 * @param start starts the program, with `detached`, so that a terminal's Ctrl-C does not also reach the program
 */
export function endAtSignalAfter<Program extends ChildProcess>(start: () => Program): Disposable & { readonly program: Program } {
  let isAsked = false;
  // Installed before the program starts: a signal in between would leave the program running.
  const handled = endAtSignal((code) => {
    const kill = () => {
      killGroup(program, "SIGKILL");
      process.exit(code);
    };
    if (isAsked) return kill();
    isAsked = true;
    // Runs before other listeners, which would continue without the program.
    program.prependOnceListener("exit", () => process.exit(code));
    program.kill("SIGINT");
    setTimeout(kill, PATIENCE).unref();
  });
  const program = start();
  return { program, [Symbol.dispose]: () => handled[Symbol.dispose]() };
}

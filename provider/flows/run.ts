import { type ChildProcess, spawn } from "node:child_process";
import { endsWithProcess, killGroup } from "@pulumi-ovn/ovsdb-client";

/** What a program left behind. */
export interface Ended {
  /** Its exit status, or the signal that ended it. */
  readonly status: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** The program could not be started: `code` is that of the system, ENOENT for instance. */
export class StartError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** The timeout expired. */
export class TimedOut extends Error {}

/** How long a program may take to end when it is told to. */
const KILL_AFTER = 500;

/** How long what has ended may leave its output open: a connection that ssh keeps for later runs does. */
const CLOSE_AFTER = 500;

/**
 * Runs a program to its end, without a shell. It is a process group of its own: when the timeout expires, or the signal
 * is given, or this process ends, all of it ends, also what ssh or a script has started. What is left of it when the program has ended goes too.
 *
 * Throws StartError, TimedOut, or the reason of the signal.
 */
export function runGroup([file = "", ...args]: readonly string[], { input, timeout, signal }: RunOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    // Where no more files can be opened it comes without streams.
    const child: ChildProcess = spawn(file, args, { stdio: "pipe", detached: true, windowsHide: true });
    endsWithProcess(child);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let killer: NodeJS.Timeout | undefined;
    const settle = (settled: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      settled();
    };
    const stop = (reason: Error) => {
      killGroup(child, "SIGTERM");
      killer = setTimeout(() => killGroup(child, "SIGKILL"), KILL_AFTER).unref();
      settle(() => reject(reason));
    };
    const timer = setTimeout(() => stop(new TimedOut()), timeout);
    const abort = () => stop(signal!.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
    // The exit status says more than EPIPE.
    child.stdin?.on("error", () => undefined);
    child.on("error", ({ code = "" }: NodeJS.ErrnoException) => settle(() => reject(new StartError(code))));
    const ended = (code: number | null, name: NodeJS.Signals | null) =>
      settle(() => resolve({ status: code ?? name!, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }));
    child.once("exit", (code, name) => {
      clearTimeout(killer);
      killGroup(child, "SIGKILL");
      setTimeout(() => ended(code, name), CLOSE_AFTER).unref();
    });
    child.once("close", ended);
    child.stdin?.end(input);
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { SandboxError } from "./errors";

/** A program and its arguments, ready for `child_process.spawn`. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Result of a finished program. `code` is its exit status, or 128 + N after signal N, as in a shell. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Text for the program's standard input; none by default. */
  readonly input?: string | undefined;
  /** Milliseconds after which the program is killed and the call fails; no limit by default. */
  readonly timeout?: number | undefined;
  /** Called with each piece of output. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

const signals: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 };

/** The exit status a shell would report. */
export const exitCode = (code: number | null, signal: NodeJS.Signals | null): number => code ?? 128 + (signals[signal ?? ""] ?? 0);

/** Runs a program to its end. Fails only when it cannot be started or runs too long; its exit status is in the result. */
export const run = (command: Command, options: RunOptions = {}): Promise<Result> =>
  new Promise((resolve, reject) => {
    const child = spawn(command.file, command.args, { cwd: options.cwd, env: options.env ?? process.env, stdio: ["pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let late = false;
    const timer =
      options.timeout === undefined
        ? undefined
        : setTimeout(() => {
            late = true;
            signalBelow(child, "SIGKILL");
            child.kill("SIGKILL");
          }, options.timeout);
    child.stdout.on("data", (data: Buffer) => {
      out.push(data);
      options.onOutput?.(data.toString());
    });
    child.stderr.on("data", (data: Buffer) => {
      err.push(data);
      options.onOutput?.(data.toString());
    });
    child.stdin.on("error", () => undefined); // a program that reads no input closes the pipe
    child.stdin.end(options.input ?? "");
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (late) reject(new SandboxError("timeout", `${[command.file, ...command.args].join(" ")} did not end within ${options.timeout} ms`));
      else resolve({ code: exitCode(code, signal), stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });

/** Runs a program that must succeed; returns its standard output. */
export const runOrFail = async (command: Command, options: RunOptions = {}): Promise<string> => {
  const { code, stdout, stderr } = await run(command, options);
  if (code === 0) return stdout;
  throw new SandboxError(
    "command-failed",
    `${[command.file, ...command.args].join(" ")} ended with status ${code}`,
    (stderr || stdout).trim().slice(-2000) || undefined,
  );
};

/** Runs a program with this terminal; returns its exit status. */
export const runInTerminal = (file: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: "inherit" });
    // The terminal sends an interrupt to both; this process stays until the program has ended in order.
    const ignore = (): void => undefined;
    process.on("SIGINT", ignore);
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on("SIGTERM", pass);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("SIGINT", ignore).off("SIGTERM", pass);
      resolve(exitCode(code, signal));
    });
  });

/** The direct children of a process. */
export const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return []; // already ended
  }
};

/**
 * Sends a signal to the program that nsenter has started. nsenter waits for it, passes no signals on, and ends as it ends; if the
 * program is not started yet, nsenter itself gets the signal.
 */
export const signalBelow = (child: ChildProcess, signal: NodeJS.Signals): void => {
  const below = child.pid === undefined ? [] : childrenOf(child.pid);
  for (const pid of below) signalQuietly(pid, signal);
  if (below.length === 0) child.kill(signal);
};

/** Sends a signal to a process that may have ended. */
export const signalQuietly = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
};

/** How many times as long as usual the sandbox waits for what it starts, on a machine that is as much slower. */
const patience = (): number => Number(process.env["PULUMI_OVN_PATIENCE"]) || 1;

/**
 * Polls until `ready` returns a value, because sockets and files send no notification. Fails after `usual` milliseconds times
 * `PULUMI_OVN_PATIENCE`. Pauses for as long as the last check took, so that expensive checks do not slow down what they wait for.
 * @param pause least milliseconds between two checks, without that variable
 */
export const until = async <T>(what: string, usual: number, ready: () => T | undefined | false | Promise<T | undefined | false>, pause = 10): Promise<T> => {
  const timeout = usual * patience();
  const deadline = performance.now() + timeout;
  for (;;) {
    const start = performance.now();
    const value = await ready();
    if (value !== undefined && value !== false) return value;
    const now = performance.now();
    if (now > deadline) throw new SandboxError("timeout", `${what}: not within ${timeout} ms`);
    await new Promise((resolve) => setTimeout(resolve, Math.max(pause, now - start) * patience()));
  }
};

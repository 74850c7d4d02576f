import { type ChildProcess, spawn } from "node:child_process";
import { endsWithProcess, killGroup } from "@pulumi-ovn/ovsdb-client";
import { Printed } from "./output";

/** Output of a program since the last call. */
export interface ShellOutput {
  /** Its exit status, or the signal that ended it; undefined while it runs. */
  readonly status: number | NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Question {
  readonly input: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** A text that the program prints in both of its streams when it has answered. Without one, and where it does not come soon, the answer is all that comes until it ends. */
  readonly until?: string;
}

/** The program could not be started: `code` is that of the system, ENOENT for instance. */
export class StartError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** The timeout expired. */
export class TimedOut extends Error {}

/** Milliseconds that a program may take to end after SIGTERM. */
const KILL_AFTER = 500;

/** How long what has ended may leave its output open: a connection that ssh keeps for later runs does. */
const CLOSE_AFTER = 500;

/** How long an answer may take before the program's input ends: it may wait for that, or say nothing in one of its streams. */
const END_AFTER = 2_000;

/**
 * A running program without a shell, in its own process group: on a timeout, a signal or the end of this process, the whole group ends,
 * including children of ssh or a script. Remaining children end with the program.
 */
export class Group {
  readonly #child: ChildProcess;
  readonly #stdout = new Printed();
  readonly #stderr = new Printed();
  #status: ShellOutput["status"];
  #failure: { readonly reason: unknown } | undefined;
  /** Looks whether what is waited for is there. */
  #look = () => {};

  /** Throws the signal's reason where it is given already. */
  constructor([file = "", ...args]: readonly string[], signal?: AbortSignal) {
    signal?.throwIfAborted();
    // Without file descriptors it has no streams.
    const child: ChildProcess = spawn(file, args, { stdio: "pipe", detached: true, windowsHide: true });
    this.#child = child;
    endsWithProcess(child);
    const abort = () => this.#stop(signal!.reason);
    signal?.addEventListener("abort", abort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => this.#stdout.add(chunk) && this.#look());
    child.stderr?.on("data", (chunk: Buffer) => this.#stderr.add(chunk) && this.#look());
    // The exit status explains more than EPIPE.
    child.stdin?.on("error", () => undefined);
    child.on("error", ({ code = "" }: NodeJS.ErrnoException) => this.#fail(new StartError(code)));
    const ended = (code: number | null, name: NodeJS.Signals | null) => {
      signal?.removeEventListener("abort", abort);
      this.#status ??= code ?? name!;
      this.#close();
    };
    child.once("exit", (code, name) => {
      killGroup(child, "SIGKILL");
      setTimeout(() => ended(code, name), CLOSE_AFTER).unref();
    });
    child.once("close", ended);
  }

  /** Whether it can be asked again. */
  get takesMore(): boolean {
    return this.#child.stdin?.writable === true && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** One question at a time. Throws StartError, TimedOut, or the reason of the signal. */
  async ask({ input, timeout, until }: Question): Promise<ShellOutput> {
    this.#stdout.until = until;
    this.#stderr.until = until;
    if (until === undefined) this.#child.stdin?.end(input);
    else this.#child.stdin?.write(input);
    const timer = setTimeout(() => this.#stop(new TimedOut()), timeout);
    const ending = setTimeout(() => this.#child.stdin?.end(), Math.min(END_AFTER, timeout / 2));
    try {
      await new Promise<void>((resolve, reject) => {
        this.#look = () => {
          if (this.#failure) reject(this.#failure.reason as Error);
          else if (this.#status !== undefined || (this.#stdout.isWhole && this.#stderr.isWhole)) resolve();
        };
        this.#look();
      });
    } finally {
      clearTimeout(timer);
      clearTimeout(ending);
    }
    return { status: this.#status, stdout: this.#stdout.take(), stderr: this.#stderr.take() };
  }

  #stop(reason: unknown): void {
    killGroup(this.#child, "SIGTERM");
    const killer = setTimeout(() => killGroup(this.#child, "SIGKILL"), KILL_AFTER).unref();
    this.#child.once("exit", () => clearTimeout(killer));
    this.#fail(reason);
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#close();
  }

  #close(): void {
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    this.#look();
  }
}

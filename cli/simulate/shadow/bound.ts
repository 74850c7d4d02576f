import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ends the program when standard input ends: when this process stops it, or dies in any way. Signals of a terminal do not reach it. Only the
 * program has descriptor 3, which closes when the program ends.
 */
const PROGRAM = 'trap "" INT TERM HUP; "$@" </dev/null & child=$!; exec 3>&-; cat >/dev/null; kill -9 $child 2>/dev/null; wait $child 2>/dev/null';
/**
 * The same for a program that moves to the background when it is ready, with its process ID in the first file. Then the second file appears.
 * It has at most 4 GB of memory, and leaves no core file: ovn-trace allocates without end if packets multiply in a loop. Only the program has
 * descriptor 3.
 */
const DAEMON =
  'trap "" INT TERM HUP; pid=$1 ready=$2 n=0; shift 2; { ulimit -c 0; ulimit -v 4000000; "$@" </dev/null && : >"$ready"; } & exec 3>&-; ' +
  'while [ ! -s "$pid" ] && [ $n -lt 500 ] && kill -0 $! 2>/dev/null; do sleep 0.01; n=$((n+1)); done; own=$(cat "$pid" 2>/dev/null); cat >/dev/null; kill -9 $own 2>/dev/null; wait';
/** Again if a server that is just ending has created a file. */
const FOLDER = 'trap "" INT TERM HUP; cat >/dev/null; rm -rf "$1" || { sleep 0.3; rm -rf "$1"; }';

/** A program, or a folder, that does not outlive this process. */
export class Bound {
  /** @param log path of the file with the program's output */
  private constructor(
    private readonly shell: ChildProcess,
    private readonly log?: string,
  ) {
    // A shell that was killed has closed the pipe.
    shell.stdin!.on("error", () => undefined);
  }

  /** Rejects when the program ends, unless the work has ended before. */
  async whileRunning<T>(work: Promise<T>): Promise<T> {
    const ended = once(this.#life.resume(), "close").then(() => Promise.reject(new Error("it has ended")));
    return await Promise.race([work, ended]);
  }

  /**
   * Resolves when the program is ready. Rejects if it has ended before.
   * @param limit milliseconds after which it rejects, too
   */
  async ready(isReady: () => boolean | Promise<boolean>, limit: number): Promise<void> {
    const life = this.#life.resume();
    for (const until = performance.now() + limit; !(await isReady()); await sleep(5)) {
      if (life.destroyed) throw new Error("it has ended");
      if (performance.now() > until) throw new Error("it did not start");
    }
  }

  /** Reason of a failure: the last line of the program's output, otherwise the error's message. */
  async reason({ message }: Error): Promise<string> {
    const output = this.log === undefined ? "" : await readFile(this.log, "utf8");
    return output.trim().split("\n").at(-1) || message;
  }

  /** Closes when the program ends. */
  get #life(): Readable {
    return this.shell.stdio[3] as Readable;
  }

  /** @param log path of the file with the program's output */
  static program(path: string, args: readonly string[], log: string, env: NodeJS.ProcessEnv): Bound {
    return Bound.#logged(["-c", PROGRAM, "sh", path, ...args], log, env);
  }

  /**
   * A program that runs with `--detach`.
   * @param files paths of the file that the program writes its process ID to, and of the file that appears when it is ready
   */
  static daemon(
    path: string,
    args: readonly string[],
    files: { readonly pid: string; readonly ready: string; readonly log: string },
    env: NodeJS.ProcessEnv,
  ): Bound {
    return Bound.#logged(["-c", DAEMON, "sh", files.pid, files.ready, path, "--detach", `--pidfile=${files.pid}`, ...args], files.log, env);
  }

  static #logged(args: readonly string[], log: string, env: NodeJS.ProcessEnv): Bound {
    const file = openSync(log, "a");
    const shell = spawn("sh", args, { env, stdio: ["pipe", file, file, "pipe"] });
    closeSync(file);
    return new Bound(shell, log);
  }

  /** Removes the folder when the process ends. */
  static folder(path: string): Bound {
    return new Bound(spawn("sh", ["-c", FOLDER, "sh", path], { stdio: ["pipe", "ignore", "ignore"] }));
  }

  /** Resolves when the program has ended, or the folder is removed. */
  async end(): Promise<void> {
    const { shell } = this;
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    const ended = new Promise((resolve) => shell.once("exit", resolve));
    shell.stdin!.end();
    await ended;
  }
}

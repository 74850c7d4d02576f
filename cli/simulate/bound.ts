import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** Ends the program when standard input ends: when this process stops it, or dies in any way. Signals of a terminal do not reach it. */
const PROGRAM = 'trap "" INT TERM HUP; "$@" </dev/null & child=$!; cat >/dev/null; kill -9 $child 2>/dev/null; wait $child 2>/dev/null';
/** Again if a server that is just ending has created a file. */
const FOLDER = 'trap "" INT TERM HUP; cat >/dev/null; rm -rf "$1" || { sleep 0.3; rm -rf "$1"; }';

/** A program, or a folder, that does not outlive this process. */
export class Bound {
  private constructor(private readonly shell: ChildProcess) {
    // A shell that was killed has closed the pipe.
    shell.stdin!.on("error", () => undefined);
  }

  /** @param log path of the file with the program's output */
  static program(path: string, args: readonly string[], log: string, env: NodeJS.ProcessEnv): Bound {
    const file = openSync(log, "a");
    const shell = spawn("sh", ["-c", PROGRAM, "sh", path, ...args], { env, stdio: ["pipe", file, file] });
    closeSync(file);
    return new Bound(shell);
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

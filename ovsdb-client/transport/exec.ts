import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Socket } from "node:net";
import { ConnectionError } from "../errors";
import { endsWithProcess, groupEnded, killGroup } from "../process-group";
import { printable } from "../text";
import { replacingShell, withoutCommand } from "./command";
import type { Transport, TransportHandlers } from "./transport";

/** How much of the end of a program's standard error goes into the connection error. */
const STDERR_TAIL = 2048;
/** How long a program may take to end by itself after its standard input was closed and it was asked to. */
const KILL_AFTER = 1000;

/**
 * Runs a program whose standard input and output are the stream: `ssh HOST nc -U /run/ovn/ovnnb_db.sock`,
 * `kubectl exec -i POD -- nc -U ...`. The shell replaces itself by it, so that ending the child ends the program,
 * which keeps its terminal, for `ssh` and `sudo` to ask on. A command of several programs stays in a shell, and is
 * a process group of its own, so that all of them end with it; it has no terminal.
 */
export function openExec(command: string): Transport {
  const windows = process.platform === "win32";
  const replaced = windows ? command : replacingShell(command);
  const child = spawn(replaced ?? command, { shell: true, stdio: ["pipe", "pipe", "pipe"], windowsHide: true, detached: replaced === undefined });
  return childTransport(child, command, replaced === undefined);
}

function childTransport(child: ChildProcessByStdio<Writable, Readable, Readable>, command: string, group: boolean): Transport {
  let tail = "";
  let failure: Error | undefined;
  let killer: NodeJS.Timeout | undefined;
  let over = false;
  child.stderr.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-STDERR_TAIL - command.length)));
  // Node's message contains the whole command.
  child.on("error", ({ code }: NodeJS.ErrnoException) => (failure ??= new ConnectionError(`the program could not be run: ${code}`)));
  // Exit status and output explain more than EPIPE.
  child.stdin.on("error", () => child.stdout.destroy());
  const kill = (signal: NodeJS.Signals) => (group ? killGroup(child, signal) : void child.kill(signal));
  // A program with the terminal, such as ssh, is asked to end, so that it can restore the terminal.
  endsWithProcess(child, () => kill(group ? "SIGKILL" : "SIGTERM"));
  child.once("exit", () => {
    if (group) kill("SIGKILL");
    over = true;
  });
  const exited = new Promise<void>((resolve) => {
    child.once("close", (status, signal) => {
      clearTimeout(killer);
      const output = printable(withoutCommand(tail, command).slice(-STDERR_TAIL), STDERR_TAIL);
      failure ??= new ConnectionError(`the program ended ${signal === null ? `with status ${status}` : `by ${signal}`}${output === "" ? "" : `: ${output}`}`);
      resolve(group ? groupEnded(child) : undefined);
    });
  });
  const end = () => {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    // Its process id may be another program's by now.
    if (over) return;
    kill("SIGTERM");
    clearTimeout(killer);
    killer = setTimeout(() => kill("SIGKILL"), KILL_AFTER);
  };
  const pipes = [child.stdin, child.stdout, child.stderr] as unknown as Socket[];
  return {
    start(handlers: TransportHandlers): void {
      child.stdout.on("data", (chunk: Buffer) => handlers.data(chunk));
      child.stdin.on("drain", () => handlers.drain());
      // The last words on standard error may come after standard output has ended: the exit is waited for.
      child.stdout.once("end", () => {
        child.stdin.end();
        killer ??= setTimeout(end, KILL_AFTER);
      });
      void exited.then(() => handlers.closed(failure));
    },
    write: (text) => child.stdin.write(text),
    ref: () => [child, ...pipes].forEach((part) => part.ref()),
    unref: () => [child, ...pipes].forEach((part) => part.unref()),
    close(): Promise<void> {
      end();
      return exited;
    },
  };
}

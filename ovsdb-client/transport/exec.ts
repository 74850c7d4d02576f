import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Socket } from "node:net";
import { ConnectionError } from "../errors";
import type { Transport, TransportHandlers } from "./transport";

/** How much of the end of a program's standard error goes into the connection error. */
const STDERR_TAIL = 2048;
/** How long a program may take to end by itself after its standard input was closed and it was asked to. */
const KILL_AFTER = 1000;

/**
 * Runs a program whose standard input and output are the stream: `ssh HOST nc -U /run/ovn/ovnnb_db.sock`,
 * `kubectl exec -i POD -- nc -U ...`. As with OpenSSH's ProxyCommand, the shell replaces itself by the
 * command, so that ending the child ends the program.
 */
export function openExec(command: string): Transport {
  const windows = process.platform === "win32";
  const child = spawn(windows ? command : `exec ${command}`, { shell: true, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  return childTransport(child, command);
}

function childTransport(child: ChildProcessByStdio<Writable, Readable, Readable>, command: string): Transport {
  let tail = "";
  let failure: Error | undefined;
  let killer: NodeJS.Timeout | undefined;
  child.stderr.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-STDERR_TAIL)));
  child.on("error", (error) => (failure ??= error));
  // EPIPE says less than the exit status and what the program had to say.
  child.stdin.on("error", () => child.stdout.destroy());
  const exited = new Promise<void>((resolve) => {
    child.once("close", (status, signal) => {
      clearTimeout(killer);
      failure ??= new ConnectionError(`${describe(command, status, signal)}${tail.trim() === "" ? "" : `: ${tail.trim()}`}`);
      resolve();
    });
  });
  const end = () => {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.kill("SIGTERM");
    clearTimeout(killer);
    killer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER);
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

function describe(command: string, status: number | null, signal: NodeJS.Signals | null): string {
  return `${JSON.stringify(command)} ended ${signal === null ? `with status ${status}` : `by ${signal}`}`;
}

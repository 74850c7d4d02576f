import { connect } from "node:net";

/** Folder of the FRR daemons' sockets. */
export const FRR = "/run/frr";

/** End of each answer: three zeros and the status. (vtysh_client_run of FRR) */
const END = Buffer.alloc(3);

/** Answer of a daemon to a sequence of commands, which ends with the first command that fails. */
export interface SocketAnswer {
  readonly status: number;
  readonly text: string;
}

/** A daemon accepted the connection and has not answered in time. */
export class NoAnswer extends Error {}

/**
 * Sends commands to a daemon by its own socket. vtysh does the same after it has read the grammar of all commands, which takes more processor time
 * than the rest of a scan.
 *
 * @param timeout milliseconds for all commands
 * @returns undefined if no daemon is at the socket
 */
export async function askDaemon(path: string, commands: readonly string[], timeout: number, signal?: AbortSignal): Promise<SocketAnswer | undefined> {
  signal?.throwIfAborted();
  const connection = connect(path);
  const end = (error: Error) => connection.destroy(error);
  const timer = setTimeout(() => end(new NoAnswer(`no answer within ${timeout / 1000} s`)), timeout);
  const abort = () => end(signal!.reason as Error);
  signal?.addEventListener("abort", abort, { once: true });
  let received = Buffer.alloc(0);
  let text = "";
  try {
    // Commands that show the configuration need this mode.
    const left = ["enable", ...commands];
    const next = () => connection.write(`${left.shift()}\0`);
    next();
    for await (const chunk of connection as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      const length = received.length - END.length - 1;
      if (length < 0 || !received.subarray(length, -1).equals(END)) continue;
      text += received.subarray(0, length).toString();
      const status = received.at(-1)!;
      if (status !== 0 || left.length === 0) return { status, text };
      received = Buffer.alloc(0);
      next();
    }
    return undefined;
  } catch (error) {
    if (error instanceof NoAnswer || signal?.aborted) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    connection.destroy();
  }
}

import type { OnReadOpts } from "node:net";
import type { Duplex } from "node:stream";
import type { Transport, TransportHandlers } from "./transport";

interface Referable extends Duplex {
  ref?(): unknown;
  unref?(): unknown;
}

/** Bytes per read. */
const READ_SIZE = 64 * 1024;

/**
 * Receiver of a socket's bytes. Plain sockets reuse one buffer (`onread`), so a reply of many megabytes leaves no garbage. TLS sockets can't,
 * and allocate buffers.
 */
export class Inlet {
  private handlers: TransportHandlers | undefined;
  private early: Buffer[] = [];
  /** Has anything come? */
  used = false;

  readonly onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(READ_SIZE),
    callback: (bytes, buffer) => {
      const chunk = (buffer as Buffer).subarray(0, bytes);
      this.take(this.handlers === undefined ? Buffer.from(chunk) : chunk);
      return true;
    },
  };

  take(chunk: Buffer): void {
    this.used = true;
    if (this.handlers === undefined) this.early.push(chunk);
    else this.handlers.data(chunk);
  }

  start(handlers: TransportHandlers): void {
    this.handlers = handlers;
    for (const chunk of this.early.splice(0)) handlers.data(chunk);
  }
}

/** Transport over a plain or TLS socket. `why` explains its end better than the socket's error. */
export function socketTransport(socket: Referable, inlet: Inlet, why: (error: Error | undefined) => Error | undefined): Transport {
  let failure: Error | undefined;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // An error always comes with "close" behind it; without a listener it would end the process.
  socket.on("error", (error: Error) => (failure ??= error));
  socket.on("data", (chunk: Buffer) => inlet.take(chunk));
  return {
    start(handlers: TransportHandlers): void {
      inlet.start(handlers);
      socket.on("drain", () => handlers.drain());
      // Half a connection is of no use: no reply can come any more.
      socket.once("end", () => socket.destroy());
      void closed.then(() => handlers.closed(why(failure)));
    },
    write: (text) => socket.write(text),
    ref: () => void socket.ref?.(),
    unref: () => void socket.unref?.(),
    close(): Promise<void> {
      socket.destroy();
      return closed;
    },
  };
}

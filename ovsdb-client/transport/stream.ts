import type { Duplex } from "node:stream";
import type { Transport, TransportHandlers } from "./transport";

interface Referable extends Duplex {
  ref?(): unknown;
  unref?(): unknown;
}

/** A transport over a connected socket, plain or TLS. */
export function socketTransport(socket: Referable): Transport {
  let failure: Error | undefined;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // An error always comes with "close" behind it; without a listener it would end the process.
  socket.on("error", (error: Error) => (failure ??= error));
  return {
    start(handlers: TransportHandlers): void {
      socket.on("data", (chunk: Buffer) => handlers.data(chunk));
      socket.on("drain", () => handlers.drain());
      // Half a connection is of no use: no reply can come any more.
      socket.once("end", () => socket.destroy());
      void closed.then(() => handlers.closed(failure));
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

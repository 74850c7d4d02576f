/** Interface of a byte stream. It hides sockets, TLS and child processes, so the session's rules can be tested without them. */
export interface TransportHandlers {
  data(chunk: Buffer): void;
  /** After `write` returned false: there is room again. */
  drain(): void;
  /** Once, and last: the stream has ended or broken. */
  closed(error: Error | undefined): void;
}

export interface Transport {
  /** IP address of the other end; undefined: it has none that is known. */
  readonly peer?: string | undefined;
  /** When the server's certificate expires; undefined: the stream has no TLS. */
  readonly certificateExpiry?: Date | undefined;
  /** Called once, before anything else; data that came earlier is kept until then. */
  start(handlers: TransportHandlers): void;
  /** False: taken, but the buffers are full. */
  write(text: string): boolean;
  /** Whether the stream keeps the process alive. */
  ref(): void;
  unref(): void;
  /** Ends the stream and resolves when nothing of it is left: descriptors, timers, child processes. */
  close(): Promise<void>;
}

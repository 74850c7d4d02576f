import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A port that leads to a server's. Closed, it is as if the server had ended; held, as if it stood still. */
export class Gate implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  #listener: Server | undefined;
  #held = false;
  #port = 0;

  private constructor(private readonly server: number) {}

  static async to(server: number): Promise<Gate> {
    const gate = new Gate(server);
    await gate.open();
    return gate;
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    this.#held = false;
    this.#listener = createServer((client) => this.#join(client)).listen(this.#port, "127.0.0.1");
    await once(this.#listener, "listening");
    this.#port = (this.#listener.address() as AddressInfo).port;
  }

  /** Those who are connected lose that. */
  async close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener === undefined) return;
    listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(listener, "close");
  }

  /** No reply passes from now on. */
  hold(): void {
    this.#held = true;
    for (const socket of this.#sockets) socket.pause();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #join(client: Socket): void {
    const server = connect(this.server, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from
        .on("error", () => undefined)
        .on("data", (chunk) => to.write(chunk))
        .once("close", () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      if (this.#held) from.pause();
    }
  }
}

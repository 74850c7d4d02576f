import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Framer } from "@pulumi-ovn/ovsdb-client/testing";
import type { Request } from "./ovsdb-fake";
import { temporaryFolder } from "./ovsdb-server";

const LIMITS = { maxMessageBytes: 1e8, maxDepth: 1000 };

/** Receives each message of the client. Returns true to drop the message. */
export type Meddler = (request: Request, pair: Pair) => boolean | void;

/** Replaces a message of the server, or returns the same message. */
export type Alter = (message: unknown) => unknown;

/** A client's connection, and the one to the server behind. */
export class Pair {
  constructor(
    readonly client: Socket,
    readonly server: Socket,
  ) {}

  answer(id: unknown, result: unknown, error: unknown = null): true {
    this.client.write(JSON.stringify({ id, result, error }));
    return true;
  }

  /** Holds further messages of the server back. */
  hold(): void {
    this.server.pause();
  }

  /** Closes both ends at the same time, as when a process is killed. */
  cut(): void {
    this.client.destroy();
    this.server.destroy();
  }
}

/** Proxy between a client and a real server. */
export class Proxy {
  readonly requests: Request[] = [];
  readonly pairs = new Set<Pair>();

  private constructor(
    readonly folder: string,
    private readonly listener: Server,
  ) {}

  get endpoint(): string {
    return `unix:${join(this.folder, "proxy.sock")}`;
  }

  static async start(path: string, meddle: Meddler = () => false, alter?: Alter): Promise<Proxy> {
    const folder = await temporaryFolder();
    const listener = createServer();
    const proxy = new Proxy(folder, listener);
    listener.on("connection", (client) => proxy.join(client, path, meddle, alter));
    listener.listen(join(folder, "proxy.sock"));
    await once(listener, "listening");
    return proxy;
  }

  of(method: string): Request[] {
    return this.requests.filter((request) => request.method === method);
  }

  cut(): void {
    for (const pair of this.pairs) pair.cut();
  }

  async stop(): Promise<void> {
    this.listener.close();
    this.cut();
    await once(this.listener, "close");
    await rm(this.folder, { recursive: true });
  }

  private join(client: Socket, path: string, meddle: Meddler, alter: Alter | undefined): void {
    const pair = new Pair(client, connect(path));
    this.pairs.add(pair);
    for (const socket of [client, pair.server]) {
      socket
        .on("error", () => undefined)
        .once("close", () => {
          this.pairs.delete(pair);
          pair.cut();
        });
    }
    if (alter === undefined) pair.server.pipe(client);
    else {
      const altered = new Framer(LIMITS, (text) => {
        const message: unknown = JSON.parse(text);
        const other = alter(message);
        // Parsing rounds large integers.
        client.write(other === message ? text : JSON.stringify(other));
      });
      pair.server.on("data", (chunk) => altered.push(chunk));
    }
    const framer = new Framer(LIMITS, (text) => {
      const request = JSON.parse(text) as Request;
      this.requests.push(request);
      if (meddle(request, pair) !== true) pair.server.write(text);
    });
    client.on("data", (chunk) => framer.push(chunk));
  }
}

/** A server of an older release does not know these methods. */
export const older =
  (...methods: string[]): Meddler =>
  ({ id, method, params }, pair) => {
    // The session's own monitor came with `_Server`, with OVS 2.9.
    if (!methods.includes(method) || params[0] === "_Server") return false;
    return pair.client.write(JSON.stringify({ id, error: "unknown method" })) || true;
  };

/** Sends the elements of sets and maps in reverse order in every second message: RFC 7047 promises no order. */
export function unsorted(): Alter {
  let turn = 0;
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const [kind, members] = value as [unknown, unknown];
      if ((kind === "set" || kind === "map") && Array.isArray(members)) return [kind, members.map(reversed).reverse()];
      return value.map(reversed);
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reversed(member)]));
  };
  return (message) => (turn++ % 2 === 0 ? reversed(message) : message);
}

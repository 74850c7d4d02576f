import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Framer } from "@pulumi-ovn/ovsdb-client/testing";
import { temporaryFolder } from "./ovsdb-server";

export interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Answers a request by writing to the socket; returns true if it did. */
export type Answer = (request: Request, socket: Socket) => boolean | void;

const ROW = { name: "Test", connected: true, leader: true };

/** A server in this process with normal answers, unless `answer` replaces them. */
export class FakeServer {
  readonly requests: Request[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;

  private constructor(
    private readonly folder: string,
    private readonly server: Server,
  ) {}

  get endpoint(): string {
    return `unix:${join(this.folder, "fake.sock")}`;
  }

  static async start(answer: Answer = () => false, row: object = ROW): Promise<FakeServer> {
    const folder = await temporaryFolder();
    const server = createServer({ allowHalfOpen: true });
    const fake = new FakeServer(folder, server);
    server.on("connection", (socket) => fake.serve(socket, answer, row));
    server.listen(join(folder, "fake.sock"));
    await once(server, "listening");
    return fake;
  }

  of(method: string): Request[] {
    return this.requests.filter((request) => request.method === method);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
    await rm(this.folder, { recursive: true });
  }

  private serve(socket: Socket, answer: Answer, row: object): void {
    this.connections++;
    this.sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => this.sockets.delete(socket));
    socket.once("end", () => socket.end());
    const framer = new Framer({ maxMessageBytes: 1e8, maxDepth: 1000 }, (text) => {
      const request = JSON.parse(text) as Request;
      this.requests.push(request);
      // A notification is never answered.
      if (answer(request, socket) !== true && request.id !== null) reply(socket, request.id, polite(request, row));
    });
    socket.on("data", (chunk) => framer.push(chunk));
  }
}

export function reply(socket: Socket, id: unknown, result: unknown, error: unknown = null): true {
  socket.write(JSON.stringify({ id, result, error }));
  return true;
}

function polite({ method, params }: Request, row: object): unknown {
  switch (method) {
    case "monitor_cond":
      return { Database: { "11111111-1111-1111-1111-111111111111": { initial: row } } };
    case "transact":
      return params
        .slice(1)
        .map((operation) =>
          (operation as { op: string }).op === "select"
            ? { rows: [] }
            : (operation as { op: string }).op === "insert"
              ? { uuid: ["uuid", "22222222-2222-2222-2222-222222222222"] }
              : {},
        );
    case "echo":
      return params;
    default:
      return {};
  }
}

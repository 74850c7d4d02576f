import type { Socket } from "node:net";
import { reply, type Request } from "./ovsdb-fake";
import type { Later } from "./own-timers";

const SCHEMA = { name: "Test", version: "1.0.0", tables: { T: { columns: { name: { type: "string" } } } } };
export const MEMBER = "11111111-1111-1111-1111-111111111111";
export const ROW = { name: "Test", model: "clustered", connected: true, leader: true };
const ZERO = "00000000-0000-0000-0000-000000000000";

/** Reaction of the server to a request. */
export type Verdict = "answer" | "late" | "ignore" | "drop" | "answer and drop";

/**
 * A server that reacts to requests by a list of verdicts, again and again, until it is calm. Records the writes that it executed. The list must
 * end: otherwise repeated verdicts could refuse a lock indefinitely, or ignore a lock or unlock on a living connection.
 */
export class Moody {
  /** Writes that have come, by name, and those that were carried out, or may have been. */
  readonly came: string[] = [];
  readonly done = new Set<string>();
  private turn = 0;
  private isCalm = false;
  private readonly ignored = new Map<unknown, readonly [Request, Socket]>();

  constructor(
    private readonly verdicts: readonly Verdict[],
    private readonly later: Later,
  ) {}

  answer(request: Request, socket: Socket): true {
    const { id, method, params } = request;
    const name = written(request);
    if (name !== undefined) this.came.push(name);
    if (method === "cancel") this.cancel(params[0], socket);
    else if (id !== null && method !== undefined) this.judge(request, socket, this.isCalm ? "answer" : this.verdicts[this.turn++ % this.verdicts.length]!);
    return true;
  }

  /** Answers immediately from now on, starting with the requests that were ignored so far. */
  calm(): void {
    this.isCalm = true;
    for (const [request, socket] of this.ignored.values()) this.judge(request, socket, "answer");
    this.ignored.clear();
  }

  private judge(request: Request, socket: Socket, verdict: Verdict): void {
    const name = written(request);
    if (verdict === "ignore") this.ignored.set(request.id, [request, socket]);
    else if (name !== undefined) this.done.add(name);
    if (verdict === "late") this.later.do(3, () => say(request, socket));
    else if (verdict.startsWith("answer")) say(request, socket);
    if (verdict === "drop") socket.destroy();
    if (verdict === "answer and drop") socket.end();
  }

  /** Pending requests are never executed. */
  private cancel(id: unknown, socket: Socket): void {
    if (this.ignored.delete(id) && !socket.destroyed) socket.write(JSON.stringify({ id, result: null, error: "canceled" }));
  }
}

function written({ method, params }: Request): string | undefined {
  return method === "transact" ? (params[1] as { row?: { name: string } }).row?.name : undefined;
}

function say(request: Request, socket: Socket): void {
  if (!socket.destroyed) reply(socket, request.id, result(request));
}

function result(request: Request): unknown {
  const { method, params } = request;
  switch (method) {
    case "get_schema":
      return SCHEMA;
    case "monitor_cond":
      return params[0] === "_Server" ? { Database: { [MEMBER]: { initial: ROW } } } : {};
    case "monitor_cond_since":
      return [false, ZERO, { T: { one: { initial: { name: "one" } } } }];
    case "lock":
      return { locked: true };
    case "transact":
      return [written(request) === undefined ? { rows: [] } : { uuid: ["uuid", MEMBER] }];
    case "echo":
      return params;
    default:
      return {};
  }
}

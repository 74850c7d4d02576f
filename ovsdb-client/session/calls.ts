import type { OvsdbError } from "../errors";
import type { Call } from "../rpc/call";
import type { Connection } from "../rpc/connection";
import { Deadlines } from "../rpc/deadlines";
import { aborted, expired, lost } from "./fate";

/** Connections as calls use them. */
export interface Lines {
  /** Takes new calls. */
  current(): Connection | undefined;
  /** Those that may owe replies. */
  open(): Iterable<Connection>;
  /** Named in errors. */
  endpoint(): string;
  /** Reason of a missing connection. */
  lastError(): OvsdbError | undefined;
}

/** Milliseconds for the server to say what became of a write that was aborted. */
const ABORT_GRACE = 1000;

/** The open calls of a session: those that wait for a connection, and those that wait for a reply on one. */
export class Calls {
  private queue: Call[] = [];
  private readonly deadlines = new Deadlines((now) => this.expire(now));

  constructor(private readonly lines: Lines) {}

  /** On the connection at hand, or on the next one. */
  send(call: Call): void {
    const current = this.lines.current();
    if (current === undefined) this.queue.push(call);
    else current.send(call);
    this.deadlines.note(call.expires);
  }

  /** A connection is open (again): sends waiting requests. */
  flush(connection: Connection): void {
    for (const call of this.queue.splice(0)) if (!call.done) connection.send(call);
  }

  /** Calls that a connection has given back go out again, before those that came later. */
  private resend(calls: readonly Call[]): void {
    const current = this.lines.current();
    for (const call of calls) call.sent = false;
    if (current === undefined) this.queue.unshift(...calls);
    else for (const call of calls) current.send(call);
  }

  /** Handles calls whose connection is lost or left. */
  lost(calls: readonly Call[], error: OvsdbError, goesOn: boolean): void {
    const again: Call[] = [];
    for (const call of calls) {
      const failure = lost(call, error, goesOn);
      if (failure === undefined) again.push(call);
      else call.fail(failure);
    }
    this.resend(again);
  }

  /** The caller gives the call up. A write that was sent gets a moment more, to say what became of it. */
  abort(call: Call, reason: unknown): void {
    if (call.done) return;
    call.aborted = true;
    if (call.sent && call.nature === "write") {
      for (const connection of this.lines.open()) connection.cancel(call);
      call.expires = Math.min(call.expires, performance.now() + ABORT_GRACE);
      this.deadlines.note(call.expires);
    } else {
      this.settle(call, aborted(call, reason, this.lines.endpoint()));
    }
  }

  /** Settles an open call without its reply. */
  settle(call: Call, error: OvsdbError): void {
    for (const connection of this.lines.open()) connection.abandon(call);
    call.fail(error);
  }

  /** No connection will come any more. */
  stop(): void {
    this.deadlines.stop();
  }

  /** Those that still wait for one fail. */
  failQueued(error: OvsdbError): void {
    for (const call of this.queue.splice(0)) call.fail(error);
  }

  private expire(now: number): number {
    let next = Infinity;
    for (const call of [...this.queue, ...[...this.lines.open()].flatMap((connection) => [...connection.calls()])]) {
      if (call.done) continue;
      if (call.expires <= now) this.settle(call, expired(call, this.lines.endpoint(), this.lines.lastError()));
      else next = Math.min(next, call.expires);
    }
    this.queue = this.queue.filter((call) => !call.done);
    return next;
  }
}

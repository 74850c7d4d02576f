import type { OvsdbError } from "../errors";
import type { Pending } from "../rpc/pending";
import type { MonitorCondition } from "../wire";

export interface ConditionChange {
  readonly table: string;
  /** Undefined: all rows. */
  readonly where: readonly MonitorCondition[] | undefined;
  /** Promise of the caller. */
  readonly taken: Pending;
}

/**
 * Changes of a monitor's conditions. They go to the server one after the other, and only while it has the monitor: so
 * each caller learns what became of his own, and after a reconnect the cache is first brought up to date by the
 * conditions that its rows were chosen by.
 */
export class ConditionChanges {
  private queue: ConditionChange[] = [];
  private sent: ConditionChange | undefined;
  private open = false;

  constructor(private readonly send: (change: ConditionChange) => void) {}

  add(change: ConditionChange): void {
    if (!change.taken.open) return;
    this.queue.push(change);
    // Given up before it was sent: nothing happens.
    change.taken.onSettled(() => (this.queue = this.queue.filter((other) => other !== change)));
    this.next();
  }

  /** The server has the monitor. */
  begin(): void {
    this.open = true;
    this.next();
  }

  /** This is the change that the server is to answer. */
  isSent(change: ConditionChange): boolean {
    return this.sent === change;
  }

  /** The server has answered. */
  answered(): void {
    this.sent = undefined;
    this.next();
  }

  /** The server no longer has the monitor. True: a change was in progress, so it is unknown by which condition the cache's rows were chosen. */
  interrupt(): boolean {
    const { sent } = this;
    this.open = false;
    this.sent = undefined;
    if (sent?.taken.open === true) this.queue.unshift(sent);
    return sent !== undefined;
  }

  /** No change will be sent any more. */
  end(error: OvsdbError): void {
    this.open = false;
    this.sent?.taken.reject(error);
    for (const { taken } of [...this.queue]) taken.reject(error);
  }

  private next(): void {
    if (!this.open || this.sent !== undefined) return;
    this.sent = this.queue.shift();
    if (this.sent !== undefined) this.send(this.sent);
  }
}

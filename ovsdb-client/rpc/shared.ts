import type { OvsdbError } from "../errors";
import type { Pending } from "./pending";

/** One answer for several waiters with limits of their own; one that gives up does not affect the others. */
export class Shared<T> {
  private readonly waiting = new Set<Pending<T>>();
  private settle: ((pending: Pending<T>) => void) | undefined;

  /** `unwanted` is called when the last waiter gives up before the answer. */
  constructor(private readonly unwanted: () => void) {}

  wait(pending: Pending<T>): Promise<T> {
    this.waiting.add(pending);
    pending.onSettled(() => this.leave(pending));
    this.settle?.(pending);
    return pending.promise;
  }

  resolve(value: T): void {
    this.end((pending) => pending.resolve(value));
  }

  reject(error: OvsdbError): void {
    this.end((pending) => pending.reject(error));
  }

  private end(settle: (pending: Pending<T>) => void): void {
    this.settle = settle;
    for (const pending of [...this.waiting]) settle(pending);
  }

  private leave(pending: Pending<T>): void {
    this.waiting.delete(pending);
    if (this.waiting.size === 0 && this.settle === undefined) this.unwanted();
  }
}

import type { OvsdbError } from "../errors";
import { type Limits, Pending } from "../rpc/pending";

/** What callers wait for beside calls: over connections, and no longer than the session lasts. */
export class Waits {
  private readonly open = new Set<Pending<never>>();
  private over: OvsdbError | undefined;

  begin<T>(limits: Limits): Pending<T> {
    const pending = new Pending<T>(limits);
    if (this.over !== undefined) pending.reject(this.over);
    if (!pending.open) return pending;
    this.open.add(pending as Pending<never>);
    pending.onSettled(() => this.open.delete(pending as Pending<never>));
    return pending;
  }

  /** No connection will come any more; the first reason is the one that is told. */
  end(error: OvsdbError): void {
    this.over ??= error;
    for (const pending of [...this.open]) pending.reject(this.over);
  }
}

import type { OvsdbError } from "../errors";
import { type Limits, Pending } from "../rpc/pending";

/** Waits of callers other than calls. They outlive connections and end with the session. */
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

  /** Ends all waits; the first reason is reported. */
  end(error: OvsdbError): void {
    this.over ??= error;
    for (const pending of [...this.open]) pending.reject(this.over);
  }
}

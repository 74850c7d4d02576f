import type { OvsdbError } from "../errors";
import { LONGEST_TIMER } from "./deadlines";

export interface Limits {
  /** On the clock of `performance.now()`; Infinity: no timeout. */
  readonly expires: number;
  readonly signal?: AbortSignal | undefined;
  /** Error after the deadline. */
  late(): OvsdbError;
  /** Error after an abort by the caller. */
  aborted(reason: unknown): OvsdbError;
}

/** A promise for one caller: its timeout and its AbortSignal settle it, unless its holder has done so before. */
export class Pending<T = void> {
  readonly promise: Promise<T>;
  private settle: { resolve(value: T): void; reject(error: OvsdbError): void } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly after: (() => void)[] = [];
  private readonly abort = () => this.reject(this.limits.aborted(this.limits.signal!.reason));

  constructor(private readonly limits: Limits) {
    this.promise = new Promise<T>((resolve, reject) => (this.settle = { resolve, reject }));
    if (limits.signal?.aborted) this.abort();
    else limits.signal?.addEventListener("abort", this.abort, { once: true });
    if (this.open && limits.expires !== Infinity) this.watch();
  }

  get open(): boolean {
    return this.settle !== undefined;
  }

  resolve(value: T): void {
    this.end()?.resolve(value);
  }

  reject(error: OvsdbError): void {
    this.end()?.reject(error);
  }

  /** Registers a callback that runs once, when the promise is settled, before its awaiters continue. */
  onSettled(then: () => void): void {
    if (this.open) this.after.push(then);
    else then();
  }

  private watch(): void {
    const left = this.limits.expires - performance.now();
    const fire = () => (left > LONGEST_TIMER ? this.watch() : this.reject(this.limits.late()));
    // This timer does not keep the process alive.
    this.timer = setTimeout(fire, Math.min(Math.max(left, 0), LONGEST_TIMER)).unref();
  }

  private end(): Pending<T>["settle"] {
    const { settle } = this;
    if (settle === undefined) return undefined;
    this.settle = undefined;
    clearTimeout(this.timer);
    this.limits.signal?.removeEventListener("abort", this.abort);
    for (const then of this.after.splice(0)) then();
    return settle;
  }
}

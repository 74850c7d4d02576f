import { setTimeout } from "node:timers/promises";

/** A signal has asked for the end of the work. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
  }
}

/** The exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

/** Seconds between two lines about a wait. */
const REPORT_INTERVAL = 15;

/** Milliseconds after a signal in which another one is the same: npm passes on to its child what the terminal has sent to both. */
const SAME = 1000;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Signals that ask for the end: each runs the next action. SIGHUP, the end of the terminal, is only ever a first one: shell and kernel both send it. */
export class Stop implements Disposable {
  #count = 0;
  #last = -Infinity;
  readonly #asked = new AbortController();
  readonly #handler: (signal: NodeJS.Signals) => void;

  /** @param actions the last one is repeated for each further signal */
  constructor(actions: readonly [() => void, ...(() => void)[]], now: () => number = () => performance.now()) {
    this.#handler = (signal) => {
      if (now() - this.#last < SAME || (signal === "SIGHUP" && this.asked)) return;
      this.#last = now();
      const action = actions[Math.min(this.#count++, actions.length - 1)]!;
      action();
      this.#asked.abort(new Interrupted());
    };
    for (const signal of SIGNALS) process.on(signal, this.#handler);
  }

  /** Aborted at the first signal. */
  get signal(): AbortSignal {
    return this.#asked.signal;
  }

  get asked(): boolean {
    return this.signal.aborted;
  }

  /** Throws Interrupted after a signal. */
  check(): void {
    this.signal.throwIfAborted();
  }

  /** Result of a promise. Rejects with Interrupted at the first signal, without waiting for the promise. */
  during<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const end = () => reject(this.signal.reason as Interrupted);
    if (this.asked) end();
    this.signal.addEventListener("abort", end, { once: true });
    return Promise.race([work, promise]).finally(() => this.signal.removeEventListener("abort", end));
  }

  /** Throws Interrupted at the first signal. @param report is called with the seconds that are left */
  async wait(seconds: number, report: (left: number) => void): Promise<void> {
    for (let left = seconds; left > 0; left -= REPORT_INTERVAL) {
      this.check();
      report(left);
      await setTimeout(Math.min(left, REPORT_INTERVAL) * 1000, undefined, { signal: this.signal }).catch(() => undefined);
    }
    this.check();
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#handler);
  }
}

import { setTimeout } from "node:timers/promises";

/** Milliseconds that stopped calls have to end: a write that was sent is revoked, and its outcome awaited. */
const GRACE = 2_000;

/** Operations that one process runs for an engine. Ends the process after the engine has ended. */
export class InProgress {
  readonly #abort = new AbortController();
  readonly #calls = new Set<Promise<unknown>>();

  /** Aborts when the engine has ended. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  run<T>(call: () => Promise<T>): Promise<T> {
    const running = call();
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.#calls.add(settled);
    void settled.then(() => this.#calls.delete(settled));
    return running;
  }

  /** Stops all calls; resolves when they have ended, at the latest after two seconds. */
  async stop(grace = GRACE): Promise<void> {
    this.#abort.abort(new Error("Pulumi's engine has ended"));
    await Promise.race([Promise.all(this.#calls), setTimeout(grace, undefined, { ref: false })]);
  }
}

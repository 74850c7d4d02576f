/** Milliseconds after a round that left something undone: the first time, doubled each time after it, and at most. */
export const RETRY = { first: 300, longest: 10_000 } as const;

/** Result of a round. */
export interface Round {
  /** Number of changes made to the host. */
  readonly changed: number;
  /** Something is left undone that another attempt may do. */
  readonly failed: boolean;
  /** Milliseconds after which the next round begins without an event. */
  readonly within: number;
}

/** A round with its times. */
export type Ended<Result> = Result & {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds. */
  readonly took: number;
};

/** Status of a loop, for log, health and metrics. */
export interface Work<Result extends Round> {
  readonly last: Ended<Result> | undefined;
  /** Start of the round in progress, in milliseconds since the epoch. */
  readonly startedAt: number | undefined;
  /** When a round last changed something, in milliseconds since the epoch. */
  readonly lastChange: number | undefined;
  readonly counters: Counters;
}

export interface Counters {
  rounds: number;
  /** Rounds that left something undone. */
  failures: number;
  changes: number;
  /** Milliseconds, of all rounds. */
  took: number;
}

/**
 * Does one round at a time, whenever it is woken, and one more for everything that happened during a round. A round that failed is tried
 * again, later and later.
 */
export class Loop<Result extends Round> implements Work<Result> {
  last: Ended<Result> | undefined;
  startedAt: number | undefined;
  lastChange: number | undefined;
  readonly counters: Counters = { rounds: 0, failures: 0, changes: 0, took: 0 };
  #dirty = false;
  #working: Promise<void> | undefined;
  #failed = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /**
   * @param round never rejects; undefined: nothing was done, and the next event leads to another one
   * @param rounded called after each round
   */
  constructor(
    private readonly round: (last: Result | undefined) => Promise<Result | undefined>,
    private readonly rounded: (ended: Ended<Result>) => void = () => undefined,
  ) {}

  /** Something has changed. */
  wake(): void {
    this.#dirty = true;
    this.#working ??= this.#work();
  }

  /** Resolves when the last round is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#dirty && !this.#stopped) {
      this.#dirty = false;
      await this.#round();
    }
    this.#working = undefined;
    if (!this.#stopped && this.last) this.#timer = setTimeout(() => this.wake(), this.#pause(this.last));
  }

  #pause({ within }: Round): number {
    return this.#failed === 0 ? within : Math.min(within, RETRY.first * 2 ** (this.#failed - 1), RETRY.longest);
  }

  async #round(): Promise<void> {
    const start = performance.now();
    const at = (this.startedAt = Date.now());
    const result = await this.round(this.last);
    this.startedAt = undefined;
    if (this.#stopped || result === undefined) return;
    const took = performance.now() - start;
    const { changed, failed } = result;
    this.#failed = failed ? this.#failed + 1 : 0;
    this.last = { ...result, at, took };
    if (changed > 0) this.lastChange = Date.now();
    this.counters.rounds++;
    this.counters.failures += failed ? 1 : 0;
    this.counters.changes += changed;
    this.counters.took += took;
    this.rounded(this.last);
  }
}

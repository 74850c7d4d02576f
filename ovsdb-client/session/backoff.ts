export interface BackoffOptions {
  /** Milliseconds before the second attempt; the first comes at once. Default 50. */
  readonly initialDelay?: number | undefined;
  /** Milliseconds between attempts at most. Default 4000. */
  readonly maxDelay?: number | undefined;
  /** Each delay is this many times the one before. Default 2. */
  readonly factor?: number | undefined;
  /** Part of the delay that is left to chance, so that clients do not come back all at once. Default 0.5. */
  readonly jitter?: number | undefined;
}

export class Backoff {
  private attempts = 0;

  constructor(
    private readonly options: BackoffOptions = {},
    private readonly random: () => number = Math.random,
  ) {}

  reset(): void {
    this.attempts = 0;
  }

  /** Milliseconds to wait now. `cap` shortens the longest delay. */
  next(cap = Infinity): number {
    const { initialDelay = 50, maxDelay = 4000, factor = 2, jitter = 0.5 } = this.options;
    const delay = Math.min(initialDelay * factor ** this.attempts, maxDelay, cap);
    this.attempts++;
    return delay * (1 - jitter * this.random());
  }
}

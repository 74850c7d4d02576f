export interface BackoffOptions {
  /** Milliseconds before the second attempt; the first is immediate. Default 50. */
  readonly initialDelay?: number | undefined;
  /** Milliseconds between attempts at most. Default 4000. */
  readonly maxDelay?: number | undefined;
  /** Each delay is this many times the one before. Default 2. */
  readonly factor?: number | undefined;
  /** Random part of the delay, so that clients do not return at the same moment. Default 0.5. */
  readonly jitter?: number | undefined;
}

/** Milliseconds after which a connection or a monitor counts as good: the next attempt does not wait. */
const GOOD = 1000;

export class Backoff {
  private attempts = 0;
  private began = -Infinity;

  constructor(
    private readonly options: BackoffOptions = {},
    private readonly random: () => number = Math.random,
  ) {}

  reset(): void {
    this.attempts = 0;
  }

  /** An attempt has succeeded. */
  start(): void {
    this.began = performance.now();
  }

  /** Milliseconds to wait before doing again what the peer has ended: 0 if it lasted for a second. */
  again(cap = Infinity): number {
    const now = performance.now();
    const isGood = now - this.began >= GOOD;
    if (isGood) this.reset();
    const delay = isGood ? 0 : this.next(cap);
    this.began = now + delay;
    return delay;
  }

  /** Milliseconds to wait now. `cap` shortens the longest delay. */
  next(cap = Infinity): number {
    const { initialDelay = 50, maxDelay = 4000, factor = 2, jitter = 0.5 } = this.options;
    const delay = Math.min(initialDelay * factor ** this.attempts, maxDelay, cap);
    this.attempts++;
    return delay * (1 - jitter * this.random());
  }
}

import { Backoff } from "./backoff";

/**
 * Does again what the server has ended: immediately if it lasted, else after longer and longer delays. A server that ends it each time
 * must not be called in a tight loop.
 */
export class Again {
  private readonly backoff = new Backoff();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly action: () => void) {}

  /** Returns whether the action was done immediately. A second call during the delay does nothing. */
  do(): boolean {
    if (this.timer !== undefined) return false;
    const delay = this.backoff.again();
    if (delay > 0) this.timer = setTimeout(() => this.now(), delay).unref();
    else this.action();
    return delay === 0;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private now(): void {
    this.timer = undefined;
    this.action();
  }
}

/** Node's timers fire immediately for longer times. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * One timer for all calls. Most calls share a deadline and are answered long before it, so the timer is set for the earliest one and checks the
 * calls only when it fires: a call costs one comparison.
 */
export class Deadlines {
  private timer: NodeJS.Timeout | undefined;
  private armedFor = Infinity;

  /** `expire` ends the calls that are due and returns when the next one is (Infinity: none). */
  constructor(private readonly expire: (now: number) => number) {}

  note(expires: number): void {
    if (expires < this.armedFor) this.arm(expires);
  }

  /** For good: what is sent while all is given up ends with its connection. */
  stop(): void {
    clearTimeout(this.timer);
    this.armedFor = -Infinity;
  }

  private arm(expires: number): void {
    clearTimeout(this.timer);
    this.armedFor = expires;
    const delay = Math.min(Math.max(expires - performance.now(), 0) + 1, LONGEST_TIMER);
    // This timer does not keep the process alive: the connection of an open call does.
    this.timer = setTimeout(() => this.fire(), delay).unref();
  }

  private fire(): void {
    this.armedFor = Infinity;
    const next = this.expire(performance.now());
    if (next < this.armedFor) this.arm(next);
  }
}

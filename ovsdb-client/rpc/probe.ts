/**
 * Probes a silent server. After one interval of silence `ask` is called, after a second one `dead`. Received bytes only set a flag, so a busy
 * connection costs nothing.
 */
export class Probe {
  private timer: NodeJS.Timeout | undefined;
  private alive = true;
  private isPending = false;

  constructor(
    interval: number,
    private readonly ask: () => void,
    private readonly dead: () => void,
  ) {
    if (interval > 0) this.timer = setInterval(() => this.tick(), interval).unref();
  }

  received(): void {
    this.alive = true;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    if (this.alive) {
      this.alive = false;
      this.isPending = false;
    } else if (!this.isPending) {
      this.isPending = true;
      this.ask();
    } else {
      // A process that was busy or stopped finds its timers due before it has read what came meanwhile.
      setImmediate(() => setImmediate(() => this.judge()));
    }
  }

  private judge(): void {
    if (!this.alive && this.timer !== undefined) this.dead();
  }
}

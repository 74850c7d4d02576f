/** The rollout was asked to end. */
export class Interrupted extends Error {}

/** Seconds between two lines about a wait. */
const TELL = 15;

/** Milliseconds after a signal in which another one is the same: npm passes on to its child what the terminal has sent to both. */
const SAME = 1000;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Actions of further signals. */
export interface Harder {
  /** The second: stops the update, as Ctrl-C does with Pulumi. */
  readonly interrupt: () => void;
  /** The third and each later signal: kills an update that does not stop. */
  readonly kill: () => void;
}

/**
 * Signals that ask for the end: the first ends the rollout after the update in progress, so that the stage is complete; further ones
 * go harder. SIGHUP, the end of the terminal, is only ever a first one: shell and kernel both send it.
 */
export class Stop implements Disposable {
  #count = 0;
  #last = -Infinity;
  #wake: (() => void) | undefined;
  readonly #handler: (signal: NodeJS.Signals) => void;

  constructor(say: (text: string) => void, { interrupt, kill }: Harder, now: () => number = () => performance.now()) {
    this.#handler = (signal) => {
      if (now() - this.#last < SAME || (signal === "SIGHUP" && this.asked)) return;
      this.#last = now();
      this.#count++;
      if (this.#count === 2) return interrupt();
      if (this.#count > 2) return kill();
      say("interrupted: finishing the current stage; press Ctrl-C again to stop it");
      this.#wake?.();
    };
    for (const signal of SIGNALS) process.on(signal, this.#handler);
  }

  get asked(): boolean {
    return this.#count > 0;
  }

  /** Throws Interrupted when the rollout was asked to end. */
  check(): void {
    if (this.asked) throw new Interrupted("run again to go on");
  }

  /** @param tell is called with the seconds that are left */
  async wait(seconds: number, tell: (left: number) => void): Promise<void> {
    for (let left = seconds; left > 0; left -= TELL) {
      this.check();
      tell(left);
      await this.#pause(Math.min(left, TELL) * 1000);
    }
    this.check();
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#handler);
  }
}

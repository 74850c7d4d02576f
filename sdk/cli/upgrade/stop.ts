/** The walk was asked to end. */
export class Interrupted extends Error {}

/** Seconds between two lines about a wait. */
const TELL = 15;

/**
 * SIGINT and SIGTERM: the first ends the walk after the update that is under way, so that the stage is whole; the second
 * stops the update too, as Ctrl-C does with Pulumi.
 */
export class Stop implements Disposable {
  #asked = false;
  #wake: (() => void) | undefined;
  readonly #handler: () => void;

  constructor(say: (text: string) => void, again: () => void) {
    this.#handler = () => {
      if (this.#asked) return again();
      this.#asked = true;
      say("interrupted: ending after what is under way; once more to stop it");
      this.#wake?.();
    };
    process.on("SIGINT", this.#handler);
    process.on("SIGTERM", this.#handler);
  }

  get asked(): boolean {
    return this.#asked;
  }

  /** Throws Interrupted when the walk was asked to end. */
  check(): void {
    if (this.#asked) throw new Interrupted("run again to go on");
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
    process.off("SIGINT", this.#handler);
    process.off("SIGTERM", this.#handler);
  }
}

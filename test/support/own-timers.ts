// Taken before a test replaces them.
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

/** Timers of a test itself. They are not counted as timers of the tested code, and the test can wait for them. */
export class Later {
  private readonly open = new Set<Promise<void>>();

  /** Returns a function that cancels the timer. */
  do(milliseconds: number, what: () => void): () => void {
    let stop = (): void => undefined;
    const due = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), milliseconds);
      stop = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    const done = due.then((isDue) => (isDue ? what() : undefined)).finally(() => this.open.delete(done));
    this.open.add(done);
    return stop;
  }

  async done(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }
}

/** Milliseconds between two ticks, at least. */
const TICK = 100;
/** Ticks of this process, and not seconds: one that does not get to run for a while has one tick in that time. */
const TICKS = 100;

export class Hang extends Error {}

/** Waits for a promise; on timeout throws a Hang with the text of `describe`. */
export async function promptly<T>(work: Promise<T>, describe: () => string): Promise<T> {
  let ticks = 0;
  let ticking: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_resolve, reject) => {
    ticking = setInterval(() => {
      if (++ticks === TICKS) reject(new Hang(`waits for ever: ${describe()}`));
    }, TICK);
  });
  try {
    return await Promise.race([work, never]);
  } finally {
    clearInterval(ticking);
  }
}

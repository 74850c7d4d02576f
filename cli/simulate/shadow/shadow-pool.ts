import type { Shadow } from "./shadow";

/** A shadow that is created with the first work on it. */
export class Slot {
  shadow: Shadow | undefined;
  readonly queue: (() => Promise<void>)[] = [];
  work: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(private readonly create: () => Promise<Shadow>) {}

  get isRunning(): boolean {
    return this.shadow?.isRunning === true && this.#stopping === undefined;
  }

  /** The shadow, with its server. */
  async running(): Promise<Shadow> {
    await this.#stopping;
    this.shadow ??= await this.create();
    await this.shadow.start();
    return this.shadow;
  }

  /** Stops the server. Work that begins meanwhile starts it again. */
  async stop(): Promise<void> {
    this.#stopping ??= this.shadow?.stop().finally(() => (this.#stopping = undefined));
    await this.#stopping;
  }
}

/** Runs work on shadows, one work on each at a time. Few servers run at the same time, so memory does not grow with the number of shadows. */
export class ShadowPool {
  /** The least recently used first. */
  readonly #slots = new Set<Slot>();
  #working = 0;

  /** @param parallel number of works at the same time, and of servers that may run without work */
  constructor(private readonly parallel: number) {}

  /** Runs work on a shadow, which exists and runs meanwhile. */
  in<T>(slot: Slot, work: (shadow: Shadow) => Promise<T>): Promise<T> {
    this.#slots.add(slot);
    return new Promise((resolve, reject) => {
      slot.queue.push(async () => {
        try {
          resolve(await work(await this.#running(slot)));
        } catch (error) {
          reject(error as Error);
        }
      });
      this.#next();
    });
  }

  /** Stops shadows after their current work. Waiting work is left out. */
  async remove(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) slot.queue.length = 0;
    await Promise.all(slots.map(({ work }) => work));
    for (const slot of slots) this.#slots.delete(slot);
    await Promise.all(slots.map((slot) => slot.stop()));
  }

  #next(): void {
    while (this.#working < this.parallel) {
      const slot = this.#chosen();
      if (slot === undefined) return;
      this.#working++;
      slot.work = slot.queue.shift()!().finally(() => {
        this.#working--;
        slot.work = undefined;
        this.#next();
      });
    }
  }

  /** A shadow with a running server, otherwise the one with the most work. */
  #chosen(): Slot | undefined {
    let chosen: Slot | undefined;
    for (const slot of this.#slots) {
      if (slot.queue.length === 0 || slot.work !== undefined) continue;
      if (slot.isRunning) return slot;
      if (slot.queue.length > (chosen?.queue.length ?? 0)) chosen = slot;
    }
    return chosen;
  }

  async #running(slot: Slot): Promise<Shadow> {
    this.#slots.delete(slot);
    this.#slots.add(slot);
    if (!slot.isRunning) {
      const idle = [...this.#slots].filter((each) => each.isRunning && each.work === undefined);
      await Promise.all(idle.slice(0, Math.max(0, idle.length - this.parallel)).map((each) => each.stop()));
    }
    return await slot.running();
  }
}

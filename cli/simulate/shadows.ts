import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Bound } from "./bound";
import type { Programs } from "./programs";
import { Shadow } from "./shadow";

/** Servers that run at the same time. One with the flows of a hundred nodes takes about 30 MB, and its tracer as much. */
const MOST_RUNNING = 4;

interface Waiting {
  readonly run: (shadow: Shadow) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * The shadows of all zones. Work on a zone waits until one of the few running servers is free for that zone, so that memory does not grow
 * with the number of zones.
 */
export class Shadows implements AsyncDisposable {
  readonly #shadows = new Map<string, Shadow>();
  readonly #queues = new Map<string, Waiting[]>();
  readonly #busy = new Map<string, number>();
  readonly #inProgress = new Set<Promise<void>>();
  #original: Shadows | undefined;
  #created = 0;

  private constructor(
    private readonly folder: string,
    private readonly bound: Bound,
    private readonly programs: Programs,
    private readonly parallel: number,
  ) {}

  static async create(programs: Programs, parallel = availableParallelism()): Promise<Shadows> {
    // A path of a socket has at most 107 bytes.
    const base = tmpdir().length > 60 ? "/tmp" : tmpdir();
    const folder = await mkdtemp(join(base, "pulumi-ovn-simulate-"));
    return new Shadows(folder, Bound.folder(folder), programs, parallel);
  }

  /** Shadows of some zones with the same rows. Other zones are these shadows' own. */
  async copy(zones: Iterable<string>): Promise<Shadows> {
    const copy = await Shadows.create(this.programs, this.parallel);
    copy.#original = this;
    for (const zone of zones) copy.#shadows.set(zone, await this.in(zone, (shadow) => shadow.copy(join(copy.folder, String(copy.#created++)))));
    return copy;
  }

  /** Runs work on a zone's shadow, which exists and runs meanwhile. */
  in<T>(zone: string, work: (shadow: Shadow) => Promise<T>): Promise<T> {
    if (this.#original !== undefined && !this.#shadows.has(zone)) return this.#original.in(zone, work);
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(zone) ?? [];
      this.#queues.set(zone, queue);
      queue.push({ run: (shadow) => work(shadow).then(resolve), failed: reject });
      this.#next();
    });
  }

  /** Output of ovn-trace in a zone. */
  trace(zone: string, datapath: string, flow: string): Promise<string> {
    return this.in(zone, (shadow) => shadow.trace(datapath, flow));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queues.clear();
    await Promise.all(this.#inProgress);
    await Promise.all([...this.#shadows.values()].map((shadow) => shadow.stop()));
    await this.bound.end();
  }

  #next(): void {
    while (this.#inProgress.size < this.parallel) {
      const zone = this.#chosen();
      if (zone === undefined) return;
      const work = this.#queues.get(zone)!.shift()!;
      if (this.#queues.get(zone)!.length === 0) this.#queues.delete(zone);
      this.#busy.set(zone, (this.#busy.get(zone) ?? 0) + 1);
      const running = this.#running(zone)
        .then((shadow) => work.run(shadow))
        .catch(work.failed)
        .finally(() => {
          this.#inProgress.delete(running);
          this.#busy.set(zone, this.#busy.get(zone)! - 1);
          this.#next();
        });
      this.#inProgress.add(running);
    }
  }

  /** A zone with a running server, otherwise the zone with the most work. */
  #chosen(): string | undefined {
    const zones = [...this.#queues.keys()];
    return (
      zones.find((zone) => this.#shadows.get(zone)?.isRunning || (this.#busy.get(zone) ?? 0) > 0) ??
      zones.sort((a, b) => this.#queues.get(b)!.length - this.#queues.get(a)!.length)[0]
    );
  }

  readonly #starting = new Map<string, Promise<Shadow>>();

  #running(zone: string): Promise<Shadow> {
    const starting = this.#starting.get(zone) ?? this.#start(zone);
    this.#starting.set(zone, starting);
    return starting.finally(() => this.#starting.delete(zone));
  }

  async #start(zone: string): Promise<Shadow> {
    const known = this.#shadows.get(zone);
    if (known?.isRunning) return known;
    const idle = [...this.#shadows].filter(([name, { isRunning }]) => isRunning && !this.#busy.get(name));
    for (const [, shadow] of idle.slice(0, Math.max(0, idle.length + 1 - MOST_RUNNING))) await shadow.stop();
    if (known === undefined) {
      const shadow = await Shadow.create(zone, join(this.folder, String(this.#created++)), this.programs);
      this.#shadows.set(zone, shadow);
      return shadow;
    }
    await known.start();
    return known;
  }
}

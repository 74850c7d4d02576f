import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Bound } from "./bound";
import type { FindPrograms, Programs } from "./programs";
import { Shadow } from "./shadow";
import { ShadowPool, Slot } from "./shadow-pool";

/** Programs, and a folder with the databases of an empty shadow. */
interface Beginning {
  readonly programs: Programs;
  readonly empty: string;
}

/** The shadows of all zones, few of which run at the same time. */
export class Shadows implements AsyncDisposable {
  readonly #slots = new Map<string, Slot>();
  #isClosed = false;

  private constructor(
    private readonly folder: string,
    private readonly bound: Bound,
    private readonly begin: () => Promise<Beginning>,
    private readonly pool: ShadowPool,
    private readonly original?: Shadows,
  ) {}

  /** @param find is called for the first zone: without zones, a machine needs no programs of OVN */
  static async create(find: FindPrograms, parallel = availableParallelism()): Promise<Shadows> {
    const { folder, bound } = await temporaryFolder();
    let begun: Promise<Beginning> | undefined;
    const begin = async (): Promise<Beginning> => {
      const programs = await find();
      const empty = join(folder, "empty");
      await Shadow.createDatabases(empty, programs);
      return { programs, empty };
    };
    return new Shadows(folder, bound, () => (begun ??= begin()), new ShadowPool(parallel));
  }

  /** Shadows of some zones with the same rows (see `Shadow.copy`), empty for new zones. Other zones are these shadows' own. */
  async copy(zones: Iterable<string>): Promise<Shadows> {
    const { folder: own, bound } = await temporaryFolder();
    const copy = new Shadows(own, bound, this.begin, this.pool, this);
    for (const zone of zones) copy.#add(zone, (folder) => this.#slots.get(zone)?.shadow?.copy(folder) ?? this.#empty(zone, folder));
    return copy;
  }

  /** Runs work on a zone's shadow, which exists and runs meanwhile. */
  in<T>(zone: string, work: (shadow: Shadow) => Promise<T>): Promise<T> {
    // After an error, questions that go on would start programs that nothing ends.
    if (this.#isClosed) return Promise.reject(new Error("the simulation has ended"));
    const slot = this.#slots.get(zone);
    if (slot === undefined && this.original !== undefined) return this.original.in(zone, work);
    return this.pool.in(slot ?? this.#add(zone, (folder) => this.#empty(zone, folder)), work);
  }

  /** Output of ovn-trace in a zone. */
  trace(zone: string, datapath: string, flow: string): Promise<string> {
    return this.in(zone, (shadow) => shadow.trace(datapath, flow));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.pool.remove([...this.#slots.values()]);
    await this.bound.end();
  }

  async #empty(zone: string, folder: string): Promise<Shadow> {
    const { programs, empty } = await this.begin();
    return await Shadow.create(zone, folder, programs, empty);
  }

  #add(zone: string, create: (folder: string) => Promise<Shadow>): Slot {
    const folder = join(this.folder, String(this.#slots.size));
    const slot = new Slot(() => create(folder));
    this.#slots.set(zone, slot);
    return slot;
  }
}

async function temporaryFolder(): Promise<{ readonly folder: string; readonly bound: Bound }> {
  // A path of a socket has at most 107 bytes.
  const base = tmpdir().length > 60 ? "/tmp" : tmpdir();
  const folder = await mkdtemp(join(base, "pulumi-ovn-simulate-"));
  return { folder, bound: Bound.folder(folder) };
}

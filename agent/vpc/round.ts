import type { HostKeeper, KeptUpdate, Problem, Restored } from "@pulumi-ovn/provider/agent";
import { problemOf } from "./problem";
import { readKept } from "./folder";

/** Milliseconds for which tunnel ends must work before redirects are enabled again: an unstable tunnel would move every connection. */
export const STEADY = 3_000;

/** Milliseconds in which a BFD session must come up for the first time, after a restart of the switch or in an update. */
const SESSION = 5_000;

/** A resource of this host. */
export interface ResourceState {
  readonly owner: string;
  /** Number of its last update. */
  readonly sequence: number;
  /** Why packets go through the virtual router, where they do. */
  readonly fallback: string | null;
}

/** Result of a round. */
export interface Outcome {
  readonly resources: readonly ResourceState[];
  readonly problems: readonly Problem[];
  /** Restored rows and flows, by resource. */
  readonly changes: readonly { readonly owner: string; readonly what: string }[];
}

/** Restores every resource that updates have left in a folder. */
export class Rounds {
  /** When the ends of a resource's tunnels were last seen broken, by owner. */
  readonly #broken = new Map<string, number>();
  /** Since when BFD sessions of a resource are new, by owner; undefined: they have all been up. Others have never been seen to work. */
  readonly #worked = new Map<string, number | undefined>();

  constructor(
    private readonly keeper: Pick<HostKeeper, "exclusively" | "restore">,
    private readonly folder: string,
  ) {}

  /** Whether a fallback may start or end only because time passes. */
  get settling(): boolean {
    return this.#broken.size > 0 || [...this.#worked.values()].some((since) => since !== undefined);
  }

  /** Reads the files when no update is in progress: an update writes them at its end. */
  run(): Promise<Outcome> {
    return this.keeper.exclusively(async () => {
      const { updates, problems } = await readKept(this.folder);
      const done = await this.#all(updates);
      for (const seen of [this.#broken, this.#worked])
        for (const owner of seen.keys()) if (!updates.some((update) => update.owner === owner)) seen.delete(owner);
      return {
        resources: updates.map(({ owner, sequence }) => ({ owner, sequence, fallback: done.restored.get(owner)?.fallback ?? null })),
        problems: [
          ...problems,
          ...[...done.failed].map(([owner, error]) => problemOf(owner, error)),
          ...[...done.restored].flatMap(([owner, { fallback }]) =>
            fallback === undefined ? [] : [{ code: "OVN_AGENT_FALLBACK", subject: owner, message: `packets go through the virtual router: ${fallback}` }],
          ),
        ],
        changes: [...done.restored].flatMap(([owner, { changes }]) => changes.map((what) => ({ owner, what }))),
      };
    });
  }

  /** Repeats failed resources as long as others change: they may need, for example, a bridge of another resource. */
  async #all(updates: readonly KeptUpdate[]) {
    const restored = new Map<string, Restored>();
    const failed = new Map<string, unknown>();
    for (let open = updates; open.length > 0; ) {
      let changed = false;
      for (const update of open) {
        try {
          const done = await this.#one(update);
          restored.set(update.owner, done);
          failed.delete(update.owner);
          changed ||= done.changes.length > 0;
        } catch (error) {
          failed.set(update.owner, error);
        }
      }
      open = changed ? open.filter(({ owner }) => failed.has(owner)) : [];
    }
    return { restored, failed };
  }

  async #one(update: KeptUpdate): Promise<Restored> {
    const { owner } = update;
    const since = this.#broken.get(owner);
    const steady = since === undefined || performance.now() - since >= STEADY;
    const started = this.#worked.get(owner) ?? performance.now();
    // A new session ends no fallback, and starts one only when it had its time.
    const patient = this.#worked.has(owner) && performance.now() - started < SESSION;
    const done = await this.keeper.restore(update, { steady, patient });
    if (done.broken) this.#broken.set(owner, performance.now());
    else if (steady) this.#broken.delete(owner);
    if (done.broken) this.#worked.delete(owner);
    else this.#worked.set(owner, done.starting ? started : undefined);
    return done;
  }
}

import type { Converged } from "../host/agent-host";
import { desired, type HostSettings, type HostState, NOTHING, type Problem, type Snapshot } from "@pulumi-ovn/provider/agent";
import type { SnapshotSource } from "../southbound/source";

/** Milliseconds. */
export const TIMES = {
  /** After a round that could not do all it wanted: the first time, doubled each time after it, and at most. */
  retry: 500,
  longestRetry: 10_000,
  /** After a round that went by what is known of the host, or has changed it after a look: when changes pause, a look finds whether all is so. */
  look: 300,
  /** Without any event: what no event tells is put right, too. */
  reconcile: 300_000,
} as const;

/** A round: desired state, compared with the host, applied. */
export interface Round {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds. */
  readonly took: number;
  readonly changed: number;
  readonly wanted: HostState;
}

export interface Counters {
  rounds: number;
  /** Rounds that left something undone. */
  failures: number;
  changes: number;
  /** Milliseconds, of all rounds. */
  took: number;
}

export interface LoopParts {
  readonly source: Pick<SnapshotSource, "current" | "problems">;
  readonly host: { converge(state: HostState, newer: AbortSignal): Promise<Converged | undefined> };
  readonly settings?: HostSettings | undefined;
  /** Called after each round. */
  readonly rounded?: (() => void) | undefined;
}

/**
 * Brings the host to what the snapshot says, whenever it is woken: one round at a time, and one more for whatever has happened
 * meanwhile. What fails is tried again, later and later; nothing ends the loop but {@link stop}.
 */
export class Loop {
  last: Round | undefined;
  /** When a round last changed something, in milliseconds since the epoch. */
  lastChange: number | undefined;
  readonly counters: Counters = { rounds: 0, failures: 0, changes: 0, took: 0 };
  #problems: readonly Problem[] = [];
  #dirty = false;
  #working: Promise<void> | undefined;
  #failed = 0;
  /** The last round looked at the host. */
  #looked = true;
  /** Ends the look of the round in progress. */
  #newer = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(private readonly parts: LoopParts) {}

  /** What keeps the host from being as it should, as of the last round, and the source from seeing. */
  get problems(): readonly Problem[] {
    return [...this.parts.source.problems(), ...this.#problems];
  }

  /** The databases say something else: a look at the host that is in progress need not end before that is written. */
  renew(): void {
    this.#newer.abort();
    this.wake();
  }

  /** Something has changed, here or there. */
  wake(): void {
    this.#dirty = true;
    this.#working ??= this.#work();
  }

  /** Resolves when the last round is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#dirty && !this.#stopped) {
      this.#dirty = false;
      await this.#round();
    }
    this.#working = undefined;
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), this.#pause());
  }

  #pause(): number {
    if (!this.#looked) return TIMES.look;
    if (this.#failed > 0) return Math.min(TIMES.retry * 2 ** (this.#failed - 1), TIMES.longestRetry);
    return this.last !== undefined && this.last.changed > 0 ? TIMES.look : TIMES.reconcile;
  }

  async #round(): Promise<void> {
    const snapshot = this.parts.source.current();
    // Before both databases have been seen whole nothing is known to be unwanted.
    if (snapshot === null) return;
    const began = performance.now();
    const at = Date.now();
    this.#newer = new AbortController();
    const { state, problems, done } = await this.#converge(snapshot);
    if (this.#stopped || done === undefined) return;
    const { problems: refused, changed, looked } = done;
    const took = performance.now() - began;
    this.#problems = [...problems, ...refused];
    this.#failed = refused.length === 0 ? 0 : this.#failed + 1;
    this.#looked = looked;
    this.last = { at, took, changed, wanted: state };
    if (changed > 0) this.lastChange = Date.now();
    this.counters.rounds++;
    this.counters.failures += refused.length === 0 ? 0 : 1;
    this.counters.changes += changed;
    this.counters.took += took;
    this.parts.rounded?.();
  }

  async #converge(snapshot: Snapshot): Promise<{ state: HostState; problems: readonly Problem[]; done: Converged | undefined }> {
    let state = this.last?.wanted ?? NOTHING;
    let problems: readonly Problem[] = [];
    try {
      ({ state, problems } = desired(snapshot, this.parts.settings));
      return { state, problems, done: await this.parts.host.converge(state, this.#newer.signal) };
    } catch (error) {
      return {
        state,
        problems,
        done: { looked: true, problems: [{ code: "OVN_AGENT_FAILED", subject: "round", message: (error as Error).message }], changed: 0 },
      };
    }
  }
}

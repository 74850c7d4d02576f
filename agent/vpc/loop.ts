import type { Problem } from "@pulumi-ovn/provider/agent";
import { problemOf } from "./problem";
import { type Outcome, type Rounds, STEADY } from "./round";

/** Milliseconds. */
const TIMES = {
  /** Changes that come together are one. */
  together: 30,
  /** After a round that left something undone: the first time, doubled each time after it, and at most. */
  retry: 200,
  longestRetry: 10_000,
  /** Milliseconds between rounds without an event: Open vSwitch reports no removed flow. */
  look: 30_000,
} as const;

/** Status of the agent, for its log, health and metrics. */
export interface Work {
  /** The last round; undefined: none has ended yet. */
  readonly last: (Outcome & { readonly at: number }) | undefined;
  /** When a round in progress has begun, which may be waiting for an update; milliseconds since the epoch. */
  readonly begun: number | undefined;
  /** When something was last restored. */
  readonly lastChange: number | undefined;
  readonly rounds: number;
  readonly failures: number;
  readonly changes: number;
}

/** One round after another, whenever something has changed, and from time to time. What fails is tried again, later and later. */
export class Loop implements Work {
  last: Work["last"];
  begun: number | undefined;
  lastChange: number | undefined;
  rounds = 0;
  failures = 0;
  changes = 0;
  #failed = 0;
  #due: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly parts: { readonly work: Pick<Rounds, "run" | "settling">; readonly rounded: (outcome: Outcome) => void }) {}

  /** Something has changed. */
  wake(): void {
    this.#schedule(TIMES.together);
  }

  /** Resolves when the last round is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  /** The earliest moment counts. A round in progress may not have seen what has changed since it began: another one follows. */
  #schedule(pause: number): void {
    if (this.#stopped) return;
    const due = performance.now() + pause;
    if (this.#due !== undefined && this.#due <= due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    if (!this.#working) this.#timer = setTimeout(() => (this.#working = this.#round()), pause);
  }

  async #round(): Promise<void> {
    this.#due = undefined;
    this.begun = Date.now();
    const outcome = await this.parts.work
      .run()
      .catch((error: unknown): Outcome => ({ resources: this.last?.resources ?? [], problems: [problemOf("host", error)], changes: [] }));
    this.#working = undefined;
    const at = this.begun;
    this.begun = undefined;
    if (this.#stopped) return;
    const failed = outcome.problems.some(isFailure);
    this.last = { ...outcome, at };
    this.rounds++;
    this.failures += failed ? 1 : 0;
    this.#failed = failed ? this.#failed + 1 : 0;
    this.changes += outcome.changes.length;
    if (outcome.changes.length > 0) this.lastChange = Date.now();
    this.parts.rounded(outcome);
    const left = this.#due === undefined ? Infinity : Math.max(0, this.#due - performance.now());
    this.#due = undefined;
    this.#schedule(Math.min(left, this.#pause()));
  }

  #pause(): number {
    const retry = this.#failed > 0 ? Math.min(TIMES.retry * 2 ** (this.#failed - 1), TIMES.longestRetry) : TIMES.look;
    return this.parts.work.settling ? Math.min(STEADY, retry) : retry;
  }
}

/** A fallback is a state of the host's, and nothing that another attempt changes. */
export const isFailure = ({ code }: Problem): boolean => code !== "OVN_AGENT_FALLBACK";

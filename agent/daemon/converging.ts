import { type Converged, MAX_SCAN_DELAY } from "../host/agent-host";
import { desired, type HostSettings, type HostState, NOTHING, type Problem } from "@pulumi-ovn/provider/agent";
import type { SnapshotSource } from "../southbound/source";
import type { Round } from "./loop";

/** Milliseconds. */
export const TIMES = {
  /** After a scan that led to changes. The next scan finds no difference, and the agent can plan routes from its result. */
  settle: 300,
  /** After changes that were planned from the last scan, to verify them. Successive changes do not delay the scan. */
  verify: MAX_SCAN_DELAY,
  /** Without an event, to repair changes that no event reports. */
  reconcile: 300_000,
} as const;

/** A round: desired state, compared with the host, applied. */
export interface Convergence extends Round {
  readonly wanted: HostState;
  readonly problems: readonly Problem[];
}

export interface ConvergingParts {
  readonly source: Pick<SnapshotSource, "current" | "problems">;
  readonly host: { converge(state: HostState, newer: AbortSignal, isScanDue: boolean): Promise<Converged | undefined> };
  readonly settings?: HostSettings | undefined;
}

/** Rounds of the BGP agent: each brings the host to the state that the snapshot asks for. */
export class Converging {
  /** Ends the scan of the round in progress. */
  #newer = new AbortController();
  /** Time of the next scan that no event asks for, by performance.now(). */
  #scanDue = 0;

  constructor(private readonly parts: ConvergingParts) {}

  /** The databases have changed: a scan of the host that is in progress need not end before that is written. */
  renew(): void {
    this.#newer.abort();
  }

  /** The host may have changed: the next round scans it. */
  demandScan(): void {
    this.#scanDue = 0;
  }

  /** Problems of the host, as of the last round, and of the source. */
  problems(last: Convergence | undefined): readonly Problem[] {
    return [...this.parts.source.problems(), ...(last?.problems ?? [])];
  }

  async round(last: Convergence | undefined): Promise<Convergence | undefined> {
    const snapshot = this.parts.source.current();
    // Before both databases have been read completely, nothing is known to be unwanted.
    if (snapshot === null) return undefined;
    this.#newer = new AbortController();
    // A database that changes often must neither cause a scan for each change nor delay the due one.
    const isScanDue = last === undefined || last.failed || performance.now() >= this.#scanDue;
    if (isScanDue) this.#scanDue = Infinity;
    let wanted = last?.wanted ?? NOTHING;
    let problems: readonly Problem[] = [];
    try {
      ({ state: wanted, problems } = desired(snapshot, this.parts.settings));
      const done = await this.parts.host.converge(wanted, this.#newer.signal, isScanDue);
      if (done) return this.#ended(wanted, problems, done, isScanDue);
      if (isScanDue) this.demandScan();
      return undefined;
    } catch (error) {
      const refused: Problem = { code: "OVN_AGENT_FAILED", subject: "round", message: (error as Error).message };
      return this.#ended(wanted, problems, { isScanned: true, problems: [refused], changed: 0 }, isScanDue);
    }
  }

  /** Result of a round. A problem of the databases does not count as a failure: only an event can solve that problem. */
  #ended(wanted: HostState, problems: readonly Problem[], done: Converged, isScanDue: boolean): Convergence {
    const now = performance.now();
    this.#scanDue = Math.min(this.#scanDue, now + untilScan(done, isScanDue));
    const failed = done.problems.length > 0;
    return { wanted, problems: [...problems, ...done.problems], changed: done.changed, failed, within: Math.max(0, this.#scanDue - now) };
  }
}

/** Milliseconds after a round. */
function untilScan({ isScanned, changed, problems }: Converged, isScanDue: boolean): number {
  if (isScanned) return changed > 0 && problems.length === 0 ? TIMES.settle : TIMES.reconcile;
  // The changes were more urgent than the due scan.
  if (isScanDue) return TIMES.settle;
  return changed > 0 ? TIMES.verify : Infinity;
}

import type { Converged } from "../host/agent-host";
import { desired, type HostSettings, type HostState, NOTHING, type Problem } from "@pulumi-ovn/provider/agent";
import type { SnapshotSource } from "../southbound/source";
import type { Round } from "./loop";

/** Milliseconds. */
export const TIMES = {
  /** After a round that used the known state of the host, or changed the host after a scan. */
  look: 300,
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
  readonly host: { converge(state: HostState, newer: AbortSignal): Promise<Converged | undefined> };
  readonly settings?: HostSettings | undefined;
}

/** Rounds of the BGP agent: each brings the host to the state that the snapshot asks for. */
export class Converging {
  /** Ends the scan of the round in progress. */
  #newer = new AbortController();

  constructor(private readonly parts: ConvergingParts) {}

  /** The databases have changed: a scan of the host that is in progress need not end before that is written. */
  renew(): void {
    this.#newer.abort();
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
    let wanted = last?.wanted ?? NOTHING;
    let problems: readonly Problem[] = [];
    try {
      ({ state: wanted, problems } = desired(snapshot, this.parts.settings));
      const done = await this.parts.host.converge(wanted, this.#newer.signal);
      return done && ended(wanted, problems, done);
    } catch (error) {
      const refused: Problem = { code: "OVN_AGENT_FAILED", subject: "round", message: (error as Error).message };
      return ended(wanted, problems, { isScanned: true, problems: [refused], changed: 0 });
    }
  }
}

/** Result of a round. A problem of the databases does not count as a failure: only an event can solve that problem. */
function ended(wanted: HostState, problems: readonly Problem[], { problems: refused, changed, isScanned }: Converged): Convergence {
  const failed = refused.length > 0;
  const within = !isScanned || (changed > 0 && !failed) ? TIMES.look : TIMES.reconcile;
  return { wanted, problems: [...problems, ...refused], changed, failed, within };
}

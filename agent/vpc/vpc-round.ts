import type { Problem } from "@pulumi-ovn/provider/agent";
import type { Round } from "../daemon/loop";
import { problemOf } from "./problem";
import { type Outcome, type Rounds, STEADY } from "./round";

/** Milliseconds between rounds without an event: Open vSwitch reports no removed flow. */
const LOOK = 30_000;

export type VpcRound = Outcome & Round;

/** One round. An error is a problem of the host. */
export async function roundOf(rounds: Pick<Rounds, "run" | "settling">, last: Outcome | undefined): Promise<VpcRound> {
  const outcome = await rounds
    .run()
    .catch((error: unknown): Outcome => ({ resources: last?.resources ?? [], problems: [problemOf("host", error)], changes: [] }));
  return {
    ...outcome,
    changed: outcome.changes.length,
    failed: outcome.problems.some(isFailure),
    within: rounds.settling ? STEADY : LOOK,
  };
}

/** A fallback is a state of the host that no other attempt changes. */
const isFailure = ({ code }: Problem): boolean => code !== "OVN_AGENT_FALLBACK";

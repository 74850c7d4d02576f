/** Announcements of the chassis, as `--json` prints them. */

/**
 * - "announced": in the kernel's table, and FRR originates it
 * - "missing": it should be announced, and is not in the table
 * - "not-originated": in the table, and FRR does not originate it
 * - "unexpected": in the table, or originated by FRR for the agent, and it should not be
 * - "unknown": who would tell was not reached, or did not answer
 */
export type RouteState = "announced" | "missing" | "not-originated" | "unexpected" | "unknown";

export interface RouteFacts {
  readonly prefix: string;
  readonly state: RouteState;
}

export interface ProblemFacts {
  readonly source: "agent" | "kernel" | "frr";
  /** Code of the agent's problem. Null if the source did not answer, or answered incorrectly. */
  readonly code: string | null;
  readonly message: string;
}

export interface ChassisFacts {
  readonly chassis: string;
  readonly tables: readonly number[];
  readonly reached: boolean;
  /** Why it was not reached. */
  readonly detail?: string;
  readonly problems: readonly ProblemFacts[];
  readonly routes: readonly RouteFacts[];
}

export interface ExposureFacts {
  readonly name: string;
  readonly zone: string;
  readonly mode: "ovn" | "agent";
  readonly chassis: readonly ChassisFacts[];
}

/** Whether the state is a problem. Unknown states are reported at their chassis. */
export const isWrong = ({ state }: RouteFacts): boolean => state !== "announced" && state !== "unknown";

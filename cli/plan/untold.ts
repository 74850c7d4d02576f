import { ALL_HIDDEN, hasUnknown, sameJson } from "@pulumi-ovn/provider/tools";
import type { State } from "./preview";

/** Reason why rows are hidden: they contain a secret, depend on future resources, or depend on a target that could not be read. */
export type Untold = "secret" | "unknown" | "unobserved";

/** Reason why a state does not contain the resource's rows. Undefined if it contains them. */
export function whyUntold({ rows, observedEarlier }: State["inputs"]): Untold | undefined {
  if (sameJson(rows, ALL_HIDDEN)) return "secret";
  if (!hasUnknown(rows)) return undefined;
  return observedEarlier === true ? "unobserved" : "unknown";
}

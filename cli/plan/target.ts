import { UNKNOWN } from "@pulumi-ovn/provider/tools";
import type { State } from "./preview";

export type TargetKind = "zone" | "host" | "cluster";

/** A zone, host or cluster. */
export interface Target {
  readonly kind: TargetKind;
  readonly name: string;
}

/** Argument that names the resource's target. */
export function targetKind({ inputs }: Pick<State, "inputs">): TargetKind {
  return (["cluster", "host"] as const).find((argument) => inputs[argument] !== undefined) ?? "zone";
}

/** Name of the resource's target. Undefined if it depends on a resource that does not exist yet. */
export function targetName(state: Pick<State, "inputs"> | undefined, kind: TargetKind): string | undefined {
  const name = state?.inputs[kind];
  return typeof name === "string" && name !== UNKNOWN ? name : undefined;
}

import { UNKNOWN } from "@pulumi-ovn/provider/tools";
import type { State } from "./preview";

export type PlaceKind = "zone" | "host" | "cluster";

/** A zone, host or cluster. */
export interface Place {
  readonly kind: PlaceKind;
  readonly name: string;
}

/** Argument that names the resource's target. */
export function placeKind({ inputs }: Pick<State, "inputs">): PlaceKind {
  return (["cluster", "host"] as const).find((argument) => inputs[argument] !== undefined) ?? "zone";
}

/** Name of the resource's target. Undefined if it depends on a resource that does not exist yet. */
export function placeName(state: Pick<State, "inputs"> | undefined, kind: PlaceKind): string | undefined {
  const name = state?.inputs[kind];
  return typeof name === "string" && name !== UNKNOWN ? name : undefined;
}

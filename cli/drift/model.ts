import { MISSING, SURPLUS, type Trace } from "@pulumi-ovn/provider/tools";
import type { Target } from "../plan/target";

/** Action of `pulumi up --refresh` for a row, flow or object that differs. */
export type Repair = "add" | "change" | "remove";

/** A row, flow or object that differs from the last update. */
export interface DriftedPart {
  /** Its name as in previews. */
  readonly label: string;
  /** `missing`, `surplus`, or `mac=A instead of mac=B`. */
  readonly difference: string;
  readonly repair: Repair;
  /** Last writer, as far as marks, field managers or a database's log name one. */
  readonly writer?: string;
}

/** A resource as far as messages need it. */
export interface Subject {
  readonly urn: string;
  readonly kind: string;
  readonly name: string;
  readonly target: Target | undefined;
}

export interface DriftedResource extends Subject {
  readonly parts: readonly DriftedPart[];
}

export interface FailedResource extends Subject {
  readonly message: string;
}

export interface DriftReport {
  readonly project: string | undefined;
  readonly stack: string | undefined;
  /** Number of resources that were compared. */
  readonly compared: number;
  readonly drifted: readonly DriftedResource[];
  /** Resources with secret arguments that are encrypted in the state. */
  readonly skipped: readonly Subject[];
  readonly failed: readonly FailedResource[];
}

/** Label of the part that represents a resource without any row, flow or object left. */
export const EVERYTHING = "everything";

export function partOf({ label, difference }: { readonly label: string; readonly difference: string }, writer: string | undefined): DriftedPart {
  return { label, difference, repair: repairOf(difference), ...(writer !== undefined && { writer }) };
}

function repairOf(difference: string): Repair {
  if (difference === SURPLUS) return "remove";
  return difference === MISSING || difference.startsWith(`${MISSING}:`) || difference.startsWith(`${MISSING};`) ? "add" : "change";
}

/** Writers that a trace names without a database's log. */
export function writersIn(trace: Trace | undefined): string | undefined {
  const { writers = [] } = trace ?? {};
  return writers.length === 0 ? undefined : writers.join(", ");
}

export function partsOf(resources: readonly DriftedResource[]): readonly DriftedPart[] {
  return resources.flatMap(({ parts }) => parts);
}

/** 0: no drift; 2: drift; 1: a resource could not be compared. */
export function exitCodeOf({ failed, drifted }: DriftReport): number {
  if (failed.length > 0) return 1;
  return drifted.length > 0 ? 2 : 0;
}

/** Resources by target, in the order of names; resources without a target come last. */
export function byTarget<T extends Subject>(resources: readonly T[]): readonly (readonly [target: string, resources: readonly T[]])[] {
  const groups = Map.groupBy(resources, ({ target }) => (target ? `${target.kind} ${target.name}` : "no target"));
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

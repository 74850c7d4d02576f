import type { Failure } from "./errors";

/** Message of a check about an argument. */
export interface Diagnostic extends Failure {
  /** An error refuses the resource before anything is changed; a warning is shown, and the update continues. */
  readonly severity: "error" | "warning";
}

export const asErrors = (failures: readonly Failure[]): Diagnostic[] => failures.map((failure) => ({ severity: "error", ...failure }));

export const asWarnings = (failures: readonly Failure[]): Diagnostic[] => failures.map((failure) => ({ severity: "warning", ...failure }));

export const isError = ({ severity }: Diagnostic): boolean => severity === "error";

import type { Failure } from "../kit/arguments/errors";
import { hasUnknown } from "../kit/arguments/unknown";

/**
 * Failures of a target.
 * @param at the argument that names it, and the code
 * @param look throws if the target is not configured
 */
export function lookFailures(at: Pick<Failure, "path" | "code">, look: () => unknown): Failure[] {
  try {
    look();
    return [];
  } catch (error) {
    return [{ ...at, message: (error as Error).message }];
  }
}

/** Failures of the argument's value: none for an unknown value or an invalid name, which the schema refuses. */
export function targetFailures(at: Pick<Failure, "path" | "code">, name: unknown, look: (name: string) => unknown): Failure[] {
  return typeof name !== "string" || name === "" || hasUnknown(name) ? [] : lookFailures(at, () => look(name));
}

import type { Failure } from "../kit/arguments/errors";
import { hasUnknown } from "../kit/arguments/unknown";

/**
 * What is wrong with a target.
 * @param at the argument that names it, and the code
 * @param look throws where the targets do not tell how to reach it
 */
export function lookFailures(at: Pick<Failure, "path" | "code">, look: () => unknown): Failure[] {
  try {
    look();
    return [];
  } catch (error) {
    return [{ ...at, message: (error as Error).message }];
  }
}

/** The same of the argument's value: nothing while that is not known, or no name at all, which the schema tells. */
export function targetFailures(at: Pick<Failure, "path" | "code">, name: unknown, look: (name: string) => unknown): Failure[] {
  return typeof name !== "string" || name === "" || hasUnknown(name) ? [] : lookFailures(at, () => look(name));
}

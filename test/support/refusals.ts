import { ArgumentError, type Failure } from "@pulumi-ovn/provider";

/** Failures of the arguments that a call refuses; empty if it accepts them. */
export function failuresOf(call: () => unknown): readonly Failure[] {
  try {
    call();
    return [];
  } catch (error) {
    if (error instanceof ArgumentError) return error.failures;
    throw error;
  }
}

/** `path: message` of every failure. */
export const complaints = (call: () => unknown): string[] => failuresOf(call).map(({ path, message }) => `${path}: ${message}`);

/** `path: message [code]` of every failure. */
export const refusalsOf = (call: () => unknown): string[] => failuresOf(call).map(({ path, code, message }) => `${path}: ${message} [${code}]`);

/** Path, code and message of every failure. */
export const codedFailures = (call: () => unknown): [path: string, code: string, message: string][] =>
  failuresOf(call).map(({ path, code, message }) => [path, code, message]);

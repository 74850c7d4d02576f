import type { Failure } from "../../kit/arguments/errors";

interface LookupErrorOptions extends ErrorOptions {
  readonly failures?: readonly Failure[];
}

/** Something that was looked up is not there, or there several times; or could not be asked for. */
export class LookupError extends Error {
  /** Errors in the arguments, if they are the reason. */
  readonly failures: readonly Failure[];

  constructor(
    readonly code: string,
    message: string,
    { failures = [], ...options }: LookupErrorOptions = {},
  ) {
    super(`${code}: ${message}`, options);
    this.name = "LookupError";
    this.failures = failures;
  }
}

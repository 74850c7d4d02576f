import type { Properties } from "./handler";

/**
 * The rows were written, but the effect that the update waits for did not occur in time. The state keeps the resource as
 * written, so that it can be removed, and the next update continues from there.
 */
export class InitializationError extends Error {
  readonly code: string;

  constructor(
    cause: Error,
    readonly id: string,
    readonly outs: Properties,
  ) {
    super(cause.message, { cause });
    this.code = String((cause as { code?: unknown }).code);
    this.stack = "";
  }
}

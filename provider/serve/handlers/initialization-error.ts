import type { Properties } from "./handler";

/**
 * What was written stands, but has not had the effect that was to be waited for. The state keeps the resource as it was
 * written, so that it can be removed, and the next update goes on from there.
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

/**
 * No stack traces from its making to its end.
 *
 * Pulumi notes a trace for each promise of each property of a resource, translated by source maps: a tenth of the time that
 * a network's program takes, for a note that only Pulumi's own developers ask for.
 */
export class QuietTraces {
  readonly #limit = Error.stackTraceLimit;

  constructor() {
    Error.stackTraceLimit = 0;
  }

  /** The error, with the trace of whoever calls this in the place of the one that it has not got. */
  traced(error: unknown): unknown {
    this.end();
    if (error instanceof Error) Error.captureStackTrace(error, this.traced);
    return error;
  }

  end(): void {
    Error.stackTraceLimit = this.#limit;
  }
}

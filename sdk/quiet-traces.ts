/**
 * No stack traces from its making to its end.
 *
 * Pulumi notes a trace for each promise of each property of a resource, translated by source maps: a tenth of the time that
 * a network's program takes, for a note that only Pulumi's own developers ask for. And it keeps one in the state of each
 * resource, which names nothing but places in this package and in Pulumi: a fifth of what a resource of a network has there.
 */
export class QuietTraces {
  readonly #limit = Error.stackTraceLimit;

  constructor() {
    // Pulumi raises the limit for the trace that it keeps. Where this is no plain value, the engine makes no trace at all.
    Object.defineProperty(Error, "stackTraceLimit", { configurable: true, enumerable: true, get: () => 0, set: () => undefined });
  }

  /** The error, with the trace of whoever calls this in the place of the one that it has not got. */
  traced(error: unknown): unknown {
    this.end();
    if (error instanceof Error) Error.captureStackTrace(error, this.traced);
    return error;
  }

  end(): void {
    Object.defineProperty(Error, "stackTraceLimit", { configurable: true, enumerable: true, writable: true, value: this.#limit });
  }
}

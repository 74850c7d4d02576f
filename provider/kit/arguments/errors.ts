/** One thing that is wrong with the arguments of a resource. */
export interface Failure {
  /** Path of the argument as Pulumi writes it: `nodes["node1"].transitAddresses[0]`; "" is the whole resource. */
  readonly path: string;
  /** Stable, for programs: `overlap`, `host-bits`, `out-of-range`, `duplicate`, ... */
  readonly code: string;
  /** For people: what is wrong, and what would be right. */
  readonly message: string;
}

/** Arguments that no database could make right. Thrown by renderers and address functions; `check` reports every failure. */
export class ArgumentError extends Error {
  readonly code = "OVN_ARGUMENT";
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super(failures.map((failure) => (failure.path ? `${failure.path}: ${failure.message}` : failure.message)).join("; "));
    this.name = "ArgumentError";
    this.failures = failures;
  }

  static of(path: string, code: string, message: string): ArgumentError {
    return new ArgumentError([{ path, code, message }]);
  }
}

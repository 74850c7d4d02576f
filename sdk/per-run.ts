import * as pulumi from "@pulumi/pulumi";

/**
 * Value for each run of a program. One process may have several runs, one after another or at the same time: inline
 * programs of Pulumi's Automation API, and tests with mocks.
 */
export class PerRun<Value> {
  readonly #runs = new WeakMap<object, Value>();

  constructor(private readonly make: () => Value) {}

  /** Each run has its own connection to the engine, and so has each `setMocks`. */
  get current(): Value {
    const run = pulumi.runtime.getMonitor() ?? this;
    const existing = this.#runs.get(run);
    if (existing !== undefined) return existing;
    const made = this.make();
    this.#runs.set(run, made);
    return made;
  }
}

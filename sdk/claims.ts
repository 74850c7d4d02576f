import * as pulumi from "@pulumi/pulumi";

/**
 * What the resources of this run of a program hold. One process may have several runs, one after another or at the same
 * time: inline programs of Pulumi's Automation API, and tests with mocks.
 */
export class Claims<Holder> {
  readonly #runs = new WeakMap<object, Map<string, Holder>>();

  /** Takes all keys, or none: then it says which one has another holder, and who that is. */
  take(keys: readonly string[], holder: Holder, same: (other: Holder) => boolean): { readonly key: string; readonly other: Holder } | undefined {
    const holders = this.#holders();
    for (const key of keys) {
      const other = holders.get(key);
      if (other !== undefined && !same(other)) return { key, other };
    }
    for (const key of keys) if (!holders.has(key)) holders.set(key, holder);
    return undefined;
  }

  /** Each run has its own connection to the engine, and so has each `setMocks`. */
  #holders(): Map<string, Holder> {
    const run = pulumi.runtime.getMonitor() ?? this;
    const holders = this.#runs.get(run) ?? new Map<string, Holder>();
    this.#runs.set(run, holders);
    return holders;
  }
}

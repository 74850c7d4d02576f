import { PerRun } from "./per-run";

/** Claims of the resources of this run of a program. */
export class Claims<Holder> {
  readonly #holders = new PerRun(() => new Map<string, Holder>());

  /** Takes all keys or no key. If a key has another holder, takes nothing and returns the key and its holder. */
  take(keys: readonly string[], holder: Holder, same: (other: Holder) => boolean): { readonly key: string; readonly other: Holder } | undefined {
    const holders = this.#holders.current;
    for (const key of keys) {
      const other = holders.get(key);
      if (other !== undefined && !same(other)) return { key, other };
    }
    for (const key of keys) if (!holders.has(key)) holders.set(key, holder);
    return undefined;
  }
}

import { PerRun } from "./per-run";

/** What the resources of this run of a program hold. */
export class Claims<Holder> {
  readonly #holders = new PerRun(() => new Map<string, Holder>());

  /** Takes all keys, or none: then it says which one has another holder, and who that is. */
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

import type { LabelSelector } from "../facts";

type Labels = Readonly<Record<string, string>>;

/** Keys of the labels that selectors use. Other labels do not matter here. */
export function labelKeys(selectors: readonly (LabelSelector | undefined)[]): ReadonlySet<string> {
  return new Set(selectors.flatMap((selector) => [...Object.keys(selector?.matchLabels ?? {}), ...(selector?.matchExpressions ?? []).map(({ key }) => key)]));
}

/** Returns the labels or annotations with these keys, sorted by key. */
export function only(labels: Labels | undefined, keys: ReadonlySet<string>): Labels {
  return inOrder(Object.entries(labels ?? {}).filter(([key]) => keys.has(key)));
}

/** Sorts a map, independently of the API's order. */
export function inOrder<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

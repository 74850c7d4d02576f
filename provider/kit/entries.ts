/** Each value made into another one, under its name. */
export function mapped<From, To>(from: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]));
}

/** Entries in the order of their names: a map has none, and rows should not depend on how it was written. */
export function sortedEntries<Value>(map: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Pure. The note under a table that shows only some: how many others there are, and that they work. */
export function rest(every: readonly { readonly state: string }[], shown: readonly unknown[], what: string, works: string): { note?: string } {
  const left = every.length - shown.length;
  if (left === 0) return {};
  const unknown = every.filter(({ state }) => state === "unknown").length;
  return {
    note: `${count(left, shown.length === 0 ? what : `more ${what}`)}: ${unknown === 0 ? "" : `${unknown} not known, `}${left - unknown} ${works}; --all shows them`,
  };
}

/** Pure. The plural has an "s" or "es", which chassis has not. */
export function count(number: number, what: string): string {
  if (number === 1 || what.endsWith("chassis")) return `${number} ${what}`;
  return `${number} ${what}${what.endsWith("s") ? "es" : "s"}`;
}

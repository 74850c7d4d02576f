const collator = new Intl.Collator("en", { numeric: true });

/** As people count: node2 before node10. Total, and the same everywhere. */
export function natural(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Sorts by texts, the first of which counts most. */
export function sortedBy<T>(items: readonly T[], texts: (item: T) => readonly string[]): T[] {
  const keyed = items.map((item) => [texts(item), item] as const);
  const compare = (a: readonly string[], b: readonly string[]) => {
    for (const [index, text] of a.entries()) {
      const order = natural(text, b[index] ?? "");
      if (order !== 0) return order;
    }
    return 0;
  };
  return keyed.sort(([a], [b]) => compare(a, b)).map(([, item]) => item);
}

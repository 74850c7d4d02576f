/**
 * Sorts lists that follow each other and mostly have the same objects. Those of the list before are in order already, which a sort
 * by runs, as Array's is, finds out in one pass; the result is that of a sort of the list alone, but among equal ones.
 */
export function resorted<T extends object>(compare: (a: T, b: T) => number): (list: readonly T[]) => readonly T[] {
  let before: readonly T[] = [];
  return (list) => {
    const left = new Set(list);
    // Of something that is in the list twice there are two.
    if (left.size < list.length) return (before = list.toSorted(compare));
    const same = before.filter((item) => left.delete(item));
    return (before = [...same, ...left].sort(compare));
  };
}

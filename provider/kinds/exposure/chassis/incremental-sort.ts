/**
 * Sorts successive lists that mostly have the same objects. Objects of the previous list are already in order; a sort by
 * runs, such as Array's, detects this in one pass. The result equals that of sorting the list, except for the order of
 * equal objects.
 */
export function incrementalSort<T extends object>(compare: (a: T, b: T) => number): (list: readonly T[]) => readonly T[] {
  let before: readonly T[] = [];
  return (list) => {
    const left = new Set(list);
    // An object that is in the list twice must also be in the result twice.
    if (left.size < list.length) return (before = list.toSorted(compare));
    const same = before.filter((item) => left.delete(item));
    return (before = [...same, ...left].sort(compare));
  };
}

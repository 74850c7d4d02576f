import { compareAtoms } from "../schema/order";
import type { Atom } from "../values";

/**
 * Applies a difference to a list in the order of `inOrder`: of a set's elements (`stride` 1), each of which is added or
 * removed, or of a map's keys and values (2), of which a pair is removed when it is named with its value. Positions are found by
 * halving, because a set may have 50,000 elements of which one changes; the rest is only copied.
 */
export function applySorted(list: readonly Atom[], difference: readonly Atom[], stride: 1 | 2): readonly Atom[] {
  const edits = new Map<Atom, Edit>();
  let length = list.length;
  for (let index = 0; index < difference.length; index += stride) {
    const entry = difference.slice(index, index + stride);
    if (edits.has(entry[0]!)) continue;
    const at = positionOf(list, entry[0]!, stride);
    const replaces = list[at] === entry[0];
    const goes = replaces && list[at + stride - 1] === entry[stride - 1];
    edits.set(entry[0]!, { at, skip: replaces ? stride : 0, entry: goes ? [] : entry });
    length += (goes ? 0 : stride) - (replaces ? stride : 0);
  }
  // Allocated with the final size: `push` would reserve three times as much.
  const result = new Array<Atom>(length);
  let from = 0;
  let to = 0;
  for (const { at, skip, entry } of [...edits.values()].sort(byPosition)) {
    while (from < at) result[to++] = list[from++]!;
    from += skip;
    for (const atom of entry) result[to++] = atom;
  }
  while (from < list.length) result[to++] = list[from++]!;
  return result;
}

interface Edit {
  readonly at: number;
  /** Atoms that go. */
  readonly skip: number;
  /** Atoms that come. */
  readonly entry: readonly Atom[];
}

/** Orders edits by position; insertions precede the deletion of a larger atom. */
function byPosition(a: Edit, b: Edit): number {
  return a.at - b.at || a.skip - b.skip || compareAtoms(a.entry[0]!, b.entry[0]!);
}

/** Position of the atom, or the position at which it would be inserted. */
function positionOf(list: readonly Atom[], atom: Atom, stride: number): number {
  let low = 0;
  let high = list.length / stride;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAtoms(list[middle * stride]!, atom) < 0) low = middle + 1;
    else high = middle;
  }
  return low * stride;
}

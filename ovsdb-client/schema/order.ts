import type { Atom } from "../values";

/**
 * Atoms in the order of ovsdb-server: of a set's elements (`stride` 1), or of a map's keys and values (2). RFC 7047 promises no
 * order, so another server, or a proxy, may send another one. Sorts in place.
 */
export function inOrder(list: Atom[], stride: 1 | 2): Atom[] {
  if (isSorted(list, stride)) return list;
  if (stride === 1) return list.sort(compareAtoms);
  const pairs = Array.from({ length: list.length / 2 }, (_, at): [Atom, Atom] => [list[2 * at]!, list[2 * at + 1]!]);
  pairs.sort(([a], [b]) => compareAtoms(a, b));
  for (const [at, [key, value]] of pairs.entries()) [list[2 * at], list[2 * at + 1]] = [key, value];
  return list;
}

function isSorted(list: readonly Atom[], stride: number): boolean {
  for (let at = stride; at < list.length; at += stride) if (compareAtoms(list[at - stride]!, list[at]!) > 0) return false;
  return true;
}

/** As ovsdb-server sorts: strings by their bytes. */
export function compareAtoms(a: Atom, b: Atom): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogate pairs follow U+FFFF by their bytes in UTF-8, and precede U+E000 as code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

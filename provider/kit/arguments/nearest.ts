import { closest, distance } from "fastest-levenshtein";

/** Name closest to a misspelled word; undefined if none is close. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const best = closest(word, names);
  const most = Math.max(2, Math.floor(word.length / 3));
  const edits = distance(word, best);
  // Two other letters make any short word of another, and one does of a single letter; two that changed positions are a typo.
  return edits <= most && edits < word.length && (edits === 1 || word.length > 4 || letters(word) === letters(best)) ? best : undefined;
}

const letters = (word: string): string => [...word].sort().join("");

/** `; did you mean "zones"?`, for the end of a message; empty when no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

import { closest, distance } from "fastest-levenshtein";

/** The name that a typo most likely stands for; undefined when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const best = closest(word, names);
  return distance(word, best) <= Math.max(2, Math.floor(word.length / 3)) ? best : undefined;
}

/** `; did you mean "zones"?`, for the end of a message; empty when no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

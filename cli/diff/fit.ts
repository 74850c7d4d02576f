import { bytesOf } from "./sizes";

/** A part of a document in several lengths. */
export interface Part {
  /** Shortest first, each longer one instead of the shorter; nothing of the part is always possible. */
  readonly levels: readonly Level[];
}

export interface Level {
  readonly text: string;
  /** Levels with a lower rank get space first. */
  readonly rank: number;
}

/**
 * Chooses a level for each part, so that all parts together have at most `most` bytes. First come the levels of the lowest rank, in the
 * order of the parts, then the levels of the next rank. A level that does not fit is skipped, so that one long part does not starve
 * later parts.
 * @returns the index of each part's level, -1 for none
 */
export function fit(parts: readonly Part[], most: number): number[] {
  const chosen = parts.map(() => -1);
  const used = parts.map(() => 0);
  let left = most;
  const offers = parts.flatMap(({ levels }, part) => levels.map((level, index) => ({ part, index, ...level })));
  offers.sort((a, b) => a.rank - b.rank || a.part - b.part || a.index - b.index);
  for (const { part, index, text } of offers) {
    const more = bytesOf(text) - used[part]!;
    if (more > left || index < chosen[part]!) continue;
    left -= more;
    used[part]! += more;
    chosen[part] = index;
  }
  return chosen;
}

/** Nothing is left out. */
export function isWhole(parts: readonly Part[], chosen: readonly number[]): boolean {
  return chosen.every((level, part) => level === parts[part]!.levels.length - 1);
}

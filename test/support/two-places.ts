/** One answer about the chassis that announces an address. */
export interface Answer {
  /** Milliseconds, of one clock: before and after the moment that it is about. */
  readonly asked: number;
  readonly answered: number;
  readonly places: readonly string[];
}

/**
 * Pure. Milliseconds for which an address was certainly announced from two chassis: between two such answers with no other answer between them.
 * Excludes the time to ask on a busy machine.
 */
export function timeInTwoPlaces(answers: readonly Answer[]): number {
  let time = 0;
  let since: number | undefined;
  let until = 0;
  for (const { asked, answered, places } of [...answers, { asked: 0, answered: 0, places: [] }]) {
    if (places.length > 1) {
      since ??= answered;
      until = asked;
    } else if (since !== undefined) {
      time += Math.max(0, until - since);
      since = undefined;
    }
  }
  return time;
}

/** What was answered to one question, from where an address is announced. */
export interface Answer {
  /** Milliseconds, of one clock: before and after the moment that it is about. */
  readonly asked: number;
  readonly answered: number;
  readonly places: readonly string[];
}

/**
 * Pure. Milliseconds for which an address was announced from two places for sure: between two answers that both say so, with none
 * between them that does not. What a busy machine takes to ask or to answer is not in it.
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

import { sentences } from "../../../kit/text/listed";

const MOST_LISTED = 5;

/** One line about broken interfaces and their problems. */
export function listed(broken: readonly (readonly [string, string])[]): string {
  return sentences(
    broken.map(([name, problem]) => `${name}: ${problem}`),
    MOST_LISTED,
  );
}

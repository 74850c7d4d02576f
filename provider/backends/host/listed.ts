import { sentences } from "../../kit/text/listed";

const MOST_LISTED = 5;

/** What is wrong with which interface, in one line. */
export function listed(broken: readonly (readonly [string, string])[]): string {
  return sentences(
    broken.map(([name, problem]) => `${name}: ${problem}`),
    MOST_LISTED,
  );
}

const MOST_LISTED = 5;

/** What is wrong with which interface, in one line. */
export function listed(broken: readonly (readonly [string, string])[]): string {
  const shown = broken
    .slice(0, MOST_LISTED)
    .map(([name, problem]) => `${name}: ${problem}`)
    .join("; ");
  return broken.length > MOST_LISTED ? `${shown}; and ${broken.length - MOST_LISTED} more` : shown;
}

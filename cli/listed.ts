const MOST_NAMED = 8;

/** Names as a list that stays readable. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

/** Names in one line that stays readable: the first ones, and how many more there are. */
export function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}

/** Sentences in one line, likewise. */
export function sentences(all: readonly string[], most: number): string {
  const more = all.length - most;
  return (more > 0 ? [...all.slice(0, most), `${more} more`] : all).join("; ");
}

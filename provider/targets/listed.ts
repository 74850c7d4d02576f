/** Names in errors, as many as can be read. */
export function listed(names: readonly string[]): string {
  return names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
}

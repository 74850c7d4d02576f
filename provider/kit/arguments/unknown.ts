/** How the dynamic provider protocol writes a value that is not known in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is, or has somewhere inside, one that is not known yet. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUnknown);
  // `Object.values` makes a list of each object, of which there are many.
  for (const name in value) if (Object.hasOwn(value, name) && hasUnknown((value as Record<string, unknown>)[name])) return true;
  return false;
}

/** Structural equality of JSON; a field that is undefined counts as missing. */
export function sameJson(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

/** Text that is equal for equal values, in any order of fields. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "object" && item !== null && !Array.isArray(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
    ) ?? ""
  );
}

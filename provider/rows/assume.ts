import type { DesiredRow } from "./rowset";

/**
 * What a first attempt takes for granted instead of reading it; guards in the transaction, and its reply, tell when it
 * does not hold.
 * - `absent`: none of the rows exists (a create)
 * - `unchanged`: the rows are as the previous ones say (an update after which nothing drifted)
 */
export type Assumption = "absent" | "unchanged";

export interface Versions {
  readonly desired: readonly DesiredRow[];
  readonly previous: readonly DesiredRow[];
}

/** Only rows that differ between the versions: the work of an update grows with its change, not with the resource. */
export function changed({ desired, previous }: Versions): Versions {
  const before = new Map(previous.map((row) => [identity(row), row]));
  const same = new Set<string>();
  for (const row of desired) {
    const key = identity(row);
    const earlier = before.get(key);
    if (earlier !== undefined && equal(earlier, row)) same.add(key);
  }
  const differs = (row: DesiredRow) => !same.has(identity(row));
  return { desired: desired.filter(differs), previous: previous.filter(differs) };
}

/** Equality of plain JSON; several times as fast as the general one, and all rows of a resource pass here. */
function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length || Array.isArray(left) !== Array.isArray(right)) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equal((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]));
}

function identity({ table, key }: DesiredRow): string {
  return `${table}\0${key}`;
}

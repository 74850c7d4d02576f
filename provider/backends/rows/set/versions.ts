import { identity } from "../../../kit/identity";
import type { DesiredRow } from "../set";

/**
 * Assumption of a first attempt instead of a read; guards in the transaction and its reply show whether it holds.
 * - `absent`: none of the rows exists (a create)
 * - `unchanged`: the rows equal the previous ones (an update without drift)
 */
export type Assumption = "absent" | "unchanged";

export interface Versions {
  readonly desired: readonly DesiredRow[];
  readonly previous: readonly DesiredRow[];
}

/**
 * Only rows that differ between the versions: what is written grows with the change, not with the resource. Renderers
 * are pure, so both versions mostly begin and end with the same rows in the same order, and these are compared in
 * position; all rows of a resource pass here.
 */
export function changed({ desired, previous }: Versions): Versions {
  const differing: { desired: DesiredRow[]; previous: DesiredRow[] } = { desired: [], previous: [] };
  const compare = (row: DesiredRow, earlier: DesiredRow) => {
    if (equal(row, earlier)) return;
    differing.desired.push(row);
    differing.previous.push(earlier);
  };
  let start = 0;
  for (; start < desired.length && start < previous.length && isSame(desired[start]!, previous[start]!); start++) compare(desired[start]!, previous[start]!);
  let [end, earlierEnd] = [desired.length, previous.length];
  for (; end > start && earlierEnd > start && isSame(desired[end - 1]!, previous[earlierEnd - 1]!); end--, earlierEnd--)
    compare(desired[end - 1]!, previous[earlierEnd - 1]!);
  const before = new Map(previous.slice(start, earlierEnd).map((row) => [identity(row), row]));
  for (const row of desired.slice(start, end)) {
    const earlier = before.get(identity(row));
    if (!earlier) differing.desired.push(row);
    else if (before.delete(identity(row))) compare(row, earlier);
  }
  differing.previous.push(...before.values());
  return differing;
}

function isSame(left: DesiredRow, right: DesiredRow): boolean {
  return left.key === right.key && left.table === right.table;
}

/** Equality of plain JSON, without making anything on the way; most values are texts, for which nothing is called. */
function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(left, right);
  if (Array.isArray(right)) return false;
  let keys = 0;
  for (const key in left) {
    const [item, other] = [(left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]];
    if (item !== other && !equal(item, other)) return false;
    keys++;
  }
  for (const _key in right) keys--;
  return keys === 0;
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index] && !equal(left[index], right[index])) return false;
  return true;
}

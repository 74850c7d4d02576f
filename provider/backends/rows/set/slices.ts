import { identity } from "../../../kit/identity";
import type { DesiredRow, LocalReference } from "../set";

/** Rows up to this number are one transaction: all or nothing. */
export const MOST_ROWS_AT_ONCE = 1000;

/**
 * The server's time for one transaction grows faster than its rows (a parent's set is rewritten for each element), so a
 * larger set is written in slices of this many rows. Every slice leaves the database consistent, and an interrupted one is
 * taken up by the next run, row by row.
 */
const SLICE = 200;

export interface Slice {
  readonly desired: readonly DesiredRow[];
  readonly previous: readonly DesiredRow[];
}

/**
 * Parents of other rows, and all deletions, are written first and together; the leaves follow.
 */
export function slices(desired: readonly DesiredRow[], previous: readonly DesiredRow[]): Slice[] {
  if (desired.length <= MOST_ROWS_AT_ONCE) return [{ desired, previous }];
  const parents = new Identities();
  for (const { parent } of desired) if (parent && "key" in parent.row) parents.add(parent.row);
  const [first, leaves]: [DesiredRow[], DesiredRow[]] = [[], []];
  for (const row of desired) (row.parent === undefined || parents.has(row) ? first : leaves).push(row);
  const earlier = earlierRows(desired, previous);
  const all: Slice[] = [{ desired: first, previous: [...earlier.of(first), ...earlier.gone] }];
  for (let start = 0; start < leaves.length; start += SLICE) {
    const part = leaves.slice(start, start + SLICE);
    all.push({ desired: part, previous: earlier.of(part) });
  }
  return all;
}

/** Rows of before: those that go, and those of what stays. A create, which has none, is not made to wait for them. */
function earlierRows(desired: readonly DesiredRow[], previous: readonly DesiredRow[]) {
  if (previous.length === 0) return { gone: previous, of: () => previous };
  const wanted = new Identities();
  for (const row of desired) wanted.add(row);
  const before = new Map(previous.map((row) => [identity(row), row]));
  return { gone: previous.filter((row) => !wanted.has(row)), of: (rows: readonly DesiredRow[]) => rows.flatMap((row) => before.get(identity(row)) ?? []) };
}

/** Identities of tens of thousands of rows; joined texts of table and key would cost more than comparisons. */
class Identities {
  readonly #keys = new Map<string, Set<string>>();

  add({ table, key }: LocalReference): void {
    const keys = this.#keys.get(table);
    if (keys) keys.add(key);
    else this.#keys.set(table, new Set([key]));
  }

  has({ table, key }: LocalReference): boolean {
    return this.#keys.get(table)?.has(key) ?? false;
  }
}

import type { ResolvedRow } from "./resolve";

/** Rows up to this number are one transaction: all or nothing. */
export const MOST_ROWS_AT_ONCE = 1000;

/**
 * The server's time for one transaction grows faster than its rows (a parent's set is rewritten for each member), so a
 * larger set goes in slices of this many rows. Every slice leaves the database consistent, and an interrupted one is
 * taken up by the next run, row by row.
 */
const SLICE = 200;

export interface Slice {
  readonly desired: readonly ResolvedRow[];
  readonly previous: readonly ResolvedRow[];
}

/**
 * Rows that others of the set hang on, and all that goes, come first and together; the leaves follow.
 */
export function slices(desired: readonly ResolvedRow[], previous: readonly ResolvedRow[]): Slice[] {
  if (desired.length <= MOST_ROWS_AT_ONCE) return [{ desired, previous }];
  const parents = new Set(desired.flatMap((row) => (row.parent ? [row.parent.uuid] : [])));
  const tied = (row: ResolvedRow) => parents.has(row.uuid) || row.parent === undefined;
  const leaves = desired.filter((row) => !tied(row));
  const wanted = new Set(desired.map((row) => row.uuid));
  const before = new Map(previous.map((row) => [row.uuid, row]));
  const slice = (rows: readonly ResolvedRow[]): Slice => ({
    desired: rows,
    previous: rows.flatMap((row) => before.get(row.uuid) ?? []),
  });
  const first = slice(desired.filter(tied));
  const all: Slice[] = [{ ...first, previous: [...first.previous, ...previous.filter((row) => !wanted.has(row.uuid))] }];
  for (let start = 0; start < leaves.length; start += SLICE) all.push(slice(leaves.slice(start, start + SLICE)));
  return all;
}

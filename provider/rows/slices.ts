import type { DesiredRow } from "./rowset";

/** Rows up to this number are one transaction: all or nothing. */
export const MOST_ROWS_AT_ONCE = 1000;

/**
 * The server's time for one transaction grows faster than its rows (a parent's set is rewritten for each member), so a
 * larger set goes in slices of this many rows. Every slice leaves the database consistent, and an interrupted one is
 * taken up by the next run, row by row.
 */
const SLICE = 200;

export interface Slice {
  readonly desired: readonly DesiredRow[];
  readonly previous: readonly DesiredRow[];
}

/**
 * Rows that others of the set hang on, and all that goes, come first and together; the leaves follow.
 */
export function slices(desired: readonly DesiredRow[], previous: readonly DesiredRow[]): Slice[] {
  if (desired.length <= MOST_ROWS_AT_ONCE) return [{ desired, previous }];
  const parents = new Set(desired.flatMap(({ parent }) => (parent && "key" in parent.row ? [identity(parent.row)] : [])));
  const tied = (row: DesiredRow) => row.parent === undefined || parents.has(identity(row));
  const leaves = desired.filter((row) => !tied(row));
  const wanted = new Set(desired.map(identity));
  const before = new Map(previous.map((row) => [identity(row), row]));
  const slice = (rows: readonly DesiredRow[]): Slice => ({
    desired: rows,
    previous: rows.flatMap((row) => before.get(identity(row)) ?? []),
  });
  const first = slice(desired.filter(tied));
  const all: Slice[] = [{ ...first, previous: [...first.previous, ...previous.filter((row) => !wanted.has(identity(row)))] }];
  for (let start = 0; start < leaves.length; start += SLICE) all.push(slice(leaves.slice(start, start + SLICE)));
  return all;
}

function identity({ table, key }: { readonly table: string; readonly key: string }): string {
  return `${table}\0${key}`;
}

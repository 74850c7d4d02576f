import type { Assumption } from "./assume";
import { converge } from "./converge";
import type { Extent } from "./extent";
import type { Adopted } from "./resolve";
import type { RowSet } from "./rowset";
import { checkRequirements } from "./requirements";
import type { Target } from "./target";
import type { Written } from "./written";

export interface EnsureOptions {
  /** What the resource had before, where that can be rendered. Default: what the database says, by the owner's mark. */
  readonly previous?: RowSet | undefined;
  /** What the first attempt takes for granted. Default: `absent` without `previous`, `extent` and adopted rows; otherwise nothing. */
  readonly assume?: Assumption | "nothing" | undefined;
  /** Where else rows of the resource may be. */
  readonly extent?: Extent | undefined;
  /** What the state says of the version before, for rows that an older release wrote. */
  readonly written?: Written | undefined;
  /** Leaves rows of the owner that neither version has. */
  readonly leavesOthers?: true | undefined;
}

/**
 * Makes the database hold the desired rows, and no others of this owner. Idempotent.
 *
 * A create first assumes that nothing is there: one transaction, and its reply tells. When it can't hold (a row of ours
 * exists: an earlier run's reply was lost), or when it is not known whether it did, the live rows are read and the
 * difference is written, until nothing differs. An update that may assume that the previous rows are `unchanged` writes
 * what differs from them in the same way, and looks at no other row.
 *
 * Returns the UUIDs of rows that the database has under others than the state; see `movedRows`.
 */
export async function ensureRows(target: Target, desired: RowSet, { previous, assume, extent, written, leavesOthers }: EnsureOptions = {}): Promise<Adopted> {
  const schema = await target.client.getSchema(target.call);
  checkRequirements(desired, schema);
  const fresh = previous === undefined && target.adopted === undefined;
  const holds = { absent: fresh, unchanged: previous !== undefined };
  const assumption = assume ?? (extent === undefined ? "absent" : "nothing");
  const assumed = assumption !== "nothing" && holds[assumption] ? assumption : undefined;
  return converge(target, schema, { desired, previous, extent, written, leavesOthers }, assumed);
}

/** Removes the rows of this version, and what else in the extent has the owner's mark. What is gone already counts as removed. */
export async function removeRows(target: Target, previous: RowSet, extent?: Extent): Promise<void> {
  const schema = await target.client.getSchema(target.call);
  await converge(target, schema, { desired: { rows: [] }, previous, extent }, undefined);
}

/** Removes every row of this owner, known by its mark alone. */
export async function removeOwned(target: Target, extent: Extent): Promise<void> {
  const schema = await target.client.getSchema(target.call);
  await converge(target, schema, { desired: { rows: [] }, extent }, undefined);
}

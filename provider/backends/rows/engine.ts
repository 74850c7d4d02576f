import type { Assumption } from "./set/versions";
import { converge } from "./engine/converge";
import type { Extent } from "./marks/extent";
import type { Adopted } from "./set/resolve";
import type { RowSet } from "./set";
import { checkRequirements } from "./database/requirements";
import type { Target } from "./live/target";
import type { Written } from "./marks/written";

export interface EnsureOptions {
  /** Previous rows of the resource, if they can be rendered. Default: rows with the owner mark. */
  readonly previous?: RowSet | undefined;
  /** Assumption of the first attempt. Default: `absent` without `previous`, `extent` and adopted rows; otherwise none. */
  readonly assume?: Assumption | "nothing" | undefined;
  /** Further locations of the resource's rows. */
  readonly extent?: Extent | undefined;
  /** Previous version in the state, for rows of an older release. */
  readonly written?: Written | undefined;
  /** Leaves rows of the owner that neither version has. */
  readonly leavesOthers?: true | undefined;
}

/**
 * Makes the database hold exactly the desired rows of this owner. Idempotent.
 *
 * A create first assumes that no row exists: one transaction, whose reply shows whether that holds. If it does not (an earlier run's reply was
 * lost), or the outcome is unknown, the live rows are read and the difference is written until nothing differs. An update that may assume
 * `unchanged` rows writes the differences in the same way, without reading.
 *
 * Returns the UUIDs of rows that differ from the state; see `movedRows`.
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

/** Removes the rows of this version, and all others in the extent with the owner mark. Absent rows count as removed. */
export async function removeRows(target: Target, previous: RowSet, extent?: Extent): Promise<void> {
  const schema = await target.client.getSchema(target.call);
  await converge(target, schema, { desired: { rows: [] }, previous, extent }, undefined);
}

/** Removes every row with the owner's mark. */
export async function removeOwned(target: Target, extent: Extent): Promise<void> {
  const schema = await target.client.getSchema(target.call);
  await converge(target, schema, { desired: { rows: [] }, extent }, undefined);
}

import { changed, type Versions } from "../set/versions";
import type { Extent } from "../marks/extent";
import { identity } from "../../../kit/identity";
import type { DesiredRow } from "../set";

/** A row that several resources have together, with its parts. */
export interface JointGroup {
  readonly row: DesiredRow;
  readonly parts: readonly DesiredRow[];
}

/** Rows of only one resource. */
export function ungrouped(rows: readonly DesiredRow[]): readonly DesiredRow[] {
  return rows.some(isJoint) ? rows.filter((row) => !isJoint(row)) : rows;
}

function isJoint({ joint }: DesiredRow): boolean {
  return joint !== undefined;
}

export function jointGroups(rows: readonly DesiredRow[]): JointGroup[] {
  const parts = new Map<string, DesiredRow[]>();
  for (const row of rows) {
    const whole = row.joint?.partOf;
    if (whole) parts.set(identity(whole), [...(parts.get(identity(whole)) ?? []), row]);
  }
  return rows.flatMap((row) => (row.joint && !row.joint.partOf ? [{ row, parts: parts.get(identity(row)) ?? [] }] : []));
}

/** Groups with a row that differs between the versions, without rows of only one resource. */
export function changedGroups(versions: Versions): Versions {
  const [desired, previous] = [versions.desired.filter(isJoint), versions.previous.filter(isJoint)];
  const differing = changed({ desired, previous });
  const heads = new Set([...differing.desired, ...differing.previous].map(headOf));
  const concerned = (rows: readonly DesiredRow[]) => rows.filter((row) => heads.has(headOf(row)));
  return { desired: concerned(desired), previous: concerned(previous) };
}

/** The row that the group is about. */
function headOf(row: DesiredRow): string {
  return identity(row.joint?.partOf ?? row);
}

/** An extent without what is looked for here. */
export function extentApart(extent: Extent | undefined): Extent | undefined {
  if (!extent?.joint) return extent;
  const { joint, tables, ...rest } = extent;
  return { ...rest, tables: tables.filter((table) => !joint.tables.includes(table) && !joint.parts.includes(table)) };
}

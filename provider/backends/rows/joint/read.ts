import type { Extent } from "../marks/extent";
import type { OwnedRow } from "../live/leftovers";
import type { Snapshot } from "../database/row";
import { ownerIn } from "../marks/ownership";
import type { ResolvedRow } from "../set/resolve";
import type { DesiredRow } from "../set";
import type { OwnerScope } from "../live/survey";
import { jointGroups } from "./groups";
import { groupKey, observeJoint, type LiveGroup } from "./observe";
import { resolveGroup, snapshotOf } from "./resolve";
import { isOfKind, usersOf } from "./users";

export interface JointState {
  readonly rows: readonly ResolvedRow[];
  readonly live: Snapshot;
  /** Rows with the owner's mark that are not in the row set. */
  readonly surplus: readonly OwnedRow[];
}

/** Live state of rows that others may share. A row of only another manager counts as missing. */
export async function jointRows(scope: OwnerScope, rows: readonly DesiredRow[], extent: Extent | undefined): Promise<JointState> {
  const { schema, owner } = scope;
  const groups = jointGroups(rows);
  const survey = await observeJoint(scope, groups, extent?.joint?.tables ?? []);
  const resolved = groups.map((group) => {
    const found = survey.found.get(groupKey(schema, group.row));
    const live = found && isOurs(owner, found) ? found : undefined;
    return { rows: resolveGroup(schema, owner, group, live), live: snapshotOf(live) };
  });
  const live = new Map(resolved.flatMap((group) => [...group.live]));
  return { rows: resolved.flatMap((group) => group.rows), live, surplus: survey.marked.filter(({ uuid }) => !live.has(uuid)) };
}

function isOurs(owner: string, { live }: LiveGroup): boolean {
  const first = ownerIn(live);
  return usersOf(live).includes(owner) || (first !== undefined && isOfKind(owner, first));
}

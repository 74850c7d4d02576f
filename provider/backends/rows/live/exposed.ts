import type { Connections } from "../../../targets/connections";
import type { Rendered } from "../kind";
import { type Adopted, adoptionKey, resolveRows, rowUuids } from "../set/resolve";
import type { DesiredRow } from "../set";
import { existing } from "./observe";
import { movedRows } from "./moved";
import { ask } from "../database/query";
import type { OwnerScope } from "./survey";

/** A row that other resources refer to by UUID. */
interface Exposed {
  readonly owner: string;
  readonly row: DesiredRow;
}

/** Exposed rows of the resources that this process has checked, by UUID. */
const exposed = new WeakMap<Connections, Map<string, Exposed>>();

/** Records the exposed rows of a checked resource: Pulumi checks it before the resources that refer to it. */
export function expose(targets: Connections, owner: string, { set, primary, exposes = [] }: Rendered, adopted: Adopted = {}): void {
  const keys = new Set([...(primary ? [primary] : []), ...exposes].map(({ table, key }) => adoptionKey(table, key)));
  if (keys.size === 0) return;
  const rows = set.rows.filter(({ table, key }) => keys.has(adoptionKey(table, key)));
  const known = exposed.get(targets) ?? new Map<string, Exposed>();
  exposed.set(targets, known);
  rowUuids(rows, owner, adopted).forEach((uuid, index) => known.set(uuid, { owner, row: rows[index]! }));
}

/**
 * Rows of other resources that the database has under other UUIDs, after a restore from a backup. They are found by the owner's mark
 * and the natural key.
 *
 * @param uuids UUIDs that rows refer to
 */
export async function movedExposed(targets: Connections, scope: Omit<OwnerScope, "owner">, uuids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const known = exposed.get(targets);
  const referred = [...new Set(uuids)].flatMap((uuid) => {
    const found = known?.get(uuid);
    return found ? [{ uuid, ...found }] : [];
  });
  const moved = new Map<string, string>();
  for (const [owner, group] of Map.groupBy(referred, (each) => each.owner)) {
    const adopted = Object.fromEntries(group.map(({ uuid, row }) => [adoptionKey(row.table, row.key), uuid]));
    const rows = resolveRows(
      group.map(({ row }) => row),
      owner,
      scope.schema,
      new Map(),
      adopted,
    );
    const [live] = await ask<[ReadonlySet<string>]>(scope.client, scope.call, existing(rows));
    const found = await movedRows({ ...scope, owner }, rows, live);
    for (const { uuid, row } of group) {
      const other = found[adoptionKey(row.table, row.key)];
      if (other !== undefined) moved.set(uuid, other);
    }
  }
  return moved;
}

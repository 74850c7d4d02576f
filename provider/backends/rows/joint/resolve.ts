import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { OWNER_KEY, rowUuid } from "../../../kit/identity";
import type { Snapshot } from "../database/row";
import { adoptionKey, resolveRows, type ResolvedRow } from "../set/resolve";
import { isResolvedMap } from "../set/values";
import type { JointGroup } from "./groups";
import { groupKey, liveKey, type LiveGroup } from "./observe";
import { markKey } from "./users";

/** A group as the database will hold it: rows that exist keep their UUIDs. The row itself is first. */
export function resolveGroup(schema: DatabaseSchema, owner: string, { row, parts }: JointGroup, live: LiveGroup | undefined): ResolvedRow[] {
  const uuids = { ...partUuids(schema, owner, parts, live), ...(live && { [adoptionKey(row.table, row.key)]: live.uuid }) };
  const [head, ...rest] = resolveRows([row, ...parts], owner, schema, new Map(), uuids) as [ResolvedRow, ...ResolvedRow[]];
  const key = markKey(owner, live?.live);
  const { external_ids: ids, ...columns } = head.columns;
  const { [OWNER_KEY]: _mark, ...others } = isResolvedMap(ids) ? ids.map : {};
  const decided = key === OWNER_KEY ? [] : (row.joint?.firstDecides ?? []);
  const own = Object.fromEntries(Object.entries(columns).filter(([name]) => !decided.includes(name)));
  return [{ ...head, columns: { ...own, external_ids: { map: { ...others, [key]: owner } } } }, ...rest];
}

/** Live state of the group's rows. */
export function snapshotOf(live: LiveGroup | undefined): Snapshot {
  return live ? new Map([[live.uuid, live.live], ...[...live.parts].map(([uuid, part]) => [uuid, part.live] as const)]) : new Map();
}

/** Parts keep the rows that mean the same, then any that mean nothing any more, so that values change in place. */
function partUuids(schema: DatabaseSchema, owner: string, parts: JointGroup["parts"], live: LiveGroup | undefined): Record<string, string> {
  if (!live) return {};
  const free = new Map([...live.parts]);
  const uuids: Record<string, string> = {};
  const take = (key: string, uuid: string | undefined) => {
    if (uuid === undefined) return;
    uuids[key] = uuid;
    free.delete(uuid);
  };
  const keyed = parts.map((part) => ({ part, key: adoptionKey(part.table, part.key), means: groupKey(schema, part) }));
  for (const { part, key, means } of keyed) take(key, [...free].find(([, { table, live: row }]) => table === part.table && liveKey(table, row) === means)?.[0]);
  for (const { part, key } of keyed) {
    if (!(key in uuids)) take(key, [...free].find(([, { table }]) => table === part.table)?.[0]);
    if (!(key in uuids)) uuids[key] = freshUuid(owner, part.table, part.key, live.parts);
  }
  return uuids;
}

/** A UUID that none of the parts has: rows that changed in place have those of other keys. */
function freshUuid(owner: string, table: string, key: string, taken: ReadonlyMap<string, unknown>): string {
  let attempt = key;
  while (taken.has(rowUuid(owner, table, attempt))) attempt += "'";
  return rowUuid(owner, table, attempt);
}

import type { CallOptions, DatabaseSchema, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { answerIfReachable } from "../../../targets/answer-if-reachable";
import { rowsOf, select } from "../../../targets/select";
import { ownerIn } from "../marks/ownership";
import type { ResolvedParent } from "../set/resolve";

/** Zone of a resource before its replacement. */
export interface FormerZone {
  readonly name: string;
  readonly client: () => Promise<OvsdbClient>;
}

interface Zone {
  readonly client: OvsdbClient;
  readonly schema: DatabaseSchema;
  readonly call: CallOptions;
}

/**
 * Advice for parents that exist only in the former zone: `--target` moved their child and left out their resources. Undefined if there are no
 * such parents, or the former zone can't be reached.
 */
export async function leftOutAdvice(parents: readonly ResolvedParent[], former: FormerZone, zone: Zone): Promise<string | undefined> {
  const there = await answerIfReachable(async () => ownersOf(parents, { ...zone, client: await former.client() }));
  if (there === undefined || there.size === 0) return undefined;
  const here = await ownersOf(parents, zone);
  const urns = new Set([...there].flatMap(([uuid, owner]) => (here.has(uuid) || owner === undefined ? [] : [owner])));
  if (urns.size === 0) return undefined;
  const options = [...urns].map((urn) => `--target '${urn}'`).join(" ");
  return `zone "${former.name}" has it, because this operation leaves out its resource: add ${options}`;
}

/** Owners of the parents that exist in a zone, by UUID; undefined for an unowned one. */
async function ownersOf(parents: readonly ResolvedParent[], { client, schema, call }: Zone): Promise<Map<string, string | undefined>> {
  const columns = ({ table }: ResolvedParent) => ["external_ids"].filter((name) => schema.table(table).columns.has(name));
  const results = await client.transact(
    parents.map((parent) => select(parent.table, [["_uuid", "==", ["uuid", parent.uuid]]], [...columns(parent), "_uuid"])),
    call,
  );
  return new Map(
    parents.flatMap(({ table, uuid }, index) => rowsOf(results[index]).map((row) => [uuid, ownerIn(schema.table(table).decodeRow(row))] as const)),
  );
}

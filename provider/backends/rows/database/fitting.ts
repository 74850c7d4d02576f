import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { ArgumentError, type Failure } from "../../../kit/arguments/errors";
import type { World } from "../../contract/kind";
import type { Connections } from "../../../targets/connections";
import { spared } from "../../../targets/answer-if-reachable";
import { knownSchema } from "./known-schema";
import type { Misfit } from "./misfit";
import type { DatabaseName } from "../../../targets/database";

/**
 * Checks rows against the schema of this package. For missing tables or columns the zone's own schema decides; if the zone can't be reached,
 * only errors in every version are refused. So a check needs a database only for suspicious rows.
 *
 * @returns warnings; throws an ArgumentError with refusals
 */
export async function fitting(
  database: DatabaseName,
  zone: string,
  find: (schema: DatabaseSchema) => readonly Misfit[],
  { targets }: World,
): Promise<Failure[]> {
  const schema = knownSchema(database);
  const known = find(schema);
  if (known.length === 0) return [];
  const live = await spared(targets, `${database} ${zone}`, () => schemaOf(targets, zone, database));
  const refused = live ? find(live) : known.filter(({ newer }) => !newer);
  if (refused.length > 0) throw new ArgumentError(refused.map(({ path, code, message }) => ({ path, code, message })));
  if (live) return [];
  const unless = `by ${database} ${schema.version}, which this package knows, as the zone can't be read just now; the update fails unless the database is newer`;
  return known.map(({ path, message }) => ({ path, code: "OVN_WARN_SCHEMA", message: `${message} (${unless})` }));
}

async function schemaOf(targets: Connections, zone: string, database: DatabaseName): Promise<DatabaseSchema> {
  return (await targets.get(zone, database)).getSchema();
}

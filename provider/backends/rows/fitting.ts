import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { ArgumentError, type Failure } from "../../kit/arguments/errors";
import type { World } from "../contract/kind";
import type { Connections } from "../../targets/connections";
import { spared } from "../../targets/patiently";
import { knownSchema } from "./known-schema";
import type { Misfit } from "./misfit";
import type { DatabaseName } from "../../targets/database";

/**
 * Judges by the schema that this package knows. Where that has no place for something, the zone's own schema decides, and where the
 * zone can't be reached just now, only what no newer one will take is refused. So a check needs no database unless something looks wrong.
 *
 * @returns what a preview warns of; throws an ArgumentError with what is refused
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

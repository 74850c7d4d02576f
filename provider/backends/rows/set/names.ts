import type { CallOptions, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { RowError } from "../errors";
import { rowsOf, select } from "../../../targets/select";
import { nameKey, type NameLookup, type ResolvedNames } from "./resolve";
import type { Parent } from "../set";

/** Names the only row of a table, as in ovs-vsctl(8). */
const ONLY_ROW = ".";

export interface Lookups {
  readonly found: ResolvedNames;
  /** Names that are not exactly one row's; the key is `nameKey()`. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
}

/** UUIDs of the rows with these names. Most tables have no index on names, so the server scans: a UUID is cheaper. */
export async function lookupNames(client: OvsdbClient, lookups: readonly NameLookup[], call: CallOptions): Promise<Lookups> {
  const found = new Map<string, string>();
  const failed = new Map<string, readonly string[]>();
  if (lookups.length === 0) return { found, failed };
  const operations = lookups.map(({ table, name }) => select(table, name === ONLY_ROW ? [] : [["name", "==", name]], ["_uuid"]));
  const results = await client.transact(operations, call);
  lookups.forEach((lookup, index) => {
    const uuids = rowsOf(results[index]).map((row) => (row._uuid as [string, string])[1]);
    if (uuids.length === 1) found.set(nameKey(lookup), uuids[0]!);
    else failed.set(nameKey(lookup), uuids);
  });
  return { found, failed };
}

/** Whether the parent's name does not identify exactly one row; then its set is unknown. */
export function isUnresolved({ failed }: Lookups, { table, row }: Parent): boolean {
  return "name" in row && failed.has(nameKey({ table, name: row.name }));
}

/** Throws when no row, or more than one row, of the table has the name. */
export function requireName(names: Lookups, lookup: NameLookup): void {
  const uuids = names.failed.get(nameKey(lookup));
  if (!uuids) return;
  const { table, name } = lookup;
  if (name === ONLY_ROW) throw new RowError("OVN_NOT_FOUND", `${table} has ${uuids.length} rows, not one: is the database initialized?`, table);
  const found = uuids.length === 0 ? `no ${table} is named "${name}"` : `${uuids.length} rows of ${table} are named "${name}": ${uuids.join(", ")}`;
  throw new RowError("OVN_NOT_FOUND", `${found}; name one that exists, or give its UUID`, `${table} ${name}`);
}

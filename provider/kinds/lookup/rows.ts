import type { OvsdbClient, Row } from "@pulumi-ovn/ovsdb-client";
import { didYouMean } from "../../kit/arguments/nearest";
import { LookupError } from "./errors";

/** The one row of a table that has a name. Names of switches and routers have no index: several rows may have one. */
export async function rowNamed(client: OvsdbClient, table: string, name: string, columns: readonly string[]): Promise<Row> {
  const rows = await rowsNamed(client, table, name, columns);
  if (rows.length === 1) return rows[0]!;
  if (rows.length > 1) throw several(table, name, rows);
  throw notFound(table, name, await namesIn(client, table));
}

export function rowsNamed(client: OvsdbClient, table: string, name: string, columns: readonly string[]): Promise<Row[]> {
  return client.select(table, { where: { name }, columns: [...columns] });
}

function several(table: string, name: string, rows: readonly Row[]): LookupError {
  return new LookupError(
    "OVN_NOT_FOUND",
    `there are ${rows.length} of table ${table} called "${name}": ${rows.map(uuidOf).sort().join(", ")}; rename all but one`,
  );
}

export function notFound(table: string, name: string, known: readonly string[]): LookupError {
  return new LookupError("OVN_NOT_FOUND", `there is no ${table} called "${name}"${didYouMean(name, known)}`);
}

export async function namesIn(client: OvsdbClient, table: string): Promise<string[]> {
  const rows = await client.select(table, { columns: ["name"] });
  return [...new Set(rows.map(({ name }) => name as string))].sort();
}

export const uuidOf = (row: Row): string => row["_uuid"] as string;

export const mapOf = (row: Row, column: string): Record<string, string> => Object.fromEntries(row[column] as ReadonlyMap<string, string>);

/** Returns the tunnel key that a row requests. */
export function requestedKey(options: Readonly<Record<string, string>>): number | undefined {
  const text = options["requested-tnl-key"];
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

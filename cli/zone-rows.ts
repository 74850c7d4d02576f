import type { WireRow } from "@pulumi-ovn/ovsdb-client";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { rowsOf, select } from "@pulumi-ovn/provider/tools";

/** A row with plain values: a UUID as text, a set as an array, a map as an object. (RFC 7047 section 5.1) */
export type Decoded = Readonly<Record<string, unknown>>;

/** Reads columns of whole tables in one transaction. */
export async function zoneRows<Name extends string>(
  connections: Connections,
  zone: string,
  database: "OVN_Northbound" | "OVN_Southbound" | "Open_vSwitch",
  wanted: Readonly<Record<Name, readonly string[]>>,
): Promise<Record<Name, Decoded[]>> {
  const client = await connections.get(zone, database);
  const entries = Object.entries(wanted) as [Name, readonly string[]][];
  const results = await client.transact(entries.map(([table, columns]) => select(table, [], columns)));
  return Object.fromEntries(entries.map(([table], index) => [table, rowsOf(results[index]).map(decode)])) as Record<Name, Decoded[]>;
}

/** Changes the row, which is part of a reply and has no other user. */
function decode(row: WireRow): Decoded {
  const decoded: Record<string, unknown> = row;
  for (const column of Object.keys(decoded)) if (Array.isArray(decoded[column])) decoded[column] = plain(decoded[column]);
  return decoded;
}

function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [tag, content] = value as [string, unknown];
  if (tag === "set") return (content as unknown[]).map(plain);
  if (tag === "map") return Object.fromEntries((content as [unknown, unknown][]).map(([key, item]) => [plain(key), plain(item)]));
  return content;
}

/** Elements of a set. An optional column is a set of at most one element; a set of one has no brackets on the wire. */
export function elements(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]) as readonly string[];
}

export const text = (value: unknown): string | undefined => elements(value)[0];
export const map = (value: unknown) => value as Readonly<Record<string, string>>;

export function byUuid(rows: readonly Decoded[]): ReadonlyMap<string, Decoded> {
  return new Map(rows.map((row) => [row._uuid as string, row]));
}

/** Rows that a set of UUIDs refers to. */
export function referred(rows: ReadonlyMap<string, Decoded>, uuids: unknown): Decoded[] {
  return elements(uuids)
    .map((uuid) => rows.get(uuid))
    .filter((row) => row !== undefined);
}

import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import type { LiveRow } from "./live";

/**
 * Rows of tables without a column `external_ids` carry no owner's mark. Those of a root table are known by their UUID,
 * which derives from their owner and key, where the key can be told from the row; those that only live inside of a row
 * belong to that row's owner.
 */
const KEYS: Readonly<Record<string, { readonly columns: readonly string[]; key(row: LiveRow): string }>> = {
  Static_MAC_Binding: { columns: ["logical_port", "ip"], key: ({ logical_port, ip }) => staticBindingKey(String(logical_port), String(ip)) },
};

/** Row key of a Static_MAC_Binding: what its index says (ovn-nb(5)). */
export function staticBindingKey(port: string, ip: string): string {
  return `${port} ${ip}`;
}

export function isMarkless(schema: DatabaseSchema, table: string): boolean {
  return !schema.table(table).columns.has("external_ids");
}

/** How the key of a row without a mark is told from its columns; undefined where it can't be. */
export function keyOf(table: string): (typeof KEYS)[string] | undefined {
  return Object.hasOwn(KEYS, table) ? KEYS[table] : undefined;
}

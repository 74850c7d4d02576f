import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import type { LiveRow } from "../database/row";

/**
 * Rows of tables without `external_ids` have no owner mark. Rows of a root table are recognized by their UUID, which derives from owner and key,
 * if the key can be read from the row; dependent rows belong to their parent's owner.
 */
const KEYS: Readonly<Record<string, { readonly columns: readonly string[]; key(row: LiveRow): string }>> = {
  Static_MAC_Binding: { columns: ["logical_port", "ip"], key: ({ logical_port, ip }) => staticBindingKey(String(logical_port), String(ip)) },
};

/** Row key of a Static_MAC_Binding: its index (ovn-nb(5)). */
export function staticBindingKey(port: string, ip: string): string {
  return `${port} ${ip}`;
}

export function isMarkless(schema: DatabaseSchema, table: string): boolean {
  return !schema.table(table).columns.has("external_ids");
}

/** Derives the key of a row without a mark from its columns; undefined if impossible. */
export function keyOf(table: string): (typeof KEYS)[string] | undefined {
  return Object.hasOwn(KEYS, table) ? KEYS[table] : undefined;
}

import type { ColumnSchema, DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { identity } from "../../../kit/identity";
import { isMap, isReference } from "./words";
import type { ColumnValue, DesiredRow, LocalReference, Reference, RowSet } from "../set";

/**
 * Rows that the database would delete in the transaction that inserts them: rows of a non-root table (RFC 7047 3.2) without a parent or a
 * reference in their row set.
 */
export function unlistedRows(schema: DatabaseSchema, { rows, contributions = [] }: Pick<RowSet, "rows" | "contributions">): ReadonlySet<DesiredRow> {
  const parentless = rows.filter(({ table, parent, joint }) => !parent && !joint && !schema.table(table).isRoot);
  if (parentless.length === 0) return new Set();
  const shared = contributions.flatMap(({ part }) => (part.kind === "element" ? referencesIn(part.element) : []));
  const referenced = new Set([...rows.flatMap((row) => childrenOf(schema, row)), ...shared].filter(isLocal).map(identity));
  return new Set(parentless.filter((row) => !referenced.has(identity(row))));
}

function childrenOf(schema: DatabaseSchema, { table, columns }: DesiredRow): Reference[] {
  return Object.entries(columns).flatMap(([name, value]) => {
    const references = referencesIn(value);
    return references.length > 0 && keeps(schema.table(table).column(name)) ? references : [];
  });
}

function keeps({ type: { key, value } }: ColumnSchema): boolean {
  return [key, value].some((base) => base?.refType === "strong");
}

function referencesIn(value: ColumnValue): Reference[] {
  if (typeof value !== "object" || value === null) return [];
  return (isMap(value) ? Object.values(value.map) : [value].flat()).filter(isReference);
}

const isLocal = (reference: Reference): reference is LocalReference => "key" in reference;

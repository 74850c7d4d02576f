import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { childColumns } from "../database/row";
import type { Carried, DesiredRow } from "../set";

/** Search locations for rows of a kind without its previous arguments. */
export interface Extent {
  /** Every table that any version of the kind writes, also those without a column `external_ids`. */
  readonly tables: readonly string[];
  /** Foreign rows that may be deleted with rows of this kind, like `DesiredRow.carries` of one row. */
  readonly carries?: readonly Carried[];
  /** Those of the tables whose rows several resources may have together, and the tables of such rows' parts. */
  readonly joint?: { readonly tables: readonly string[]; readonly parts: readonly string[] };
}

/** Tables where leftovers may be; those that this database lacks are not among them. */
export function extentTables(schema: DatabaseSchema, extent: Extent | undefined, known: readonly DesiredRow[]): string[] {
  const tables = extent ? [...extent.tables, ...known.map(({ table }) => table)] : likelyTables(schema, known);
  return [...new Set(tables)].filter((table) => schema.tables.has(table));
}

/** Tables of the rows, and of all that can be inside of them or of their parents, at any depth: another version may have had rows there. */
function likelyTables(schema: DatabaseSchema, known: readonly DesiredRow[]): Set<string> {
  const tables = new Set(known.map(({ table }) => table));
  const inside = new Set([...tables, ...known.flatMap(({ parent }) => parent?.table ?? [])]);
  // A set also yields what is added while it is walked.
  for (const name of inside) {
    const table = schema.table(name);
    for (const column of childColumns(schema, table)) {
      const child = table.column(column).type.key.refTable!;
      inside.add(child);
      tables.add(child);
    }
  }
  return tables;
}

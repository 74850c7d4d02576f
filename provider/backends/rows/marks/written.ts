import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { asWritten } from "./as-written";
import { setDigest } from "../lines/digest";
import { digestOf } from "../../../kit/digest";
import type { LiveRow } from "../database/row";
import { isEmpty } from "../database/meanings";
import { noteIn, ownColumns, readNote, wordsOf, type OwnColumns } from "./note";
import type { ResolvedRow } from "../set/resolve";
import type { RowSet } from "../set";
import { canonical } from "../set/values";

/** Summary of a resource's written rows, in a few hundred bytes: for the state of kinds whose old rows can't be rendered from it. Plain JSON. */
export interface Written {
  /** Digest of the row set; see `setDigest`. */
  readonly digest: string;
  readonly tables: Readonly<Record<string, WrittenTable>>;
}

interface WrittenTable {
  readonly rows: number;
  /** Digest of the values of all rows. */
  readonly digest: string;
  /** Columns, and keys of maps, that were set in any row: `mac`, `options:requested-chassis,requested-tnl-key`. */
  readonly columns: readonly string[];
}

/** Pure: summary of these rows after they were written. */
export function writtenOf(set: RowSet, rows: readonly ResolvedRow[], schema: DatabaseSchema): Written {
  const tables = new Map<string, { texts: string[]; own: Map<string, "whole" | Set<string>> }>();
  for (const row of rows) {
    const table = tables.get(row.table) ?? { texts: [], own: new Map<string, "whole" | Set<string>>() };
    tables.set(row.table, table);
    const own = ownColumns(row.columns);
    table.texts.push(rowText(row.uuid, asWritten(schema, row), own, schema, row.table));
    for (const [name, keys] of own) {
      const known = table.own.get(name);
      table.own.set(name, keys === "whole" ? keys : new Set([...(known instanceof Set ? known : []), ...keys]));
    }
  }
  const entries = [...tables].map(([table, { texts, own }]) => [table, { rows: texts.length, digest: textsDigest(texts), columns: wordsOf(own) }] as const);
  return { digest: setDigest(set), tables: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Columns and keys by table, for rows that say nothing themselves. */
export function ownByTable({ tables }: Written): Readonly<Record<string, OwnColumns>> {
  return Object.fromEntries(Object.entries(tables).map(([table, { columns }]) => [table, readNote(columns.join(" "))]));
}

/** Columns that the resource set in a row: from its annotation, or from any row of the table. */
export function ownIn(live: LiveRow, table: OwnColumns): OwnColumns {
  const note = noteIn(live);
  if (note === undefined) return table;
  const own = readNote(note);
  return table.has("name") ? new Map([...own, ["name", "whole"]]) : own;
}

export function textsDigest(texts: readonly string[]): string {
  return digestOf([...texts].sort().join("\n"));
}

/** Equal for rows with equal values in these columns; empty values are ignored. */
export function rowText(uuid: string, live: LiveRow, own: OwnColumns, schema: DatabaseSchema, table: string): string {
  const words = [...own].flatMap(([name, keys]): string[] => {
    const value = live[name];
    if (value === undefined) return [`${name}?`];
    if (keys === "whole") return isEmpty(schema.table(table).column(name), value) ? [] : [`${name}=${canonical(value)}`];
    const entries = value instanceof Map ? [...value].filter(([key]) => keys.has(String(key))) : [];
    return entries.map(([key, item]) => `${name}:${JSON.stringify([String(key), String(item)])}`);
  });
  return [uuid, ...words.sort()].join(" ");
}

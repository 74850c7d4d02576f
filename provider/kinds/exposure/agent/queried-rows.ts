import type { Row } from "@pulumi-ovn/ovsdb-client";
import { uuidOf } from "../../lookup/rows";
import type { DatabaseRow, DatabaseRows } from "../chassis/snapshot/database-rows";

/** Results of queries as the tables of a monitor. Tables that were not queried are empty. */
export function queriedRows(results: Readonly<Record<string, readonly Row[]>>): DatabaseRows {
  const tables = new Map(
    Object.entries(results).map(([name, found]) => {
      const rows = new Map(found.map((row): [string, DatabaseRow] => [uuidOf(row), { uuid: uuidOf(row), get: (column) => row[column] }]));
      return [name, { get: (uuid: string) => rows.get(uuid), [Symbol.iterator]: () => rows.values() }] as const;
    }),
  );
  const empty = { get: () => undefined, [Symbol.iterator]: () => [][Symbol.iterator]() };
  return { table: (name) => tables.get(name) ?? empty };
}

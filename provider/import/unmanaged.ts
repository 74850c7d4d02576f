import type { Value } from "@pulumi-ovn/ovsdb-client";
import { childColumns } from "../rows/live";
import { defaultValue, isResolvedMap, sameValue } from "../rows/values";
import type { Database, Row } from "./database";
import type { Match } from "./match";

/** Columns that OVN's daemons write: results, not configuration. (ovn-nb(5)) */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  BFD: ["status"],
  Logical_Router_Port: ["ipv6_prefix", "status"],
  Logical_Switch_Port: ["up", "dynamic_addresses"],
};

/** Our own marks: of a resource, or of what another stack put into the row. */
const OWN_MARK = /^pulumi-ovn:/;

/** Columns that somebody set: not empty, and no result of a daemon. Marks of stacks are left out. */
export function configured(database: Database, row: Row): [column: string, value: Value][] {
  const table = database.schema.table(row.table);
  return Object.entries(row.columns).flatMap(([name, value]): [string, Value][] => {
    const column = table.column(name);
    if (column.ephemeral || RESULTS[row.table]?.includes(name)) return [];
    const own = name === "external_ids" && value instanceof Map ? new Map([...value].filter(([key]) => !OWN_MARK.test(String(key)))) : value;
    return sameValue(own, defaultValue(column)) ? [] : [[name, own]];
  });
}

/**
 * What the rows hold beside what the arguments say: it stays as it is, and nobody watches it. `column` or `column:key`
 * by table, with the number of rows that have it.
 */
export function unmanaged(database: Database, { pairs }: Match): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { row, desired } of pairs) {
    const children = childColumns(database.schema, database.schema.table(row.table));
    for (const [name, value] of configured(database, row)) {
      const said = desired.columns[name];
      const beside = value instanceof Map ? keysBeside(name, value, isResolvedMap(said) ? said.map : {}) : said === undefined && !children.includes(name) ? [name] : [];
      for (const what of beside) counts[`${row.table}.${what}`] = (counts[`${row.table}.${what}`] ?? 0) + 1;
    }
  }
  return counts;
}

function keysBeside(column: string, value: ReadonlyMap<unknown, unknown>, said: Readonly<Record<string, unknown>>): string[] {
  return [...value.keys()].filter((key) => !Object.hasOwn(said, String(key))).map((key) => `${column}:${String(key)}`);
}

import type { Value } from "@pulumi-ovn/ovsdb-client";
import { childColumns, defaultValue, isMark, isResolvedMap, type ResolvedValue, sameValue, sortedEntries } from "@pulumi-ovn/provider/tools";
import { type Database, elements, type Row } from "./database";
import type { Match, MatchedRow } from "./match";

/** Columns that OVN's daemons write: results, not configuration. (ovn-nb(5)) */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  BFD: ["status"],
  Logical_Router_Port: ["ipv6_prefix", "status"],
  Logical_Switch_Port: ["up", "dynamic_addresses"],
};

/** Columns that a user or program has set: not empty, and not written by a daemon as a result. Owner marks are left out. */
export function configured(database: Database, row: Row): [column: string, value: Value][] {
  const table = database.schema.table(row.table);
  return sortedEntries(row.columns).flatMap(([name, value]): [string, Value][] => {
    const column = table.column(name);
    if (column.ephemeral || RESULTS[row.table]?.includes(name)) return [];
    const own = name === "external_ids" && value instanceof Map ? new Map([...value].filter(([key]) => !isMark(String(key)))) : value;
    return sameValue(own, defaultValue(column)) ? [] : [[name, own]];
  });
}

/** Columns of a matched row that its arguments say nothing of, but for those that list rows which name it as their parent. */
function beside(database: Database, { row, desired }: MatchedRow): [column: string, value: Value][] {
  const children = childColumns(database.schema, database.schema.table(row.table));
  return configured(database, row).filter(([name, value]) =>
    value instanceof Map ? hasMore(value, desired.columns[name]) : desired.columns[name] === undefined && !children.includes(name),
  );
}

function hasMore(value: ReadonlyMap<unknown, unknown>, rendered: ResolvedValue | undefined): boolean {
  return keysBeside(value, rendered).length > 0;
}

function keysBeside(value: ReadonlyMap<unknown, unknown>, rendered: ResolvedValue | undefined): string[] {
  return [...value.keys()].map(String).filter((key) => !isResolvedMap(rendered) || !Object.hasOwn(rendered.map, key));
}

/**
 * Values of the rows that the arguments do not contain. They stay unchanged and are not monitored. The keys are `Table.column` or
 * `Table.column:key`, the values the number of rows; marks of other owners count as one.
 */
export function unmanaged(database: Database, { pairs }: Match): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const pair of pairs) {
    for (const [name, value] of beside(database, pair)) {
      const keys = value instanceof Map && name !== "external_ids" ? keysBeside(value, pair.desired.columns[name]).map((key) => `${name}:${key}`) : [name];
      for (const key of keys) counts[`${pair.row.table}.${key}`] = (counts[`${pair.row.table}.${key}`] ?? 0) + 1;
    }
  }
  return counts;
}

/** Rows that matched rows refer to in such columns: they can't go while these rows are there. */
export function unmanagedReferences(database: Database, { pairs }: Match): string[] {
  return pairs.flatMap((pair) =>
    beside(database, pair).flatMap(([name, value]) =>
      database.schema.table(pair.row.table).column(name).type.key.refTable === undefined ? [] : elements(value),
    ),
  );
}

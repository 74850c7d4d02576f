import { type Compared, compareRows } from "./compare";
import type { Known } from "./known";
import { NO_COUNTS } from "./model";

/**
 * What the deletion of a leftover removes: rows that the resource in its place has neither before the update nor after it.
 * Those that this one loses are told with it.
 * @param pairs the leftover's rows with those of each state of that resource; one at least
 */
export function compareLeftover(pairs: readonly (readonly [leftover: Known, other: Known])[]): Compared {
  const all = pairs.map(([leftover, other]) => compareRows(leftover, other, false));
  const hidden = all.find(({ untold }) => untold !== undefined);
  if (hidden) return hidden;
  const [first, ...more] = all.map(({ rows }) => rows.filter(({ operation }) => operation === "remove"));
  const rows = first!.filter(({ table, row }) => more.every((removed) => removed.some((other) => other.table === table && other.row === row)));
  const tables = all.at(-1)!.tables;
  return { rows, tables, counts: { ...NO_COUNTS, removed: rows.length, uncounted: tables.length > 0 ? 1 : 0 } };
}

import { type Compared, compareRows } from "./compare";
import type { Known } from "./known";
import { NO_COUNTS } from "./model";

/**
 * Rows that the deletion of a leftover removes: rows that its replacement has neither before nor after the update.
 * Rows that this resource loses are reported with this resource.
 * @param pairs the leftover's rows with the rows of each state of that resource; at least one pair
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

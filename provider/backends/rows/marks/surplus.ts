import type { TableSchema } from "@pulumi-ovn/ovsdb-client";
import { ownedColumns } from "./owned-columns";
import { OWNER_KEY } from "../../../kit/identity";
import type { LiveRow } from "../database/row";
import { isEmpty } from "../database/meanings";
import { noteIn, readNote, wordsOf } from "./note";
import type { ResolvedRow } from "../set/resolve";
import { isResolvedMap } from "../set/values";

/** Drift of a missing row. */
export const MISSING = "missing";

/** Drift of leftovers of an interrupted run: a row with our mark outside the row set, a column, or a key. */
export const SURPLUS = "surplus";

/** Whether the row's own note names more than the row set has: mostly not, and nothing has to be made to tell. */
export function namesMore({ columns }: ResolvedRow, live: LiveRow): boolean {
  const note = noteIn(live);
  if (note === undefined) return false;
  for (const [name, own] of readNote(note)) {
    const desired = columns[name];
    if (own === "whole") {
      if (desired === undefined) return true;
    } else for (const key of own) if (!isResolvedMap(desired) || !Object.hasOwn(desired.map, key)) return true;
  }
  return false;
}

/** Columns and keys that a row's own annotation names and the row set does not: `options:mtu`. Without values, which may be secrets of that run. */
export function surplusIn(row: ResolvedRow, live: LiveRow, table: TableSchema): string[] {
  if (!namesMore(row, live)) return [];
  const columns = new Map<string, "whole" | ReadonlySet<string>>();
  for (const [name, own] of ownedColumns(row, live, { owner: ownerOf(row), before: new Map() }, table)) {
    const value = live[name];
    if (own !== "whole") columns.set(name, new Set([...own].filter((key) => value instanceof Map && value.has(key))));
    else if (value !== undefined && !isEmpty(table.column(name), value)) columns.set(name, own);
  }
  return wordsOf(columns);
}

function ownerOf({ columns: { external_ids: marks } }: ResolvedRow): string {
  return isResolvedMap(marks) ? String(marks.map[OWNER_KEY]) : "";
}

import type { DatabaseSchema, Value } from "@pulumi-ovn/ovsdb-client";
import type { LiveRow } from "../database/row";
import { COLUMNS_KEY, noteOf } from "./note";
import type { ResolvedRow } from "../set/resolve";
import { toValue } from "../set/values";

/** A resolved row as the database holds it when this release has written it. */
export function asWritten(schema: DatabaseSchema, { table, columns }: Pick<ResolvedRow, "table" | "columns">): LiveRow {
  const definition = schema.table(table);
  const live: Record<string, Value> = {};
  for (const [name, value] of Object.entries(columns)) live[name] = toValue(definition.column(name), value);
  const note = live.external_ids instanceof Map ? noteOf(columns) : undefined;
  if (note !== undefined) (live.external_ids as Map<string, string>).set(COLUMNS_KEY, note);
  return live;
}

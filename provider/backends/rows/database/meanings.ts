import type { ColumnSchema, Value } from "@pulumi-ovn/ovsdb-client";
import { defaultValue, sameValue } from "../set/values";

/**
 * Meanings of empty columns (ovn-nb(5)). ovn-nbctl(8) and ovn-kubernetes leave such columns empty, so their rows are correct and are not
 * written.
 */
const EMPTY_MEANS: Readonly<Record<string, Value>> = { "Logical_Router_Static_Route.policy": "dst-ip" };

/** Whether OVN does the same for what is desired and for what the row holds. */
export function sameMeaning(column: ColumnSchema, desired: Value, live: Value): boolean {
  if (sameValue(desired, live)) return true;
  const meaning = live === null ? EMPTY_MEANS[column.path] : undefined;
  return meaning !== undefined && sameValue(desired, meaning);
}

/** Whether OVN does the same for the value and for an empty column. */
export function isEmpty(column: ColumnSchema, value: Value): boolean {
  return sameMeaning(column, value, defaultValue(column));
}

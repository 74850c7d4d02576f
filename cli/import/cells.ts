import type { Row } from "./database";

/** Text of a column; undefined when it is empty. */
export function textOf(row: Row | undefined, column: string): string | undefined {
  const value = row?.columns[column];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Value of a key of a map column. */
export function entryOf(row: Row | undefined, column: string, key: string): string | undefined {
  const value = row?.columns[column];
  const entry = value instanceof Map ? (value as ReadonlyMap<unknown, unknown>).get(key) : undefined;
  return entry === undefined ? undefined : String(entry);
}

/** Elements of a set column, sorted, what may be IPv6 last: the server keeps no order. */
export function listOf(row: Row | undefined, column: string): string[] {
  const value = row?.columns[column];
  if (!Array.isArray(value)) return [];
  const rank = (text: string) => `${text.includes(":") ? 1 : 0}${text}`;
  return value.map(String).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** A whole number that was written as text; undefined for anything else. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The object without fields that are undefined. */
export function given<T extends Record<string, unknown>>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

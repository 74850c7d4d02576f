import type { Atom, ColumnValue, DesiredRow, MapValue, Reference } from "../set";

export function isMap(value: ColumnValue): value is MapValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "map" in value; // arrays have a method of that name
}

export function isReference(value: ColumnValue): value is Reference {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("map" in value);
}

/** How a row is called in previews and errors: by its name where it has one. */
export function rowLabel(row: Pick<DesiredRow, "table" | "key" | "columns">): string {
  const { name } = row.columns;
  return `${row.table} ${typeof name === "string" && name !== "" ? name : row.key}`;
}

/** Words that need no quotes in a line. */
export const PLAIN = /^[\w.:/@%+*$-]+$/;

export function atom(value: Atom): string {
  return typeof value === "string" && !PLAIN.test(value) ? JSON.stringify(value) : String(value);
}

export function single(value: Atom | Reference): string {
  if (typeof value !== "object") return atom(value);
  return atom("key" in value ? value.key : "uuid" in value ? value.uuid : value.name);
}

/** One column as `column=value`, a map as one `column:key=value` for each key. Sets and maps are sorted. */
export function columnWords(column: string, value: ColumnValue): string[] {
  if (value === null) return [`${column}=[]`];
  if (isMap(value)) {
    return Object.keys(value.map)
      .sort()
      .map((key) => `${column}:${PLAIN.test(key) ? key : JSON.stringify(key)}=${single(value.map[key]!)}`);
  }
  if (Array.isArray(value)) {
    const elements = value.map(single).sort();
    return [`${column}=${elements.length === 0 ? "[]" : elements.join(",")}`];
  }
  return [`${column}=${single(value as Atom | Reference)}`];
}

/** The words of a row, column by column; `name` is in the label already. */
export type RowWords = readonly (readonly [column: string, words: readonly string[]])[];

export function rowWords({ columns }: Pick<DesiredRow, "columns">): RowWords {
  return Object.entries(columns)
    .filter(([column, value]) => column !== "name" || typeof value !== "string")
    .map(([column, value]) => [column, columnWords(column, value)]);
}

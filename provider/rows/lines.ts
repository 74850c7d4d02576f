import { hash } from "node:crypto";
import { byObject } from "../memo";
import { contributionLines } from "./shared-lines";
import type { Atom, ColumnValue, DesiredRow, MapValue, Reference, RowSet } from "./rowset";

/**
 * Rows as people read them: one line each, in the words of ovn-nbctl(8), for previews, pull requests and policy packs.
 * Past this many rows the lines give way to a count and a digest per table, so that the state stays small.
 */
export const MOST_LINES = 64;

/** Rows of one table, of a resource whose rows come of a list that a preview shows elsewhere: what they say more is for tools. */
export const MOST_OF_TABLE = 8;

/** When lines give way: `set` past `MOST_LINES` in all, `table` in each table past `MOST_OF_TABLE`. */
export type Folding = "set" | "table";

/** `"Logical_Router_Port trtor-GR_node2": "mac=0a:58:64:58:00:04 networks=100.88.0.4/31"` */
export type RowLines = Record<string, string>;

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

function single(value: Atom | Reference): string {
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
    const members = value.map(single).sort();
    return [`${column}=${members.length === 0 ? "[]" : members.join(",")}`];
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

/** All words of each row; both the lines and the digest ask for them. */
const rowTexts = byObject((rows: readonly DesiredRow[]): readonly string[] => rows.map((row) => joined(rowWords(row))));

/** Everything that a set writes. */
export function setLines(set: RowSet, folding?: Folding): RowLines {
  return { ...rowLines(set.rows, folding), ...Object.fromEntries(contributionLines(set)) };
}

export function rowLines(rows: readonly DesiredRow[], folding?: Folding): RowLines {
  const texts = rowTexts(rows);
  return summarize(rows.map((row, index) => ({ table: row.table, label: rowLabel(row), words: () => rowWords(row), text: texts[index]! })), "rows", folding);
}

/** One row to show; `words` is undefined for a row that is not there. */
export interface LabelledRow {
  readonly table: string;
  readonly label: string;
  readonly words: RowWords | (() => RowWords) | undefined;
  /** The words in one line, where somebody has it. */
  readonly text?: string;
  /** Whether columns stand in lines of their own, however short. */
  readonly apart?: boolean;
}

/**
 * Lines by label, or counts and digests by table when there are too many to read.
 *
 * @param what the rows are called in counts
 */
export function summarize(rows: readonly LabelledRow[], what = "rows", folding: Folding = "set"): RowLines {
  const present = byTable(rows.filter((row) => row.words !== undefined)).sort((a, b) => (a.label < b.label ? -1 : 1));
  const counted = countedTables(rows, folding);
  const texts = new Map([...counted].map((table): [string, string[]] => [table, []]));
  for (const row of present) texts.get(row.table)?.push(`${row.label} ${row.text ?? joined(wordsOf(row))}`);
  return Object.fromEntries([
    ...present.filter(({ table }) => !counted.has(table)).flatMap((row) => fold(row.label, wordsOf(row), row.apart)),
    ...[...texts].filter(([, own]) => own.length > 0).map(([table, own]): [string, string] => [table, `${own.length} ${what}, digest ${digestOf(own.join("\n"))}`]),
  ]);
}

function wordsOf({ words = [] }: LabelledRow): RowWords {
  return typeof words === "function" ? words() : words;
}

/** Table by table, so that to sort what a renderer has made in order takes few steps. */
function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): Row[] {
  const tables = new Map<string, Row[]>();
  for (const row of rows) {
    const own = tables.get(row.table);
    if (own) own.push(row);
    else tables.set(row.table, [row]);
  }
  return [...tables.values()].flat();
}

/** The choice hangs on what should be there, so that a missing row does not turn digests into lines. */
function countedTables(rows: readonly LabelledRow[], folding: Folding): ReadonlySet<string> {
  const numbers = new Map<string, number>();
  for (const { table } of rows) numbers.set(table, (numbers.get(table) ?? 0) + 1);
  const counted = (number: number) => (folding === "set" ? rows.length > MOST_LINES : number > MOST_OF_TABLE);
  return new Set([...numbers].flatMap(([table, number]) => (counted(number) ? [table] : [])));
}

function joined(words: RowWords): string {
  let text = "";
  for (const [, column] of words) for (const word of column) text += text === "" ? word : ` ${word}`;
  return text;
}

/** Pulumi cuts property values at 150 characters: a change further right would be invisible to a reviewer. */
export const WIDTH = 140;

/** One line; for a long row one for each column, and for a long column as many as it takes. Empty columns say nothing. */
function fold(label: string, all: RowWords, apart = false): [string, string][] {
  const words = all.filter(([column, own]) => own[0] !== `${column}=""` && own[0] !== `${column}=[]`);
  const line = joined(words);
  if (!apart && line.length <= WIDTH) return [[label, line]];
  return words.flatMap(([column, own]) => wrap(own).map((part, index): [string, string] => [[label, column, index === 0 ? "" : index + 1].filter((text) => text !== "").join(" "), part]));
}

function wrap(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

export function digestOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16);
}

/** What JSON writes otherwise than it is. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** JSON of a list, faster where it is made of plain texts, as most are. */
function jsonList(list: readonly unknown[]): string {
  return list.every((item) => typeof item === "string" && !ESCAPED.test(item)) ? `["${list.join('","')}"]` : JSON.stringify(list);
}

/** Equal for row sets that mean the same, whatever the order of their rows, sets and maps. */
export function setDigest(set: RowSet): string {
  const texts = rowTexts(set.rows);
  const parts = set.rows.map((row, index) => {
    const parent = row.parent ? `${row.parent.table}.${row.parent.column} of ${single(row.parent.row)}` : "";
    return { table: row.table, text: jsonList([row.table, row.key, row.columns.name ?? "", texts[index]!, parent]) };
  });
  const shared = contributionLines(set).map((line) => JSON.stringify(line));
  return digestOf(`${set.database}\n${[...byTable(parts).map(({ text }) => text), ...shared].sort().join("\n")}`);
}

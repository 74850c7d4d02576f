import { hash } from "node:crypto";
import { byObject } from "../memo/memo";
import { FormedRow, type RowTexts } from "./formed-row";
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

/** Lines, digest and drift ask for them. */
export const rowTexts = byObject((rows: readonly DesiredRow[]): readonly RowTexts[] =>
  rows.map((row) => FormedRow.textsOf(row) ?? (Object.isFrozen(row) ? sharedTexts(row) : textsOf(row))),
);

function textsOf(row: DesiredRow): RowTexts {
  const text = rowText(row);
  return { table: row.table, label: rowLabel(row), text, json: rowJson(row, text) };
}

/** Of rows that many resources have: who renders them freezes them. */
const sharedTexts = byObject(textsOf);

/** Stands for the word in the row that a form is made of. */
const WORD = "a.word.of.each.resource";

/**
 * Rows that many resources have, but for a word of each, such as an address, in the place of a value: what lines and digests say
 * of them is made once. The word is in no set, whose members are sorted, and the row in no set of another.
 *
 * @param make the row with a word
 */
export function rowForm(make: (word: string) => DesiredRow): (word: string) => DesiredRow {
  const { table, label, text, json } = textsOf(make(WORD));
  const [texts, jsons] = [text.split(WORD), json.split(WORD)];
  return (word) => (PLAIN.test(word) ? new FormedRow(make(word), () => ({ table, label, text: texts.join(word), json: jsons.join(word) })) : make(word));
}

/** All words of a row in one line. */
function rowText({ columns }: DesiredRow): string {
  return Object.isFrozen(columns) ? sharedText(columns) : textOf(columns);
}

/** Of columns that rows of many zones have. */
const sharedText = byObject(textOf);

function textOf(columns: DesiredRow["columns"]): string {
  let text = "";
  for (const column of Object.keys(columns)) {
    const value = columns[column]!;
    if (column === "name" && typeof value === "string") continue;
    for (const word of columnWords(column, value)) text += text === "" ? word : ` ${word}`;
  }
  return text;
}

/** Everything that a set writes. */
export function setLines(set: RowSet, folding?: Folding): RowLines {
  return { ...rowLines(set.rows, folding), ...Object.fromEntries(contributionLines(set)) };
}

export function rowLines(rows: readonly DesiredRow[], folding: Folding = "set"): RowLines {
  if (folding === "set" && rows.length > MOST_LINES) return countedLines(rowTexts(rows));
  return summarize(
    rowTexts(rows).map(({ table, label, text }, index) => ({ table, label, text, words: () => rowWords(rows[index]!) })),
    "rows",
    folding,
  );
}

/** As `summarize`, where every table is counted: nothing else of its rows is looked at. */
function countedLines(rows: readonly RowTexts[]): RowLines {
  return Object.fromEntries(
    byTable(rows).map((own): [string, string] => {
      let all = "";
      for (const { label, text } of own.sort(byLabel)) all += all === "" ? `${label} ${text}` : `\n${label} ${text}`;
      return [own[0]!.table, countLine(own.length, "rows", all)];
    }),
  );
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
  const tables = byTable(rows);
  const present = tables
    .flat()
    .filter((row) => row.words !== undefined)
    .sort(byLabel);
  const counted = countedTables(tables, folding);
  const texts = new Map([...counted].map((table): [string, string[]] => [table, []]));
  for (const row of present) texts.get(row.table)?.push(lineText(row));
  return Object.fromEntries([
    ...present.filter(({ table }) => !counted.has(table)).flatMap((row) => fold(row.label, wordsOf(row), row.apart)),
    ...[...texts].filter(([, own]) => own.length > 0).map(([table, own]): [string, string] => [table, countLine(own.length, what, own.join("\n"))]),
  ]);
}

const byLabel = (a: Pick<LabelledRow, "label">, b: Pick<LabelledRow, "label">): number => (a.label < b.label ? -1 : 1);

/** A row, one of those that a digest tells of. */
function lineText(row: LabelledRow): string {
  return `${row.label} ${row.text ?? joined(wordsOf(row))}`;
}

/** Stands for the lines of a table. */
export function countLine(number: number, what: string, text: string): string {
  return `${number} ${what}, digest ${digestOf(text)}`;
}

function wordsOf({ words = [] }: LabelledRow): RowWords {
  return typeof words === "function" ? words() : words;
}

/** Table by table, so that to sort what a renderer has made in order takes few steps. */
function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): Row[][] {
  return [...Map.groupBy(rows, ({ table }) => table).values()];
}

/** The choice hangs on what should be there, so that a missing row does not turn digests into lines. */
function countedTables(tables: readonly (readonly LabelledRow[])[], folding: Folding): ReadonlySet<string> {
  const all = tables.reduce((sum, rows) => sum + rows.length, 0);
  const counted = (number: number) => (folding === "set" ? all > MOST_LINES : number > MOST_OF_TABLE);
  return new Set(tables.flatMap((rows) => (counted(rows.length) ? [rows[0]!.table] : [])));
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
  return words.flatMap(([column, own]) =>
    wrap(own).map((part, index): [string, string] => [[label, column, index === 0 ? "" : index + 1].filter((text) => text !== "").join(" "), part]),
  );
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

/** JSON of a row's texts, faster where they are plain, as most are. */
function rowJson({ table, key, columns: { name = "" }, parent: at }: DesiredRow, text: string): string {
  const parent = at ? `${at.table}.${at.column} of ${single(at.row)}` : "";
  const plain = typeof name === "string" && !ESCAPED.test(table + key + name + text + parent);
  return plain ? `["${table}","${key}","${name}","${text}","${parent}"]` : JSON.stringify([table, key, name, text, parent]);
}

/** Equal for row sets that mean the same, whatever the order of their rows, sets and maps. */
export function setDigest(set: RowSet): string {
  const parts: string[] = [];
  for (const rows of byTable(rowTexts(set.rows))) for (const { json } of rows) parts.push(json);
  for (const line of contributionLines(set)) parts.push(JSON.stringify(line));
  return digestOf(`${set.database}\n${parts.sort().join("\n")}`);
}

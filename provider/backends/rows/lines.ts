import { byTable } from "./lines/by-table";
import { digestOf } from "../../kit/digest";
import type { RowTexts } from "./lines/formed-row";
import { rowTexts } from "./lines/texts";
import { type RowWords, rowWords } from "./set/words";
import type { DesiredRow, RowSet } from "./set";
import { contributionLines } from "./lines/contributions";

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
  /** Words in one line, if already joined. */
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

/** Text of a row for a digest. */
function lineText(row: LabelledRow): string {
  return `${row.label} ${row.text ?? wordsText(wordsOf(row))}`;
}

/** Replaces the lines of a table. */
export function countLine(number: number, what: string, text: string): string {
  return `${number} ${what}, digest ${digestOf(text)}`;
}

function wordsOf({ words = [] }: LabelledRow): RowWords {
  return typeof words === "function" ? words() : words;
}

/** The choice hangs on what should be there, so that a missing row does not turn digests into lines. */
function countedTables(tables: readonly (readonly LabelledRow[])[], folding: Folding): ReadonlySet<string> {
  const all = tables.reduce((sum, rows) => sum + rows.length, 0);
  const counted = (number: number) => (folding === "set" ? all > MOST_LINES : number > MOST_OF_TABLE);
  return new Set(tables.flatMap((rows) => (counted(rows.length) ? [rows[0]!.table] : [])));
}

function wordsText(words: RowWords): string {
  let text = "";
  for (const [, column] of words) for (const word of column) text += text === "" ? word : ` ${word}`;
  return text;
}

/** Pulumi cuts property values at 150 characters: a change further right would be invisible to a reviewer. */
export const WIDTH = 140;

/** One line; for a long row one for each column, and for a long column as many as it takes. Empty columns say nothing. */
function fold(label: string, all: RowWords, apart = false): [string, string][] {
  const words = all.filter(([column, own]) => own[0] !== `${column}=""` && own[0] !== `${column}=[]`);
  const line = wordsText(words);
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

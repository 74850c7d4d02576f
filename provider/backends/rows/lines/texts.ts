import { memo } from "../../../kit/memo/memo";
import { FormedRow, type RowTexts } from "./formed-row";
import { columnWords, PLAIN, rowLabel, single } from "../set/words";
import type { DesiredRow } from "../set";

/** Lines, digest and drift ask for them. */
export const rowTexts = memo((rows: readonly DesiredRow[]): readonly RowTexts[] =>
  rows.map((row) => FormedRow.textsOf(row) ?? (Object.isFrozen(row) ? sharedTexts(row) : textsOf(row))),
);

function textsOf(row: DesiredRow): RowTexts {
  const text = rowText(row);
  return { table: row.table, label: rowLabel(row), text, json: rowJson(row, text) };
}

/** Texts of rows that many resources share; their renderer freezes them. */
const sharedTexts = memo(textsOf);

/** Placeholder in the row of a form. */
const WORD = "a.word.of.each.resource";

/**
 * Rows that many resources have, but for a word of each, such as an address, instead of a value: what lines and digests say
 * of them is made once. The word is in no set, whose elements are sorted, and the row in no set of another.
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

/** Texts of columns that rows of many zones share. */
const sharedText = memo(textOf);

function textOf(columns: DesiredRow["columns"]): string {
  let text = "";
  for (const column of Object.keys(columns)) {
    const value = columns[column]!;
    if (column === "name" && typeof value === "string") continue;
    for (const word of columnWords(column, value)) text += text === "" ? word : ` ${word}`;
  }
  return text;
}

/** Characters that JSON escapes. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** JSON of a row's texts, faster where they are plain, as most are. */
function rowJson({ table, key, columns: { name = "" }, parent: at }: DesiredRow, text: string): string {
  const parent = at ? `${at.table}.${at.column} of ${single(at.row)}` : "";
  const plain = typeof name === "string" && !ESCAPED.test(table + key + name + text + parent);
  return plain ? `["${table}","${key}","${name}","${text}","${parent}"]` : JSON.stringify([table, key, name, text, parent]);
}

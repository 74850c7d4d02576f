import type { RowLines } from "../lines";

/** `column=value`, or `column:key=value` of a map; the name is "" in the line of a contribution. */
export interface Word {
  readonly name: string;
  /** In the words of ovn-nbctl(8). */
  readonly value: string;
}

/** Parsed lines of `lines.ts`. */
export interface ReadLines {
  /** Words of each row, by the row's label. */
  readonly rows: ReadonlyMap<string, readonly Word[]>;
  /** Tables with too many rows for lines of their own. */
  readonly tables: ReadonlyMap<string, { readonly rows: number; readonly digest: string }>;
}

export const COUNTED = /^(\d+) (?:rows|objects), digest (\S+)$/;
const WORDS = /(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g;
const NAME_AND_VALUE = /^((?:[^\s"=]|"(?:[^"\\]|\\.)*")+)=(.*)$/s;

/** The way back from lines to rows: lines that were folded are joined again. */
export function readLines(lines: RowLines): ReadLines {
  const tables = new Map<string, { rows: number; digest: string }>();
  const parts = new Map<string, { index: number; words: Word[] }[]>();
  for (const [label, text] of Object.entries(lines)) {
    const counted = label.includes(" ") ? null : COUNTED.exec(text);
    if (counted) {
      tables.set(label, { rows: Number(counted[1]), digest: counted[2]! });
      continue;
    }
    const words = wordsOf(text);
    const { base, index } = unfolded(label, words, lines);
    parts.set(base, [...(parts.get(base) ?? []), { index, words }]);
  }
  const rows = new Map([...parts].map(([label, own]) => [label, own.sort((a, b) => a.index - b.index).flatMap(({ words }) => words)]));
  return { rows, tables };
}

/** A folded line's label ends with the column that its words begin with, and from the second line on with a number. */
function unfolded(label: string, [first]: readonly Word[], lines: RowLines): { base: string; index: number } {
  const whole = { base: label, index: 1 };
  const column = first && /^[^:]*/.exec(first.name)![0];
  if (!column) return whole;
  const number = / (\d+)$/.exec(label);
  for (const [rest, index] of [
    [label, 1],
    [number ? label.slice(0, number.index) : "", Number(number?.[1])],
  ] as const) {
    const base = rest.slice(0, -column.length - 1);
    if (rest.endsWith(` ${column}`) && base.includes(" ") && !Object.hasOwn(lines, base)) return { base, index };
  }
  return whole;
}

/** The words of one line. */
export function wordsOf(text: string): Word[] {
  const words = text.match(WORDS) ?? [];
  const read = words.map(readWord);
  // The value of a contribution is not made of words.
  return words.join(" ") === text && read.every(({ name }) => name !== "") ? read : [{ name: "", value: text }];
}

/** The words of one side of a change; a bare one (`mac`, `options:mtu,peer`) names what goes without its value. */
export function changedWords(text: string): Word[] {
  return (text.match(WORDS) ?? []).map(readWord).flatMap((word) => (word.name === "" ? bareWords(word.value) : [word]));
}

function bareWords(word: string): Word[] {
  const [column, keys] = word.split(":", 2);
  return keys === undefined ? [{ name: word, value: "" }] : keys.split(",").map((key) => ({ name: `${column}:${key}`, value: "" }));
}

/** One word of `columnWords`. */
export function readWord(word: string): Word {
  const [, name = "", value = word] = NAME_AND_VALUE.exec(word) ?? [];
  return { name, value };
}

import { COUNTED, type ReadLines, type Word, wordsOf } from "../../rows/lines/read";

/** `KIND NAMESPACE/NAME`, then the list item that the line is about, and from its second line on a number. */
const LABEL = /^(\S+ \S+)(?: (?!\d+$)(.+?))?(?: (\d+))?$/;

/** The way back from the lines of `lines.ts` to objects, with all fields as they are called in the whole object. */
export function readObjectLines(lines: Readonly<Record<string, string>>): ReadLines {
  const tables = new Map<string, { rows: number; digest: string }>();
  const parts = new Map<string, { at: string; index: number; words: readonly Word[] }[]>();
  for (const [label, text] of Object.entries(lines)) {
    const [, object, at = "", index = "1"] = LABEL.exec(label) ?? [];
    const counted = object === undefined ? COUNTED.exec(text) : null;
    if (counted) tables.set(label, { rows: Number(counted[1]), digest: counted[2]! });
    else if (object !== undefined)
      parts.set(object, [...(parts.get(object) ?? []), { at, index: Number(index), words: text === "" ? [] : wordsOf(text).map((word) => within(at, word)) }]);
  }
  const inOrder = (all: readonly { at: string; index: number; words: readonly Word[] }[]) =>
    [...all].sort((a, b) => (a.at === b.at ? a.index - b.index : a.at < b.at ? -1 : 1));
  return { rows: new Map([...parts].map(([object, own]) => [object, inOrder(own).flatMap(({ words }) => words)])), tables };
}

function within(at: string, { name, value }: Word): Word {
  return { name: at === "" || name.startsWith(at) ? name : `${at}.${name}`, value };
}

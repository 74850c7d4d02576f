/** Characters of a foreign text that go into an error. */
const MOST = 1000;

/** Control characters, those that change the direction of writing, line separators, and halves of surrogate pairs. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/**
 * Foreign text (of a server, a program) made safe for a message: one line, without control characters, at most `most` characters. A long text
 * keeps its beginning and its end, because servers end details with the UUIDs of rows.
 */
export function printable(text: string, most = MOST): string {
  const short = text.length <= most ? text : `${text.slice(0, Math.ceil(most * 0.6))} ... ${text.slice(text.length - Math.floor(most * 0.4))}`;
  return short
    .trim()
    .replace(/[ \t]*(?:\r\n|\r|\n)\s*/g, "; ")
    .replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

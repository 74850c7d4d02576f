/** Control characters, invisible or direction-changing characters, and halves of characters, which could fool a reader or a terminal. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const shown = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Text in one line that shows everything that is in it. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, shown);
}

/** Like `visible`, for text with ends of lines and tabs. */
export function visibleLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : shown(character)));
}

/** The same JSON document, in which strings show everything that is in them. */
export function visibleJson(json: string): string {
  const escaped = (character: string) => Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`);
  return json.replace(INVISIBLE, (character) => (character === "\n" ? character : escaped(character).join("")));
}

/** Control characters, ones that nobody sees or that turn the direction of text, and halves of characters: what could fool a reader or a terminal. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text in one line that shows everything that is in it. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** At most so many UTF-16 units, never half a character; says how much is missing. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${(text.length - end).toLocaleString("en")} more characters)`;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Shortens a text to a number of UTF-16 units, without splitting a character; shows how much is missing. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${(text.length - end).toLocaleString("en")} more characters)`;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

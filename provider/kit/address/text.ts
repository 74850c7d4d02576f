/** Of longer texts messages have the beginning. */
export const LONGEST_QUOTE = 60;

/** What the user wrote, fit for a one-line message: control characters escaped, long texts cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text);
}

/** Longest quoted text in a message; longer ones are cut. */
export const LONGEST_QUOTE = 60;

/** Quotes a user's text for a one-line message: control characters escaped, long texts cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text);
}

import { LONGEST_QUOTE } from "../../kit/address/text";

/** Shorter texts in base64 are parts of many others. */
const SHORTEST_CODED = 6;

/** Forms in which a text may appear in others; an address with a prefix length may appear without it. */
export function formsOf(text: string): string[] {
  const address = /^[0-9a-f.:]+\/\d+$/i.test(text) ? [text.split("/")[0]!] : [];
  return [text, ...address, ...codedForms(text)].filter(Boolean);
}

/**
 * How messages have a text that is not there as it is: cut, as strings of JSON, of Go (an API server's `%q` and `%#v`) and of
 * a string in a string, in a URL, and as the data of a Secret.
 */
function codedForms(text: string): string[] {
  const cut = text.length > LONGEST_QUOTE ? [text.slice(0, LONGEST_QUOTE)] : [];
  const quoted = [text, ...cut].flatMap((one) => [one, ...strings(one), ...strings(jsonString(one))]);
  return [...new Set([...quoted, ...urls(text), ...(text.length < SHORTEST_CODED ? [] : base64(text))])].filter((form) => form !== text);
}

const jsonString = (text: string): string => JSON.stringify(text).slice(1, -1);

function strings(text: string): string[] {
  const json = jsonString(text);
  return [json, goJson(json), goString(json)];
}

/** encoding/json writes these for HTML's sake. */
function goJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const GO_ESCAPES: Readonly<Record<string, string>> = { "\\u0007": "\\a", "\\u000b": "\\v", "\u007f": "\\x7f" };

/** strconv.Quote: control characters by their own names, or in two digits. */
function goString(json: string): string {
  return json.replace(/\\u00(?:0[0-9a-f]|1[0-9a-f])|\u007f/g, (escape) => GO_ESCAPES[escape] ?? `\\x${escape.slice(-2)}`);
}

function urls(text: string): string[] {
  // Half of a pair has no form there.
  return text.isWellFormed() ? [encodeURIComponent(text)] : [];
}

/** Padding may be left out. */
function base64(text: string): string[] {
  const padded = Buffer.from(text).toString("base64");
  return [padded, padded.replace(/=+$/, ""), Buffer.from(text).toString("base64url")];
}

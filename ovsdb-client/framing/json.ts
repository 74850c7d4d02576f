import { ProtocolError, ValueError } from "../errors";

/** Node 22 and later have these; the language's own type library does not yet. */
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  stringify(value: unknown, replacer: (key: string, value: unknown) => unknown): string;
  rawJSON(text: string): unknown;
};

/** Start of a number that a double may not hold. Strings can look the same. */
const LONG_NUMBER = /[[,:]\s*-?\d{16}/;
/**
 * A string as a whole, so that nothing in it is taken for a number; or a long number. Neither ever steps back: a server
 * may send as many characters of one kind as fit into a message.
 */
const STRING_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d{16}[\d.eE+-]*/g;
/** No integer of OVSDB is longer; to read one of a million digits would take a second. */
const INTEGER = /^-?\d{1,20}$/;

/**
 * OVSDB integers have 64 bits; those that a double would round become bigint, all others stay numbers.
 * The exact way is several times slower, so it is taken only by texts with such an integer.
 */
export function parseJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) && hasUnsafeInteger(text) ? json.parse(text, exactInteger) : JSON.parse(text);
  } catch (cause) {
    throw new ProtocolError(`a message is not JSON: ${(cause as Error).message}`, { cause });
  }
}

function hasUnsafeInteger(text: string): boolean {
  for (const [token] of text.matchAll(STRING_OR_LONG_NUMBER)) {
    if (INTEGER.test(token) && !Number.isSafeInteger(Number(token))) return true;
  }
  return false;
}

function exactInteger(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return INTEGER.test(context.source!) ? BigInt(context.source!) : value;
}

/** Integers of 64 bits, which `parseJson` has made bigint, are written as they came. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError) || !/BigInt/.test(error.message)) throw error;
    return json.stringify(value, (_key, item) => (typeof item === "bigint" ? json.rawJSON(item.toString()) : item));
  }
}

/** Also refuses values on which an OVSDB server closes the connection: NUL, lone surrogates, numbers too small for a normal double. */
export function stringifyJson(value: unknown): string {
  const text = jsonText(value);
  // These rarely occur, also within harmless strings: only then is the value itself searched.
  if (text.includes("\\u") || TINY_NUMBER.test(text)) refuseUnreadable(value, "value");
  return text;
}

/** A number token below 1e-299; UUIDs have "e-3" too, but not instead of a number. */
const TINY_NUMBER = /[[,:\s]-?[\d.]+e-3\d\d/;

const SMALLEST_NORMAL = 2 ** -1022;

function refuseUnreadable(value: unknown, path: string): void {
  if (typeof value === "string") {
    const problem = textProblem(value);
    if (problem !== undefined) throw new ValueError(path, problem);
  } else if (typeof value === "number") {
    if (isDenormal(value)) throw new ValueError(path, `${value} is too near to zero for an OVSDB server to read`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnreadable(key, path);
      refuseUnreadable(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    }
  }
}

export function textProblem(text: string): string | undefined {
  if (text.includes("\0")) return "a string may not hold the character U+0000";
  if (!text.isWellFormed()) return "a string may not hold half of a surrogate pair";
  return undefined;
}

export function isDenormal(value: number): boolean {
  return value !== 0 && Math.abs(value) < SMALLEST_NORMAL;
}

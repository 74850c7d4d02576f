import type { Properties } from "./handler";
import { type SecretPath, valueAt, withValueAt } from "./secret-paths";

/** Shorter ones are words like "tcp", or parts of many words. */
const SHORTEST = 4;

/** Addresses, MACs, prefixes, ranges, UUIDs: what derives from them may be a part of them, or their neighbour. */
const STRUCTURED = /^[\s0-9a-f.:/,_-]*$/i;

/**
 * Arguments with other texts instead of secret ones: rendered values that differ derive from a secret. Undefined if this is impossible: numbers
 * and addresses, parts of which may stay the same, and secrets in a referenced list.
 */
export function varied(args: Properties, secrets: readonly SecretPath[]): Properties | undefined {
  try {
    return secrets.reduce<Properties>((known, path) => (valueAt(known, path) === undefined ? fail() : withValueAt(known, [path].flat(), other)), args);
  } catch (error) {
    if (error instanceof NotVaried) return undefined;
    throw error;
  }
}

class NotVaried extends Error {}

function fail(): never {
  throw new NotVaried();
}

function other(value: unknown): unknown {
  if (typeof value === "string") return value.length < SHORTEST || STRUCTURED.test(value) ? fail() : otherText(value);
  if (Array.isArray(value)) return value.map(other);
  if (typeof value !== "object" || value === null) return fail();
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [other(key), other(field)]));
}

/** No letter and no digit stays; so that what is a name stays one, letters stay letters, and digits digits. */
function otherText(text: string): string {
  const shifted = text
    .replace(/[a-z]/gi, (letter) => (/z/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 25) : String.fromCharCode(letter.charCodeAt(0) + 1)))
    .replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
    .replace(/[^\p{ASCII}]/gu, (letter) => (letter === "ä" ? "ö" : "ä"));
  return shifted === text ? fail() : shifted;
}

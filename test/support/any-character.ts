import * as fc from "fast-check";

const [SURROGATES, COUNT] = [0xd800, 0x800];

/** The nth code point that text can have: all but surrogates. */
export const characterAt = (n: number): string => String.fromCodePoint(n < SURROGATES ? n : n + COUNT);

/** Index of a character. Throws on any other value, as fast-check requires of an inverse. */
export function placeOf(text: unknown): number {
  const code = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
  const n = code < SURROGATES ? code : code - COUNT;
  if (n < 0 || characterAt(n) !== text) throw new Error("not one code point of a text");
  return n;
}

/**
 * The same characters, in the same order, as fast-check's unit "binary", which puts all million of them into a map when the first
 * text is asked for: a second of processor time in each test file.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - COUNT }).map(characterAt, placeOf);

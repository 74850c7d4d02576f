import * as fc from "fast-check";
import { anyCharacter, characterAt, placeOf } from "../../support/any-character";

const EDGES = [
  [0, 0],
  [0xd7ff, 0xd7ff],
  [0xd800, 0xe000],
  [0x10ffff - 0x800, 0x10ffff],
] as const;

it.each(EDGES)("the character at %d is code point %d", (n, code) => {
  expect(characterAt(n)).toBe(String.fromCodePoint(code));
  expect(placeOf(String.fromCodePoint(code))).toBe(n);
});

it.each(["", "ab", "\u{10ffff}a", "\ud800", "\udfff", 7, undefined])("%j is not a character", (text) => {
  expect(() => placeOf(text)).toThrow("not one code point of a text");
});

it("makes the texts that fast-check's own unit makes, those with a meaning for JavaScript among them", () => {
  const sampled = (unit: fc.Arbitrary<string> | "binary") => fc.sample(fc.string({ unit }), { seed: 1, numRuns: 500 });
  const texts = sampled(anyCharacter);
  expect(texts).toEqual(sampled("binary"));
  expect(texts.some((text) => text.includes("__proto__"))).toBe(true);
});

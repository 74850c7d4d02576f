import fc from "fast-check";
import { printable } from "@pulumi-ovn/ovsdb-client";

describe("texts of others in messages", () => {
  test.each([
    ["plain é\u{1F600}", "plain é\u{1F600}"],
    ["two\nlines \r\n  and\r\rmore\n", "two; lines; and; more"],
    ["\u001b[31mred\u0007", "\\u001b[31mred\\u0007"],
    ["a\tb\0c\u007f\u009b", "a\\u0009b\\u0000c\\u007f\\u009b"],
    ["left \u202eright\u2066 \u2028", "left \\u202eright\\u2066"],
    ["half \ud800 pair", "half \\ud800 pair"],
    ["", ""],
  ])("%j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test("a long text is cut in the middle", () => {
    const text = `${"a".repeat(900)}${"b".repeat(900)}`;
    expect(printable(text)).toBe(`${"a".repeat(600)} ... ${"b".repeat(400)}`);
    expect(printable(text, 10)).toBe("aaaaaa ... bbbb");
    expect(printable("a".repeat(10), 10)).toBe("a".repeat(10));
  });

  test("the result is one well-formed line of limited length for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const shown = printable(text, 100);
        expect(shown).toMatch(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u);
        // Each character may need six.
        expect(shown.length).toBeLessThanOrEqual(605);
      }),
    );
  });
});

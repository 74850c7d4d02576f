import fc from "fast-check";
import { ProtocolError, ValueError } from "@pulumi-ovn/ovsdb-client";
import { isDenormal, parseJson, stringifyJson } from "@pulumi-ovn/ovsdb-client/testing";

const bigints = (_key: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value === Infinity ? "Infinity" : value);

describe("JSON with 64-bit integers", () => {
  test("any 64-bit integer is exact: a number if a double can hold it", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        const back = (parseJson(stringifyJson({ a: [integer] })) as { a: [number | bigint] }).a[0];
        expect(typeof back).toBe(Number.isSafeInteger(Number(integer)) ? "number" : "bigint");
        expect(BigInt(back)).toBe(integer);
      }),
    );
  });

  test.each([
    ["[9007199254740991]", [9007199254740991]],
    ["[9007199254740992]", [9007199254740992n]],
    ["[-9007199254740993]", [-9007199254740993n]],
    ['{"a":9223372036854775807}', { a: 9223372036854775807n }],
    ["[9.00719925474099e+15]", [9007199254740990]],
    ["[1.79769313486232e+308]", [Infinity]],
    ['["9223372036854775807", 1]', ["9223372036854775807", 1]],
    ['[" 9223372036854775807", 9223372036854775807]', [" 9223372036854775807", 9223372036854775807n]],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  describe("the slow parser is used only for integers that a double can't hold", () => {
    test.each<[string, boolean]>([
      ['{"a":9007199254740993}', true],
      ["[1,-9007199254740993]", true],
      ["[1,\n\t 9007199254740993 ]", true],
      ['{"a":"\\"","b":9223372036854775807}', true],
      ['{"a":"x:9007199254740993","b":9007199254740993}', true],
      ["[9007199254740991]", false],
      ["[1234567890123456.5]", false],
      ["[1234567890123456e3]", false],
      ["[0.12345678901234567]", false],
      ['["vm-1234567890123456"]', false],
      ['["a -1234567890123456789"]', false],
      ['["6d6c4b0e-2cb5-8b4f-9a3e-123456789012","-1234567890123456789"]', false],
      ['["a:1234567890123456789", "b,1234567890123456789", "[1234567890123456789"]', false],
      ['["\\":1234567890123456789"]', false],
      ['{"a:1234567890123456789":1}', false],
    ])("%s: %s", (text, slow) => {
      const parse = jest.spyOn(JSON, "parse");
      parseJson(text);
      const ways = parse.mock.calls.map((call) => call.length === 2);
      parse.mockRestore();
      expect(ways).toEqual([slow]);
    });

    test("integers and strings that look like them, next to each other", () => {
      const digits = fc.stringMatching(/^[[,:" \\-]{0,3}\d{14,19}["\\]?$/);
      fc.assert(
        fc.property(fc.array(fc.oneof(digits, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))), (items) => {
          expect((parseJson(stringifyJson(items)) as unknown[]).map((item) => (typeof item === "number" ? BigInt(item) : item))).toEqual(items);
        }),
      );
    });
  });

  test.each<[string, string, unknown]>([
    ["digits before a fraction", `{"b":${"9".repeat(200_000)}.5}`, { b: Infinity }],
    ["digits before an exponent", `[${"1".repeat(200_000)}e-199999]`, [1.1111111111111112]],
    ["digits of what is not an integer of 64 bits", `[${"9".repeat(1_000_000)}]`, [Infinity]],
    ["characters of a string, next to an integer", `["${"x".repeat(20_000_000)}",9007199254740993]`, ["x".repeat(20_000_000), 9007199254740993n]],
    ["escapes of a string, next to an integer", `["${"\\n".repeat(1_000_000)}",9007199254740993]`, ["\n".repeat(1_000_000), 9007199254740993n]],
  ])("any number of %s takes linear time, and no stack", (_name, text, value) => {
    const parsed = parseJson(text);
    // Not compared in depth, which would print all of it.
    expect(JSON.stringify(parsed, bigints) === JSON.stringify(value, bigints)).toBe(true);
  });

  test("other values equal JSON's", () => {
    const value = fc.array(
      fc.oneof(
        fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.double({ min: 1e-300, max: 1e15, noNaN: true }),
      ),
    );
    fc.assert(fc.property(value, (items) => expect(parseJson(stringifyJson(items))).toEqual(items)));
  });

  test.each([
    [{ a: "x\0" }, "value.a: a string may not hold the character U+0000"],
    [[{ b: ["\ud800"] }], "value[0].b[0]: a string may not hold half of a surrogate pair"],
    [{ "\ud800": 1 }, "value: a string may not hold half of a surrogate pair"],
    [[5e-324], "value[0]: 5e-324 is too near to zero for an OVSDB server to read"],
    [[-1e-310, 2n], "value[0]: -1e-310 is too near to zero for an OVSDB server to read"],
  ])("a value for which a server would close the connection is refused: %j", (value, problem) => {
    expect(() => stringifyJson(value)).toThrow(ValueError);
    expect(() => stringifyJson(value)).toThrow(problem);
  });

  test("control characters, whole surrogate pairs and small normal numbers are accepted", () => {
    const value = ["\u0001\u001f", "\u{1F600}", "\\u0000", 2 ** -1022, "cafe-3"];
    expect(parseJson(stringifyJson(value))).toEqual(value);
  });

  test("bad JSON is a ProtocolError", () => {
    expect(() => parseJson("{")).toThrow(ProtocolError);
  });

  test("denormal", () => {
    expect([0, 2 ** -1022, -(2 ** -1022), 2 ** -1023].map(isDenormal)).toEqual([false, false, false, true]);
  });
});

import fc from "fast-check";
import { Framer, type FramerLimits, parseJson, placeParts } from "@pulumi-ovn/ovsdb-client/testing";

const LIMITS: FramerLimits = { maxMessageBytes: 1e9, maxDepth: 1000 };

function frame(chunks: readonly Buffer[], limits = LIMITS): unknown[] {
  const messages: unknown[] = [];
  const framer = new Framer(limits, (text, parts) => {
    const message = parseJson(text);
    if (parts.length > 0) placeParts(message, parts, (part) => part.parse());
    messages.push(message);
  });
  for (const chunk of chunks) framer.push(chunk);
  expect(framer.incomplete).toBe(false);
  return messages;
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const json = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }), { noNullPrototype: true });

describe("framing", () => {
  test("any messages are separated, in pieces of any size, with any white space between them", () => {
    const gap = fc.constantFrom("", " ", "\n", "\r\n\t ");
    fc.assert(
      fc.property(fc.array(fc.tuple(json, gap), { maxLength: 5 }), sizes, (messages, chunks) => {
        const bytes = Buffer.from(messages.map(([message, space]) => JSON.stringify(message) + space).join(""));
        expect(frame(cut(bytes, chunks))).toEqual(messages.map(([message]) => parseJson(JSON.stringify(message))));
      }),
      { numRuns: 500 },
    );
  });

  test("single bytes are joined: escapes, quotes and characters of four bytes", () => {
    const message = { 'a"\\': ["\\\\", '\\"', "}]{[", "\u{1F600}é\u0000"], b: {} };
    expect(frame(cut(Buffer.from(JSON.stringify(message)), [1]))).toEqual([message]);
  });

  test.each([
    ["a select", (rows: object[]) => ({ id: 1, result: [{ rows }, {}], error: null })],
    [
      "a monitor",
      (rows: object[]) => ({ id: 1, result: [false, "id", { T: Object.fromEntries(rows.map((row, at) => [`u${at}`, { initial: row }])) }], error: null }),
    ],
    ["something else", (rows: object[]) => ({ id: 1, result: { a: { b: { c: { d: { e: rows } } } } } })],
  ])("a long message is complete; rows of a monitor's are taken out and put back: %s", (_name, wrap) => {
    const rows = Array.from({ length: 16_000 }, (_, at) => ({
      name: `row ${at} "\\" {[`,
      set: ["set", [at, { deep: [{}] }]],
      text: at % 100 === 0 ? "ä\u{1F600}" : "plain",
    }));
    const message = wrap(rows);
    const bytes = Buffer.from(JSON.stringify(message));
    expect(bytes.length).toBeGreaterThan(1.1 * 1024 * 1024);
    let parts = 0;
    const framer = new Framer(LIMITS, (_text, found) => (parts = found.length));
    for (const chunk of cut(bytes, [65_536])) framer.push(chunk);
    expect(parts > 1000).toBe(_name === "a monitor");
    // As text: a deep comparison of so many rows takes seconds.
    for (const sizes of [[65_536], [977, 31, 65_536]]) expect(JSON.stringify(frame(cut(bytes, sizes))) === JSON.stringify([message])).toBe(true);
  });

  test("a string that looks like a row's mark is refused in a long message", () => {
    const row = { initial: { a: "x".repeat(100) } };
    const table = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`u${at}`, row]));
    const bytes = Buffer.from(JSON.stringify({ result: [true, "", { T: { ...table, forged: "\0" + "5" } }] }));
    expect(() => frame(cut(bytes, [65_536]))).toThrow("a string that OVSDB does not allow");
  });

  test.each([
    ["HTTP/1.1 400 Bad Request\r\n", 'a message starts with "HTTP/1.1 400 Bad Req", not with "{"'],
    ["[1]", 'a message starts with "[1]", not with "{"'],
    ['{"a":1}x', 'a message starts with "x", not with "{"'],
    [`{"a":${"[".repeat(1000)}`, "a message is nested deeper than 1000"],
  ])("an invalid message is refused immediately: %j", (text, problem) => {
    expect(() => frame([Buffer.from(text)])).toThrow(problem);
  });

  test("an endless message is refused at the limit, inside and outside of a string", () => {
    const limits = { maxMessageBytes: 1000, maxDepth: 1000 };
    for (const filling of ["x", "[],"]) {
      const framer = new Framer(limits, () => undefined);
      framer.push(Buffer.from(filling === "x" ? '{"a":"' : '{"a":['));
      const chunk = Buffer.from(filling.repeat(30));
      expect(() => {
        for (let turn = 0; turn < 40; turn++) framer.push(chunk);
      }).toThrow("a message is longer than 1000 bytes");
    }
  });

  test("a message of exactly the limit is accepted", () => {
    const text = `{"a":"${"x".repeat(92)}"}`;
    expect(frame([Buffer.from(text)], { maxMessageBytes: 100, maxDepth: 10 })).toEqual([{ a: "x".repeat(92) }]);
  });

  test("bytes that are not UTF-8 are refused, in one chunk and over two", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(() => frame([bytes])).toThrow("a message is not valid UTF-8");
    expect(() => frame([bytes.subarray(0, 7), bytes.subarray(7)])).toThrow("a message is not valid UTF-8");
  });

  test("an incomplete character at the end of the message is refused", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]);
    expect(() => frame(cut(bytes, [1]))).toThrow("a message is not valid UTF-8");
  });

  test("mismatched brackets are found by the parser", () => {
    expect(() => frame([Buffer.from('{"a":[}]')])).toThrow("a message is not JSON");
  });
});

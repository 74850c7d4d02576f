import fc from "fast-check";
import { type Part, PartCollector } from "@pulumi-ovn/ovsdb-client/testing";
import { failure } from "../../support/failure";

/** Rows as a framer hands them over, each in pieces of this size. */
function collect(rows: readonly (Buffer | string)[], piece = Infinity): Part[] {
  const collector = new PartCollector();
  for (const row of rows) {
    const bytes = Buffer.from(row as string);
    collector.begin();
    for (let at = 0; at < bytes.length; at += piece) collector.append(bytes, at, Math.min(at + piece, bytes.length));
    collector.finish();
  }
  return collector.parts as Part[];
}

describe("rows of a long message", () => {
  const size = fc.oneof(fc.nat({ max: 300 }), fc.integer({ min: 65_400, max: 65_600 }), fc.constant(200_000));

  test("are complete for any size, pieces and order", () => {
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1000, max: 70_000 }), fc.boolean(), (sizes, piece, backwards) => {
        const rows = sizes.map((length, at) => ({ at, text: "é".repeat(length) }));
        const parts = collect(
          rows.map((row) => JSON.stringify(row)),
          piece,
        );
        const order = rows.map((_, at) => at);
        if (backwards) order.reverse();
        for (const at of order) expect(JSON.stringify(parts[at]!.parse()) === JSON.stringify(rows[at])).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("keep an integer of 64 bits exact, and its neighbours unchanged", () => {
    const parts = collect(['{"a":1}', '{"a":9223372036854775807}', '{"a":"9223372036854775807"}']);
    expect(parts.map((part) => part.parse())).toEqual([{ a: 1 }, { a: 9223372036854775807n }, { a: "9223372036854775807" }]);
  });

  test.each<[string, Buffer | string, string]>([
    ["bytes that are not UTF-8", Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]), "a message is not valid UTF-8"],
    ["a character that is cut off", Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]), "a message is not valid UTF-8"],
    ["brackets that do not fit", '{"a":[}]', "a message is not JSON"],
    ["a bracket that closes the rows around it", '{"a":1],[{"b":2}', "a message is not JSON"],
  ])("%s are refused, also by a read of another row next to it", async (_name, row, problem) => {
    for (const wanted of [0, 1, 2]) {
      const parts = collect(['{"a":1}', row, '{"a":2}']);
      const error = await failure(new Promise((resolve) => resolve(parts[wanted]!.parse())));
      expect([error.code, error.message]).toEqual(["OVSDB_PROTOCOL", expect.stringContaining(problem)]);
    }
  });
});

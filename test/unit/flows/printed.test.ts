import fc from "fast-check";
import { Printed } from "@pulumi-ovn/provider/testing";

test("finds a text across chunks of output, once it is complete", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 12 }),
      fc.array(fc.nat(9)),
      fc.constantFrom("a", "ab", "aab", "abab"),
      (text, cuts, until) => {
        const printed = new Printed();
        printed.until = until;
        const bytes = Buffer.from(text);
        const ends = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort((one, other) => one - other);
        const pieces = [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        let so = "";
        for (const piece of pieces) {
          const was = printed.isWhole;
          so += piece.toString("latin1");
          expect([printed.add(piece), printed.isWhole]).toEqual([!was && so.includes(until), so.includes(until)]);
        }
        expect(printed.take()).toBe(text);
        expect(printed.take()).toBe("");
      },
    ),
  );
});

test("finds a text that arrives byte by byte, and nothing before the first wait", () => {
  const printed = new Printed();
  expect([printed.isWhole, printed.add(Buffer.from("a"))]).toEqual([false, false]);
  printed.until = "abab";
  expect([..."aabab"].map((byte) => printed.add(Buffer.from(byte)))).toEqual([false, false, false, false, true]);
});

test("a new wait does not match earlier text", () => {
  const printed = new Printed();
  printed.until = "end 1";
  expect(printed.add(Buffer.from("end 1 end "))).toBe(true);
  printed.until = "end 2";
  expect([printed.isWhole, printed.add(Buffer.from("2"))]).toEqual([false, false]);
  expect(printed.add(Buffer.from(" end 2"))).toBe(true);
  printed.until = undefined;
  expect([printed.isWhole, printed.add(Buffer.from("end 2"))]).toEqual([false, false]);
});

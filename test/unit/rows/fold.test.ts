import type { DesiredRow } from "@pulumi-ovn/provider";
import { rowLines } from "@pulumi-ovn/provider/rows";

const row = (columns: DesiredRow["columns"]): DesiredRow => ({ table: "T", key: "k", columns });
const text = (length: number) => "x".repeat(length);

it("a line of 140 characters is not folded, a longer one is folded by column", () => {
  expect(rowLines([row({ a: text(134), b: "1" })])).toEqual({ "T k": `a=${text(134)} b=1` });
  expect(rowLines([row({ a: text(135), b: "1" })])).toEqual({ "T k a": `a=${text(135)}`, "T k b": "b=1" });
});

it("a column of more than 140 characters is wrapped between words", () => {
  const words = { map: { a: text(66), b: text(66), c: "1" } };
  // "m:a=" and 66 letters are 70: two of them and a space are one too many.
  expect(rowLines([row({ m: words })])).toEqual({ "T k m": `m:a=${text(66)}`, "T k m 2": `m:b=${text(66)} m:c=1` });
  expect(rowLines([row({ m: { map: { ...words.map, b: text(65) } } })])).toEqual({ "T k m": `m:a=${text(66)} m:b=${text(65)}`, "T k m 2": "m:c=1" });
});

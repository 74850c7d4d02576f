import * as fc from "fast-check";
import { type KubernetesObject, objectLines } from "@pulumi-ovn/provider";
import { MOST_LINES } from "@pulumi-ovn/provider/testing";
import { objectWords, readObjectLines, readWord } from "@pulumi-ovn/provider/tools";
import { map } from "../../support/live-object";

const name = fc.constantFrom("a", "b", "k8s.io/x", "x y", "10", "é");
const leaf = fc.oneof(fc.constantFrom("v", "two words", "", '"', "10", "x".repeat(60)), fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, fc.array(tie("value"), { maxLength: 3 }), fc.dictionary(name, tie("value"), { maxKeys: 3 })),
}));
const object = fc.record({
  apiVersion: fc.constant("g.io/v1"),
  kind: fc.constant("Thing"),
  metadata: fc.constant({ name: "t", namespace: "s" }),
  spec: value,
}) as unknown as fc.Arbitrary<KubernetesObject>;

const sorted = (words: readonly { name: string; value: string }[]) => words.map(({ name: field, value: text }) => `${field}=${text}`).sort();

it("finds every field of an object in its lines, by its full name", () => {
  fc.assert(
    fc.property(object, (given) => {
      const { rows, tables } = readObjectLines(objectLines({ objects: [given] }));
      expect([[...rows.keys()], tables.size]).toEqual([["Thing s/t"], 0]);
      // Empty values have no lines.
      const said = (all: string[]) => all.filter((word) => !/=(\[\]|"")$/.test(word));
      expect(said(sorted(rows.get("Thing s/t")!))).toEqual(said(sorted(objectWords(given).map(readWord))));
    }),
    { numRuns: 300 },
  );
});

it("joins lines in their order, and reads counts", () => {
  const data = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`k${index + 10}`, `${index}`.repeat(30)]));
  const lines = objectLines({ objects: [map("a", data)] });
  expect(Object.keys(lines)).toEqual(["ConfigMap app/a", "ConfigMap app/a 2", "ConfigMap app/a 3", "ConfigMap app/a 4", "ConfigMap app/a 5"]);
  const shuffled = Object.fromEntries(Object.entries(lines).toReversed());
  expect(
    readObjectLines(shuffled)
      .rows.get("ConfigMap app/a")!
      .map((word) => word.name),
  ).toEqual(Object.keys(data).map((key) => `data.${key}`));
  const many = objectLines({ objects: Array.from({ length: MOST_LINES + 1 }, (_, index) => map(`m${index}`)) });
  expect(readObjectLines(many)).toEqual({
    rows: new Map(),
    tables: new Map([["ConfigMap", { rows: MOST_LINES + 1, digest: expect.stringMatching(/^[\w-]{16}$/) as string }]]),
  });
});

it("reads an object without fields", () => {
  expect(readObjectLines({ "Namespace n": "" }).rows).toEqual(new Map([["Namespace n", []]]));
});

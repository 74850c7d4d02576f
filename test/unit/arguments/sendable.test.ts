import fc from "fast-check";
import * as pulumi from "@pulumi/pulumi";
import { unsendable } from "@pulumi-ovn/provider";

const complaints = (args: unknown) => unsendable(args).map(({ path, code }) => `${path} ${code}`);

test.each<[string, unknown, string[]]>([
  ["plain values", { a: [1, "x", null, true, { b: undefined }], constructor: "x", valueOf: 1, "": "", "\u{1f600}": "\u{1f600}" }, []],
  ["a map without a prototype", Object.assign(Object.create(null) as object, { a: 1 }), []],
  ["an entry called __proto__", { nodes: JSON.parse('{"__proto__":{"id":1},"b":{"id":2}}') as object }, ["nodes.__proto__ name"]],
  ["an entry called toString", { nodes: { toString: { id: 1 } } }, ["nodes.toString name"]],
  ["a literal with __proto__", { nodes: { __proto__: { id: 1 }, b: { id: 2 } } }, ["nodes name"]],
  ["an object made from defaults", { node: Object.create({ id: 1 }) as object }, ["node name"]],
  ["a lone high surrogate", { list: ["a", "b\ud83d"] }, ["list[1] encoding"]],
  ["a lone low surrogate in a name", { nodes: { "\ude00": {} } }, ['nodes["\ufffd"] encoding']],
  ["half a pair on either side", ["\ude00\ud83d", "\ud83d\ude00"], ["[0] encoding"]],
  ["all of them at once", { a: "\ud800", b: { __proto__: { c: 1 } } }, ["a encoding", "b name"]],
])("%s", (_what, args, expected) => {
  expect(complaints(args)).toEqual(expected);
});

test("objects of classes are not examined", () => {
  class Own {
    text = "\ud800";
  }
  expect(complaints({ output: pulumi.output("\ud800"), promise: Promise.resolve("\ud800"), own: new Own(), date: new Date(0) })).toEqual([]);
});

test("accepted values are equal after JSON in UTF-8, in which names and texts reach the provider", () => {
  const anything = fc.object({
    key: fc.string({ unit: "binary" }).filter((key) => key !== "toString"),
    values: [fc.string({ unit: "binary" }), fc.integer(), fc.boolean(), fc.constant(null)],
    withNullPrototype: true,
  });
  fc.assert(
    fc.property(fc.oneof(anything, fc.dictionary(fc.constantFrom("__proto__", "constructor", "valueOf", "a"), fc.string({ unit: "binary" }))), (args) => {
      const sent = JSON.parse(new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(args)))) as object;
      const copied = copyByAssignment(sent);
      const same = JSON.stringify(copied) === JSON.stringify(args);
      expect(unsendable(args).length === 0).toBe(same);
    }),
    { numRuns: 500 },
  );
});

/** As Pulumi copies arguments: `__proto__` sets the prototype. */
function copyByAssignment(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyByAssignment);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) copy[name] = copyByAssignment(item);
  return copy;
}

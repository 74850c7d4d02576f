import { type KubernetesObject, objectLines } from "@pulumi-ovn/provider";
import { groupOf, kindName, marked, MOST_LINES, objectDigest, ownerLabel, refText, scalar, withDifferences } from "@pulumi-ovn/provider/testing";
import { objectSetDigest } from "@pulumi-ovn/provider/tools";
import { map, OWNER } from "../../support/live-object";

const object = (spec: object): KubernetesObject => ({ apiVersion: "g.io/v1", kind: "Thing", metadata: { name: "a", labels: { "x y": "1" } }, spec });

it("writes a short object as one line, with fields in a fixed order", () => {
  expect(
    objectLines({ objects: [object({ z: "", b: [1, 2], a: { c: null, d: true }, e: [], f: {}, n: "two words", u: undefined, l: [{ k: 1 }, { k: 2 }] })] }),
  ).toEqual({
    "Thing a": 'metadata.labels."x y"=1 spec.a.c=null spec.a.d=true spec.b=1,2 spec.e=[] spec.f={} spec.l[0].k=1 spec.l[1].k=2 spec.n="two words" spec.z=""',
  });
});

it("writes list elements as lines of their own if one line is too long, with relative field names", () => {
  const long = "x".repeat(60);
  expect(
    objectLines({
      objects: [
        object({
          first: long,
          items: [
            { name: long, deep: [{ a: 1 }] },
            { name: "b", empty: {} },
          ],
        }),
      ],
    }),
  ).toEqual({
    "Thing a": `metadata.labels."x y"=1 spec.first=${long}`,
    "Thing a spec.items[0]": `name=${long}`,
    "Thing a spec.items[0].deep[0]": "a=1",
    "Thing a spec.items[1]": "empty={} name=b",
  });
});

it("counts kinds of one name by API group above the limit of lines", () => {
  const many = Array.from({ length: MOST_LINES }, (_, index) => map(`m${index}`));
  const lines = objectLines({ objects: [...many, object({})] });
  expect(Object.keys(lines)).toEqual(["ConfigMap", "Thing.g.io"]);
  expect(lines.ConfigMap).toMatch(/^64 objects, digest [\w-]{16}$/);
  expect(Object.keys(objectLines({ objects: many }))).toHaveLength(MOST_LINES);
});

it("has one digest for a set in any order, and another digest for any other set", () => {
  const [a, b] = [map("a", { x: "1", y: "2" }), map("b")];
  const digest = objectSetDigest({ objects: [a, b] });
  expect(objectSetDigest({ objects: [b, map("a", { y: "2", x: "1" })] })).toBe(digest);
  // The version of a group defines how an object is written.
  const others = [
    [a],
    [a, map("c")],
    [a, map("b", { x: "1" })],
    [a, { ...b, kind: "Other" }],
    [a, { ...b, apiVersion: "v2" }],
    [a, map("b", {}, { namespace: "other" })],
    [map("a", { x: "2", y: "1" }), b],
  ];
  expect(new Set([digest, ...others.map((objects) => objectSetDigest({ objects }))]).size).toBe(others.length + 1);
});

it("marks an object in addition to its labels and annotations, with a digest that does not depend on order", () => {
  const given = map("a", { x: "1" }, { labels: { l: "1" }, annotations: { n: "1" } });
  expect(marked(given, OWNER).metadata).toEqual({
    name: "a",
    namespace: "app",
    labels: { l: "1", "pulumi-ovn/owner": ownerLabel(OWNER) },
    annotations: { n: "1", "pulumi-ovn/owner": OWNER, "pulumi-ovn/digest": objectDigest(given) },
  });
  expect(given.metadata.labels).toEqual({ l: "1" });
  expect(ownerLabel(OWNER)).toMatch(/^[A-Za-z0-9]{16}$/);
  expect(ownerLabel(OWNER)).not.toBe(ownerLabel(`${OWNER}2`));
  // Lists have an order.
  expect(objectDigest(object({ l: [1, 2] }))).not.toBe(objectDigest(object({ l: [2, 1] })));
});

it.each<[string, object, [path: (string | number)[], found: unknown][], unknown]>([
  ["a field", { a: { b: 1 } }, [[["a", "b"], 2]], { a: { b: 2 } }],
  ["a missing field", { a: { b: 1, c: 2 } }, [[["a", "b"], undefined]], { a: { c: 2 } }],
  ["a missing list member", { l: [1, 2, 3] }, [[["l", 1], undefined]], { l: [1, 3] }],
  ["a surplus field", {}, [[["a", "b"], 1]], { a: { b: 1 } }],
  ["a missing field of a missing object", { a: 1 }, [[["b", "c"], undefined]], { a: 1 }],
])("shows an object with %s unchanged", (_what, wanted, differences, expected) => {
  const given = wanted as KubernetesObject;
  expect(
    withDifferences(
      given,
      differences.map(([path, found]) => ({ path, found, wanted: undefined, holders: [] })),
    ),
  ).toEqual(expected);
  expect(given).toEqual(wanted);
});

it("labels objects and kinds by name", () => {
  expect([refText({ apiVersion: "v1", kind: "Node", name: "n" }), refText({ apiVersion: "v1", kind: "ConfigMap", namespace: "a", name: "b" })]).toEqual([
    "Node n",
    "ConfigMap a/b",
  ]);
  expect([groupOf("v1"), groupOf("g.io/v1"), kindName({ apiVersion: "v1", kind: "Node" }), scalar(undefined)]).toEqual(["", "g.io", "Node (v1)", "nothing"]);
});

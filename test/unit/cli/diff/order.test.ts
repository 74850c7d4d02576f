import * as fc from "fast-check";
import { compose, differenceOf, jsonFormat, markdownFormat, readPreview, textFormat } from "@pulumi-ovn/cli/diff";
import { groupTargets, natural, sortedBy, type TargetKind } from "@pulumi-ovn/cli/testing";
import { type FakeStep, inputsOf, network, networkPreview, stepOf } from "./support";

/** The same JSON with the fields of its objects the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, reversed(item)]),
  );
}

it("the result does not depend on the order of the engine's steps", async () => {
  const { steps } = await networkPreview(network(4), network(5, { mtu: 1300 }));
  const moved = stepOf(
    "Layer2Switch",
    "sw",
    await inputsOf("Layer2Switch", "sw", { zone: "node1", name: "l2", subnets: ["10.0.0.0/24"] }),
    await inputsOf("Layer2Switch", "sw", { zone: "node9", name: "l2", subnets: ["10.0.0.0/24"] }),
  );
  const waits = ["a", "b", "c"].map(
    (name): FakeStep => ({ op: "create", urn: `urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:Propagation::${name}`, newState: { type: "x", inputs: {} } }),
  );
  const diagnostics = ["one", "two"].map((message) => ({ severity: "warning", message }));
  const all = [...steps, ...moved, ...waits];
  const texts = (document: object) =>
    [textFormat(false), markdownFormat, jsonFormat].map((format) => compose(format(differenceOf(readPreview(JSON.stringify(document), "it"))), 10_000));
  const expected = texts({ steps: all, diagnostics });
  expect(expected[0]).toContain("6 zones, ");
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), fc.boolean(), (shuffled, other) => {
      const document = { steps: shuffled, diagnostics: diagnostics.toReversed() };
      expect(texts(other ? (reversed(document) as object) : document)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

it("numbers in names are ordered by value", () => {
  const names = ["node10", "node2", "Node1", "node1", "node02", "a", "", "b-10", "b-9", "é", "z"];
  const sorted = ["", "a", "b-9", "b-10", "é", "node1", "Node1", "node02", "node2", "node10", "z"];
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (shuffled) => expect(shuffled.sort(natural)).toEqual(sorted)),
    { numRuns: 20 },
  );
});

it("the order is total", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a1", "a01", "A1", "a\u0000", "a"));
  fc.assert(fc.property(text, text, (a, b) => expect([natural(a, b) === 0, Math.sign(natural(a, b))]).toEqual([a === b, -Math.sign(natural(b, a)) || 0])));
  expect(
    sortedBy(
      [
        ["b", "1"],
        ["a", "2"],
        ["a", "1"],
      ],
      (item) => item,
    ),
  ).toEqual([
    ["a", "1"],
    ["a", "2"],
    ["b", "1"],
  ]);
});

describe("zones with equal changes", () => {
  const counts = { added: 1, adopted: 0, changed: 0, removed: 0, recreated: 0, uncounted: 0 };
  const zone = (name: string, resource: string, row = "vm1", kind: TargetKind = "zone") => ({
    kind,
    name,
    counts,
    resources: [{ kind: "K", name: resource, operation: "update" as const, counts, rows: [{ operation: "add" as const, table: "T", row, columns: [] }] }],
  });
  const grouped = (...zones: ReturnType<typeof zone>[]) => groupTargets(zones).map(({ names, resources }) => [names.join(" "), resources[0]!.name]);

  it("are one group, with a placeholder for the zone's name", () => {
    expect(grouped(zone("node1", "net-switch-node1"), zone("node2", "other"), zone("node3", "net-switch-node3"))).toEqual([
      ["node1 node3", "net-switch-{zone}"],
      ["node2", "other"],
    ]);
    expect(grouped(zone("node1", "net-switch-node1"))).toEqual([["node1", "net-switch-node1"]]);
  });

  it("are not grouped with hosts or clusters, which have their own groups", () => {
    expect(grouped(zone("a", "x-a"), zone("b", "x-b", "vm1", "cluster"), zone("c", "x-c", "vm1", "cluster"), zone("d", "x-d", "vm1", "host"))).toEqual([
      ["a", "x-a"],
      ["b c", "x-{cluster}"],
      ["d", "x-d"],
    ]);
  });

  it("are not grouped if rows differ, or if the zone's name is only a part of a name", () => {
    expect(grouped(zone("a", "x-a"), zone("b", "x-b", "vm2"))).toEqual([
      ["a", "x-a"],
      ["b", "x-b"],
    ]);
    expect(grouped(zone("node1", "x-node11"), zone("node2", "x-node21"))).toEqual([
      ["node1", "x-node11"],
      ["node2", "x-node21"],
    ]);
    expect(grouped(zone(".*", "x-.*-y"), zone("$&", "x-$&-y"))).toEqual([[".* $&", "x-{zone}-y"]]);
  });
});

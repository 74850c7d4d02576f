import { compose, differenceOf, jsonFormat, markdownFormat, readPreview, textFormat } from "@pulumi-ovn/cli/diff";
import { kinds, objectLines } from "@pulumi-ovn/provider";
import { observedOf } from "@pulumi-ovn/provider/testing";
import { ALL_HIDDEN, objectSetDigest, UNKNOWN } from "@pulumi-ovn/provider/tools";
import { facts, node, spec } from "../../../support/advertisement";
import { type FakeStep, root, stepOf } from "./support";

type Inputs = Record<string, unknown>;

/** Inputs as a check makes them. */
function inputsOf(kind: "KubernetesObjects" | "RouteAdvertisement", args: object, observed?: object): Inputs {
  const { schema, render } = kinds[kind] as unknown as {
    schema: { parse(args: object): object };
    render(args: object, observed: unknown): { set: Parameters<typeof objectLines>[0] };
  };
  const { set } = render(schema.parse(args), observed);
  return { ...args, ...(observed && { observed }), rows: objectLines(set), digest: objectSetDigest(set) };
}

const map = (name: string, data: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "app" }, data });
const objects = (all: Record<string, object>, cluster = "prod") => inputsOf("KubernetesObjects", { cluster, objects: all });
const ADVERTISED = { cluster: "prod", ...spec() };
const announcement = (second: string, more: object = {}) =>
  inputsOf(
    "RouteAdvertisement",
    { ...ADVERTISED, ...more },
    observedOf(spec(), facts({ nodes: [node("node1", { default: "10.244.0.0/24" }), node("node2", { default: second })] })),
  );
const read = (...steps: FakeStep[]) => differenceOf(readPreview(JSON.stringify({ steps: [root, ...steps] }), "it"));
const text = (...steps: FakeStep[]) => compose(textFormat(false)(read(...steps)), 60_000);
const NO_COUNTS = { added: 0, adopted: 0, changed: 0, removed: 0, recreated: 0, uncounted: 0 };

it("shows a field of an object before and after", () => {
  expect(text(...stepOf("RouteAdvertisement", "fabric", announcement("10.244.1.0/24"), announcement("10.244.9.0/24")))).toBe(`\
trial/dev: 1 cluster, 1 object changed

cluster prod: 1 object changed
  RouteAdvertisement fabric
    ~ FRRConfiguration frr-k8s-system/ovnk-generated-1cl4821gch5mb
      - spec.bgp.routers[0].neighbors[0].toAdvertise.allowed.prefixes=10.244.1.0/24
      + spec.bgp.routers[0].neighbors[0].toAdvertise.allowed.prefixes=10.244.9.0/24
      - spec.bgp.routers[0].prefixes=10.244.1.0/24
      + spec.bgp.routers[0].prefixes=10.244.9.0/24
`);
});

const BEFORE = objects({ a: map("a", { x: "1", y: "1", long: "l".repeat(150) }), gone: map("gone"), same: map("same") });
const AFTER = objects({ a: map("a", { x: "2", z: "two words", long: "l".repeat(150) }), new: map("new", { n: "" }), same: map("same") });
const steps = () => [...stepOf("KubernetesObjects", "set", BEFORE, AFTER), ...stepOf("RouteAdvertisement", "fabric", announcement("10.244.1.0/24"), undefined)];

it("shows objects by cluster and resource, field by field, as text", () => {
  expect(text(...stepOf("KubernetesObjects", "set", BEFORE, AFTER))).toBe(`trial/dev: 1 cluster, 3 objects: 1 added, 1 changed, 1 removed

cluster prod: 3 objects: 1 added, 1 changed, 1 removed
  KubernetesObjects set
    ~ ConfigMap app/a
      - data.x=1
      + data.x=2
      - data.y=1
      + data.z="two words"
    - ConfigMap app/gone: data={}
    + ConfigMap app/new
`);
});

it("shows them in Markdown", () => {
  expect(
    compose(markdownFormat(read(...stepOf("KubernetesObjects", "set", BEFORE, AFTER))), 60_000),
  ).toBe(`### \`trial/dev\`: 1 cluster, 3 objects: 1 added, 1 changed, 1 removed

<details open><summary>cluster <code>prod</code>: 3 objects: 1 added, 1 changed, 1 removed</summary>

\`\`\`diff
@@ KubernetesObjects set @@
! ConfigMap app/a
-   data.x=1
+   data.x=2
-   data.y=1
+   data.z="two words"
- ConfigMap app/gone: data={}
+ ConfigMap app/new
\`\`\`

</details>
`);
});

it("lists them separately in JSON", () => {
  const { zones, hosts, clusters, counts } = JSON.parse(compose(jsonFormat(read(...steps())), 0)) as ReturnType<typeof read>;
  expect([zones, hosts, counts]).toEqual([[], [], { ...NO_COUNTS, zones: 0, hosts: 0, clusters: 1, added: 1, changed: 1, removed: 3 }]);
  expect(clusters.map(({ cluster, resources }) => [cluster, resources.map(({ kind, name, operation }) => `${kind} ${name} ${operation}`)])).toEqual([
    ["prod", ["KubernetesObjects set update", "RouteAdvertisement fabric delete"]],
  ]);
  expect(clusters[0]!.resources[0]!.rows[0]).toEqual({
    operation: "change",
    table: "ConfigMap",
    row: "app/a",
    columns: [
      { column: "data.x", before: "1", after: "2" },
      { column: "data.y", before: "1", after: null },
      { column: "data.z", before: null, after: '"two words"' },
    ],
  });
});

it("shows objects of hosts, zones and clusters in order", () => {
  const other = (place: object) => ({ ...place, digest: "x", rows: { "Bridge br0": "a=1" } });
  expect(
    text(...steps(), ...stepOf("VpcBridges", "bridges", undefined, other({ host: "h1" })), ...stepOf("LaterKind", "rows", undefined, other({ zone: "z1" }))),
  ).toMatch(
    /^trial\/dev: 1 zone, 1 row added; 1 host, 1 row added; 1 cluster, 5 objects: 1 added, 1 changed, 3 removed\n1 resource deleted\n\nzone z1: 1 row added\n.*\n.*\n\nhost h1: 1 row added\n.*\n.*\n\ncluster prod: /,
  );
});

it("shows drift by the preview's lines, with the full names of fields", () => {
  const wanted = announcement("10.244.1.0/24");
  const rows = Object.fromEntries(
    Object.entries(wanted.rows as Record<string, string>).map(([label, line]) => [label, line.replaceAll("10.244.1.0/24", "10.9.9.0/24")]),
  );
  const [resource] = read(...stepOf("RouteAdvertisement", "fabric", { ...wanted, rows, digest: "drift-x" }, wanted)).clusters[0]!.resources;
  expect(resource!.rows.map(({ operation, table, columns }) => [operation, table, columns])).toEqual([
    [
      "change",
      "FRRConfiguration",
      [
        { column: "spec.bgp.routers[0].prefixes", before: "10.9.9.0/24", after: "10.244.1.0/24" },
        { column: "spec.bgp.routers[0].neighbors[0].toAdvertise.allowed.prefixes", before: "10.9.9.0/24", after: "10.244.1.0/24" },
      ],
    ],
  ]);
  // Drift that deleted an object covers all lines of the object.
  const gone = Object.fromEntries(Object.entries(BEFORE.rows as object).filter(([label]) => !label.startsWith("ConfigMap app/gone")));
  expect(read(...stepOf("KubernetesObjects", "set", { ...BEFORE, rows: gone, digest: "drift-y" }, BEFORE)).clusters[0]!.resources[0]!.rows).toEqual([
    { operation: "add", table: "ConfigMap", row: "app/gone", columns: [{ column: "data", before: null, after: "{}" }] },
  ]);
});

it("names fields although the preview has counts, and has counts without arguments", () => {
  const many = (value: string) =>
    objects(Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`m${index}`, map(`m${index}`, { x: index === 7 ? value : "1" })])));
  expect(Object.keys(many("1").rows as object)).toEqual(["ConfigMap"]);
  expect(read(...stepOf("KubernetesObjects", "set", many("1"), many("2"))).clusters[0]!.resources[0]!.rows).toEqual([
    { operation: "change", table: "ConfigMap", row: "app/m7", columns: [{ column: "data.x", before: "1", after: "2" }] },
  ]);
  const drifted = { ...many("1"), rows: { ConfigMap: "69 objects, digest abc" }, digest: "drift-x" };
  expect(text(...stepOf("KubernetesObjects", "set", drifted, many("1")))).toBe(`trial/dev: 1 cluster, objects of 1 resource that the preview does not show

cluster prod: objects of 1 resource that the preview does not show
  KubernetesObjects set
    ~ ConfigMap: 69 objects before, 70 after; there are too many for lines of their own in this preview
`);
});

it("distinguishes objects of one kind and name in two API groups, or at two places of their resource", () => {
  const thing = (group: string, size: number) => ({ apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "t" }, spec: { size } });
  const all = (size: number) => objects({ one: thing("a.io", 1), two: thing("b.io", size) });
  expect(read(...stepOf("KubernetesObjects", "set", all(1), all(2))).clusters[0]!.counts).toEqual({ ...NO_COUNTS, changed: 1 });
});

it("moves a resource from one cluster to another", () => {
  const [step] = stepOf("KubernetesObjects", "set", objects({ a: map("a") }), objects({ a: map("a", { x: "1" }) }, "test"));
  expect(text({ ...step!, op: "replace", replaceReasons: ["cluster"] })).toBe(`trial/dev: 2 clusters, 2 objects: 1 added, 1 removed
1 resource moved elsewhere

cluster prod: 1 object removed; 1 resource moved elsewhere
  KubernetesObjects set MOVED AWAY to cluster test (cluster changes)
    - ConfigMap app/a: data={}

cluster test: 1 object added
  KubernetesObjects set MOVED HERE from cluster prod (cluster changes)
    + ConfigMap app/a: data.x=1
`);
});

it.each<[string, Inputs, string]>([
  [
    "depend on resources to come",
    { rows: UNKNOWN, digest: UNKNOWN },
    "its objects are not known before the update: they depend on resources that are not there yet",
  ],
  [
    "depend on a cluster that could not be read",
    { rows: UNKNOWN, digest: UNKNOWN, observed: UNKNOWN, observedEarlier: true },
    "its objects are not known before the update: they depend on what the preview could not read",
  ],
  ["hold a secret", { redact: ["objects"], rows: ALL_HIDDEN }, "its objects are hidden: the arguments hold a secret"],
])("reports why objects are not shown that %s", (_what, change, said) => {
  expect(text(...stepOf("RouteAdvertisement", "fabric", undefined, { ...announcement("10.244.1.0/24"), ...change }))).toContain(
    `  RouteAdvertisement fabric (new)\n      ${said}\n`,
  );
});

it("shows which objects are adopted, and which the stack forgets", () => {
  const [made] = stepOf("KubernetesObjects", "set", undefined, { ...objects({ a: map("a") }), adoption: { adopted: { "ConfigMap app/a": "as it is" } } });
  expect(text(made!)).toContain("    = ConfigMap app/a (adopted)\n");
  const [gone] = stepOf("KubernetesObjects", "set", BEFORE, undefined);
  expect(text({ ...gone!, oldState: { ...gone!.oldState, retainOnDelete: true } })).toContain(
    "  KubernetesObjects set forgotten by the stack; its objects stay\n",
  );
});

import { type KubernetesObject, objectLines } from "@pulumi-ovn/provider";
import { adoptionOf, identityOf, type LiveObject, liveObjects as liveState, refOf, wordsOf } from "@pulumi-ovn/provider/testing";
import { objectSetDigest } from "@pulumi-ovn/provider/tools";
import { applied, foreign, map, OWNER } from "../../support/live-object";

const snapshot = (...objects: LiveObject[]) => new Map(objects.map((object) => [identityOf(refOf(object)), object]));
const read = (wanted: KubernetesObject[], ...live: LiveObject[]) => liveState({ objects: wanted }, snapshot(...live), OWNER);
const A = map("a", { x: "1" });
const edited = (change: (live: any) => void) =>
  applied(A, (live) => {
    live.metadata.managedFields[0].fieldsV1["f:data"] = {};
    change(live);
  });

it("is empty for a set as desired", () => {
  const set = { objects: [A, map("b")] };
  expect(read([A, map("b")], applied(A), applied(map("b")))).toEqual({ lines: objectLines(set), digest: objectSetDigest(set), drift: {}, traces: {} });
});

it.each<[string, LiveObject[], Record<string, string>, Record<string, string>]>([
  ["a field that differs", [edited((live) => (live.data.x = "2"))], { "ConfigMap app/a": "data.x=2 instead of 1" }, { "ConfigMap app/a": "data.x=2" }],
  ["a missing field", [edited((live) => delete live.data.x)], { "ConfigMap app/a": "data.x is missing" }, { "ConfigMap app/a": "data={}" }],
  [
    "a surplus field of ours",
    [applied(map("a", { x: "1", y: "2" }))],
    { "ConfigMap app/a": "data.y=2 instead of nothing" },
    { "ConfigMap app/a": "data.x=1 data.y=2" },
  ],
  [
    "a long value",
    [edited((live) => (live.data.x = "z".repeat(90)))],
    { "ConfigMap app/a": `data.x=${"z".repeat(77)}... instead of 1` },
    { "ConfigMap app/a": `data.x=${"z".repeat(90)}` },
  ],
  ["an object that is ours and not wanted", [applied(A), applied(map("c"))], { "ConfigMap app/c": "surplus" }, { "ConfigMap app/a": "data.x=1" }],
])("reports %s", (_what, live, drift, lines) => {
  const state = read([A], ...live)!;
  expect([state.drift, state.lines]).toEqual([drift, lines]);
  expect(state.digest).toMatch(/^drift-[\w-]{16}$/);
});

it("reports missing objects and objects of other owners, while at least one object exists", () => {
  const three = [A, map("b"), map("c")];
  expect(read([...three, map("d")], applied(map("d")), foreign(map("b")), applied(map("c"), undefined, "urn:other"))!.drift).toEqual({
    "ConfigMap app/a": "missing",
    "ConfigMap app/b": "missing; one of this name has no owner mark",
    "ConfigMap app/c": "missing; one of this name belongs to urn:other",
  });
  expect(read(three, foreign(map("b")))).toBeUndefined();
  expect(read(three)).toBeUndefined();
  // A mark is a digest: another resource's could be the same.
  expect(read([A], applied(A), applied(map("others"), undefined, "urn:other"))!.drift).toEqual({});
  expect(read(three, applied(map("surplus")))!.drift).toMatchObject({ "ConfigMap app/surplus": "surplus" });
});

it("reports a set without any object as deleted, not as drifted", () => {
  expect(read([])).toEqual({ lines: {}, digest: objectSetDigest({ objects: [] }), drift: {}, traces: {} });
});

it("has another digest for other drift, and names at most eight fields", () => {
  const of = (value: string) =>
    read(
      [A],
      edited((live) => (live.data.x = value)),
    )!.digest;
  expect(of("2")).toBe(of("2"));
  expect(of("2")).not.toBe(of("3"));
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, "1"]));
  const [[, text]] = Object.entries(
    read(
      [map("m", many)],
      applied(map("m", many), (live) => Object.assign(live, { data: {}, metadata: { ...live.metadata, managedFields: [] } })),
    )!.drift,
  ) as [[string, string]];
  expect(text).toBe(`${Array.from({ length: 8 }, (_, index) => `data.k${index} is missing`).join(", ")} and 2 more`);
});

it("reports the changes of an interrupted run, not its digest", () => {
  const newer = applied(map("a", { x: "2" }));
  expect(read([A], newer)!.drift).toEqual({ "ConfigMap app/a": "data.x=2 instead of 1" });
});

it("reports the effect of adoption on objects", () => {
  const live = [foreign(map("b", { x: "0", y: "kept" })), foreign(map("c")), foreign(map("e", {}, { labels: { a: "1" } }))];
  expect(adoptionOf({ objects: [A, map("b", { x: "1" }), map("c"), map("e", {}, { labels: { a: "2" } })] }, snapshot(...live), OWNER)).toEqual({
    added: { "ConfigMap app/a": "made" },
    changed: {
      "ConfigMap app/b": { before: "data.x=0", after: "data.x=1" },
      "ConfigMap app/e": { before: "metadata.labels.a=1", after: "metadata.labels.a=2" },
    },
    adopted: { "ConfigMap app/c": "as it is" },
  });
});

it("shortens long values of adopted objects to one word each", () => {
  const [wanted, live] = [map("b", { x: `"${"w".repeat(90)}`, y: "1" }), foreign(map("b", { x: "a b ".repeat(30) }))];
  const { before, after } = adoptionOf({ objects: [wanted] }, snapshot(live), OWNER).changed!["ConfigMap app/b"]!;
  expect(wordsOf(before).map(({ name, value }) => [name, value.length])).toEqual([["data.x", 82]]);
  expect(wordsOf(after).map(({ name, value }) => [name, value.length])).toEqual([
    ["data.x", 83],
    ["data.y", 1],
  ]);
});

it.each([
  ["a text of 80 letters stays", "w".repeat(80), "w".repeat(80)],
  ["one more cuts it", "w".repeat(81), `${"w".repeat(77)}...`],
  [
    "a list is cut as JSON",
    Array.from({ length: 30 }, (_, index) => index),
    `"${JSON.stringify(Array.from({ length: 30 }, (_, index) => index)).slice(0, 77)}..."`,
  ],
  ["a short list stays", [1, 2], "[1,2]"],
])("shows values of adopted objects: %s", (_what, value, shown) => {
  const of = (x: unknown) => ({ ...map("b"), data: { x } }) as unknown as KubernetesObject;
  const live = { ...foreign(map("b")), data: { x: "0" } } as LiveObject;
  expect(adoptionOf({ objects: [of(value)] }, snapshot(live), OWNER).changed).toEqual({ "ConfigMap app/b": { before: "data.x=0", after: `data.x=${shown}` } });
});

it("shortens two long values to their differing part", () => {
  const [same, rest] = ["y".repeat(200), "z".repeat(200)];
  const wanted = map("a", { x: `${same}right${rest}` });
  const live = applied(wanted, (one: any) => {
    one.metadata.managedFields[0].fieldsV1["f:data"] = {};
    one.data.x = `${same}wrong${rest}`;
  });
  const shown = (word: string) => `...${same.slice(-20)}${word}${rest.slice(0, 74 - 20 - word.length)}...`;
  expect(read([wanted], live)!.drift).toEqual({ "ConfigMap app/a": `data.x=${shown("wrong")} instead of ${shown("right")}` });
  expect(adoptionOf({ objects: [wanted] }, snapshot(live), OWNER)).toMatchObject({
    changed: { "ConfigMap app/a": { before: `data.x=${shown("wrong")}`, after: `data.x=${shown("right")}` } },
  });
});

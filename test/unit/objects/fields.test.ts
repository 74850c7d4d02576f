import type { KubernetesObject } from "@pulumi-ovn/provider";
import { differencesOf, pathText } from "@pulumi-ovn/provider/testing";
import { foreign, manager, map, treeOf } from "../../support/live-object";

/** Something of each sort of list: by key, a set, a list as a whole. */
const gadget = (spec: object): KubernetesObject => ({ apiVersion: "test.pulumi-ovn/v1", kind: "Gadget", metadata: { name: "a", namespace: "app" }, spec });
const WANTED = {
  size: 3,
  ports: [
    { name: "web", number: 80 },
    { name: "dns", number: 53 },
  ],
  tags: ["a", "b"],
  steps: [{ do: "x" }],
};
const OURS = {
  "f:spec": {
    "f:size": {},
    "f:ports": { 'k:{"name":"web"}': { ".": {}, "f:name": {}, "f:number": {} }, 'k:{"name":"dns"}': { ".": {}, "f:name": {}, "f:number": {} } },
    "f:tags": { 'v:"a"': {}, 'v:"b"': {} },
    "f:steps": {},
  },
};
const ours = (fieldsV1: object = OURS) => manager("pulumi-ovn", "Apply", fieldsV1 as never);

/** Differences: path, live value, desired value, and manager. */
function differences(wanted: object, live: object, { managers = [ours()], values = false }: { managers?: object[]; values?: boolean } = {}): unknown[] {
  const found = differencesOf(gadget(wanted), foreign(gadget(live), { managedFields: managers }), values);
  return found.map(({ path, found: is, wanted: should, holders }) => [
    pathText(path),
    is,
    should,
    ...holders.map(({ manager: name, operation }) => `${operation} ${name}`),
  ]);
}

describe("an object after an equal apply", () => {
  it("does not differ by defaults, other spellings of a value, or additions of others", () => {
    expect(
      differences(WANTED, {
        ...WANTED,
        size: "3",
        note: "theirs",
        tags: ["z", "b", "a"],
        ports: [{ name: "dns", number: 53, protocol: "TCP" }, { name: "web", number: 80 }, { name: "theirs" }],
        steps: [{ do: "x", times: 1 }],
      }),
    ).toEqual([]);
  });

  it("differs in a field that is owned by another manager, and names the manager", () => {
    const { "f:size": _size, ...rest } = OURS["f:spec"];
    expect(
      differences(
        WANTED,
        { ...WANTED, size: 9 },
        {
          managers: [
            ours({ "f:spec": rest }),
            manager("kubectl-edit", "Update", { "f:spec": { "f:size": {} } }),
            manager("other", "Apply", { "f:spec": { "f:tags": {} } }),
          ],
        },
      ),
    ).toEqual([["spec.size", 9, 3, "Update kubectl-edit"]]);
    // Written back as it was.
    expect(differences(WANTED, WANTED, { managers: [ours({ "f:spec": rest })] })).toEqual([]);
  });

  it("differs in removed parts: a field, a list element by key, a set element, a whole list", () => {
    expect(differences(WANTED, { ports: [{ name: "dns", number: 53 }], tags: ["b"] })).toEqual([
      ["spec.size", undefined, 3],
      ["spec.ports[0]", undefined, { name: "web", number: 80 }],
      ["spec.steps", undefined, [{ do: "x" }]],
    ]);
    const { 'v:"a"': _a, ...tags } = OURS["f:spec"]["f:tags"];
    const { "f:tags": _tags, ...rest } = OURS["f:spec"];
    expect(
      differences(WANTED, { ...WANTED, tags: ["b"] }, { managers: [ours({ "f:spec": rest }), manager("x", "Apply", { "f:spec": { "f:tags": tags } })] }),
    ).toEqual([["spec.tags", ["b"], ["a", "b"], "Apply x"]]);
  });

  it("differs in the field of a list element, found by key at any position", () => {
    const web = { ".": {}, "f:name": {} };
    const managers = [
      ours({ "f:spec": { ...OURS["f:spec"], "f:ports": { ...OURS["f:spec"]["f:ports"], 'k:{"name":"web"}': web } } }),
      manager("hand", "Update", { "f:spec": { "f:ports": { 'k:{"name":"web"}': { "f:number": {} } } } }),
    ];
    expect(
      differences(
        WANTED,
        {
          ...WANTED,
          ports: [
            { name: "dns", number: 53 },
            { name: "web", number: 81 },
          ],
        },
        { managers },
      ),
    ).toEqual([["spec.ports[0].number", 81, 80, "Update hand"]]);
  });

  it("finds list elements by all their keys, in any order of the server", () => {
    const wanted = {
      ports: [
        { port: 53, protocol: "UDP", name: "a" },
        { port: 53, protocol: "TCP", name: "b" },
      ],
    };
    const key = (protocol: string) => `k:{"protocol":"${protocol}","port":53}`;
    const managers = [
      ours({ "f:spec": { "f:ports": { [key("UDP")]: { "f:name": {}, "f:port": {}, "f:protocol": {} }, [key("TCP")]: { "f:port": {}, "f:protocol": {} } } } }),
    ];
    expect(
      differences(
        wanted,
        {
          ports: [
            { port: 53, protocol: "TCP", name: "z" },
            { port: 53, protocol: "UDP", name: "y" },
          ],
        },
        { managers },
      ),
    ).toEqual([["spec.ports[1].name", "z", "b"]]);
  });

  it("finds list elements by keys that the server added, if they are unique", () => {
    const key = (protocol: string) => `k:{"port":53,"protocol":"${protocol}"}`;
    const [udp, tcp] = [
      { port: 53, protocol: "UDP", name: "y" },
      { port: 53, protocol: "TCP", name: "z" },
    ];
    const both = { [key("UDP")]: { "f:name": {}, "f:port": {}, "f:protocol": {} }, [key("TCP")]: { "f:name": {}, "f:port": {} } };
    const managers = [ours({ "f:spec": { "f:ports": both } })];
    const bare = { port: 53, name: "z" };
    expect(differences({ ports: [bare, udp] }, { ports: [udp, tcp] }, { managers })).toEqual([]);
    expect(differences({ ports: [bare, udp] }, { ports: [udp, tcp] }, { managers, values: true })).toEqual([]);
    expect(differences({ ports: [bare, udp] }, { ports: [udp] }, { managers })).toEqual([["spec.ports[0]", undefined, bare]]);
    expect(differences({ ports: [udp] }, { ports: [udp, tcp] }, { managers })).toEqual([["spec.ports[1]", tcp, undefined]]);
  });

  it("does not differ by an empty map or list that the server dropped, but by one that another writer removed", () => {
    const wanted = { data: {}, list: [], deep: { inner: {} } };
    expect(differences(wanted, {}, { managers: [ours({ "f:spec": treeOf(wanted) })] })).toEqual([]);
    expect(differences(wanted, {}, { managers: [ours({ "f:spec": {} })] })).toEqual([
      ["spec.data", undefined, {}],
      ["spec.list", undefined, []],
      ["spec.deep.inner", undefined, {}],
    ]);
    // A value of another type is not an empty value.
    expect(differences({ data: {} }, { data: "x" }, { managers: [] })).toEqual([["spec.data", "x", {}]]);
    expect(differences({ data: "x" }, {}, { managers: [ours({ "f:spec": { "f:data": {} } })] })).toEqual([["spec.data", undefined, "x"]]);
  });
});

describe("an object after a different apply", () => {
  it("differs in its values, also of owned fields", () => {
    expect(differences(WANTED, { ...WANTED, size: 2, steps: [{ do: "y" }], tags: ["a"] }, { values: true })).toEqual([
      ["spec.size", 2, 3],
      ["spec.tags", ["a"], ["a", "b"]],
      ["spec.steps", [{ do: "y" }], [{ do: "x" }]],
    ]);
    expect(differences(WANTED, { ...WANTED, steps: [{ do: "x", times: 1 }], tags: ["theirs", "b", "a"] }, { values: true })).toEqual([]);
    expect(differences({ steps: [{ do: "x", times: undefined }] }, { steps: [{ do: "x", times: 1 }] }, { values: true })).toEqual([]);
    expect(differences(WANTED, { ...WANTED, steps: [{ do: "x" }, { do: "z" }] }, { values: true })).toEqual([
      ["spec.steps", [{ do: "x" }, { do: "z" }], [{ do: "x" }]],
    ]);
  });

  it("has surplus parts that are no longer desired: a field, a list element, a set element, an element's field", () => {
    const ports = {
      ...OURS["f:spec"]["f:ports"],
      'k:{"name":"ssh"}': { ".": {} },
      'k:{"name":"lost"}': { ".": {} },
      'k:{"name":"web"}': { "f:name": {}, "f:number": {}, "f:label": {} },
    };
    const managers = [
      ours({ "f:spec": { ...OURS["f:spec"], "f:note": {}, "f:gone": {}, "f:ports": ports, "f:tags": { ...OURS["f:spec"]["f:tags"], 'v:"c"': {} } } }),
    ];
    const live = {
      ...WANTED,
      note: "old",
      tags: ["a", "b", "c"],
      ports: [{ name: "web", number: 80, label: "l" }, { name: "dns", number: 53 }, { name: "ssh" }],
    };
    expect(differences(WANTED, live, { managers })).toEqual([
      ["spec.ports[0].label", "l", undefined],
      ["spec.ports[2]", { name: "ssh" }, undefined],
      ["spec.tags", "c", undefined],
      ["spec.note", "old", undefined],
    ]);
    // Those of others stay.
    expect(differences(WANTED, live)).toEqual([]);
  });
});

describe("owner of a field", () => {
  const without = (field: string) => ours({ "f:spec": Object.fromEntries(Object.entries(OURS["f:spec"]).filter(([name]) => name !== field)) });

  it("is the manager of the field, or of a parent as a whole", () => {
    const managers = [without("f:size"), manager("whole", "Update", { "f:spec": {} }), manager("beside", "Update", { "f:spec": { "f:note": {} } })];
    expect(differences(WANTED, { ...WANTED, size: 9 }, { managers })).toEqual([["spec.size", 9, 3, "Update whole"]]);
    const list = [
      ours({ "f:spec": { ...OURS["f:spec"], "f:ports": { 'k:{"name":"dns"}': { ".": {} } } } }),
      manager("list", "Update", { "f:spec": { "f:ports": {} } }),
    ];
    expect(
      differences(
        WANTED,
        {
          ...WANTED,
          ports: [
            { name: "web", number: 9 },
            { name: "dns", number: 53 },
          ],
        },
        { managers: list },
      ),
    ).toEqual([["spec.ports[0].number", 9, 80, "Update list"]]);
  });

  it("is neither our other manager, nor a manager without listed fields", () => {
    const managers = [manager("pulumi-ovn", "Update", { "f:spec": { "f:size": {} } }), without("f:size"), { manager: "old", operation: "Update" }];
    expect(differences(WANTED, { ...WANTED, size: 9 }, { managers })).toEqual([["spec.size", 9, 3]]);
  });

  it("depends on what was applied, not on writes to a subresource", () => {
    const managers = [manager("pulumi-ovn", "Apply", OURS as never, { subresource: "status" })];
    expect(differences(WANTED, { ...WANTED, size: 9 }, { managers })).toEqual([["spec.size", 9, 3]]);
  });
});

it("compares labels and annotations, not the fields that identify an object", () => {
  const live = foreign({ ...map("b", { x: "1" }), apiVersion: "v2", kind: "Other" }, { namespace: "other", labels: { a: "2" } });
  const found = differencesOf(map("a", { x: "1" }, { labels: { a: "1" } }), live, true);
  expect(found.map(({ path }) => pathText(path))).toEqual(["metadata.labels.a"]);
});

it("omits undefined fields", () => {
  expect(differences({ size: 3, note: undefined }, { size: 3, note: "theirs" }, { values: true })).toEqual([]);
});

it.each([
  [["spec", "bgp", "routers", 0, "asn"], "spec.bgp.routers[0].asn"],
  [["metadata", "labels", "a.b/c"], 'metadata.labels["a.b/c"]'],
  [["data", "a-b"], "data.a-b"],
  [["data", "1a"], 'data["1a"]'],
  [[], ""],
])("writes %j as %s", (path, text) => {
  expect(pathText(path)).toBe(text);
});

import { failuresOf } from "../../support/raw-objects";

const LONG = "x".repeat(254);

it.each<[string, object, string, string]>([
  ["a name that is a way up", { metadata: { name: ".." } }, "objects.a.metadata.name", "invalid_format"],
  ["a name that is the way itself", { metadata: { name: "." } }, "objects.a.metadata.name", "invalid_format"],
  ["a name with a way in it", { metadata: { name: "a/status" } }, "objects.a.metadata.name", "invalid_format"],
  ["a name that is read twice", { metadata: { name: "a%2fb" } }, "objects.a.metadata.name", "invalid_format"],
  ["a name of two lines", { metadata: { name: "a\nb" } }, "objects.a.metadata.name", "invalid_format"],
  ["a name with invisible characters", { metadata: { name: "a\u200bb\u202e" } }, "objects.a.metadata.name", "invalid_format"],
  ["a name that is too long", { metadata: { name: LONG } }, "objects.a.metadata.name", "too_big"],
  ["no name", { metadata: { name: "" } }, "objects.a.metadata.name", "invalid_format"],
  ["a namespace that is a way up", { metadata: { name: "a", namespace: ".." } }, "objects.a.metadata.namespace", "invalid_format"],
  ["a namespace in capitals", { metadata: { name: "a", namespace: "App" } }, "objects.a.metadata.namespace", "invalid_format"],
  ["a namespace that is too long", { metadata: { name: "a", namespace: "x".repeat(64) } }, "objects.a.metadata.namespace", "too_big"],
  ["a version that leads elsewhere", { apiVersion: "../../api/v1" }, "objects.a.apiVersion", "invalid_format"],
  ["a version with a query", { apiVersion: "v1?dryRun=All" }, "objects.a.apiVersion", "invalid_format"],
  ["a version of three parts", { apiVersion: "a/b/v1" }, "objects.a.apiVersion", "invalid_format"],
  ["a kind of two words", { kind: "Config Map" }, "objects.a.kind", "invalid_format"],
  ["a kind that is a resource of one", { kind: "ConfigMap/status" }, "objects.a.kind", "invalid_format"],
  ["a kind that ends with a dash", { kind: "Config-" }, "objects.a.kind", "invalid_format"],
  [
    "a label's key in capitals before the slash",
    { metadata: { name: "a", labels: { "Example.com/owner": "x" } } },
    'objects.a.metadata.labels["Example.com/owner"]',
    "name",
  ],
  ["a label's key that is none", { metadata: { name: "a", labels: { "a b": "x" } } }, 'objects.a.metadata.labels["a b"]', "name"],
  ["a label's key with two slashes", { metadata: { name: "a", labels: { "a/b/c": "x" } } }, 'objects.a.metadata.labels["a/b/c"]', "name"],
  ["a label's key without a name", { metadata: { name: "a", labels: { "a.b/": "x" } } }, 'objects.a.metadata.labels["a.b/"]', "name"],
  ["a label's key that is too long", { metadata: { name: "a", labels: { ["k".repeat(64)]: "x" } } }, `objects.a.metadata.labels.${"k".repeat(64)}`, "name"],
  ["a label's value that is too long", { metadata: { name: "a", labels: { a: "x".repeat(64) } } }, "objects.a.metadata.labels.a", "custom"],
  ["a label's value of two lines", { metadata: { name: "a", labels: { a: "x\ny" } } }, "objects.a.metadata.labels.a", "custom"],
  ["an annotation's key that is none", { metadata: { name: "a", annotations: { "": "x" } } }, 'objects.a.metadata.annotations[""]', "name"],
])("refuses %s", (_what, given, path, code) => {
  expect(failuresOf(given)).toEqual([{ path, code, message: expect.any(String) }]);
});

it.each<[string, object]>([
  ["a name with colons", { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "system:node-Reader.x_y" } }],
  ["a name that is long", { metadata: { name: "x".repeat(253), namespace: "n".repeat(63) } }],
  ["letters of the world", { metadata: { name: "b\u00fccher" } }],
  [
    "labels with a prefix, and without a value",
    { metadata: { name: "a", labels: { "app.kubernetes.io/name": "x_Y.z-1", [`${"d".repeat(253)}/${"k".repeat(63)}`]: "v".repeat(63), plain: "" } } },
  ],
  ["annotations with any text", { metadata: { name: "a", annotations: { "a.b/c_D": "line\nline \u0000 \u202e" } } }],
  ["an annotation's key in capitals", { metadata: { name: "a", annotations: { "Example.com/Owner": "x" } } }],
  ["a name of two words", { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "cluster admins" } }],
  ["a kind with a dash", { apiVersion: "example.org/v1", kind: "Ring-Buffer", metadata: { name: "a" } }],
  ["a version of a group", { apiVersion: "frrk8s.metallb.io/v1beta1", kind: "FRRConfiguration" }],
])("accepts %s", (_what, given) => {
  expect(failuresOf(given)).toEqual([]);
});

it("accepts object keys with names of a prototype's members", () => {
  const objects = JSON.parse(
    '{"constructor": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"hasOwnProperty": "y"}}}',
  ) as object;
  expect(failuresOf({}, objects)).toEqual([]);
});

it("refuses keys that would be lost before the provider", () => {
  const data = JSON.parse('{"__proto__": {"a": "1"}}') as object;
  expect(failuresOf({ data }).map(({ path, code }) => [path, code])).toEqual([["objects.a.data.__proto__", "name"]]);
});

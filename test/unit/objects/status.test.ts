import { errorOf, succeeded } from "@pulumi-ovn/provider/testing";

const messageOf = (status: number, body?: object) => {
  const { code, message } = errorOf({ status, body }, "ConfigMap a/b");
  return `${code}: ${message}`;
};

it.each<[number, object | undefined, string]>([
  [
    401,
    { message: "Unauthorized" },
    "OVN_CLUSTER_CREDENTIALS: the API server refuses the credentials of the kubeconfig's user; log in again, or name another kubeconfig or context",
  ],
  [403, { message: "no right" }, "OVN_FORBIDDEN: ConfigMap a/b: no right"],
  [404, { message: "x", details: { kind: "namespaces", name: "a" } }, 'OVN_NAMESPACE_MISSING: ConfigMap a/b: there is no namespace "a"; make it first'],
  [
    404,
    { message: "gone", reason: "NotFound", details: { kind: "configmaps" } },
    "OVN_CLUSTER_ERROR: ConfigMap a/b: the API server answers 404 NotFound: gone",
  ],
  [409, { message: "changed" }, "OVN_CONTENTION: ConfigMap a/b: changed; run the update again"],
  [
    409,
    {
      details: {
        causes: [
          { reason: "Other", field: "x" },
          { reason: "FieldManagerConflict", field: ".data.a", message: 'conflict with "x"' },
          { reason: "FieldManagerConflict", field: ".data.b", message: "y" },
        ],
      },
    },
    'OVN_FIELD_CONFLICT: ConfigMap a/b: .data.a: conflict with "x"; .data.b: y',
  ],
  [400, { message: "bad" }, "OVN_OBJECT_INVALID: ConfigMap a/b: bad"],
  [422, { message: "bad" }, "OVN_OBJECT_INVALID: ConfigMap a/b: bad"],
  [500, undefined, "OVN_CLUSTER_ERROR: ConfigMap a/b: the API server answers 500: HTTP status 500"],
])("describes %i %j", (status, body, text) => {
  expect(messageOf(status, body)).toBe(text);
});

it("treats every 2xx status as success", () => {
  expect([199, 200, 201, 299, 300].map((status) => succeeded({ status, body: undefined }))).toEqual([false, true, true, true, false]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClusterSettings, Connections } from "@pulumi-ovn/provider/targets";
import { Gate } from "../../support/gate";
import { TestCluster } from "../../support/kubernetes";
import { gadgetCrd } from "../../support/kubernetes-crds";
import { ObjectResource } from "../../support/object-resource";

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "kubeconfigs-"));
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await TestCluster.kept();
  await cluster.allowLocal();
});
afterAll(() => rmSync(folder, { recursive: true }));

const map = (name: string, namespace = "default") => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { a: "1" } });
const to = (settings: ClusterSettings) => new ObjectResource(new Connections({}, {}, { prod: settings }, folder));
const refusal = async (settings: ClusterSettings, objects: object = { a: map("a") }) => {
  const error = await to(settings)
    .up(objects as Record<string, unknown>)
    .catch((thrown: unknown) => thrown as Error & { code: string });
  return error instanceof Error ? [error.code, error.message.replace(/^\w+: KubernetesObjects "\w+" in /, "")] : undefined;
};

it("reports a server that does not exist, and one that does not answer", async () => {
  const gate = await Gate.to(cluster.api.site.ports.secure);
  const settings = { kubeconfig: join(folder, "gate") };
  const url = `https://127.0.0.1:${gate.port}`;
  writeFileSync(settings.kubeconfig, readFileSync(cluster.api.kubeconfig, "utf8").replace(cluster.api.url, url));
  const resource = to(settings);
  await resource.up({ a: map("a") });
  await gate.close();
  expect(await refusal(settings)).toEqual([
    "OVN_CLUSTER_UNREACHABLE",
    `cluster "prod" (kubeconfig ${settings.kubeconfig}): ${url} can't be reached: connect ECONNREFUSED 127.0.0.1:${gate.port}`,
  ]);
  // It continues when the server is back.
  await gate.open();
  await resource.up({ a: map("a"), b: map("b") });
  gate.hold();
  expect(await refusal({ ...settings, timeout: 0.3 })).toEqual(["OVN_CLUSTER_UNREACHABLE", expect.stringContaining(`${url} did not answer within 0.3 s`)]);
  await gate.close();
  await gate.open();
  await resource.delete();
  await gate.close();
});

it("reports refused, missing and unobtainable credentials, and hides them", async () => {
  const config = (user: object) => {
    const path = join(folder, `${Math.random()}`);
    writeFileSync(
      path,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "c",
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
        users: [{ name: "u", user }],
        clusters: [{ name: "c", cluster: { server: cluster.api.url, "certificate-authority": join(cluster.api.folder, "apiserver.crt") } }],
      }),
    );
    return path;
  };
  expect(await refusal({ kubeconfig: config({ token: "s3cret" }) })).toEqual([
    "OVN_CLUSTER_CREDENTIALS",
    expect.stringContaining("the API server refuses the credentials of the kubeconfig's user"),
  ]);
  for (const user of [
    { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", "echo s3cret >&2; exit 1"] } },
    { "client-certificate": "/nowhere.crt", "client-key": "/nowhere.key" },
  ]) {
    const [code, message] = (await refusal({ kubeconfig: config(user) }))!;
    expect([code, message]).toEqual(["OVN_CLUSTER_CREDENTIALS", expect.stringContaining('the kubeconfig\'s user "u" could not be authenticated')]);
    expect(message).not.toContain("s3cret");
  }
  // A program's token is used.
  const program = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${cluster.api.token()}"}}'`;
  expect(
    await refusal(
      { kubeconfig: config({ exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", program] } }) },
      { a: map("by-program") },
    ),
  ).toBeUndefined();
});

it("reports invalid kubeconfigs", async () => {
  const path = join(folder, "broken");
  writeFileSync(path, 'users: [{ name: u, user: { token: "s3cret');
  expect(await refusal({ kubeconfig: "broken" })).toEqual(["OVN_KUBECONFIG", `cluster "prod" (kubeconfig broken): ${path} is not a kubeconfig`]);
  expect(await refusal({ kubeconfig: "nowhere" })).toEqual([
    "OVN_KUBECONFIG",
    expect.stringContaining(`the kubeconfig ${join(folder, "nowhere")} can't be read: ENOENT`),
  ]);
  expect(await refusal({ ...cluster.target("other") })).toEqual([
    "OVN_KUBECONFIG",
    expect.stringContaining('the kubeconfig has no context "other"; it has admin, guest, local'),
  ]);
  expect(await refusal({ inCluster: true })).toEqual([
    "OVN_KUBECONFIG",
    expect.stringContaining("this is no pod of a cluster: KUBERNETES_SERVICE_HOST is not set"),
  ]);
  writeFileSync(join(folder, "empty"), "{}");
  expect(await refusal({ kubeconfig: "empty" })).toEqual(["OVN_KUBECONFIG", expect.any(String)]);
});

it("finds kubeconfigs as kubectl does", async () => {
  const before = process.env["KUBECONFIG"];
  try {
    process.env["KUBECONFIG"] = `/nowhere:${cluster.api.kubeconfig}`;
    expect(await refusal({}, { a: map("by-environment") })).toBeUndefined();
    process.env["KUBECONFIG"] = "/nowhere";
    expect(await refusal({})).toEqual(["OVN_KUBECONFIG", 'cluster "prod": there is no file /nowhere, which the environment variable KUBECONFIG names']);
  } finally {
    if (before === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = before;
  }
});

it("reports a missing kind, namespace or right", async () => {
  const admin = cluster.target();
  expect(await refusal(admin, { a: { ...map("a"), apiVersion: "other.metallb.io/v1beta1", kind: "FRRConfiguration" } })).toEqual([
    "OVN_KIND_MISSING",
    expect.stringContaining("it has no FRRConfiguration of other.metallb.io/v1beta1; install what brings its CustomResourceDefinition"),
  ]);
  expect(await refusal(admin, { a: { ...map("a"), kind: "ConfigMop" } })).toEqual(["OVN_KIND_MISSING", expect.stringContaining("it has no ConfigMop of v1")]);
  expect(await refusal(admin, { a: map("a", "nowhere") })).toEqual([
    "OVN_NAMESPACE_MISSING",
    expect.stringContaining('ConfigMap nowhere/a: there is no namespace "nowhere"; make it first'),
  ]);
  expect(await refusal(cluster.target("guest"))).toEqual([
    "OVN_FORBIDDEN",
    expect.stringContaining(
      'ConfigMap (v1): configmaps is forbidden: User "guest" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ),
  ]);
  // The same process finds a definition that is added later.
  const resource = to(admin);
  const late = { apiVersion: "late.pulumi-ovn/v1", kind: "Gadget", metadata: { name: "a", namespace: "default" }, spec: { size: 1 } };
  await expect(resource.up({ a: late })).rejects.toMatchObject({ code: "OVN_KIND_MISSING" });
  const group = "late.pulumi-ovn";
  await cluster.define({ ...gadgetCrd, metadata: { name: `gadgets.${group}` }, spec: { ...gadgetCrd.spec, group } });
  await resource.up({ a: late });
  // With its definition go the objects.
  await cluster.must("DELETE", `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${group}`);
  while ((await cluster.ask("GET", `/apis/${group}/v1`)).status !== 404) await new Promise((resolve) => setTimeout(resolve, 50));
  await resource.delete();
});

it("works with rights in one namespace only", async () => {
  const resource = to(cluster.target("local"));
  await resource.up({ a: map("local") });
  expect((await resource.refresh())!.props).not.toHaveProperty("drift");
  await resource.delete();
  expect(await cluster.names("/api/v1/namespaces/default/configmaps")).not.toContain("local");
});

it("reports invalid objects before other objects are written", async () => {
  const admin = cluster.target();
  const gadget = (spec: object, metadata: object = {}) => ({
    apiVersion: "test.pulumi-ovn/v1",
    kind: "Gadget",
    metadata: { name: "a", namespace: "default", ...metadata },
    spec,
  });
  expect(await refusal(admin, { a: gadget({ size: 0 }) })).toEqual([
    "OVN_OBJECT_INVALID",
    expect.stringContaining('Gadget default/a: Gadget.test.pulumi-ovn "a" is invalid: spec.size: Invalid value: 0'),
  ]);
  expect(await refusal(admin, { a: gadget({ size: 1, colour: "red" }) })).toEqual([
    "OVN_CLUSTER_ERROR",
    expect.stringContaining(".spec.colour: field not declared in schema"),
  ]);
  expect(await refusal(admin, { fine: map("fine"), a: gadget({ size: 1 }, { namespace: undefined }) })).toEqual([
    "OVN_OBJECT_INVALID",
    expect.stringContaining("Gadget a: metadata.namespace is required for this kind"),
  ]);
  expect(await refusal(admin, { fine: map("fine"), a: { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", namespace: "default" } } })).toEqual([
    "OVN_OBJECT_INVALID",
    expect.stringContaining("Namespace default/n: objects of this kind are in no namespace: leave metadata.namespace out"),
  ]);
  expect(await cluster.names("/api/v1/namespaces/default/configmaps")).not.toContain("fine");
});

it("reports an object in deletion, and waits until it is deleted", async () => {
  const resource = to({ ...cluster.target(), timeout: 5 });
  await resource.up({ a: map("stuck"), b: map("free") });
  const path = "/api/v1/namespaces/default/configmaps/stuck";
  await cluster.edit(path, { metadata: { finalizers: ["pulumi-ovn/test"] } });
  await cluster.must("DELETE", path);
  await expect(resource.up({ a: { ...map("stuck"), data: { a: "2" } } })).rejects.toMatchObject({
    code: "OVN_CONTENTION",
    message: expect.stringContaining("ConfigMap default/stuck is being deleted, and waits for pulumi-ovn/test; run the update again when it is deleted"),
  });
  // An object with a finalizer is not yet deleted, whichever run requested the deletion.
  await expect(resource.up({ b: map("free") })).rejects.toMatchObject({
    code: "OVN_CONTENTION",
    message: expect.stringMatching(
      /: ConfigMap default\/stuck is being deleted, and waits for pulumi-ovn\/test; not deleted within 5 s; run again when it is$/,
    ),
  });
  const deleting = resource.delete();
  while ((await cluster.ask("GET", "/api/v1/namespaces/default/configmaps/free")).status !== 404) await new Promise((resolve) => setTimeout(resolve, 20));
  await cluster.edit(path, { metadata: { finalizers: null } });
  await deleting;
  expect(await cluster.names("/api/v1/namespaces/default/configmaps")).not.toContain("stuck");
});

it("reports a forbidden verb, and continues when it is allowed", async () => {
  const role = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/local";
  const may = async (verb: string): Promise<boolean> => {
    const spec = { user: "local", resourceAttributes: { verb, resource: "configmaps", namespace: "default" } };
    return (
      await cluster.must("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec,
      })
    ).status.allowed;
  };
  /** The server follows a role some milliseconds after it has changed. */
  const allow = async (...verbs: string[]) => {
    await cluster.edit(role, { rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "get", "create", ...verbs] }] });
    for (const verb of ["patch", "delete"]) while ((await may(verb)) !== verbs.includes(verb)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const resource = to(cluster.target("local"));
  const forbidden = (verb: string) => ({
    code: "OVN_FORBIDDEN",
    message: expect.stringContaining(`ConfigMap default/verb: configmaps "verb" is forbidden: User "local" cannot ${verb} resource "configmaps"`),
  });
  await allow("delete");
  await expect(resource.up({ a: map("verb") })).rejects.toMatchObject(forbidden("patch"));
  expect(await cluster.names("/api/v1/namespaces/default/configmaps")).not.toContain("verb");
  await allow("patch");
  await resource.up({ a: map("verb") });
  await expect(resource.delete()).rejects.toMatchObject(forbidden("delete"));
  await allow("patch", "delete");
  await resource.delete();
  expect(await cluster.names("/api/v1/namespaces/default/configmaps")).not.toContain("verb");
});

describe("in a check", () => {
  const failures = async (objects: object, targets = new Connections({}, {}, { prod: {} })) =>
    (await new ObjectResource(targets).check(objects as Record<string, unknown>)).failures.map(({ path, code }) => [path, code]);

  it("refuses a cluster that is not configured, and names the configured ones", async () => {
    const { failures: found } = await new ObjectResource(new Connections({}, {}, { test: {} })).check({ a: map("a") });
    expect(found).toEqual([{ path: "cluster", code: "cluster", message: 'cluster "prod" is not configured; the targets have test' }]);
    expect((await new ObjectResource(new Connections({})).check({ a: map("a") })).failures[0]!.message).toContain(
      'the targets have no clusters; add "clusters: { prod: { kubeconfig: ~/.kube/config } }" to the file of targets',
    );
  });

  it("refuses objects that are invalid in every cluster, each with its path", async () => {
    expect(await failures({})).toEqual([["objects", "required"]]);
    expect(await failures({ a: { kind: "ConfigMap", metadata: {} } })).toEqual([
      ["objects.a.apiVersion", "required"],
      ["objects.a.metadata.name", "required"],
    ]);
    expect(await failures({ a: { ...map("a"), metadata: { name: "a", generateName: "b" } } })).toEqual([
      ["objects.a.metadata.generateName", "unknown-argument"],
    ]);
    expect(
      await failures({
        a: map("a"),
        b: map("a"),
        c: { apiVersion: "v1", kind: "Secret", metadata: { name: "c" } },
        d: { ...map("d"), status: {} },
        e: { ...map("e"), metadata: { name: "e", labels: { "pulumi-ovn/owner": "x" }, annotations: { "pulumi-ovn/x": "y" } } },
      }),
    ).toEqual([
      ["objects.b.metadata.name", "duplicate"],
      ["objects.c.kind", "secret"],
      ["objects.d.status", "value"],
      ['objects.e.metadata.labels["pulumi-ovn/owner"]', "reserved"],
      ['objects.e.metadata.annotations["pulumi-ovn/x"]', "reserved"],
    ]);
  });
});

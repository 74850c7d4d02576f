/** Changes by another writer between the read of an update and its write. */
import type { Connections } from "@pulumi-ovn/provider/targets";
import { Cluster, ensureObjects } from "@pulumi-ovn/provider/testing";
import { TestCluster } from "../../support/kubernetes";
import { ObjectResource, targetsIn } from "../../support/object-resource";

jest.setTimeout(60_000);

let cluster: TestCluster;
let targets: Connections;
beforeAll(async () => {
  cluster = await TestCluster.kept();
  targets = targetsIn(cluster);
});
afterEach(() => jest.restoreAllMocks());

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", ...metadata },
  data,
});
const theirs = (name: string, data: object, metadata: object = {}) => cluster.must("POST", `${MAPS}?fieldManager=kubectl-create`, map(name, data, metadata));
const live = async (name: string) => (await cluster.must("GET", `${MAPS}/${name}`)) as { data: object; metadata: any };

/** Does something once, right before the next write of an object of this name. Returns how often such writes were started. */
function before(name: string, act: () => Promise<unknown>, method: "apply" | "delete" = "apply"): () => number {
  const real = Cluster.prototype[method] as (...given: unknown[]) => Promise<never>;
  let calls = 0;
  jest.spyOn(Cluster.prototype, method).mockImplementation(async function (this: Cluster, ...given: unknown[]) {
    const [object] = given as [{ name?: string; metadata?: { name: string } }];
    if ((object.name ?? object.metadata?.name) === name && calls++ === 0) await act();
    return real.apply(this, given);
  } as never);
  return () => calls;
}

describe("an object that another writer creates between read and write", () => {
  it.each<[string, object, object, string]>([
    ["other fields", { b: "theirs" }, {}, 'ConfigMap default/other exists already, written by "kubectl-create"; choose another name'],
    ["the same field", { a: "theirs" }, {}, 'ConfigMap default/other exists already, written by "kubectl-create"; choose another name'],
    ["an owner", {}, { labels: { "app.kubernetes.io/managed-by": "Helm" } }, "ConfigMap default/other belongs to Helm; remove it there"],
  ])("with %s is refused and stays unchanged", async (_what, data, metadata, text) => {
    before("other", () => theirs("other", data, metadata));
    const resource = new ObjectResource(targets);
    await expect(resource.up({ a: map("other", { a: "ours" }) })).rejects.toMatchObject({ code: "OVN_FOREIGN_OBJECT", message: expect.stringContaining(text) });
    const found = await live("other");
    expect(found.data ?? {}).toEqual(data);
    expect([found.metadata.labels, found.metadata.annotations]).toEqual([(metadata as { labels?: object }).labels, undefined]);
    expect(found.metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toEqual(
      Object.keys(data).length + Object.keys(metadata).length > 0 ? ["kubectl-create"] : [],
    );
    await cluster.must("DELETE", `${MAPS}/other`);
  });

  it("is adopted on request", async () => {
    before("adopted", () => theirs("adopted", { a: "theirs", b: "theirs" }));
    await theirs("there", {});
    await new ObjectResource(targets).up({ a: map("adopted", { a: "ours" }), b: map("there", {}) }, { adopt: true });
    const { data, metadata } = await live("adopted");
    expect([data, Object.keys(metadata.labels)]).toEqual([{ a: "ours", b: "theirs" }, ["pulumi-ovn/owner"]]);
  });

  it("is refused if it replaces an owned object", async () => {
    const resource = new ObjectResource(targets);
    await resource.up({ a: map("replaced", { a: "1" }) });
    const { metadata } = await live("replaced");
    const calls = before("replaced", async () => {
      await cluster.must("DELETE", `${MAPS}/replaced`);
      await theirs("replaced", { b: "theirs" });
    });
    await expect(resource.up({ a: map("replaced", { a: "2" }) })).rejects.toMatchObject({ code: "OVN_FOREIGN_OBJECT" });
    const after = await live("replaced");
    expect([after.data, after.metadata.annotations, after.metadata.uid === metadata.uid, calls()]).toEqual([{ b: "theirs" }, undefined, false, 1]);
  });
});

it("creates an object again that another writer deletes between read and write", async () => {
  const resource = new ObjectResource(targets);
  await resource.up({ a: map("gone", { a: "1" }) });
  const calls = before("gone", () => cluster.must("DELETE", `${MAPS}/gone`));
  await resource.up({ a: map("gone", { a: "2" }) });
  expect([(await live("gone")).data, calls()]).toEqual([{ a: "2" }, 2]);
});

it("recognizes its own object after a create that seemed to fail", async () => {
  const resource = new ObjectResource(targets);
  const real = Cluster.prototype.apply;
  let calls = 0;
  jest.spyOn(Cluster.prototype, "apply").mockImplementation(async function (this: Cluster, ...given) {
    // As a request that is repeated after its answer was lost.
    if (calls++ === 0) await real.apply(this, given);
    return real.apply(this, given);
  });
  await resource.up({ a: map("lost", { a: "1" }) });
  expect([(await live("lost")).data, calls]).toEqual([{ a: "1" }, 1]);
});

it("names a field that another manager applies between read and write, with a remedy", async () => {
  const resource = new ObjectResource(targets);
  await resource.up({ a: map("field", { a: "1" }) });
  before("field", () => cluster.apply(`${MAPS}/field`, map("field", { a: "3" }), "argocd", true));
  await expect(resource.up({ a: map("field", { a: "2" }) })).rejects.toMatchObject({
    code: "OVN_FIELD_CONFLICT",
    message: expect.stringContaining('ConfigMap default/field: data.a is managed by "argocd"; leave it to one of the two'),
  });
  expect((await live("field")).data).toEqual({ a: "3" });
});

it("ends if an object is a different one at each attempt", async () => {
  const real = Cluster.prototype.apply;
  let calls = 0;
  jest.spyOn(Cluster.prototype, "apply").mockImplementation(async function (this: Cluster, ...given) {
    if (calls++ % 2 === 0) await theirs("moving", {});
    else await cluster.must("DELETE", `${MAPS}/moving`);
    return real.apply(this, given);
  });
  const target = { owner: "urn", managers: [], cluster: targets.cluster("prod") };
  await expect(ensureObjects(target, { objects: [map("moving", { a: "1" })] })).rejects.toMatchObject({ code: "OVN_CONTENTION" });
  expect([calls, await cluster.names(MAPS)]).toEqual([6, expect.not.arrayContaining(["moving"])]);
});

it("does not repeat a request that the server refuses", async () => {
  const calls = before("wrong", () => Promise.resolve());
  const attempt = new ObjectResource(targets).up({ a: map("wrong", { "no key": "x" }) });
  await expect(attempt).rejects.toMatchObject({ code: "OVN_OBJECT_INVALID" });
  expect(calls()).toBe(1);
});

it("counts an object as deleted if another writer has created it again", async () => {
  const resource = new ObjectResource(targets);
  await resource.up({ a: map("anew", { a: "1" }) });
  before(
    "anew",
    async () => {
      await cluster.must("DELETE", `${MAPS}/anew`);
      await theirs("anew", { b: "theirs" });
    },
    "delete",
  );
  await resource.delete();
  expect((await live("anew")).data).toEqual({ b: "theirs" });
});

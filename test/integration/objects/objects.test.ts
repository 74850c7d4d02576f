import { setTimeout as sleep } from "node:timers/promises";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { TestCluster } from "../../support/kubernetes";
import { ObjectResource, targetsIn } from "../../support/object-resource";

jest.setTimeout(60_000);

let cluster: TestCluster;
let targets: Connections;
beforeAll(async () => {
  cluster = await TestCluster.kept();
  targets = targetsIn(cluster);
});

let space = "";
let counter = 0;
beforeEach(async () => {
  space = `space${counter++}`;
  await cluster.namespace(space);
});

const path = (name: string) => `/apis/test.pulumi-ovn/v1/namespaces/${space}/gadgets${name && `/${name}`}`;
const maps = (name = "") => `/api/v1/namespaces/${space}/configmaps${name && `/${name}`}`;
const gadget = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: "test.pulumi-ovn/v1",
  kind: "Gadget",
  metadata: { name, namespace: space, ...metadata },
  spec,
});
const map = (name: string, data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: space }, data });
const FULL = {
  size: 3,
  ports: [
    { name: "web", number: 80 },
    { name: "dns", number: 53 },
  ],
  tags: ["a", "b"],
  steps: [{ do: "x" }, { do: "y", times: 2 }],
  selector: { labels: { "a.b/c": "d" } },
};

const made = (name?: string) => new ObjectResource(targets, name);

describe("a set of objects", () => {
  it("is applied, marked, found unchanged, changed in place, and deleted", async () => {
    const resource = made();
    await resource.up({ one: gadget("one", FULL, { labels: { app: "x" } }), two: map("two", { a: "1" }) });
    const live = await cluster.must("GET", path("one"));
    expect(live.spec).toEqual({
      ...FULL,
      color: "grey",
      steps: [
        { do: "x", times: 1 },
        { do: "y", times: 2 },
      ],
      ports: [
        { name: "web", number: 80, protocol: "TCP" },
        { name: "dns", number: 53, protocol: "TCP" },
      ],
    });
    expect(live.metadata.labels).toEqual({ app: "x", "pulumi-ovn/owner": expect.stringMatching(/^[A-Za-z0-9]{16}$/) });
    expect(live.metadata.annotations).toEqual({ "pulumi-ovn/owner": resource.owner, "pulumi-ovn/digest": expect.any(String) });
    expect(live.metadata.managedFields.map(({ manager, operation }: any) => [manager, operation])).toEqual([["pulumi-ovn", "Apply"]]);

    const before = resource.outs;
    expect(await resource.refresh()).toMatchObject({ props: { ...before } });
    expect(resource.outs).not.toHaveProperty("drift");

    const third = (await cluster.must("GET", maps("two"))).metadata.resourceVersion;
    await resource.up({ one: gadget("one", { ...FULL, size: 4, tags: ["b"] }), two: map("two", { a: "1" }), new: map("three", {}) });
    const next = await cluster.must("GET", path("one"));
    expect([next.spec.size, next.spec.tags, next.metadata.labels.app, next.metadata.uid]).toEqual([4, ["b"], undefined, live.metadata.uid]);
    // Correct objects are not written again.
    expect((await cluster.must("GET", maps("two"))).metadata.resourceVersion).toBe(third);

    await resource.up({ new: map("three", {}) });
    expect([await cluster.names(path("")), await cluster.names(maps())]).toEqual([[], ["three"]]);
    await resource.delete();
    expect(await cluster.names(maps())).toEqual([]);
    await resource.delete();
    expect(await resource.refresh()).toBeUndefined();
  });

  it("shows one line for each object in previews", async () => {
    const { inputs } = await made().check({ one: gadget("one", FULL), two: map("two", { key: "a value", list: "x" }) });
    expect(inputs.rows).toEqual({
      [`ConfigMap ${space}/two`]: 'data.key="a value" data.list=x',
      [`Gadget ${space}/one`]: "spec.selector.labels.a.b/c=d spec.size=3 spec.tags=a,b",
      [`Gadget ${space}/one spec.ports[0]`]: "name=web number=80",
      [`Gadget ${space}/one spec.ports[1]`]: "name=dns number=53",
      [`Gadget ${space}/one spec.steps[0]`]: "do=x",
      [`Gadget ${space}/one spec.steps[1]`]: "do=y times=2",
    });
  });

  it("is equal in any order", async () => {
    const [first, second] = [map("one", { a: "1", b: "2" }), map("two", {})];
    const { inputs } = await made().check({ x: first, y: second });
    const { inputs: other } = await made().check({ a: second, b: { data: { b: "2", a: "1" }, kind: "ConfigMap", metadata: first.metadata, apiVersion: "v1" } });
    expect(other.digest).toBe(inputs.digest);
    expect(other.rows).toEqual(inputs.rows);
  });

  it("creates a namespace before its objects, and removes it last", async () => {
    const resource = made();
    const [own, inside] = [`/api/v1/namespaces/${space}-more`, `/api/v1/namespaces/${space}-more/configmaps/in`];
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: `${space}-more` } };
    await resource.up({ a: { ...map("in", {}), metadata: { name: "in", namespace: `${space}-more` } }, z: namespace });
    expect((await cluster.ask("GET", inside)).status).toBe(200);
    const deleting = resource.delete();
    while ((await cluster.must("GET", own)).status.phase !== "Terminating") await sleep(20);
    expect((await cluster.ask("GET", inside)).status).toBe(404);
    await cluster.finalize(`${space}-more`);
    await deleting;
    expect((await cluster.ask("GET", own)).status).toBe(404);
  });

  it("is not deleted while its namespace exists, whose name can't be reused", async () => {
    const hurried = targetsIn(cluster, { timeout: 2 });
    const resource = new ObjectResource(hurried);
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: `${space}-own` } };
    await resource.up({ z: namespace });
    const waits = `Namespace ${space}-own is being deleted, and waits for what is in it`;
    const late = { code: "OVN_CONTENTION", message: expect.stringContaining(`${waits}; not deleted within 2 s; run again when it is`) };
    await expect(resource.delete()).rejects.toMatchObject(late);
    // The run after it waits, too.
    await expect(resource.delete()).rejects.toMatchObject(late);
    await expect(resource.up({ z: { ...namespace, metadata: { ...namespace.metadata, labels: { a: "b" } } } })).rejects.toMatchObject({
      message: expect.stringContaining(`${waits}; run the update again when it is deleted`),
    });
    await cluster.finalize(`${space}-own`);
    await resource.delete();
    const again = new ObjectResource(hurried);
    await again.up({ z: namespace });
    expect((await cluster.must("GET", `/api/v1/namespaces/${space}-own`)).status.phase).toBe("Active");
  });
});

describe("drift", () => {
  let resource: ObjectResource;
  beforeEach(async () => {
    resource = made();
    await resource.up({ one: gadget("one", FULL), two: map("two", { a: "1" }) });
  });
  const again = () => resource.up({ one: gadget("one", FULL), two: map("two", { a: "1" }) });
  const drift = async () => (await resource.refresh())?.props.drift as unknown;

  it("of manually changed fields is shown and repaired", async () => {
    await cluster.edit(path("one"), { spec: { size: 9, steps: [{ do: "z" }], ports: [{ name: "web", number: 81 }] } });
    await cluster.edit(maps("two"), { data: { a: null } });
    expect(await drift()).toEqual({
      [`Gadget ${space}/one`]:
        'spec.size=9 instead of 3, spec.ports[0].number=81 instead of 80, spec.ports[1] is missing, spec.steps=[{"do":"z","times":1}] instead of [{"do":"x"},{"do":"y","times":2}]',
      [`ConfigMap ${space}/two`]: "data.a is missing",
    });
    expect(resource.inputs.rows[`ConfigMap ${space}/two`]).toBe("data={}");
    await again();
    expect((await cluster.must("GET", path("one"))).spec).toMatchObject({
      size: 3,
      ports: [
        { name: "web", number: 80 },
        { name: "dns", number: 53 },
      ],
    });
    expect((await cluster.must("GET", maps("two"))).data).toEqual({ a: "1" });
    expect(await drift()).toBeUndefined();
  });

  it("of a manually deleted object is shown and repaired", async () => {
    await cluster.must("DELETE", maps("two"));
    expect(await drift()).toEqual({ [`ConfigMap ${space}/two`]: "missing" });
    await again();
    expect((await cluster.must("GET", maps("two"))).data).toEqual({ a: "1" });
  });

  it("of a manually removed mark is shown and repaired", async () => {
    await cluster.edit(maps("two"), { metadata: { labels: { "pulumi-ovn/owner": null } } });
    expect(await drift()).toEqual({ [`ConfigMap ${space}/two`]: 'metadata.labels["pulumi-ovn/owner"] is missing' });
    await again();
    expect(await drift()).toBeUndefined();
    await resource.delete();
    expect(await cluster.names(maps())).toEqual([]);
  });

  it("of surplus owned fields and objects is shown and repaired", async () => {
    // As an interrupted update leaves it.
    const newer = made(resource.name);
    newer.outs = { ...resource.outs };
    await newer.up({
      one: gadget("one", { ...FULL, note: "new", tags: ["a", "b", "c"], ports: [...FULL.ports, { name: "ssh", number: 22 }] }),
      two: map("two", { a: "1", b: "2" }),
      three: map("three", {}),
    });
    expect(await drift()).toEqual({
      [`Gadget ${space}/one`]:
        'spec.note=new instead of nothing, spec.ports[2]={"name":"ssh","number":22,"protocol":"TCP"} instead of nothing, spec.tags=c instead of nothing',
      [`ConfigMap ${space}/two`]: "data.b=2 instead of nothing",
      [`ConfigMap ${space}/three`]: "surplus",
    });
    await again();
    expect([await cluster.names(maps()), (await cluster.must("GET", maps("two"))).data]).toEqual([["two"], { a: "1" }]);
    expect((await cluster.must("GET", path("one"))).spec).not.toHaveProperty("note");
    expect(await drift()).toBeUndefined();
  });

  it("does not contain foreign fields", async () => {
    await cluster.edit(path("one"), {
      metadata: { labels: { theirs: "x" }, annotations: { theirs: "x" } },
      spec: { note: "theirs", selector: { labels: { other: "y" } } },
    });
    await cluster.apply(path("one"), { ...gadget("one", { ports: [{ name: "theirs", number: 1 }], tags: ["theirs"] }) }, "other");
    await cluster.must("PATCH", `${path("one")}/status`, { status: { ready: true } }, { type: "application/merge-patch+json" });
    expect(await drift()).toBeUndefined();
    await resource.up({ one: gadget("one", { ...FULL, size: 5 }), two: map("two", { a: "1" }) });
    const { spec, metadata } = await cluster.must("GET", path("one"));
    expect([spec.size, spec.note, spec.tags, spec.ports.map(({ name }: any) => name), metadata.labels.theirs]).toEqual([
      5,
      "theirs",
      ["a", "b", "theirs"],
      ["web", "dns", "theirs"],
      "x",
    ]);
  });

  it("does not contain the server's other spellings", async () => {
    const quotaObject = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: space },
      spec: { hard: { memory: "1024Mi", cpu: "1000m" } },
    };
    const quota = made();
    await quota.up({ q: quotaObject });
    expect((await cluster.must("GET", `/api/v1/namespaces/${space}/resourcequotas/q`)).spec.hard).toEqual({ memory: "1Gi", cpu: "1" });
    expect((await quota.refresh())!.props).not.toHaveProperty("drift");
  });
});

describe("foreign objects", () => {
  it("are refused with the owner's name, before anything is written", async () => {
    await cluster.must("POST", `${maps()}?fieldManager=kubectl-create`, map("taken", { a: "theirs" }));
    await cluster.must("POST", maps(), {
      ...map("helm", {}),
      metadata: { name: "helm", namespace: space, labels: { "app.kubernetes.io/managed-by": "Helm" } },
    });
    const other = made();
    await other.up({ a: map("others", {}) });
    const attempt = (name: string) => made().up({ fine: map("fine", {}), taken: map(name, { a: "ours" }) });
    const at = `in cluster "prod" (kubeconfig ${cluster.api.kubeconfig})`;
    await expect(attempt("taken")).rejects.toMatchObject({
      code: "OVN_FOREIGN_OBJECT",
      message: expect.stringContaining(
        `${at}: ConfigMap ${space}/taken exists already, written by "kubectl-create"; choose another name, remove it, or take it over with "adopt"`,
      ),
    });
    await expect(attempt("helm")).rejects.toMatchObject({
      code: "OVN_FOREIGN_OBJECT",
      message: expect.stringContaining(`ConfigMap ${space}/helm belongs to Helm; remove it there, or take it over with adopt: { owners: ["Helm"] }`),
    });
    await expect(attempt("others")).rejects.toMatchObject({
      code: "OVN_FOREIGN_OBJECT",
      message: expect.stringContaining(`ConfigMap ${space}/others belongs to ${other.owner}`),
    });
    expect(await cluster.names(maps())).toEqual(["helm", "others", "taken"]);
    expect((await cluster.must("GET", maps("taken"))).data).toEqual({ a: "theirs" });
  });

  it("are refused among many objects", async () => {
    await cluster.must("POST", maps(), map("m17", {}));
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, map(`m${index}`, {})]));
    await expect(made().up(many)).rejects.toMatchObject({
      code: "OVN_FOREIGN_OBJECT",
      message: expect.stringContaining(`ConfigMap ${space}/m17 exists already`),
    });
    expect(await cluster.names(maps())).toEqual(["m17"]);
  });

  it("are adopted on request, as the preview shows", async () => {
    await cluster.must("POST", `${maps()}?fieldManager=kubectl-create`, map("taken", { a: "theirs", b: "kept" }));
    const uid = (await cluster.must("GET", maps("taken"))).metadata.uid;
    const resource = made();
    const all = { taken: map("taken", { a: "ours" }), new: map("new", {}) };
    const { inputs } = await resource.check(all, { adopt: true });
    expect(inputs.adoption).toEqual({
      added: { [`ConfigMap ${space}/new`]: "made" },
      changed: { [`ConfigMap ${space}/taken`]: { before: "data.a=theirs", after: "data.a=ours" } },
    });
    await resource.up(all, { adopt: true });
    const live = await cluster.must("GET", maps("taken"));
    expect([live.data, live.metadata.uid]).toEqual([{ a: "ours", b: "kept" }, uid]);
    expect(resource.outs).not.toHaveProperty("adoption");
    await resource.delete();
    expect(await cluster.names(maps())).toEqual([]);
  });

  it("are adopted only from named owners", async () => {
    const other = made();
    await other.up({ a: map("others", { a: "theirs" }) });
    const resource = made();
    const all = { a: map("others", { a: "ours" }) };
    expect((await resource.check(all, { adopt: true })).failures).toEqual([
      expect.objectContaining({ path: "adopt", code: "OVN_FOREIGN_OBJECT", message: expect.stringContaining(other.owner) }),
    ]);
    await resource.up(all, { adopt: { owners: [other.owner] } });
    expect((await cluster.must("GET", maps("others"))).data).toEqual({ a: "ours" });
    // Who had it before lets go of it.
    await other.delete();
    expect(await cluster.names(maps())).toEqual(["others"]);
    expect((await made().check({ a: map("nothing", {}) }, { adopt: true })).failures).toEqual([
      { path: "adopt", code: "OVN_NOT_FOUND", message: 'there is nothing to adopt: none of the objects exists; leave out "adopt" to create them' },
    ]);
  });

  it("include a field that another manager applies, which is named before anything is written", async () => {
    const resource = made();
    await resource.up({ one: gadget("one", { size: 1 }), two: map("two", {}) });
    await cluster.apply(path("one"), gadget("one", { size: 2 }), "argocd", true);
    const change = (more?: object) => resource.up({ one: gadget("one", { size: 3 }), two: map("two", { a: "1" }) }, more);
    await expect(change()).rejects.toMatchObject({
      code: "OVN_FIELD_CONFLICT",
      message: expect.stringContaining(
        `Gadget ${space}/one: spec.size is managed by "argocd"; leave it to one of the two, or name the manager in adopt: { owners: [...] }`,
      ),
    });
    expect((await cluster.must("GET", maps("two"))).data).toBeUndefined();
    expect((await cluster.must("GET", path("one"))).spec.size).toBe(2);
    await change({ adopt: { owners: ["argocd"] } });
    expect((await cluster.must("GET", path("one"))).spec.size).toBe(3);
  });
});

import type { FrrConfiguration, RouteAdvertisementArgs } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { Cluster } from "@pulumi-ovn/provider/testing";
import { DEFAULT, UPSTREAM, USER_DEFINED, network, spec, template } from "../../support/advertisement";
import { Announcement, Fabric } from "../../support/announcement";
import { deleteOrphans } from "../../support/route-advertisements-controller";
import { targetsIn } from "../../support/object-resource";
import { TestCluster } from "../../support/kubernetes";

jest.setTimeout(300_000);

let cluster: TestCluster;
let targets: Connections;
let fabric: Fabric;
let made: Announcement[] = [];
let counter = 0;

beforeAll(async () => {
  cluster = await TestCluster.kept();
  targets = targetsIn(cluster);
  fabric = new Fabric(cluster);
  await cluster.namespace("frr-k8s-system");
});

const FORMER = "/apis/frrk8s.metallb.io/v1beta1/namespaces/former/frrconfigurations";
const FOREIGN = template("foreign", [{ asn: 64512, neighbors: [{ ...UPSTREAM, address: "192.168.111.9" }] }], { labels: { theirs: "yes" } });

beforeEach(async () => {
  await fabric.node("node1", { default: "10.244.0.0/24" });
  await fabric.node("node2", { default: "10.244.1.0/24" });
  await fabric.template(template("peers", [{ asn: 64512, neighbors: [UPSTREAM] }]));
  await fabric.template(FOREIGN);
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const announcement of made.filter(({ outs }) => outs)) await announcement.destroy();
  made = [];
  for (const path of [
    "/api/v1/nodes",
    "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations",
    "/apis/frrk8s.metallb.io/v1beta1/frrnodestates",
    "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/bgpsessionstates",
    "/apis/k8s.ovn.org/v1/egressips",
    "/apis/k8s.ovn.org/v1/clusteruserdefinednetworks",
  ]) {
    await cluster.must("DELETE", path);
  }
});

function announcement(): Announcement {
  const one = new Announcement(`a${counter++}`, targets);
  made.push(one);
  return one;
}

const args = (given: Partial<RouteAdvertisementArgs> = {}): RouteAdvertisementArgs => ({ cluster: "prod", ...spec(), ...given });

it("announces, writes nothing again, and withdraws, without a change of foreign objects", async () => {
  const before = await fabric.versions();
  const one = announcement();
  await one.up(args());
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.1.0/24", "peers"]);
  expect(one.outs).toMatchObject({ accepted: true, announced: { node1: ["10.244.0.0/24"], node2: ["10.244.1.0/24"] } });
  const after = await fabric.versions();
  expect(after).toMatchObject(before);
  expect(await one.preview(args())).toMatchObject({ changes: false, diagnostics: [] });
  expect((await one.refresh()).drift).toBeUndefined();
  expect(await one.preview(args())).toMatchObject({ changes: false });
  expect(await fabric.versions()).toEqual(after);
  await one.destroy();
  expect(await fabric.versions()).toEqual(before);
});

it("follows prefixes and nodes of the cluster, and writes only changes", async () => {
  const one = announcement();
  await one.up(args());
  const [first] = [await fabric.generatedFor("node1")];
  const untouched = (await fabric.versions())[first];
  await fabric.subnets("node2", { default: "10.244.9.0/24" });
  await fabric.node("node3", { default: "10.244.2.0/24" });
  const { changes, inputs } = await one.preview(args());
  expect({ changes, announced: inputs.announced }).toEqual({
    changes: true,
    announced: { node1: ["10.244.0.0/24"], node2: ["10.244.9.0/24"], node3: ["10.244.2.0/24"] },
  });
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.1.0/24", "peers"]);
  await one.up(args());
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.9.0/24", "node3 10.244.2.0/24", "peers"]);
  await fabric.removeNode("node2");
  await one.up(args());
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node3 10.244.2.0/24", "peers"]);
  expect((await fabric.versions())[first]).toBe(untouched);
});

it("reports changed facts of the cluster as drift, and repairs it", async () => {
  const one = announcement();
  await one.up(args());
  await fabric.node("node3", { default: "10.244.2.0/24" });
  expect(Object.keys((await one.refresh()).drift as object)).toEqual([expect.stringContaining(await nameFor("node3", one))]);
  await one.up(args());
  expect(await fabric.announced()).toContain("node3 10.244.2.0/24");
  expect((await one.refresh()).drift).toBeUndefined();
});

it("lists each kind once in a refresh, and finds its objects in other namespaces", async () => {
  await cluster.namespace("former");
  const one = announcement();
  await one.up(args());
  // As a change of the namespace leaves them that was interrupted.
  const {
    metadata: { labels, annotations },
    spec: left,
  } = await fabric.get(await fabric.generatedFor("node1"));
  await cluster.must("POST", FORMER, {
    apiVersion: "frrk8s.metallb.io/v1beta1",
    kind: "FRRConfiguration",
    metadata: { name: "left", labels, annotations },
    spec: left,
  });
  const list = jest.spyOn(Cluster.prototype, "list");
  const { drift } = await one.refresh();
  expect(list.mock.calls.map(([, kind]) => kind)).toEqual(["Node", "FRRConfiguration"]);
  expect(drift).toEqual({ "FRRConfiguration former/left": "surplus" });
  await one.up(args());
  expect((await cluster.ask("GET", `${FORMER}/left`)).status).toBe(404);
});

it("uses templates of all namespaces, and generates each object in its template's namespace", async () => {
  const OTHER = "/apis/frrk8s.metallb.io/v1beta1/namespaces/other-fabric/frrconfigurations";
  const configurations = async () =>
    ((await cluster.must("GET", "/apis/frrk8s.metallb.io/v1beta1/frrconfigurations")) as { items: FrrConfiguration[] }).items
      .map(({ metadata: { namespace, name, annotations = {} } }) => `${namespace} ${annotations["pulumi-ovn/route-advertisement"] ?? name}`)
      .sort();
  await Promise.all(["other-fabric", "no-fabric"].map((name) => cluster.namespace(name)));
  const at = (namespace: string, { metadata, ...rest }: FrrConfiguration) => ({ ...rest, metadata: { ...metadata, namespace } });
  const second = template("peers", [{ asn: 64513, neighbors: [{ ...UPSTREAM, asn: 64513 }] }]);
  await cluster.must("POST", OTHER, at("other-fabric", second));
  // Another frr-k8s would read it, or none: it conflicts with nothing.
  await cluster.must(
    "POST",
    OTHER.replace("other-fabric", "no-fabric"),
    at("no-fabric", template("odd", [{ asn: 64999, neighbors: [UPSTREAM] }], { labels: {} })),
  );
  const one = announcement();
  await one.up(args());
  const before = await fabric.versions();
  const HERE = ["default/peers/node1", "default/peers/node2"].map((purpose) => `frr-k8s-system ${purpose}`);
  const THEIRS = ["frr-k8s-system foreign", "frr-k8s-system peers", "no-fabric odd", "other-fabric peers"];
  expect(await configurations()).toEqual([...HERE, ...THEIRS].sort());

  const all = args({ namespace: "*" });
  await one.up(all);
  const THERE = HERE.map((line) => line.replace("frr-k8s-system", "other-fabric"));
  expect(await configurations()).toEqual([...HERE, ...THERE, ...THEIRS].sort());
  expect(await fabric.versions()).toEqual(before);
  const generated = ((await cluster.must("GET", OTHER)) as { items: FrrConfiguration[] }).items.filter(({ metadata }) => metadata.name !== "peers");
  expect(generated.map(({ spec: { bgp } }) => bgp!.routers!.map(({ asn }) => asn))).toEqual([[64513], [64513]]);
  expect(await one.preview(all)).toMatchObject({ changes: false, diagnostics: [] });
  await cluster.must("DELETE", `${OTHER}/${generated[0]!.metadata.name}`);
  expect((await one.refresh()).drift).toEqual({ [`FRRConfiguration other-fabric/${generated[0]!.metadata.name}`]: "missing" });
  await one.up(all);
  expect(await configurations()).toEqual([...HERE, ...THERE, ...THEIRS].sort());

  await cluster.must("POST", OTHER, at("other-fabric", template("odd", [{ asn: 64999, neighbors: [] }], { labels: {} })));
  await expect(one.up(all)).rejects.toThrow("FRRConfiguration other-fabric/odd has asn 64999 for the main VRF, FRRConfiguration other-fabric/peers has 64513");
  await cluster.must("DELETE", `${OTHER}/odd`);

  // Without its template nothing is left there; a namespace of its own again is an update like any other.
  await cluster.must("DELETE", `${OTHER}/peers`);
  await one.up(all);
  expect(await configurations()).toEqual([...HERE, ...THEIRS.slice(0, 3)].sort());
  await cluster.must("POST", OTHER, at("other-fabric", second));
  await one.up(all);
  await one.up(args());
  expect(await configurations()).toEqual([...HERE, ...THEIRS].sort());
  await one.up(all);
  await one.destroy();
  expect(await configurations()).toEqual(THEIRS);
  await Promise.all(["other-fabric", "no-fabric"].map((name) => cluster.must("DELETE", OTHER.replace("other-fabric", name))));
});

/** The name that the object for a node will have. */
async function nameFor(node: string, one: Announcement): Promise<string> {
  const lines = Object.entries((await one.preview(args())).inputs.rows as Record<string, unknown>).find(([, line]) =>
    JSON.stringify(line).includes(`/${node}`),
  );
  return lines![0].split("/").at(-1)!.split(" ")[0]!;
}

it("announces from nodes with a part of the network, and from a further node as soon as it has one", async () => {
  await fabric.node("node3", {});
  const one = announcement();
  await one.up(args());
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.1.0/24", "peers"]);
  await fabric.subnets("node3", { default: "10.244.2.0/24" });
  await one.up(args());
  expect(await fabric.announced()).toContain("node3 10.244.2.0/24");
});

it("stores the newest selector, even if it selects the same templates", async () => {
  const one = announcement();
  await one.up(args());
  const before = await fabric.versions();
  await fabric.edit("peers", { metadata: { labels: { use: null, purpose: "fabric" } } });
  const relabelled = args({ frrConfigurationSelector: { matchLabels: { purpose: "fabric" } } });
  await one.up(relabelled);
  expect(await one.refresh()).toMatchObject({ accepted: true });
  expect(await one.preview(relabelled)).toMatchObject({ changes: false });
  const { peers: _edited, ...others } = before;
  expect(await fabric.versions()).toMatchObject(others);
});

it("follows an egress address between nodes, and leaves no object after its removal", async () => {
  const path = "/apis/k8s.ovn.org/v1/egressips";
  await cluster.must("POST", path, {
    apiVersion: "k8s.ovn.org/v1",
    kind: "EgressIP",
    metadata: { name: "out" },
    spec: { egressIPs: ["172.18.0.201"], namespaceSelector: {} },
  });
  const at = (...nodes: string[]) =>
    fabric.withStatus(path, { metadata: { name: "out" } }, { items: nodes.map((node) => ({ node, egressIP: "172.18.0.201" })) });
  const given = args({ advertisements: ["EgressIP"] });
  const one = announcement();
  await at("node1");
  await one.up(given);
  expect(await fabric.announced()).toEqual(["foreign", "node1 172.18.0.201/32", "peers"]);
  await at("node2");
  await one.up(given);
  expect(await fabric.announced()).toEqual(["foreign", "node2 172.18.0.201/32", "peers"]);
  await at();
  await one.refresh();
  await one.up(given);
  expect(await fabric.announced()).toEqual(["foreign", "peers"]);
});

it("leaves no object if it is destroyed after a refresh that found nothing to announce", async () => {
  const path = "/apis/k8s.ovn.org/v1/egressips";
  await cluster.must("POST", path, { apiVersion: "k8s.ovn.org/v1", kind: "EgressIP", metadata: { name: "out" }, spec: { namespaceSelector: {} } });
  await fabric.withStatus(path, { metadata: { name: "out" } }, { items: [{ node: "node1", egressIP: "172.18.0.201" }] });
  const one = announcement();
  await one.up(args({ advertisements: ["EgressIP"] }));
  await cluster.must("DELETE", `${path}/out`);
  await one.refresh();
  await one.destroy();
  expect(await fabric.announced()).toEqual(["foreign", "peers"]);
});

it("announces user-defined networks and the stack's networks together", async () => {
  await cluster.must("POST", "/apis/k8s.ovn.org/v1/clusteruserdefinednetworks", {
    apiVersion: "k8s.ovn.org/v1",
    kind: "ClusterUserDefinedNetwork",
    ...network("blue", "Layer2", ["203.203.0.0/16"]),
  });
  const one = announcement();
  await one.up(
    args({
      networkSelectors: [DEFAULT, USER_DEFINED],
      networks: { own: { topology: "layer3", nodeSubnets: { node1: ["10.9.1.0/24"], node2: ["10.9.2.0/24"] }, egressIPs: { node2: ["172.18.0.9"] } } },
      advertisements: ["PodNetwork"],
    }),
  );
  expect(await fabric.announced()).toEqual([
    "foreign",
    "node1 10.244.0.0/24 10.9.1.0/24 203.203.0.0/16",
    "node2 10.244.1.0/24 10.9.2.0/24 203.203.0.0/16",
    "peers",
  ]);
});

describe("next to ovn-kubernetes' controller", () => {
  const LABEL = "k8s.ovn.org/route-advertisements";

  it("keeps its objects, while the controller deletes those with its label", async () => {
    const orphan = template("orphan", [], { labels: { [LABEL]: "default" } });
    await fabric.template(orphan);
    await announcement().up(args());
    expect(await deleteOrphans(cluster)).toEqual(["orphan"]);
    expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.1.0/24", "peers"]);
  });

  it("moves objects from an earlier release's label to its own in one update, without a deletion", async () => {
    const one = announcement();
    await one.up(args());
    const names = [await fabric.generatedFor("node1"), await fabric.generatedFor("node2")];
    const written = await Promise.all(names.map((name) => fabric.get(name)));
    for (const name of names) await fabric.markAsFormerRelease(name);
    expect(await fabric.get(names[0]!)).toMatchObject({ metadata: { labels: { [LABEL]: "default" } } });
    one.outs = { ...one.outs, digest: "of the earlier release" };
    expect(await one.preview(args())).toMatchObject({ changes: true, diagnostics: [] });
    await one.up(args());
    const after = await Promise.all(names.map((name) => fabric.get(name)));
    const marks = ({ metadata: { uid, labels, annotations }, spec: contents }: any) => ({ uid, labels, annotations, contents });
    expect(after.map(marks)).toEqual(written.map(marks));
    expect(await deleteOrphans(cluster)).toEqual([]);
    expect((await one.refresh()).drift).toBeUndefined();
  });

  it("warns in the preview of unprepared nodes, and of the controller's limits", async () => {
    const one = announcement();
    const codes = async (given: Partial<RouteAdvertisementArgs>) => (await one.preview(args(given))).diagnostics.map(({ path, code }) => [path, code]);
    expect(await codes({ nodesPrepared: false })).toEqual([
      ["networkSelectors[0]", "OVN_WARN_NODES_NOT_PREPARED"],
      ["mode", "OVN_WARN_CONTROLLER"],
    ]);
    expect(await codes({})).toEqual([]);
  });
});

describe("a manual change", () => {
  it("of a template changes the generated objects", async () => {
    const one = announcement();
    await one.up(args());
    await fabric.edit("peers", { spec: { bgp: { routers: [{ asn: 64512, neighbors: [{ ...UPSTREAM, holdTime: "9s", keepaliveTime: "3s" }] }] } } });
    expect(Object.keys((await one.refresh()).drift as object)).toHaveLength(2);
    await one.up(args());
    const { spec: live } = await fabric.get(await fabric.generatedFor("node1"));
    expect(live.bgp.routers[0].neighbors[0]).toMatchObject({ address: "192.168.111.3", holdTime: "9s", keepaliveTime: "3s" });
  });

  it("of a generated object is drift, and repaired", async () => {
    const one = announcement();
    await one.up(args());
    const [edited, deleted] = [await fabric.generatedFor("node1"), await fabric.generatedFor("node2")];
    const { spec: before } = await fabric.get(edited);
    await fabric.edit(edited, { spec: { bgp: { routers: [{ asn: 65000 }] } } });
    await fabric.remove(deleted);
    const drift = (await one.refresh()).drift as Record<string, string>;
    expect(
      Object.keys(drift)
        .map((label) => [edited, deleted].find((name) => label.includes(name)))
        .sort(),
    ).toEqual([edited, deleted].sort());
    await one.up(args());
    expect((await fabric.get(edited)).spec).toEqual(before);
    expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.1.0/24", "peers"]);
  });
});

describe("a refused announcement", () => {
  it("changes nothing: a conflict with another writer's FRRConfiguration", async () => {
    const one = announcement();
    await one.up(args());
    await fabric.edit("foreign", { spec: { bgp: { routers: [{ asn: 64512, neighbors: [{ ...UPSTREAM, holdTime: "9s" }] }] } } });
    await fabric.subnets("node2", { default: "10.244.9.0/24" });
    const before = await fabric.versions();
    await expect(one.up(args())).rejects.toThrow(
      "frrConfigurationSelector: FRRConfiguration frr-k8s-system/foreign has holdTime 9s for neighbour 192.168.111.3 in the main VRF, FRRConfiguration frr-k8s-system/peers has 180s: frr-k8s takes neither (nodes node1, node2) [merge-conflict]",
    );
    expect(await fabric.versions()).toEqual(before);
  });

  it("is reported by a refresh, which keeps the objects, and ends when the cluster is valid again", async () => {
    const one = announcement();
    await one.up(args());
    await fabric.remove("peers");
    const before = await fabric.versions();
    expect(await one.refresh()).toMatchObject({ accepted: false, reason: expect.stringContaining("no FRRConfiguration has such labels") });
    expect(await fabric.versions()).toEqual(before);
    await expect(one.up(args())).rejects.toThrow("[no-template]");
    await fabric.template(template("peers", [{ asn: 64512, neighbors: [UPSTREAM] }]));
    await fabric.node("node3", { default: "10.244.2.0/24" });
    await one.up(args());
    expect(await one.refresh()).toMatchObject({ accepted: true });
    expect((await one.refresh()).reason).toBeUndefined();
    expect(await fabric.announced()).toContain("node3 10.244.2.0/24");
  });

  it("can be destroyed", async () => {
    const one = announcement();
    await one.up(args());
    await fabric.remove("peers");
    await one.refresh();
    await one.destroy();
    expect(await fabric.announced()).toEqual(["foreign"]);
  });

  it("shows no password, and the state contains none", async () => {
    await fabric.edit("foreign", { spec: { bgp: { routers: [{ asn: 64512, neighbors: [{ ...UPSTREAM, password: "hunter2" }] }] } } });
    const { diagnostics, inputs } = await announcement().preview(args());
    expect(diagnostics.map(({ code }) => code)).toEqual(["merge-conflict"]);
    expect(JSON.stringify([diagnostics, inputs])).not.toContain("hunter2");
  });
});

it("is previewed without the cluster by the last facts, with a warning", async () => {
  const one = announcement();
  await one.up(args());
  const nowhere = targetsIn(cluster, { timeout: 5 });
  jest.spyOn(Cluster.prototype, "list").mockRejectedValue(Object.assign(new Error("can't be reached"), { code: "OVN_CLUSTER_UNREACHABLE" }));
  const { changes, diagnostics } = await one.preview(args(), nowhere);
  expect({ changes, codes: diagnostics.map(({ code, severity }) => [severity, code]) }).toEqual({
    changes: false,
    codes: [["warning", "OVN_WARN_OBSERVED_EARLIER"]],
  });
  const other = await one.preview(args({ networks: { own: { topology: "layer2", subnets: ["10.9.0.0/16"] } } }), nowhere);
  expect({ changes: other.changes, announced: other.inputs.announced }).toEqual({
    changes: true,
    announced: { node1: ["10.244.0.0/24", "10.9.0.0/16"], node2: ["10.244.1.0/24", "10.9.0.0/16"] },
  });
});

it("converges after an interruption at any write", async () => {
  const one = announcement();
  await one.up(args());
  await fabric.removeNode("node2");
  for (const name of ["node3", "node4"]) await fabric.node(name, { default: `10.244.${name.at(-1)!}.0/24` });
  await fabric.subnets("node1", { default: "10.244.7.0/24" });
  const wanted = ["foreign", "node1 10.244.7.0/24", "node3 10.244.3.0/24", "node4 10.244.4.0/24", "peers"];
  const { apply, delete: remove } = Cluster.prototype;
  const cut = (left: number) => {
    const counted = async <T>(write: () => Promise<T>) => {
      if (left-- <= 0) throw new Error("killed");
      return write();
    };
    jest.spyOn(Cluster.prototype, "apply").mockImplementation(function (this: Cluster, ...given) {
      return counted(() => apply.apply(this, given));
    });
    jest.spyOn(Cluster.prototype, "delete").mockImplementation(function (this: Cluster, ...given) {
      return counted(() => remove.apply(this, given));
    });
  };
  // Each interrupted run has done one more write, unknown to the others.
  for (let run = 0; run < 4; run++) {
    cut(1);
    await one.up(args()).catch((error: Error) => expect(error.message).toContain("killed"));
    jest.restoreAllMocks();
  }
  await one.up(args());
  expect(await fabric.announced()).toEqual(wanted);
  expect(await one.preview(args())).toMatchObject({ changes: false });
  expect((await one.refresh()).drift).toBeUndefined();
});

describe("waiting for frr-k8s", () => {
  const STATES = "/apis/frrk8s.metallb.io/v1beta1/frrnodestates";
  const SESSIONS = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/bgpsessionstates";
  const kind = (name: string, more: object) => ({ apiVersion: "frrk8s.metallb.io/v1beta1", kind: name, ...more });
  const loaded = (node: string, prefix: string) =>
    fabric.withStatus(
      STATES,
      { ...kind("FRRNodeState", {}), metadata: { name: node } },
      { lastConversionResult: "success", lastReloadResult: "success", runningConfig: `  network ${prefix}` },
    );
  const session = (node: string, bgpStatus: string) =>
    fabric.withStatus(
      SESSIONS,
      { ...kind("BGPSessionState", {}), metadata: { name: `${node}-s` } },
      { node, peer: "192.168.111.3", vrf: "", bgpStatus, bfdStatus: "N/A" },
    );

  it("ends when the sessions are up", async () => {
    const one = announcement();
    await Promise.all([loaded("node1", "10.244.0.0/24"), loaded("node2", "10.244.1.0/24"), session("node1", "Established"), session("node2", "Established")]);
    await one.up(args({ waitFor: "established" }));
    expect(one.outs).toMatchObject({ accepted: true });
  });

  it("ends a removal when FRR has lost the prefixes, also after a refresh that found them surplus", async () => {
    const one = announcement();
    const both = "10.244.9.0/24\n  network 10.244.1.0/24";
    const still = expect.stringMatching(/: not reached within 0\.3 s: node node2: FRR still has 10\.244\.1\.0\/24$/);
    const attempt = (timeout: number) => one.up(args({ waitFor: "applied", timeout }));
    await Promise.all([loaded("node1", "10.244.0.0/24"), loaded("node2", both)]);
    await attempt(30);
    await fabric.subnets("node2", { default: "10.244.9.0/24" });
    await expect(attempt(0.3)).rejects.toMatchObject({ code: "OVN_NOT_APPLIED", message: still });
    expect(await fabric.announced()).toHaveLength(4);

    await fabric.subnets("node2", { default: "10.244.1.0/24" });
    await loaded("node2", "10.244.1.0/24");
    await attempt(30);
    await fabric.subnets("node2", { default: "10.244.9.0/24" });
    await one.refresh();
    await loaded("node2", both);
    await expect(attempt(0.3)).rejects.toMatchObject({ code: "OVN_NOT_APPLIED", message: still });
  });

  it("waits after a change of the namespace until FRR has lost the former announcement", async () => {
    await cluster.namespace("moved");
    const MOVED = "/apis/frrk8s.metallb.io/v1beta1/namespaces/moved/frrconfigurations";
    const { metadata, spec: peers, ...head } = template("peers", [{ asn: 64512, neighbors: [UPSTREAM] }]);
    const selecting = { ...peers, nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node1" } } };
    await cluster.must("POST", MOVED, { ...head, metadata: { ...metadata, namespace: "moved" }, spec: selecting });
    const one = announcement();
    await Promise.all([loaded("node1", "10.244.0.0/24"), loaded("node2", "10.244.1.0/24")]);
    await one.up(args({ waitFor: "applied", timeout: 30 }));
    await expect(one.up(args({ waitFor: "applied", namespace: "moved", timeout: 0.3 }))).rejects.toMatchObject({
      code: "OVN_NOT_APPLIED",
      message: expect.stringMatching(/: not reached within 0\.3 s: node node2: FRR still has 10\.244\.1\.0\/24$/),
    });
    expect(await fabric.announced()).toEqual(["foreign", "peers"]);
    await one.destroy();
    await cluster.must("DELETE", MOVED);
  });

  it("names the session that is down; the objects stay, and a later update continues or removes them", async () => {
    const one = announcement();
    await Promise.all([loaded("node1", "10.244.0.0/24"), loaded("node2", "10.244.1.0/24"), session("node1", "Established"), session("node2", "Active")]);
    await expect(one.up(args({ waitFor: "established", timeout: 0.3 }))).rejects.toMatchObject({
      code: "OVN_NOT_ESTABLISHED",
      message: expect.stringMatching(
        /^OVN_NOT_ESTABLISHED: RouteAdvertisement "a\d+" in cluster "prod" .*: not reached within 0\.3 s: node node2: the session with 192\.168\.111\.3 is in state Active \(no connection: [^()]*\)$/,
      ),
    });
    expect(await fabric.announced()).toHaveLength(4);
    await fabric.subnets("node2", { default: "10.244.9.0/24" });
    await Promise.all([loaded("node2", "10.244.9.0/24"), session("node2", "Established")]);
    await one.up(args({ waitFor: "established", timeout: 30 }));
    await one.destroy();
    expect(await fabric.announced()).toEqual(["foreign", "peers"]);
  });
});

describe("with ovn-kubernetes' controller", () => {
  const PATH = "/apis/k8s.ovn.org/v1/routeadvertisements";
  const given = args({ nodesPrepared: false, mode: "controller", targetVRF: "default", timeout: 20 });

  /** Answers to the object as it is made, and once more whenever it is changed. */
  async function controller(answers: readonly object[]): Promise<void> {
    for (const [index, answer] of answers.entries()) {
      let object: any;
      do object = await cluster.ask("GET", `${PATH}/default`);
      while (object.status !== 200 || object.body.metadata.generation < index + 1);
      await fabric.withStatus(
        PATH,
        { metadata: { name: "default" } },
        { conditions: [{ type: "Accepted", observedGeneration: object.body.metadata.generation, ...answer }] },
      );
    }
  }

  it("writes the object, waits for its acceptance, changes and removes it", async () => {
    const one = announcement();
    const answering = controller([
      { status: "True", reason: "Accepted" },
      { status: "True", reason: "Accepted" },
    ]);
    await one.up(given);
    expect((await cluster.must("GET", `${PATH}/default`)).spec).toEqual({
      networkSelectors: [DEFAULT],
      nodeSelector: {},
      frrConfigurationSelector: { matchLabels: { use: "yes" } },
      advertisements: ["PodNetwork"],
    });
    await one.up({ ...given, advertisements: ["PodNetwork", "EgressIP"] });
    await answering;
    expect(await fabric.announced()).toEqual(["foreign", "peers"]);
    expect((await one.refresh()).drift).toBeUndefined();
    await one.destroy();
    expect(await cluster.names(PATH)).toEqual([]);
  });

  it("fails with the controller's message if it refuses", async () => {
    const one = announcement();
    const answering = controller([{ status: "False", reason: "ConfigurationError", message: "configuration error: no VRF matching" }]);
    await expect(one.up(given)).rejects.toThrow(/^OVN_NOT_ACCEPTED: RouteAdvertisement ".*: configuration error: no VRF matching$/);
    await answering;
  });
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestCluster } from "../support/kubernetes";
import { ANNOUNCED, gadget, GADGETS, map, MAPS, startFabricWithCluster, versionsOf } from "../support/kubernetes-stack";
import type { Fabric } from "../support/announcement";
import { processTree } from "@pulumi-ovn/sandbox/testing";
import { isProvider, killAll } from "../support/processes";
import { pulumiOvn } from "../support/pulumi-ovn";
import { finished, type Ran, Workspace } from "../support/workspace";

jest.setTimeout(600_000);

interface Changes {
  readonly size?: number;
  readonly more?: object;
  readonly adopt?: object;
  readonly announced?: object;
}

const program = ({ size = 1, more = {}, adopt, announced = {} }: Changes = {}) => `
const objects = ${JSON.stringify({ one: gadget("one", { size, note: "hi", ports: [{ name: "web", number: 80 + size }] }), two: map("two", { x: "1" }), empty: map("empty"), ...more })};
new ovn.KubernetesObjects("set", { cluster: "prod", objects, adopt: ${JSON.stringify(adopt)} });
const fabric = new ovn.RouteAdvertisement("fabric", ${JSON.stringify({ ...ANNOUNCED, ...announced })});
exports.announced = fabric.announced;
exports.accepted = fabric.accepted;
`;

let cluster: TestCluster;
let fabric: Fabric;
let workspace: Workspace;
let before: Record<string, string>;
beforeAll(async () => {
  ({ cluster, fabric } = await startFabricWithCluster());
  before = await versionsOf(cluster);
  workspace = await Workspace.create(program(), {});
  await workspace.target({}, { prod: cluster.target() });
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await cluster?.stop();
});

const up = () => workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
/** More objects than are written at the same time. */
const MANY = 400;

const said = ({ stdout, stderr }: Ran) => stdout + stderr;
/** Errors of an update, one for each failed resource. */
const errors = (ran: Ran) =>
  [
    ...new Set(
      said(ran)
        .split("\n")
        .flatMap((line) => /^ {4}error: (.*)$/.exec(line)?.[1] ?? []),
    ),
  ]
    .filter((text) => text !== "update failed")
    .sort();
/** The lines of objects that a diff marks, without their white space. */
const marked = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^\s+[~+-] (ConfigMap|Gadget|FRRConfiguration) /.test(line))
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .sort();
/** Objects that an update wrote and removed. */
const touched = async (since: Record<string, string>) => {
  const now = await versionsOf(cluster);
  return [...new Set([...Object.keys(since), ...Object.keys(now)])].filter((name) => since[name] !== now[name]).sort();
};
const at = () => `in cluster "prod" (kubeconfig ${cluster.api.kubeconfig})`;

it("creates the objects, and finds no change afterwards", async () => {
  expect(await workspace.up()).toMatch(/^Outputs:\n {4}accepted : true\n {4}announced: \{\n {8}node1: \[\n {12}\[0\]: "10\.244\.0\.0\/24"$/m);
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.1.0/24", "peers"]);
  expect([await cluster.names(GADGETS), await cluster.names(MAPS)]).toEqual([["one"], ["empty", "theirs", "two"]]);
  const made = await versionsOf(cluster);
  expect(made).toMatchObject(before);
  expect(await workspace.changes("up", "--yes", "--refresh", "--skip-preview")).toEqual({ same: 3 });
  expect(await versionsOf(cluster)).toEqual(made);
});

/** How often the server was asked for a list of a kind. */
async function listsOf(kind: string): Promise<number> {
  const text = (await cluster.must("GET", "/metrics")) as string;
  const counted = text
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total{") && line.includes(`resource="${kind}"`) && line.includes('verb="LIST"'));
  return counted.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

it("reads its dependencies once in a preview with refresh, and again in an update", async () => {
  const asked = async (...command: string[]) => {
    const before = await Promise.all(["nodes", "frrconfigurations"].map(listsOf));
    await workspace.must(...command, "--refresh", "--stack", "dev");
    return (await Promise.all(["nodes", "frrconfigurations"].map(listsOf))).map((count, index) => count - before[index]!);
  };
  expect(await asked("preview", "--expect-no-changes")).toEqual([1, 1]);
  expect(await asked("up", "--yes", "--skip-preview")).toEqual([2, 2]);
});

it("previews one line for each object, or part of one, that changes, and writes these alone", async () => {
  const [first, second] = [await fabric.generatedFor("node1"), await fabric.generatedFor("node2")];
  await workspace.write(program({ size: 2, more: { three: map("three", { y: "2" }) } }));
  await fabric.subnets("node2", { default: "10.244.9.0/24" });
  const since = await versionsOf(cluster);
  const shown = await workspace.must("preview", "--diff", "--stack", "dev");
  expect(marked(shown)).toEqual([
    '+ ConfigMap app/three: "data.y=2"',
    `~ FRRConfiguration frr-k8s-system/${second} spec.bgp.routers[0] : "asn=64512 prefixes=10.244.1.0/24" => "asn=64512 prefixes=10.244.9.0/24"`,
    `~ FRRConfiguration frr-k8s-system/${second} spec.bgp.routers[0].neighbors[0] 2: "toAdvertise.allowed.prefixes=10.244.1.0/24 toReceive.allowed.mode=filtered" => "toAdvertise.allowed.prefixes=10.244.9.0/24 toReceive.allowed.mode=filtered"`,
    '~ Gadget app/one : "spec.note=hi spec.ports[0].name=web spec.ports[0].number=81 spec.size=1" => "spec.note=hi spec.ports[0].name=web spec.ports[0].number=82 spec.size=2"',
  ]);
  expect(shown).toMatch(/~ k8s\.ovn\.org\/node-subnets: \(json\) \{\s+~ default: "10\.244\.1\.0\/24" => "10\.244\.9\.0\/24"/);
  const json = join(workspace.folder, "preview.json");
  await writeFile(json, await workspace.must("preview", "--json", "--stack", "dev"));
  expect((await pulumiOvn(["diff", json])).stdout).toBe(`trial/dev: 1 cluster, 3 objects: 1 added, 2 changed
warning: fabric: the cluster has RouteAdvertisements (k8s.ovn.org/v1): ovn-kubernetes' controller does not change, delete or copy the FRRConfigurations of this announcement, and does not change the nodes for it; nodesPrepared: true turns this warning off [OVN_WARN_CONTROLLER]
warning: fabric: the default network: mode "generate" announces the network and does not change the nodes: they still replace the source of everything that its pods send out of the cluster with their own address, also of replies, and do not isolate it from other announced networks; use mode "controller", or change the nodes and set nodesPrepared: true [OVN_WARN_NODES_NOT_PREPARED]

cluster prod: 3 objects: 1 added, 2 changed
  KubernetesObjects set
    + ConfigMap app/three: data.y=2
    ~ Gadget app/one
      - spec.ports[0].number=81
      + spec.ports[0].number=82
      - spec.size=1
      + spec.size=2
  RouteAdvertisement fabric
    ~ FRRConfiguration frr-k8s-system/${second}
      - spec.bgp.routers[0].neighbors[0].toAdvertise.allowed.prefixes=10.244.1.0/24
      + spec.bgp.routers[0].neighbors[0].toAdvertise.allowed.prefixes=10.244.9.0/24
      - spec.bgp.routers[0].prefixes=10.244.1.0/24
      + spec.bgp.routers[0].prefixes=10.244.9.0/24
`);
  expect(await versionsOf(cluster)).toEqual(since);
  await workspace.up();
  expect(await touched(since)).toEqual([second, "one", "three"].sort());
  expect(first).not.toBe(second);
});

it("shows by refresh and repairs manual changes and deletions", async () => {
  const [edited, deleted] = [await fabric.generatedFor("node1"), await fabric.generatedFor("node2")];
  await cluster.edit(`${GADGETS}/one`, { spec: { note: "by hand" }, metadata: { labels: { theirs: "kept" } } });
  await cluster.must("DELETE", `${MAPS}/two`);
  await fabric.edit(edited, { spec: { bgp: { routers: [{ asn: 65000 }] } } });
  await fabric.remove(deleted);
  const found = await pulumiOvn(["drift", "--stack", "dev"], workspace.environment, workspace.folder);
  expect([found.code, found.stderr]).toEqual([2, ""]);
  expect(found.stdout.split("\n").filter((line) => !line.includes(edited))).toEqual([
    "trial/dev: 4 differences in 2 of 2 resources",
    "",
    "cluster prod",
    "  KubernetesObjects set",
    "  + ConfigMap app/two: missing",
    '  ~ Gadget app/one: spec.note="by hand" instead of hi',
    "      written by kubectl-edit",
    "  RouteAdvertisement fabric",
    `  + FRRConfiguration frr-k8s-system/${deleted}: missing`,
    "      written by kubectl-edit",
    "",
    '"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -',
    "",
  ]);
  const refreshed = await workspace.must("refresh", "--yes", "--skip-preview", "--diff", "--stack", "dev");
  expect(marked(refreshed)).toEqual([
    '+ ConfigMap app/two: "missing"',
    `+ FRRConfiguration frr-k8s-system/${deleted}: "missing"`,
    `+ FRRConfiguration frr-k8s-system/${edited}: "spec.bgp.routers=[{\\"asn\\":65000}] instead of [{\\"asn\\":64512,\\"neighbors\\":[{\\"address\\":\\"192.168.111.3\\",\\"asn\\":64512,\\"disableMP\\"..."`,
    '+ Gadget app/one : "spec.note=\\"by hand\\" instead of hi"',
  ]);
  await workspace.up();
  expect(await fabric.announced()).toEqual(["foreign", "node1 10.244.0.0/24", "node2 10.244.9.0/24", "peers"]);
  const { metadata, spec } = await cluster.must("GET", `${GADGETS}/one`);
  expect([spec.note, metadata.labels.theirs, (await cluster.must("GET", `${MAPS}/two`)).data]).toEqual(["hi", "kept", { x: "1" }]);
});

it("refuses an object of another writer, with its name, before anything is written, and adopts it on request", async () => {
  await cluster.apply(`${GADGETS}/one`, gadget("one", { size: 7 }), "argocd", true);
  await workspace.write(program({ size: 3, more: { three: map("three", { y: "3" }) } }));
  const since = await versionsOf(cluster);
  const conflict = 'spec.size is managed by "argocd"; leave it to one of the two, or name the manager in adopt: { owners: [...] }';
  expect(errors(await up())).toEqual([`OVN_FIELD_CONFLICT: KubernetesObjects "set" ${at()}: Gadget app/one: ${conflict}`]);
  expect(await touched(since)).toEqual([]);
  await workspace.write(program({ size: 3, adopt: { owners: ["argocd"] } }));
  await workspace.up();
  expect(await touched(since)).toEqual(["one", "three"]);
  expect((await cluster.must("GET", `${GADGETS}/one`)).spec).toMatchObject({ size: 3, ports: [{ name: "web", number: 83 }] });
});

it("refuses invalid announcements before anything is written", async () => {
  const since = await versionsOf(cluster);
  const fails = async (announced: object) => {
    await workspace.write(program({ size: 3, adopt: { owners: ["argocd"] }, announced }));
    const problem = /^ {4}error: .* resource 'fabric': property (\S+) value \{.*\} has a problem: (.*)$/;
    return said(await up())
      .split("\n")
      .flatMap((line) => (problem.exec(line) ? [problem.exec(line)!.slice(1)] : []))
      .sort();
  };
  expect(
    await fails({
      targetVRF: "auto",
      nodeSelector: { matchLabels: { rack: "a" } },
      advertisements: ["PodNetwork", "EgressIP"],
      frrConfigurationSelector: { matchLabels: { use: "nobody" } },
    }),
  ).toEqual([
    ["advertisements[1]", 'egress addresses are not announced with targetVRF "auto": name the VRF, or announce PodNetwork alone [egress-ip]'],
    ["nodeSelector", "networks are announced from all nodes: leave the selector empty, or announce EgressIP alone [node-selector]"],
  ]);
  await fabric.edit("foreign", { spec: { bgp: { routers: [{ asn: 64513, neighbors: [{ address: "192.168.111.3", asn: 64512 }] }] } } });
  expect(await fails({})).toEqual([
    [
      "frrConfigurationSelector",
      "FRRConfiguration frr-k8s-system/foreign has asn 64513 for the main VRF, FRRConfiguration frr-k8s-system/peers has 64512: frr-k8s takes neither (nodes node1, node2) [merge-conflict]",
    ],
  ]);
  expect(await touched(since)).toEqual(["foreign"]);
  await fabric.edit("foreign", { spec: { bgp: { routers: [{ asn: 64512, neighbors: [{ address: "192.168.111.9", asn: 64512 }] }] } } });
});

it("previews from the last update's facts if the cluster can't be reached, with a warning", async () => {
  await workspace.write(
    program({ size: 5, adopt: { owners: ["argocd"] }, announced: { networks: { own: { topology: "layer2", subnets: ["10.9.0.0/16"] } } } }),
  );
  const { kubeconfig, url } = cluster.api;
  const usual = await readFile(kubeconfig, "utf8");
  // No server listens there.
  await writeFile(kubeconfig, usual.replace(url, "https://127.0.0.1:2"));
  const { code, stdout, stderr } = await workspace.run("preview", "--diff", "--stack", "dev");
  await workspace.write(`${program()}new ovn.RouteAdvertisement("first", ${JSON.stringify({ ...ANNOUNCED, name: "first" })});`);
  // Both resources fail, and the failure of one ends the registration of the other otherwise.
  const first = await workspace.run("up", "--yes", "--skip-preview", "--continue-on-error", "--stack", "dev");
  await writeFile(kubeconfig, usual);
  expect(code).toBe(0);
  expect(said(first)).toMatch(/first.*https:\/\/127\.0\.0\.1:2 can't be reached: connect ECONNREFUSED 127\.0\.0\.1:2 \[OVN_CLUSTER_UNREACHABLE\]/);
  expect(said(first)).not.toContain("unknown property value");
  const unreachable = "https://127.0.0.1:2 can't be reached: connect ECONNREFUSED 127.0.0.1:2";
  expect(stdout + stderr).toContain(
    `warning: [runtime] fabric: cluster "prod" (kubeconfig ${cluster.api.kubeconfig}) can't be read now, so the preview uses the facts of the last update: ${unreachable} [OVN_WARN_OBSERVED_EARLIER]`,
  );
  expect(
    marked(stdout)
      .filter((line) => line.includes(" spec.bgp.routers[0] : "))
      .map((line) => line.replace(/^.* : /, ""))
      .sort(),
  ).toEqual([
    '"asn=64512 prefixes=10.244.0.0/24" => "asn=64512 prefixes=10.244.0.0/24,10.9.0.0/16"',
    '"asn=64512 prefixes=10.244.9.0/24" => "asn=64512 prefixes=10.244.9.0/24,10.9.0.0/16"',
  ]);
});

it("uses the configuration of @pulumi/kubernetes, and keeps credentials out of the state and the output", async () => {
  await workspace.write(program({ size: 3, adopt: { owners: ["argocd"] } }));
  await workspace.target({}, { prod: {} });
  const file = join(workspace.folder, "Pulumi.dev.yaml");
  const config = await readFile(file, "utf8");
  const kubeconfig = await readFile(cluster.api.kubeconfig, "utf8");
  await writeFile(file, `${config}  kubernetes:kubeconfig: ${JSON.stringify(kubeconfig)}\n`);
  const clear = await up();
  expect(said(clear)).toContain(
    'OVN_CLEAR_CREDENTIALS: KubernetesObjects "set": kubernetes:kubeconfig in the stack\'s configuration is a kubeconfig with credentials in clear text',
  );
  // Pulumi's own history of updates has the configuration of each, before anything of this package runs.
  const state = await readFile(join(workspace.folder, "state/state/.pulumi/stacks/trial/dev.json"), "utf8");
  expect([said(clear), state].map((text) => text.includes(cluster.api.token()))).toEqual([false, false]);
  expect(state).toContain("ovn:KubernetesObjects::set");
  // From here on it is the file that the configuration names.
  await writeFile(file, `${config}  kubernetes:kubeconfig: ${cluster.api.kubeconfig}\n  kubernetes:context: admin\n`);
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 3 });
});

/** Runs a command and kills its provider process with SIGKILL after so many writes; the server is frozen meanwhile. */
async function killedAfter(writes: number, ...command: string[]): Promise<void> {
  const watch = await cluster.watch(MAPS);
  const child = workspace.start(...command, "--yes", "--skip-preview", "--stack", "dev");
  const ended = finished(child);
  const early = ended.then((ran) => Promise.reject(new Error(`it ended before it was killed:\n${said(ran)}`)));
  await Promise.race([watch.events((name) => name.startsWith("many"), writes), early]);
  cluster.api.freeze(true);
  const providers = processTree(child.pid!).filter(isProvider);
  expect(providers).not.toEqual([]);
  killAll(providers);
  cluster.api.freeze(false);
  watch.end();
  await expect(early).rejects.toThrow("error: ");
}

it("converges after its process was killed between two writes, in a create and in a delete", async () => {
  const many = (from: number, to: number) => {
    const objects = Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`many${from + index}`, map(`many${from + index}`, { a: "1" })]));
    return `${program({ size: 3, adopt: { owners: ["argocd"] } })}new ovn.KubernetesObjects("many", { cluster: "prod", objects: ${JSON.stringify(objects)} });`;
  };
  const left = async () => (await cluster.names(MAPS)).filter((name) => name.startsWith("many"));
  await workspace.write(many(0, MANY));
  await killedAfter(20, "up");
  const made = (await left()).length;
  expect([made >= 20, made < MANY]).toEqual([true, true]);
  // Objects that are neither in the state nor in the new program are removed.
  await workspace.write(many(100, MANY));
  await workspace.up();
  expect(await left()).toEqual(Array.from({ length: MANY - 100 }, (_, index) => `many${100 + index}`).sort());
  await killedAfter(20, "destroy");
  const kept = (await left()).length;
  expect([kept > 0, kept <= MANY - 120]).toEqual([true, true]);
});

it("keeps an object that ovn-kubernetes' controller has not accepted: a refresh reports the answer, an update waits for it, and it can be removed", async () => {
  const path = "/apis/k8s.ovn.org/v1/routeadvertisements";
  const asked = `new ovn.RouteAdvertisement("asked", ${JSON.stringify({ ...ANNOUNCED, name: "asked", mode: "controller", timeout: 1 })});`;
  const answer = async (condition: object) => {
    const { metadata } = await cluster.must("GET", `${path}/asked`);
    await fabric.withStatus(
      path,
      { metadata: { name: "asked" } },
      { conditions: [{ type: "Accepted", observedGeneration: metadata.generation, ...condition }] },
    );
  };
  const state = async () => {
    const { resources } = await workspace.state();
    const { accepted, reason } = resources.find(({ urn }) => urn.endsWith("::asked"))!.outputs;
    return [accepted, reason];
  };
  await workspace.write(program({ size: 3 }) + asked);
  expect(said(await up())).toMatch(
    /OVN_NOT_ACCEPTED: RouteAdvertisement "asked" in cluster "prod" \(.*\): not accepted within 1 s: ovn-kubernetes has not looked at it/,
  );
  await answer({ status: "False", reason: "ConfigurationPending", message: "no networks selected" });
  await workspace.must("refresh", "--yes", "--skip-preview", "--stack", "dev");
  expect(await state()).toEqual([false, "no networks selected"]);
  await answer({ status: "True", reason: "Accepted", message: "" });
  await workspace.up();
  expect(await state()).toEqual([true, undefined]);
  await workspace.write(program({ size: 3 }));
  await workspace.up();
  expect(await cluster.names(path)).toEqual([]);
});

it("destroys only its own objects", async () => {
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await versionsOf(cluster)).toEqual({ ...before, foreign: expect.any(String) });
});

import { appendFile, cp } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { installKubernetesPlugin, processTree, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { Fabric } from "../support/announcement";
import { TestCluster } from "../support/kubernetes";
import { gadgetCrd } from "../support/kubernetes-crds";
import { killAll } from "../support/processes";
import { pulumiOvn } from "../support/pulumi-ovn";
import { until } from "../support/until";
import { finished, Workspace } from "../support/workspace";

jest.setTimeout(900_000);

const FRR = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";
const CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.test.pulumi-ovn";
const CONFIG_MAP = "/api/v1/namespaces/team/configmaps";
const GADGET = "/apis/test.pulumi-ovn/v1/namespaces/team/gadgets/ours";
const HOSTNAME = "kubernetes.io/hostname";
const TEMPLATES = ["peers-node1", "peers-node2"];

/** A namespace, a kind and an object of `@pulumi/kubernetes`, by its default provider, and objects of ours in them. */
const MORE = `
const team = new k8s.core.v1.Namespace("team", { metadata: { name: "team", annotations } });
new k8s.core.v1.ConfigMap("theirs", { metadata: { name: "theirs", namespace: team.metadata.name, annotations }, data: { mtu: "1400" } });
const gadgets = new k8s.apiextensions.v1.CustomResourceDefinition("gadgets", ${JSON.stringify({ ...gadgetCrd, metadata: { ...gadgetCrd.metadata, labels: { team: "net" } } })} as any);
const metadata = { name: "ours", namespace: "team" };
const objects = {
  map: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { mtu: "1400" } },
  gadget: { apiVersion: "test.pulumi-ovn/v1", kind: "Gadget", metadata, spec: { size: 1 } },
};
new ovn.KubernetesObjects("ours", { cluster: "default", objects }, { dependsOn: [team, gadgets] });
`;

let cluster: TestCluster;
let workspace: Workspace;
beforeAll(async () => {
  cluster = await TestCluster.start({ crds: ["frr-k8s"] });
  const fabric = new Fabric(cluster);
  await fabric.node("node1", { default: "10.244.0.0/24" });
  await fabric.node("node2", { default: "10.244.1.0/24" });
  workspace = await Workspace.empty("pulumi-ovn-gitops");
  await cluster.namespace("frr-k8s-system");
  await cp(join(projectRoot, "examples/gitops"), workspace.folder, { recursive: true });
  await appendFile(join(workspace.folder, "index.ts"), MORE);
  await installKubernetesPlugin(workspace.environment["PULUMI_HOME"]!, () => undefined);
  await workspace.must("stack", "init", "dev");
  await workspace.must("config", "set", "kubernetes:kubeconfig", cluster.api.kubeconfig, "--stack", "dev");
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await cluster?.stop();
});

/** Names of the namespace's FRRConfigurations. */
const names = async () => {
  const { status, body } = await cluster.ask("GET", FRR);
  return status === 200 ? (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata: { name } }) => name).sort() : [];
};
const up = (...args: string[]) => workspace.must("up", "--yes", "--skip-preview", "--stack", "dev", ...args);

/** As the controller of namespaces, which this cluster lacks: removes a namespace that is being deleted. */
async function finalize(name: string): Promise<void> {
  await until(async () => (await cluster.must("GET", `/api/v1/namespaces/${name}`)).metadata.deletionTimestamp !== undefined);
  await cluster.finalize(name);
}

/** Kills an update, its program and its plugins, which outlive their CLI, when the condition holds. */
async function killedWhen(condition: () => Promise<boolean>): Promise<void> {
  const killed = workspace.start("up", "--yes", "--skip-preview", "--stack", "dev");
  const ended = finished(killed);
  await until(condition);
  killAll([...processTree(killed.pid!)]);
  await ended;
  await workspace.recover();
}

it("the example gitops: templates by @pulumi/kubernetes, the announcement by ours, over kills, drift and destroy", async () => {
  const preview = await workspace.must("preview", "--stack", "dev");
  // A resource has a line for each of its steps.
  expect([...new Set(preview.match(/ \+ {2}(kubernetes|pulumi-nodejs)\S+ \S+ create/g))].sort()).toEqual([
    " +  kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition gadgets create",
    " +  kubernetes:core/v1:ConfigMap theirs create",
    " +  kubernetes:core/v1:Namespace team create",
    " +  kubernetes:frrk8s.metallb.io/v1beta1:FRRConfiguration peers-node1 create",
    " +  kubernetes:frrk8s.metallb.io/v1beta1:FRRConfiguration peers-node2 create",
    " +  pulumi-nodejs:dynamic/ovn:KubernetesObjects ours create",
    " +  pulumi-nodejs:dynamic/ovn:RouteAdvertisement announcement create",
  ]);
  expect(await names()).toEqual([]);

  // After the one provider and before the other.
  await killedWhen(async () => isDeepStrictEqual(await names(), TEMPLATES));

  await up();
  const generated = (await names()).filter((name) => !TEMPLATES.includes(name));
  expect([generated.length, await names()]).toEqual([2, [...generated, ...TEMPLATES]]);
  const nodes = await Promise.all(
    generated.map(async (name) => (await cluster.must("GET", `${FRR}/${name}`)).spec.nodeSelector.matchLabels[HOSTNAME] as string),
  );
  const [surplus, changed] = ["node1", "node2"].map((node) => generated[nodes.indexOf(node)]!) as [string, string];
  const edited = async () => {
    const paths = [`${FRR}/peers-node1`, `${CONFIG_MAP}/theirs`, CRD, `${FRR}/${changed}`, `${FRR}/${surplus}`, `${CONFIG_MAP}/ours`, GADGET];
    const found = await Promise.all(paths.map((path) => cluster.must("GET", path)));
    return found.map(({ metadata: { labels }, spec, data }) => ({ labels, spec, data }) as object);
  };
  const desired = await edited();
  const elsewhere = { spec: { nodeSelector: { matchLabels: { [HOSTNAME]: "elsewhere" } } } };
  await cluster.edit(`${FRR}/peers-node1`, elsewhere);
  await cluster.edit(`${CONFIG_MAP}/theirs`, { data: { mtu: "9000" } });
  await cluster.edit(CRD, { metadata: { labels: { team: "other" } } });
  await cluster.edit(`${FRR}/${changed}`, elsewhere, "gitops-tool");
  await cluster.edit(`${CONFIG_MAP}/ours`, { data: { mtu: "9000" } });
  await cluster.edit(GADGET, { spec: { size: 2 } });

  const repairs = (await workspace.must("preview", "--refresh", "--diff", "--stack", "dev")).split("\n").map((line) => line.trim());
  expect(repairs).toEqual(
    expect.arrayContaining([
      '~ kubernetes.io/hostname: "elsewhere" => "node1"',
      '~ mtu: "9000" => "1400"',
      '~ team: "other" => "net"',
      '~ ConfigMap team/ours: "data.mtu=9000" => "data.mtu=1400"',
      '~ Gadget team/ours   : "spec.size=2" => "spec.size=1"',
      expect.stringContaining(
        '"spec.nodeSelector.matchLabels.kubernetes.io/hostname=elsewhere" => "spec.nodeSelector.matchLabels.kubernetes.io/hostname=node2"',
      ),
    ]),
  );
  expect(await pulumiOvn(["drift", "--stack", "dev"], workspace.environment, workspace.folder)).toEqual({
    code: 2,
    stderr: "",
    stdout: `pulumi-ovn-gitops/dev: 4 differences in 2 of 2 resources

cluster default
  KubernetesObjects ours
  ~ ConfigMap team/ours: data.mtu=9000 instead of 1400
      written by kubectl-edit
  ~ Gadget team/ours: spec.size=2 instead of 1
      written by kubectl-edit
  RouteAdvertisement announcement
  ~ FRRConfiguration frr-k8s-system/${changed}: spec.nodeSelector.matchLabels["kubernetes.io/hostname"]=elsewhere instead of node2
      written by gitops-tool
  - FRRConfiguration frr-k8s-system/${surplus}: surplus

"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -
`,
  });
  await up("--refresh");
  expect(await edited()).toEqual(desired);

  await Promise.all([workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev"), finalize("team")]);
  expect((await cluster.must("GET", "/apis/frrk8s.metallb.io/v1beta1/frrconfigurations")).items).toEqual([]);
  expect((await cluster.ask("GET", "/api/v1/namespaces/team")).status).toBe(404);
});

import { installKubernetesPlugin, processTree } from "@pulumi-ovn/sandbox/testing";
import { template, UPSTREAM } from "../support/advertisement";
import { Fabric } from "../support/announcement";
import { TestCluster } from "../support/kubernetes";
import { ANNOUNCED } from "../support/kubernetes-stack";
import { killAll } from "../support/processes";
import { until } from "../support/until";
import { finished, Workspace } from "../support/workspace";

jest.setTimeout(900_000);

const FRR = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";

let cluster: TestCluster;
let workspace: Workspace;
beforeAll(async () => {
  cluster = await TestCluster.start({ crds: ["frr-k8s"] });
  const fabric = new Fabric(cluster);
  await fabric.node("node1", { default: "10.244.0.0/24" });
  await fabric.node("node2", { default: "10.244.1.0/24" });
  workspace = await Workspace.create("", {});
  await installKubernetesPlugin(workspace.environment["PULUMI_HOME"]!, () => undefined);
  await workspace.must("config", "set", "kubernetes:kubeconfig", cluster.api.kubeconfig, "--stack", "dev");
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await cluster?.stop();
});

/** Namespace and templates by @pulumi/kubernetes, by its default provider and by one of the program's own; the announcement by ours. */
const program = () => `
const k8s = require("@pulumi/kubernetes");
const BACKGROUND = { "pulumi.com/deletionPropagationPolicy": "background" }; // the cluster has no garbage collector
const own = new k8s.Provider("own", { kubeconfig: ${JSON.stringify(cluster.api.kubeconfig)} });
const namespace = new k8s.core.v1.Namespace("frr", { metadata: { name: "frr-k8s-system" } });
const { metadata, spec, ...type } = ${JSON.stringify(template("peers", [{ asn: 64512, neighbors: [UPSTREAM] }]))};
const templates = ["node1", "node2"].map((node, index) => new k8s.apiextensions.CustomResource("peers-" + node, {
  ...type,
  metadata: { ...metadata, name: "peers-" + node, namespace: namespace.metadata.name, annotations: BACKGROUND },
  spec: { ...spec, nodeSelector: { matchLabels: { "kubernetes.io/hostname": node } } },
}, index === 0 ? { provider: own } : {}));
new ovn.RouteAdvertisement("fabric", {
  ...${JSON.stringify({ ...ANNOUNCED, cluster: "default" })},
  frrConfigurationSelector: pulumi.all(templates.map(({ id }) => id)).apply(() => ({ matchLabels: { use: "yes" } })),
}, { dependsOn: templates });
`;

const OURS = /^ovnk-generated-/;
const ours = async () => {
  const { status, body } = await cluster.ask("GET", FRR);
  return status === 200
    ? (body as { items: { metadata: { name: string } }[] }).items
        .map(({ metadata: { name } }) => name)
        .filter((name) => OURS.test(name))
        .sort()
    : [];
};
const up = (...args: string[]) => workspace.must("up", "--yes", "--skip-preview", "--stack", "dev", ...args);

/** As the controller of namespaces, which this cluster lacks: removes a namespace that is being deleted. */
async function finalize(name: string): Promise<void> {
  await until(async () => (await cluster.must("GET", `/api/v1/namespaces/${name}`)).metadata.deletionTimestamp !== undefined);
  await cluster.finalize(name);
}

it("announces by templates of @pulumi/kubernetes, also after a kill while ours writes and after drift, and leaves nothing", async () => {
  await workspace.write(program());
  const killed = workspace.start("up", "--yes", "--skip-preview", "--stack", "dev");
  const ended = finished(killed);
  await until(async () => (await ours()).length > 0);
  killAll([...processTree(killed.pid!)]); // the plugin of @pulumi/kubernetes outlives its CLI
  await ended;
  await workspace.recover();

  await up();
  const generated = await ours();
  expect([generated.length, await cluster.names(FRR)]).toEqual([2, [...generated, "peers-node1", "peers-node2"]]);
  const specs = async () => (await Promise.all(generated.map((name) => cluster.must("GET", `${FRR}/${name}`)))).map(({ spec }) => spec as object);
  const desired = await specs();

  await cluster.edit(`${FRR}/${generated[0]}`, { spec: { nodeSelector: { matchLabels: { "kubernetes.io/hostname": "elsewhere" } } } });
  expect(await specs()).not.toEqual(desired);
  await up("--refresh");
  expect(await specs()).toEqual(desired);

  await Promise.all([workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev"), finalize("frr-k8s-system")]);
  expect((await cluster.must("GET", "/apis/frrk8s.metallb.io/v1beta1/frrconfigurations")).items).toEqual([]);
  expect((await cluster.ask("GET", "/api/v1/namespaces/frr-k8s-system")).status).toBe(404);
});

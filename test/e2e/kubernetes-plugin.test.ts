import { cp } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { installKubernetesPlugin, processTree, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { Fabric } from "../support/announcement";
import { TestCluster } from "../support/kubernetes";
import { killAll } from "../support/processes";
import { until } from "../support/until";
import { finished, Workspace } from "../support/workspace";

jest.setTimeout(900_000);

const FRR = "/apis/frrk8s.metallb.io/v1beta1/namespaces/fabric/frrconfigurations";
const TEMPLATES = ["peers-node1", "peers-node2"];

let cluster: TestCluster;
let workspace: Workspace;
beforeAll(async () => {
  cluster = await TestCluster.start({ crds: ["frr-k8s"] });
  const fabric = new Fabric(cluster);
  await fabric.node("node1", { default: "10.244.0.0/24" });
  await fabric.node("node2", { default: "10.244.1.0/24" });
  workspace = await Workspace.empty("pulumi-ovn-gitops");
  await cp(join(projectRoot, "examples/gitops"), workspace.folder, { recursive: true });
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
    " +  kubernetes:core/v1:Namespace fabric create",
    " +  kubernetes:frrk8s.metallb.io/v1beta1:FRRConfiguration peers-node1 create",
    " +  kubernetes:frrk8s.metallb.io/v1beta1:FRRConfiguration peers-node2 create",
    " +  pulumi-nodejs:dynamic/ovn:RouteAdvertisement announcement create",
  ]);
  expect(await names()).toEqual([]);

  // After the one provider and before the other.
  await killedWhen(async () => isDeepStrictEqual(await names(), TEMPLATES));

  await up();
  const generated = (await names()).filter((name) => !TEMPLATES.includes(name));
  expect([generated.length, await names()]).toEqual([2, [...generated, ...TEMPLATES]]);
  const specs = async () => (await Promise.all(generated.map((name) => cluster.must("GET", `${FRR}/${name}`)))).map(({ spec }) => spec as object);
  const desired = await specs();

  await cluster.edit(`${FRR}/${generated[0]}`, { spec: { nodeSelector: { matchLabels: { "kubernetes.io/hostname": "elsewhere" } } } });
  expect(await specs()).not.toEqual(desired);
  await up("--refresh");
  expect(await specs()).toEqual(desired);

  await Promise.all([workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev"), finalize("fabric")]);
  expect((await cluster.must("GET", "/apis/frrk8s.metallb.io/v1beta1/frrconfigurations")).items).toEqual([]);
  expect((await cluster.ask("GET", "/api/v1/namespaces/fabric")).status).toBe(404);
});

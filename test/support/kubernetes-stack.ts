import { DEFAULT, template, UPSTREAM } from "./advertisement";
import { Fabric } from "./announcement";
import { TestCluster } from "./kubernetes";
import { gadgetCrd } from "./kubernetes-crds";

export const GADGETS = "/apis/test.pulumi-ovn/v1/namespaces/app/gadgets";
export const MAPS = "/api/v1/namespaces/app/configmaps";
const FRR = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";

/** Starts a cluster with two nodes, templates for announcements, and objects of another owner. */
export async function startFabricWithCluster(): Promise<{ cluster: TestCluster; fabric: Fabric }> {
  const cluster = await TestCluster.start({ crds: ["frr-k8s", "ovn-kubernetes", gadgetCrd] });
  const fabric = new Fabric(cluster);
  for (const name of ["frr-k8s-system", "app"]) await cluster.namespace(name);
  await fabric.node("node1", { default: "10.244.0.0/24" });
  await fabric.node("node2", { default: "10.244.1.0/24" });
  await fabric.template(template("peers", [{ asn: 64512, neighbors: [UPSTREAM] }]));
  await fabric.template(template("foreign", [{ asn: 64512, neighbors: [{ ...UPSTREAM, address: "192.168.111.9" }] }], { labels: { theirs: "yes" } }));
  await cluster.must("POST", MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "theirs", namespace: "app" }, data: { a: "theirs" } });
  return { cluster, fabric };
}

/** Name and version of everything that the stacks of these tests could touch: whether something was written. */
export async function versionsOf(cluster: TestCluster): Promise<Record<string, string>> {
  const lists = await Promise.all([GADGETS, MAPS, FRR].map((path) => cluster.must("GET", path)));
  const items = lists.flatMap(({ items: some }: { items: { metadata: { name: string; resourceVersion: string } }[] }) => some);
  return Object.fromEntries(
    items.filter(({ metadata: { name } }) => name !== "kube-root-ca.crt").map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
  );
}

/** Arguments of a RouteAdvertisement of the default network, as the seed's example has them. */
export const ANNOUNCED = {
  cluster: "prod",
  name: "default",
  targetVRF: "default",
  networkSelectors: [DEFAULT],
  frrConfigurationSelector: { matchLabels: { use: "yes" } },
  advertisements: ["PodNetwork"],
};

export const map = (name: string, data: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "app" }, data });
export const gadget = (name: string, spec: object) => ({ apiVersion: "test.pulumi-ovn/v1", kind: "Gadget", metadata: { name, namespace: "app" }, spec });

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers } from "@pulumi-ovn/provider/tools";
import { frrK8sPrograms, KubernetesClient, startKubernetesApi } from "@pulumi-ovn/sandbox";
import type { Benchmark } from "../kit/report";
import { advertisedCluster, SPEC } from "./advertised-cluster";
import { each } from "./objects-peer";
import { previewResults } from "./preview";

const NODES = 1_000;
const KIND = "RouteAdvertisement";
const URN = `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/ovn:${KIND}::all`;
const NAMESPACE = "frr-k8s-system";
const FRR = "/apis/frrk8s.metallb.io/v1beta1";
const OVN = "/apis/k8s.ovn.org/v1";

/** Images that a kubelet reports by default, so that a list of nodes is as long as in a cluster (kubelet, --node-status-max-images). */
const IMAGES = 50;

export const advertisementPreview: Benchmark = {
  name: "advertisement-preview",
  title: `Preview of a RouteAdvertisement over ${NODES.toLocaleString("en-US")} nodes`,
  method: `Five dual-stack networks from ${NODES} nodes over one template (${NODES} FRRConfigurations) in a real kube-apiserver, nothing changed, each preview in a new process; medians of five.`,
  async run() {
    const api = await startKubernetesApi();
    try {
      await fill(new KubernetesClient(api.kubeconfig));
      const targets = new Connections({}, {}, { prod: { kubeconfig: api.kubeconfig } });
      const request = { urn: URN, secrets: [], targets };
      const news = { ...SPEC, cluster: "prod" };
      const { inputs, diagnostics } = await handlers[KIND]!.check({ ...request, olds: {}, news });
      if (diagnostics.length > 0) throw new Error(diagnostics[0]!.message);
      const { outs } = await handlers[KIND]!.create({ ...request, news: inputs });
      const results = await previewResults({ kind: KIND, kubeconfig: api.kubeconfig, urn: URN, inputs, outs, news }, [
        "nodes",
        "clusteruserdefinednetworks",
        "frrconfigurations",
      ]);
      await targets.close();
      return results;
    } finally {
      await api.stop();
    }
  },
};

/** Makes what an announcement looks at. */
async function fill(cluster: KubernetesClient): Promise<void> {
  const { crds } = await frrK8sPrograms(() => undefined);
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  for (const file of await readdir(crds)) await cluster.must("POST", definitions, await readFile(join(crds, file), "utf8"), { type: "application/yaml" });
  await cluster.must("POST", definitions, NETWORK_DEFINITION);
  for (const path of [`${FRR}/frrconfigurations`, `${OVN}/clusteruserdefinednetworks`]) {
    while ((await cluster.ask("GET", path)).status !== 200) await sleep(50);
  }
  await cluster.must("POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
  const { nodes, networks, frrConfigurations } = advertisedCluster(NODES, 1);
  const images = Array.from({ length: IMAGES }, (_, index) => ({
    names: [`registry.example/project/image-${index}@sha256:${index.toString(16).padStart(64, "0")}`, `registry.example/project/image-${index}:v1.0.${index}`],
    sizeBytes: 50_000_000 + index,
  }));
  await each(nodes, async ({ metadata }) => {
    await cluster.must("POST", "/api/v1/nodes", { metadata });
    await cluster.must("PATCH", `/api/v1/nodes/${metadata.name}/status`, { status: { images } }, { type: "application/merge-patch+json" });
  });
  for (const network of networks)
    await cluster.must("POST", `${OVN}/clusteruserdefinednetworks`, { apiVersion: "k8s.ovn.org/v1", kind: "ClusterUserDefinedNetwork", ...network });
  for (const template of frrConfigurations)
    await cluster.must("POST", `${FRR}/namespaces/${NAMESPACE}/frrconfigurations`, {
      ...template,
      apiVersion: "frrk8s.metallb.io/v1beta1",
      kind: "FRRConfiguration",
    });
}

/** ovn-kubernetes' kind, with any contents. */
const NETWORK_DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "clusteruserdefinednetworks.k8s.ovn.org" },
  spec: {
    group: "k8s.ovn.org",
    scope: "Cluster",
    names: {
      kind: "ClusterUserDefinedNetwork",
      plural: "clusteruserdefinednetworks",
      singular: "clusteruserdefinednetwork",
      listKind: "ClusterUserDefinedNetworkList",
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } } },
      },
    ],
  },
};

import type { KubernetesClient } from "@pulumi-ovn/sandbox";

const KEY = "k8s.ovn.org/route-advertisements";
const CONFIGURATIONS = "/apis/frrk8s.metallb.io/v1beta1/frrconfigurations";
const ADVERTISEMENTS = "/apis/k8s.ovn.org/v1/routeadvertisements";

interface Labelled {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
}

/**
 * One pass of ovn-kubernetes' RouteAdvertisements controller over a cluster: it deletes the FRRConfigurations with its label
 * whose RouteAdvertisements does not exist. Returns their names.
 */
export async function deleteOrphans(cluster: Pick<KubernetesClient, "must">): Promise<string[]> {
  const list = async (path: string) => ((await cluster.must("GET", path)) as { items: Labelled[] }).items;
  const known = new Set((await list(ADVERTISEMENTS)).map(({ metadata }) => metadata.name));
  const orphans = (await list(CONFIGURATIONS)).filter(({ metadata: { labels = {} } }) => KEY in labels && !known.has(labels[KEY]!));
  for (const { metadata } of orphans)
    await cluster.must("DELETE", `/apis/frrk8s.metallb.io/v1beta1/namespaces/${metadata.namespace}/frrconfigurations/${metadata.name}`);
  return orphans.map(({ metadata }) => metadata.name).sort();
}

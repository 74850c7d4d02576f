import { KubernetesClient } from "@pulumi-ovn/sandbox";

/** How many requests that read a resource the server has counted so far, by resource. */
export async function readsOf(kubeconfig: string): Promise<Map<string, number>> {
  const text = (await new KubernetesClient(kubeconfig).must("GET", "/metrics")) as string;
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (!line.startsWith("apiserver_request_total{") || !/verb="(?:LIST|GET|WATCH)"/.test(line)) continue;
    const [, resource = ""] = /resource="([^"]*)"/.exec(line) ?? [];
    counts.set(resource, (counts.get(resource) ?? 0) + Number(line.split(" ").at(-1)));
  }
  return counts;
}

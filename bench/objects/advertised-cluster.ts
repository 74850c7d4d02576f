import type { AdvertisementSpec, ClusterFacts } from "@pulumi-ovn/provider";

const NETWORKS = ["red", "blue", "green", "white"];

/** Cluster with four layer-3 networks and the default one, each with a part on every node, and templates of two neighbors. */
export function advertisedCluster(nodes: number, templates: number): ClusterFacts {
  const part = (network: number, node: number) => [`10.${64 * network + (node >> 8)}.${node & 255}.0/24`, `fd00:${network}:${node}::/64`];
  return {
    nodes: Array.from({ length: nodes }, (_, node) => ({
      metadata: {
        name: `node${node}`,
        labels: { "kubernetes.io/hostname": `node${node}`, "kubernetes.io/os": "linux" },
        annotations: {
          "k8s.ovn.org/node-subnets": JSON.stringify({
            default: [`172.${node >> 8}.${node & 255}.0/24`, `fd01:${node}::/64`],
            ...Object.fromEntries(NETWORKS.map((name, index) => [`cluster_udn_${name}`, part(index, node)])),
          }),
          "k8s.ovn.org/node-primary-ifaddr": JSON.stringify({ ipv4: `172.18.${node >> 8}.${node & 255}/16` }),
        },
      },
    })),
    networks: NETWORKS.map((name, index) => ({
      metadata: { name, labels: { advertise: "true" } },
      spec: {
        namespaceSelector: {},
        network: { topology: "Layer3", layer3: { role: "Primary", subnets: [{ cidr: `10.${64 * index}.0.0/10` }, { cidr: `fd00:${index}::/32` }] } },
      },
    })),
    namespaces: [],
    egressIPs: [],
    frrConfigurations: Array.from({ length: templates }, (_, template) => ({
      metadata: { name: `peers${template}`, namespace: "frr-k8s-system", labels: { use: "yes" } },
      spec: {
        bgp: {
          routers: [
            {
              asn: 64512,
              neighbors: [
                { asn: 64512, address: `172.19.0.${template}` },
                { asn: 64512, address: `fd19::${template}` },
              ],
            },
          ],
        },
        nodeSelector: {},
      },
    })),
  };
}

export const SPEC: AdvertisementSpec = {
  name: "all",
  networkSelectors: [
    { networkSelectionType: "DefaultNetwork" },
    { networkSelectionType: "ClusterUserDefinedNetworks", clusterUserDefinedNetworkSelector: { networkSelector: { matchLabels: { advertise: "true" } } } },
  ],
  frrConfigurationSelector: { matchLabels: { use: "yes" } },
  advertisements: ["PodNetwork"],
};

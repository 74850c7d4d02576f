import type { Sample } from "./sample";

/** Announcements and Kubernetes objects. */
export const announcements: Readonly<Record<string, Sample>> = {
  BgpExposure: {
    variable: "exposure",
    args: {
      zone: "node1",
      mode: "ovn",
      routers: { "router-blue": { table: 1201 } },
      floatingIPs: true,
      tenantNetworks: "subnet",
      exclude: { networks: ["private"] },
    },
    observed: {
      routers: {
        "router-blue": {
          chassis: "node1",
          ports: {
            "lrp-blue": { networks: ["10.1.0.1/24"], network: "blue", provider: false, labels: {}, scopes: {}, neighbors: [], hosts: [] },
            "lrp-outside": { networks: ["172.18.0.11/24"], network: "outside", provider: true, labels: {}, scopes: {}, neighbors: [], hosts: [] },
            "lrp-private": { networks: ["10.2.0.1/24"], network: "private", provider: false, labels: {}, scopes: {}, neighbors: [], hosts: [] },
          },
          nat: ["198.51.100.5"],
          vips: [],
        },
      },
      taken: {},
    },
  },
  RouteAdvertisement: {
    variable: "announcement",
    args: {
      cluster: "prod",
      name: "blue",
      networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16"], egressIPs: { node1: ["172.18.0.201"] } } },
      frrConfigurationSelector: { matchLabels: { "use-for-advertisements": "default" } },
      advertisements: ["PodNetwork", "EgressIP"],
      waitFor: "established",
    },
    observed: {
      nodes: { node1: { labels: { "kubernetes.io/hostname": "node1" }, annotations: {}, addresses: ["172.18.0.11"] } },
      networks: {},
      namespaces: {},
      egressIPs: {},
      frrConfigurations: {
        "frr-k8s-system/peers": {
          labels: { "use-for-advertisements": "default" },
          spec: { bgp: { routers: [{ asn: 64_512, neighbors: [{ address: "172.18.0.5", asn: 64_512 }] }] }, nodeSelector: {} },
        },
      },
      networkIds: {},
    },
  },
  KubernetesObjects: {
    variable: "peering",
    args: {
      cluster: "prod",
      objects: {
        receive: {
          apiVersion: "frrk8s.metallb.io/v1beta1",
          kind: "FRRConfiguration",
          metadata: { name: "receive-filtered", namespace: "frr-k8s-system", labels: { "use-for-advertisements": "default" } },
          spec: {
            bgp: {
              routers: [
                {
                  asn: 64_512,
                  neighbors: [
                    {
                      address: "172.18.0.5",
                      asn: 64_512,
                      disableMP: true,
                      toReceive: { allowed: { mode: "filtered", prefixes: [{ prefix: "172.20.0.0/16" }] } },
                    },
                  ],
                },
              ],
            },
          },
        },
        marker: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fabric", namespace: "frr-k8s-system" }, data: { asn: "64512" } },
      },
    },
  },
};

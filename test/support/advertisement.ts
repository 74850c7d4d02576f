import {
  type AdvertisementSpec,
  ArgumentError,
  type ClusterFacts,
  type Failure,
  type FrrConfiguration,
  generateFrrConfigurations,
  type LabelSelector,
} from "@pulumi-ovn/provider";
import type { EgressIPObject, NamespaceObject, NetworkObject, NodeObject, Router } from "@pulumi-ovn/provider/testing";

/** A node with its part of the default network and of others. */
export function node(
  name: string,
  subnets: Record<string, string | string[]> = {},
  { labels = {}, addresses = [] as string[], annotations = {} } = {},
): NodeObject {
  return {
    metadata: {
      name,
      labels: { "kubernetes.io/hostname": name, ...labels },
      annotations: { "k8s.ovn.org/node-subnets": JSON.stringify(subnets), ...annotations },
    },
    status: { addresses: addresses.map((address) => ({ address })) },
  };
}

export function network(
  name: string,
  topology: "Layer2" | "Layer3",
  subnets: string[],
  { role = "Primary", labels = { advertise: "true" } as Record<string, string>, ...rest } = {},
): NetworkObject {
  const layer = topology === "Layer2" ? { layer2: { role, subnets } } : { layer3: { role, subnets: subnets.map((cidr) => ({ cidr, hostSubnet: 24 })) } };
  return { metadata: { name, labels }, spec: { namespaceSelector: { matchLabels: { network: name } }, network: { topology, ...layer, ...rest } } };
}

/** A namespace of a user-defined network, or of the default one. */
export function namespace(name: string, network?: string, labels: Record<string, string> = {}): NamespaceObject {
  return { metadata: { name, labels: { ...labels, ...(network && { network, "k8s.ovn.org/primary-user-defined-network": "" }) } } };
}

export function egressIP(name: string, namespaceSelector: LabelSelector, holders: Record<string, string>): EgressIPObject {
  return {
    metadata: { name },
    spec: { namespaceSelector },
    status: { items: Object.entries(holders).map(([address, holder]) => ({ egressIP: address, node: holder })) },
  };
}

export function template(
  name: string,
  routers: Router[],
  rest: Omit<FrrConfiguration["spec"], "bgp"> & { labels?: Record<string, string>; bfdProfiles?: Record<string, unknown>[] } = {},
): FrrConfiguration {
  const { labels = { use: "yes" }, bfdProfiles, ...spec } = rest;
  return {
    apiVersion: "frrk8s.metallb.io/v1beta1",
    kind: "FRRConfiguration",
    metadata: { name, namespace: "frr-k8s-system", labels },
    spec: { bgp: { routers, ...(bfdProfiles && { bfdProfiles }) }, ...spec },
  };
}

export const UPSTREAM = {
  address: "192.168.111.3",
  asn: 64512,
  disableMP: true,
  toReceive: { allowed: { mode: "filtered", prefixes: [{ prefix: "172.20.0.0/16" }] } },
};
export const UPSTREAM_IPV6 = { address: "fd00:111::3", asn: 64512 };

/** The template of the seed's examples. */
export const receive = (rest: Parameters<typeof template>[2] = {}): FrrConfiguration =>
  template("receive-filtered", [{ asn: 64512, neighbors: [UPSTREAM] }], rest);

export function facts(given: Partial<ClusterFacts> = {}): ClusterFacts {
  return { nodes: [node("node1", { default: "10.244.0.0/24" })], networks: [], namespaces: [], egressIPs: [], frrConfigurations: [receive()], ...given };
}

/** The default network's subnets, from all nodes, over the main VRF. */
export function spec(given: Partial<AdvertisementSpec> = {}): AdvertisementSpec {
  return {
    name: "default",
    networkSelectors: [{ networkSelectionType: "DefaultNetwork" }],
    frrConfigurationSelector: { matchLabels: { use: "yes" } },
    advertisements: ["PodNetwork"],
    nodesPrepared: true,
    ...given,
  };
}

export const DEFAULT = { networkSelectionType: "DefaultNetwork" as const };
export const USER_DEFINED = {
  networkSelectionType: "ClusterUserDefinedNetworks" as const,
  clusterUserDefinedNetworkSelector: { networkSelector: { matchLabels: { advertise: "true" } } },
};

/** Generated objects, without their common fields. */
export function routersOf(given: AdvertisementSpec, clusterFacts: ClusterFacts): Record<string, readonly Router[]> {
  return Object.fromEntries(
    generateFrrConfigurations(given, clusterFacts).objects.map(({ metadata, spec: { bgp } }) => [
      metadata.annotations!["pulumi-ovn/route-advertisement"],
      bgp!.routers!,
    ]),
  );
}

export function failuresOf(given: AdvertisementSpec, clusterFacts: ClusterFacts): Failure[] {
  try {
    generateFrrConfigurations(given, clusterFacts);
  } catch (error) {
    if (error instanceof ArgumentError) return [...error.failures];
    throw error;
  }
  throw new Error("nothing was refused");
}

/** A neighbour as it is in a generated object. */
export function told<T extends object>(neighbor: T, ...prefixes: string[]) {
  return { ...neighbor, toAdvertise: { allowed: { mode: "filtered", prefixes } }, toReceive: { allowed: { mode: "filtered" } } };
}

import type { ClusterFacts, EgressIPObject, LabelSelector, NetworkObject, NodeObject } from "../facts";
import { HOSTNAME_KEY } from "../names";
import { PRIMARY_KEY } from "../networks/own-addresses";
import { type ReducedConfiguration, reduceConfigurations } from "./reduce-configurations";
import { inOrder, labelKeys, only } from "./reduce-selectors";
import { NETWORK_ID_KEY, NETWORK_NAME_KEY, OWN_NETWORK_KEY } from "../networks/select-networks";
import { SUBNETS_KEY } from "../networks/host-subnets";
import { selectorOf } from "../selector";
import type { AdvertisementSpec } from "../spec";

type ByName<Value> = Readonly<Record<string, Value>>;

/**
 * Observed state of a cluster for an announcement, as the state stores it and a preview shows it: the facts that decide
 * the result, by name, sorted, without passwords.
 */
export interface Observed {
  readonly nodes: ByName<{ readonly labels: ByName<string>; readonly annotations: ByName<string>; readonly addresses: readonly string[] }>;
  readonly networks: ByName<{ readonly labels: ByName<string>; readonly spec: NetworkObject["spec"] }>;
  readonly namespaces: ByName<ByName<string>>;
  readonly egressIPs: ByName<{ readonly namespaceSelector: LabelSelector; readonly holders: ByName<string> }>;
  readonly frrConfigurations: ByName<ReducedConfiguration>;
  /** Ids of networks, by ovn-kubernetes' names of them. */
  readonly networkIds: ByName<string>;
  /** Kinds that the cluster does not have; there only then. */
  readonly missing?: readonly string[];
  /** Set if the cluster has the kind RouteAdvertisements. */
  readonly controller?: true;
}

/** The networks that the selectors select. */
export function chosenNetworks({ networkSelectors = [] }: Pick<AdvertisementSpec, "networkSelectors">, networks: readonly NetworkObject[]): NetworkObject[] {
  const selects = networkSelectors.flatMap(({ clusterUserDefinedNetworkSelector: chosen }) => (chosen ? [selectorOf(chosen.networkSelector)] : []));
  return networks.filter(({ metadata }) => selects.some((selected) => selected(metadata)));
}

/** Reduces the facts to those that decide the result of this announcement. */
export function observedOf(spec: AdvertisementSpec, facts: ClusterFacts): Observed {
  const networks = chosenNetworks(spec, facts.networks);
  const names = new Set(["default", ...networks.map(({ metadata }) => `cluster_udn_${metadata.name}`)]);
  const nodeKeys = new Set([HOSTNAME_KEY, ...labelKeys([spec.nodeSelector, ...facts.frrConfigurations.map((object) => object.spec.nodeSelector)])]);
  const namespaceKeys = new Set([OWN_NETWORK_KEY, ...labelKeys([...networks, ...facts.egressIPs].map((object) => object.spec.namespaceSelector))]);
  const networkKeys = labelKeys((spec.networkSelectors ?? []).map(({ clusterUserDefinedNetworkSelector: chosen }) => chosen?.networkSelector));
  return {
    nodes: inOrder(facts.nodes.map((node) => [node.metadata.name, reduceNode(node, nodeKeys, names)])),
    networks: inOrder(
      networks.map((network) => [network.metadata.name, { labels: only(network.metadata.labels, networkKeys), spec: reduceNetwork(network.spec) }]),
    ),
    namespaces: inOrder(facts.namespaces.map(({ metadata }) => [metadata.name, only(metadata.labels, namespaceKeys)])),
    egressIPs: inOrder(facts.egressIPs.flatMap((object) => reduceEgress(object) ?? [])),
    frrConfigurations: reduceConfigurations(spec.name, spec.frrConfigurationSelector, facts.frrConfigurations),
    networkIds: inOrder(
      (facts.attachments ?? []).flatMap(({ metadata: { annotations = {} } }) => {
        const [name = "", id] = [annotations[NETWORK_NAME_KEY], annotations[NETWORK_ID_KEY]];
        return names.has(name) && id !== undefined ? [[name, id] as const] : [];
      }),
    ),
    ...(facts.missing && { missing: facts.missing }),
    ...(facts.controller && { controller: true }),
  };
}

/** The same as objects of the API, as far as they go. */
export function factsOf(observed: Observed): ClusterFacts {
  return {
    nodes: Object.entries(observed.nodes).map(([name, { labels, annotations, addresses }]) => ({
      metadata: { name, labels, annotations },
      status: { addresses: addresses.map((address) => ({ address })) },
    })),
    networks: Object.entries(observed.networks).map(([name, { labels, spec }]) => ({ metadata: { name, labels }, spec })),
    namespaces: Object.entries(observed.namespaces).map(([name, labels]) => ({ metadata: { name, labels } })),
    egressIPs: Object.entries(observed.egressIPs).map(([name, { namespaceSelector, holders }]) => ({
      metadata: { name },
      spec: { namespaceSelector },
      status: { items: Object.entries(holders).map(([egressIP, node]) => ({ egressIP, node })) },
    })),
    frrConfigurations: Object.entries(observed.frrConfigurations).map(([key, { labels, spec }]) => {
      const slash = key.indexOf("/");
      return { metadata: { name: key.slice(slash + 1), namespace: key.slice(0, slash), labels }, spec };
    }),
    attachments: Object.entries(observed.networkIds).map(([name, id]) => ({
      metadata: { name, annotations: { [NETWORK_NAME_KEY]: name, [NETWORK_ID_KEY]: id } },
    })),
    ...(observed.missing && { missing: observed.missing }),
    ...(observed.controller && { controller: true }),
  };
}

function reduceNode({ metadata, status }: NodeObject, labels: ReadonlySet<string>, networks: ReadonlySet<string>): Observed["nodes"][string] {
  const subnets = metadata.annotations?.[SUBNETS_KEY];
  const primary = metadata.annotations?.[PRIMARY_KEY];
  return {
    labels: only(metadata.labels, labels),
    annotations: {
      ...(subnets !== undefined && { [SUBNETS_KEY]: reduceSubnets(subnets, networks) }),
      ...(primary !== undefined && { [PRIMARY_KEY]: primary }),
    },
    addresses: (status?.addresses ?? []).map(({ address }) => address).toSorted(),
  };
}

/** A text that cannot be read is kept, and is refused where it is needed. */
function reduceSubnets(text: string, networks: ReadonlySet<string>): string {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? JSON.stringify(inOrder(Object.entries(found).filter(([name]) => networks.has(name)))) : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function reduceNetwork({ namespaceSelector, network }: NetworkObject["spec"]): NetworkObject["spec"] {
  const { topology, transport, layer2, layer3, localnet } = network;
  const layer = (one: typeof layer2) => one && { ...(one.role !== undefined && { role: one.role }), ...(one.subnets && { subnets: one.subnets }) };
  return {
    namespaceSelector,
    network: {
      topology,
      ...(transport !== undefined && { transport }),
      ...(layer2 && { layer2: layer(layer2)! }),
      ...(layer3 && { layer3: layer(layer3)! }),
      ...(localnet && { localnet: layer(localnet)! }),
    },
  };
}

function reduceEgress({ metadata, spec, status }: EgressIPObject): readonly [string, Observed["egressIPs"][string]][] | undefined {
  const holders = (status?.items ?? []).flatMap(({ egressIP, node }) => (egressIP && node ? [[egressIP, node] as const] : []));
  return holders.length === 0 ? undefined : [[metadata.name, { namespaceSelector: spec.namespaceSelector, holders: inOrder(holders) }]];
}

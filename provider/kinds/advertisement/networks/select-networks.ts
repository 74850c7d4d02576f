import { formatPrefix, hostPrefix, parseIp } from "../../../kit/address";
import { propertyPath } from "../../../kit/arguments/path";
import type { Failures } from "../../../kit/arguments/failures";
import { targetOf } from "../check";
import type { ClusterFacts, NetworkObject } from "../facts";
import { DEFAULT_VRF, vrfName } from "../names";
import { NO_PREFIXES, readSubnet, type SelectedNetwork } from "./network";
import { selectorOf } from "../selector";
import type { AdvertisedNetwork, AdvertisementSpec } from "../spec";

/** Namespaces with this label have a network of their own, or wait for one; the others are in the default network. */
export const OWN_NETWORK_KEY = "k8s.ovn.org/primary-user-defined-network";
export const NETWORK_ID_KEY = "k8s.ovn.org/network-id";
export const NETWORK_NAME_KEY = "k8s.ovn.org/network-name";

type HostSubnets = (network: string, node: string) => readonly string[] | undefined;

/** Every network that is announced, those of the cluster first. */
export function selectNetworks(spec: AdvertisementSpec, facts: ClusterFacts, hosts: HostSubnets, failures: Failures): SelectedNetwork[] {
  const ids = networkIds(facts);
  const ofCluster = (spec.networkSelectors ?? []).flatMap(({ networkSelectionType, clusterUserDefinedNetworkSelector }, index) => {
    const path = `networkSelectors[${index}]`;
    if (networkSelectionType === "DefaultNetwork") return [defaultNetwork(path, hosts)];
    const selects = failures.attempt(`${path}.clusterUserDefinedNetworkSelector.networkSelector`, () =>
      selectorOf(clusterUserDefinedNetworkSelector?.networkSelector),
    );
    const chosen = facts.networks.filter(({ metadata }) => selects?.(metadata));
    if (selects && chosen.length === 0) failures.add(path, "no-network", "no ClusterUserDefinedNetwork has such labels");
    return chosen.flatMap((object) => userNetwork(object, path, spec, hosts, ids, failures) ?? []);
  });
  const ofStack = Object.entries(spec.networks ?? {}).map(([name, network]) => stackNetwork(name, network));
  const networks = [...ofCluster, ...ofStack];
  checkVrfs(networks, failures);
  return networks;
}

function defaultNetwork(path: string, hosts: HostSubnets): SelectedNetwork {
  return {
    label: "the default network",
    path,
    vrf: DEFAULT_VRF,
    whole: undefined,
    subnetsOn: (node) => hosts("default", node),
    isDivided: true,
    serves: ({ labels = {} }) => !Object.hasOwn(labels, OWN_NETWORK_KEY),
    egressOn: () => NO_PREFIXES,
  };
}

function userNetwork(
  object: NetworkObject,
  path: string,
  spec: AdvertisementSpec,
  hosts: HostSubnets,
  ids: ReadonlyMap<string, string>,
  failures: Failures,
): SelectedNetwork | undefined {
  const { name } = object.metadata;
  const { topology, transport = "Geneve", layer2, layer3, localnet } = object.spec.network;
  const label = `ClusterUserDefinedNetwork "${name}"`;
  if ((layer2 ?? layer3 ?? localnet)?.role !== "Primary") {
    failures.add(path, "network-role", `${label} is no primary network: only these are announced`);
    return undefined;
  }
  if (topology !== "Layer2" && topology !== "Layer3") {
    failures.add(path, "network-topology", `${label} has topology ${topology}: only Layer2 and Layer3 are announced`);
    return undefined;
  }
  if (transport !== "Geneve") {
    failures.add(path, "network-transport", `${label} has transport ${transport}: only networks with Geneve are announced`);
    return undefined;
  }
  if (topology === "Layer2" && spec.advertisements.includes("EgressIP"))
    failures.add(path, "egress-ip", `${label} is of layer 2: ovn-kubernetes does not announce its egress addresses`);
  const vrf = vrfName(name, ids.get(`cluster_udn_${name}`));
  if (vrf === undefined)
    failures.add(
      path,
      "vrf-name",
      `${label} has no VRF of its own name, which has more than 15 characters or is "default", and no NetworkAttachmentDefinition has its id yet`,
    );
  const inNetwork = failures.attempt(path, () => selectorOf(object.spec.namespaceSelector));
  const whole = failures.attempt(path, () => (layer2 ?? layer3)?.subnets?.map((subnet) => readSubnet(typeof subnet === "string" ? subnet : subnet.cidr)));
  return {
    label,
    path,
    vrf,
    whole,
    subnetsOn: topology === "Layer3" ? (node) => hosts(`cluster_udn_${name}`, node) : () => (whole && whole.length > 0 ? whole : undefined),
    isDivided: topology === "Layer3",
    serves: (metadata) => Object.hasOwn(metadata.labels ?? {}, OWN_NETWORK_KEY) && inNetwork?.(metadata) === true,
    egressOn: () => NO_PREFIXES,
  };
}

/** Arguments, so in their one text form already. */
function stackNetwork(name: string, { topology, subnets = [], nodeSubnets = {}, vrf, egressIPs = {} }: AdvertisedNetwork): SelectedNetwork {
  const egress = new Map(Object.entries(egressIPs).map(([node, addresses]) => [node, addresses.map((address) => formatPrefix(hostPrefix(parseIp(address))))]));
  const whole = subnets.length > 0 ? subnets : undefined;
  const parts = new Map(Object.entries(nodeSubnets).filter(([, list]) => list.length > 0));
  return {
    label: `network "${name}"`,
    path: propertyPath(["networks", name]),
    vrf,
    whole,
    subnetsOn: topology === "layer2" ? () => whole : (node) => parts.get(node),
    isDivided: topology === "layer3",
    serves: undefined,
    egressOn: (node) => egress.get(node) ?? NO_PREFIXES,
  };
}

function networkIds({ attachments = [] }: ClusterFacts): Map<string, string> {
  return new Map(
    attachments.flatMap(({ metadata: { annotations = {} } }) => {
      const [name, id] = [annotations[NETWORK_NAME_KEY], annotations[NETWORK_ID_KEY]];
      return name === undefined || id === undefined ? [] : [[name, id] as const];
    }),
  );
}

function checkVrfs(networks: readonly SelectedNetwork[], failures: Failures): void {
  const holders = new Map<string, SelectedNetwork>();
  for (const network of networks) {
    if (network.vrf === undefined) continue;
    const holder = holders.get(network.vrf);
    if (holder) failures.add(network.path, "shared-vrf", `${network.label} and ${holder.label} are both on VRF ${network.vrf}; give one of them another VRF`);
    else holders.set(network.vrf, network);
  }
}

export function isAuto(spec: AdvertisementSpec): boolean {
  return targetOf(spec) === "auto";
}

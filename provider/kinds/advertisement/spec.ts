import type { LabelSelector } from "./facts";

/** Networks of the cluster that are announced, as in the RouteAdvertisements API. */
export interface NetworkSelector {
  /** `DefaultNetwork`, or `ClusterUserDefinedNetworks` with a selector of their labels. One selector of each type. */
  networkSelectionType: "DefaultNetwork" | "ClusterUserDefinedNetworks";
  /** Which ClusterUserDefinedNetworks. Required for that type, and for no other. */
  clusterUserDefinedNetworkSelector?: {
    /** Selector of the networks' labels. */
    networkSelector: LabelSelector;
  };
}

/** A network of this stack that is announced. It has no Kubernetes object. */
export interface AdvertisedNetwork {
  /** `layer2`: every node announces the whole network. `layer3`: every node announces its own part. */
  topology: "layer2" | "layer3";
  /** Subnets of the network. Required for `PodNetwork` with `layer2`. */
  subnets?: string[];
  /** Subnets of each node, by the node's name. Required for `PodNetwork` with `layer3`. */
  nodeSubnets?: Record<string, string[]>;
  /** VRF of the network on the nodes. It and the target VRF import each other's routes. Required with `targetVRF: "auto"`. Default: none. */
  vrf?: string;
  /** Egress addresses of the network by the node that holds them, announced from there. */
  egressIPs?: Record<string, string[]>;
}

/** Addresses to announce: subnets of the networks, their egress addresses, or both. */
export type AdvertisementType = "PodNetwork" | "EgressIP";

/** The announced addresses, the nodes that announce them, and the sessions. */
export interface AdvertisementSpec {
  /** Name of the announcement: label `pulumi-ovn/route-advertisement` of generated objects, at most 63 characters. */
  name: string;
  /** VRF of the announcing BGP sessions: `default`, a name, or `auto` for each network's own. Default: the main one. */
  targetVRF?: string;
  /** Networks of the cluster. */
  networkSelectors?: NetworkSelector[];
  /** Networks of this stack by name. */
  networks?: Record<string, AdvertisedNetwork>;
  /** Nodes that announce, by their labels. With `PodNetwork` it must be empty. Default: all nodes. */
  nodeSelector?: LabelSelector;
  /** FRRConfigurations that are templates: their sessions announce. Generated ones are never used. Default: all. */
  frrConfigurationSelector?: LabelSelector;
  /** Kinds of addresses to announce. */
  advertisements: AdvertisementType[];
  /** Declares that nodes route, translate and isolate the networks. Disables the warnings about it. Default: false. */
  nodesPrepared?: boolean;
  /** Adds `allowas-in origin` for each neighbor, for nodes that share an AS number over eBGP. Default: false. */
  allowAsIn?: boolean;
}

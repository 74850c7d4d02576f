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
  /** Subnets of each node, by the node's name. Required for `PodNetwork` with `layer3`. A node without an entry does not announce the network. */
  nodeSubnets?: Record<string, string[]>;
  /**
   * VRF of the network on the nodes: routes that the target VRF learns are imported there, and the other way round.
   * Required with `targetVRF: "auto"`. Default: none, the network has no VRF on the nodes and nothing is imported.
   */
  vrf?: string;
  /** Egress addresses of the network by the node that holds them, announced from there. */
  egressIPs?: Record<string, string[]>;
}

/** Addresses to announce: subnets of the networks, their egress addresses, or both. */
export type AdvertisementType = "PodNetwork" | "EgressIP";

/** The announced addresses, the nodes that announce them, and the sessions. */
export interface AdvertisementSpec {
  /**
   * Name of the announcement: value of the label `pulumi-ovn/route-advertisement` on every generated object, at most
   * 63 characters.
   */
  name: string;
  /**
   * VRF over whose BGP sessions the networks are announced. `""` or `default` is the main one, `auto` each network's
   * own. Default: the main one.
   */
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
  /**
   * Declares that the nodes route, translate and isolate the announced networks as they should: mode `generate` writes
   * FRRConfigurations and changes no node. Turns the warnings `OVN_WARN_NODES_NOT_PREPARED` and `OVN_WARN_CONTROLLER` off.
   * Default: false.
   */
  nodesPrepared?: boolean;
  /**
   * Whether nodes accept routes that start with their own AS number: `allowas-in origin` for each neighbor, in the `raw`
   * text of generated objects. Without it, nodes with one AS number and eBGP sessions refuse each other's routes.
   * Default: false.
   */
  allowAsIn?: boolean;
}

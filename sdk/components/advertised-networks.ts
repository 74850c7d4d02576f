import type { AdoptObjectsArgs, AdvertisedNetwork, RouteAdvertisementArgs as PlainArgs } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { isLater } from "../plain";
import type { Inputs, ResourceArgs } from "../resource";
import type { EgressIPPolicy } from "./egress-ip-policy";
import { Layer2Network } from "./layer2-network";

/** A `Layer2Network` that is announced, with its egress addresses or into a VRF. */
export interface AdvertisedLayer2Network {
  /** The network. Every node announces its subnets. */
  network: Layer2Network;
  /** Policies of the network whose addresses are announced, each from the node that holds it. Default: none. */
  egressIPPolicies?: readonly EgressIPPolicy[];
  /**
   * VRF of the network on the nodes: routes that the target VRF learns are imported there, and the other way round.
   * Required with `targetVRF: "auto"`. Default: none, the network has no VRF on the nodes and nothing is imported.
   */
  vrf?: pulumi.Input<string>;
}

/**
 * Networks that are announced to a BGP fabric from the nodes of a Kubernetes cluster, over the sessions of frr-k8s, as
 * ovn-kubernetes' RouteAdvertisements do it. The cluster needs no ovn-kubernetes for it.
 */
export interface RouteAdvertisementArgs extends ResourceArgs<Omit<PlainArgs, "networks">>, AdoptObjectsArgs {
  /**
   * Networks of this stack by name: resources of the program, or what is announced of them. The announcement comes after the
   * resources, and is withdrawn before they go.
   */
  networks?: Record<string, Layer2Network | AdvertisedLayer2Network | Inputs<AdvertisedNetwork>> | pulumi.Output<Record<string, AdvertisedNetwork>>;
}

/** What is announced of networks that may be resources of the program, and the resources. */
export function advertisedNetworks(networks: RouteAdvertisementArgs["networks"]): { readonly networks: unknown; readonly resources: readonly pulumi.Resource[] } {
  if (typeof networks !== "object" || networks === null || isLater(networks)) return { networks, resources: [] };
  const resources: pulumi.Resource[] = [];
  const described = Object.entries(networks).map(([name, entry]: [string, unknown]) => {
    const made = madeOf(entry);
    if (!made) return [name, entry] as const;
    const { network, egressIPPolicies = [], ...rest } = made;
    resources.push(network, ...egressIPPolicies);
    return [name, { ...rest, topology: "layer2", subnets: network.subnets, ...(egressIPPolicies.length > 0 && { egressIPs: byNode(egressIPPolicies) }) }] as const;
  });
  return { networks: Object.fromEntries(described), resources };
}

function madeOf(entry: unknown): AdvertisedLayer2Network | undefined {
  if (entry instanceof Layer2Network) return { network: entry };
  const { network } = (entry ?? {}) as Partial<AdvertisedLayer2Network>;
  return network instanceof Layer2Network ? (entry as AdvertisedLayer2Network) : undefined;
}

function byNode(policies: readonly EgressIPPolicy[]): Record<string, string[]> {
  const held = Map.groupBy(policies.flatMap(({ addresses }) => Object.entries(addresses)), ([, node]) => node);
  return Object.fromEntries([...held].map(([node, entries]) => [node, entries.map(([address]) => address)]));
}

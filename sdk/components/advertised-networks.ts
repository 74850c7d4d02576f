import {
  type AdoptObjectsArgs,
  type AdvertisedNetwork,
  argumentNames,
  didYouMean,
  type Failure,
  kinds,
  propertyPath,
  type RouteAdvertisementArgs as PlainArgs,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { isLater } from "../plain";
import { refusal } from "../program-error";
import type { Inputs, ResourceArgs } from "../resource";
import { EgressIPPolicy } from "./egress-ip-policy";
import { Layer2Network, NO_NETWORK } from "./layer2-network";

/** A `Layer2Network` that is announced, with its egress addresses or into a VRF. */
export interface AdvertisedLayer2Network {
  /** The network. Every node announces its subnets. */
  network: Layer2Network;
  /** Policies of the network whose addresses are announced, each from the node that holds it. Default: none. */
  egressIPPolicies?: readonly EgressIPPolicy[];
  /** VRF of the network on the nodes. It and the target VRF import each other's routes. Required with `targetVRF: "auto"`. Default: none. */
  vrf?: pulumi.Input<string>;
}

/** As `pulumi.Output`, without the properties that it lifts, which the compiler would look for in an object. */
type Later<T> = pulumi.OutputInstance<T>;

/** Forbids the keys of the other form, so that the compiler reports a typo against the keys of the intended form. */
type OfResource<Own> = Own & { [Key in Exclude<keyof AdvertisedNetwork, keyof Own>]?: undefined };
type Described<Own> =
  | ({ [Key in keyof Own]: Inputs<Own[Key]> } & { [Key in Exclude<keyof AdvertisedLayer2Network, keyof Own>]?: undefined })
  | Later<Own>
  | Promise<Own>;

/**
 * Networks announced to a BGP fabric by frr-k8s on the nodes of a Kubernetes cluster, as ovn-kubernetes' RouteAdvertisements announces them. The
 * cluster needs no ovn-kubernetes.
 */
export interface RouteAdvertisementArgs extends ResourceArgs<Omit<PlainArgs, "networks">>, AdoptObjectsArgs {
  /**
   * Networks of this stack by name: resources of the program, or their announced parts.
   */
  networks?:
    | Record<string, Layer2Network | OfResource<AdvertisedLayer2Network> | Described<AdvertisedNetwork>>
    | pulumi.OutputInstance<Record<string, AdvertisedNetwork>>;
}

const OF_RESOURCES = ["network", "egressIPPolicies", "vrf"] as const satisfies readonly (keyof AdvertisedLayer2Network)[];
const DESCRIBED = argumentNames(kinds.RouteAdvertisement.schema, ["networks", ""]);

/**
 * Announced parts of networks, which may be resources of the program, and these resources.
 * @param what the announcement, for errors
 */
export function advertisedNetworks(
  networks: RouteAdvertisementArgs["networks"],
  what: string,
): { readonly networks: unknown; readonly resources: readonly pulumi.Resource[] } {
  if (typeof networks !== "object" || networks === null || isLater(networks)) return { networks, resources: [] };
  const failures = Object.entries(networks).flatMap(([name, entry]: [string, unknown]) => entryFailures(name, entry));
  if (failures.length > 0) throw refusal(what, failures);
  const resources: pulumi.Resource[] = [];
  const described = Object.entries(networks).map(([name, entry]: [string, unknown]) => {
    const made = madeOf(entry);
    if (!made) return [name, entry] as const;
    const { network, egressIPPolicies = [], ...rest } = made;
    resources.push(network, ...egressIPPolicies);
    return [
      name,
      { ...rest, topology: "layer2", subnets: network.subnets, ...(egressIPPolicies.length > 0 && { egressIPs: byNode(egressIPPolicies) }) },
    ] as const;
  });
  return { networks: Object.fromEntries(described), resources };
}

/** Checks the keys of an entry. The provider does not see resources, so it can't. Described networks are checked here too, for equal errors. */
function entryFailures(name: string, entry: unknown): Failure[] {
  if (typeof entry !== "object" || entry === null || entry instanceof Layer2Network || isLater(entry)) return [];
  if (pulumi.Resource.isInstance(entry)) return [{ path: propertyPath(["networks", name]), code: "resource", message: NO_NETWORK }];
  // Programs leave a key out by giving it no value.
  const given = Object.entries(entry).filter(([, value]) => value !== undefined);
  const ofResources = given.some(([key, value]) => (OF_RESOURCES.slice(0, 2) as readonly string[]).includes(key) || pulumi.Resource.isInstance(value));
  const names = ofResources ? OF_RESOURCES : DESCRIBED;
  const misspelt = given.map(([key]) => key).filter((key) => !(names as readonly string[]).includes(key));
  if (misspelt.length > 0)
    return misspelt.map((key) => ({
      path: propertyPath(["networks", name, key]),
      code: "unknown-argument",
      message: `there is no argument "${key}"${didYouMean(key, names)}`,
    }));
  const made = madeOf(entry);
  if (made) return policyFailures(name, made.egressIPPolicies);
  if (!ofResources) return [];
  return [{ path: propertyPath(["networks", name, "network"]), code: "required", message: "is required: a Layer2Network of the program" }];
}

function policyFailures(name: string, policies: unknown): Failure[] {
  if (policies === undefined || (Array.isArray(policies) && policies.every((policy) => policy instanceof EgressIPPolicy))) return [];
  return [{ path: propertyPath(["networks", name, "egressIPPolicies"]), code: "invalid_type", message: "must be a list of EgressIPPolicy resources" }];
}

function madeOf(entry: unknown): AdvertisedLayer2Network | undefined {
  if (entry instanceof Layer2Network) return { network: entry };
  const { network } = (entry ?? {}) as Partial<AdvertisedLayer2Network>;
  return network instanceof Layer2Network ? (entry as AdvertisedLayer2Network) : undefined;
}

function byNode(policies: readonly EgressIPPolicy[]): Record<string, string[]> {
  const groups = Map.groupBy(
    policies.flatMap(({ addresses }) => Object.entries(addresses)),
    ([, node]) => node,
  );
  return Object.fromEntries([...groups].map(([node, entries]) => [node, entries.map(([address]) => address)]));
}

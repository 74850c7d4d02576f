import { createHash } from "node:crypto";

/** Label with the announcement's name, and annotation with what an object is for; ovn-kubernetes' own key. */
export const ADVERTISEMENT_KEY = "k8s.ovn.org/route-advertisements";

/** How names of generated objects begin. An object with such a name is never a template. */
export const GENERATED_PREFIX = "ovnk-generated-";

/** The label by which frr-k8s finds the node that an object is for. */
export const HOSTNAME_KEY = "kubernetes.io/hostname";

/** How FRR and the RouteAdvertisements API call the main VRF. In a router of an FRRConfiguration it has no name. */
export const DEFAULT_VRF = "default";

/** Linux: names of interfaces, a VRF's too, end here (IFNAMSIZ without the closing zero). */
const LONGEST_VRF_NAME = 15;

/** A label's value ends here (Kubernetes, "Labels and Selectors"). */
export const LONGEST_LABEL = 63;

/**
 * The name of a generated object. ovn-kubernetes lets the API server draw one; here it derives from what the object is
 * for, so that a run that was cut short finds its own objects, and a preview has the names.
 */
export function generatedName(advertisement: string, namespace: string, template: string, node: string): string {
  const hash = createHash("sha256").update([advertisement, namespace, template, node].join("\n")).digest();
  return GENERATED_PREFIX + hash.readBigUInt64BE().toString(36).padStart(13, "0");
}

/**
 * The VRF that ovn-kubernetes makes for a network: of the same name while that fits, else of the network's id, which
 * the cluster gives out. undefined: the name does not fit and the id is not known.
 */
export function vrfName(network: string, id: string | undefined): string | undefined {
  if (network.length <= LONGEST_VRF_NAME && network !== DEFAULT_VRF) return network;
  return id === undefined ? undefined : `mp${id}-udn-vrf`;
}

/** "default" as FRRConfigurations write it: a router of the main VRF has none. */
export function routerVrf(vrf: string | undefined): string {
  return vrf === undefined || vrf === DEFAULT_VRF ? "" : vrf;
}

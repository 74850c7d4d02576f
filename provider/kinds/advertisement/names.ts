import { createHash } from "node:crypto";
import { OWNER_LABEL } from "../../backends/objects/set/marks";
import type { FrrConfiguration, Metadata } from "./facts";

/** Label with the announcement's name, and annotation with the template and the node of a generated object. */
export const ADVERTISEMENT_KEY = "pulumi-ovn/route-advertisement";

/**
 * The same key of ovn-kubernetes, which deletes FRRConfigurations with this label if no RouteAdvertisements has the name.
 * Releases before 0.3 wrote it.
 */
export const CONTROLLER_KEY = "k8s.ovn.org/route-advertisements";

/** The argument `namespace` for all namespaces. */
export const ALL_NAMESPACES = "*";

/** Returns the namespace to which a list request is limited, in the form of its options. */
export function listedIn(namespace: string): { readonly namespace?: string } {
  return namespace === ALL_NAMESPACES ? {} : { namespace };
}

/** Namespaces that list requests must cover, each once. */
export function together(namespaces: readonly string[]): string[] {
  return namespaces.includes(ALL_NAMESPACES) ? [ALL_NAMESPACES] : [...new Set(namespaces)];
}

/** First part of the names of generated objects. Neither this package nor ovn-kubernetes uses such an object as a template. */
const GENERATED_PREFIX = "ovnk-generated-";

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

/** Returns the announcement of this package that an object belongs to; undefined for an object of another writer. */
export function announcementOf({ metadata: { labels = {} } }: Pick<FrrConfiguration, "metadata">): string | undefined {
  return labels[ADVERTISEMENT_KEY] ?? (Object.hasOwn(labels, OWNER_LABEL) ? labels[CONTROLLER_KEY] : undefined);
}

/** Returns `ANNOUNCEMENT/TEMPLATE/NODE` of a generated object. */
export function purposeOf({ annotations = {} }: Pick<Metadata, "annotations">): string {
  return annotations[ADVERTISEMENT_KEY] ?? annotations[CONTROLLER_KEY] ?? "";
}

/** Reports whether an object is generated, by this package or by ovn-kubernetes. */
export function isGenerated({ metadata: { name, labels = {} } }: Pick<FrrConfiguration, "metadata">): boolean {
  return name.startsWith(GENERATED_PREFIX) || Object.hasOwn(labels, ADVERTISEMENT_KEY) || Object.hasOwn(labels, CONTROLLER_KEY);
}

/** Returns the announcement, of this package or of ovn-kubernetes, that has generated an object. */
export function generatorOf({ metadata: { labels = {} } }: Pick<FrrConfiguration, "metadata">): string | undefined {
  return labels[ADVERTISEMENT_KEY] ?? labels[CONTROLLER_KEY];
}

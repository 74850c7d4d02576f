import type { KubernetesObject } from "../../targets/cluster/object";

/** The objects that must exist in ONE cluster. The back end adds its own marks; a set has each object once. */
export interface ObjectSet {
  readonly objects: readonly KubernetesObject[];
  /** Kinds of which the set may have none now, and may have had some: those are looked for, too. */
  readonly kinds?: readonly { readonly apiVersion: string; readonly kind: string; readonly namespace?: string }[];
}

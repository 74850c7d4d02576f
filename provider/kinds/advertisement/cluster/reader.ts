/** The part of a session with a cluster that readers need. */
export interface ObjectReader {
  /** Throws an error with the code OVN_KIND_MISSING where the cluster has no such kind. */
  list(
    apiVersion: string,
    kind: string,
    options?: { readonly namespace?: string; readonly labels?: string },
    signal?: AbortSignal,
  ): Promise<readonly unknown[]>;
}

export interface ClusterReader extends ObjectReader {
  /** Reports whether the cluster has a kind. */
  has(apiVersion: string, kind: string, signal?: AbortSignal): Promise<boolean>;
}

export const FRR = "frrk8s.metallb.io/v1beta1";
export const CONFIGURATION = "FRRConfiguration";
export const OVN = "k8s.ovn.org/v1";

export const isKindMissing = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === "OVN_KIND_MISSING";

import { didYouMean } from "../kit/arguments/nearest";
import { ClusterError } from "./errors";
import { KUBECONFIG_KEY, type KubernetesConfig } from "./kubernetes-config";
import { namesOf } from "./listed";
import type { Clusters, ClusterSettings } from "./schema";

/** The cluster of @pulumi/kubernetes' default provider; the file of targets need not have it. */
const DEFAULT_CLUSTER = "default";

/**
 * Settings of a cluster. A kubeconfig or `inCluster` in the file of targets excludes the other sources; otherwise the stack's configuration,
 * then kubectl's defaults apply, setting by setting. Throws a ClusterError for an unknown cluster or an unusable configuration.
 */
export function clusterSettings(name: string, clusters: Clusters, config: KubernetesConfig): ClusterSettings {
  const own = Object.hasOwn(clusters, name) ? clusters[name]! : name === DEFAULT_CLUSTER ? {} : undefined;
  if (own === undefined) throw unknown(name, Object.keys(clusters));
  if (own.inCluster || own.kubeconfig !== undefined) return own;
  refuseUnsafe(name, config);
  const { kubeconfig, context, cluster } = config;
  return {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(own.context === undefined && { ...(context !== undefined && { context }), ...(cluster !== undefined && { cluster }) }),
    ...own,
  };
}

function refuseUnsafe(name: string, { isText, renderYamlToDirectory }: KubernetesConfig): void {
  const instead = `clusters.${name}.kubeconfig in the file of targets`;
  if (isText) {
    throw new ClusterError(
      `${KUBECONFIG_KEY} in the stack's configuration is the text of a kubeconfig: it is kept in the state, and "pulumi refresh" and "pulumi destroy" would take its credentials from there; ` +
        `write it to a file, and name that in ${KUBECONFIG_KEY}, ${instead}, or KUBECONFIG. ` +
        'If that is done, the last update is older: "pulumi up" brings the state up to date; before it, "pulumi refresh" and "pulumi destroy" need --run-program',
    );
  }
  if (renderYamlToDirectory !== undefined) {
    throw new ClusterError(
      `kubernetes:renderYamlToDirectory in the stack's configuration asks for files instead of objects, which is not supported here; remove it, or set ${instead}`,
    );
  }
}

function unknown(name: string, known: readonly string[]): ClusterError {
  return new ClusterError(
    known.length === 0
      ? `cluster "${name}" is not configured: the targets have no clusters; add "clusters: { ${name}: { kubeconfig: ~/.kube/config } }" to the file of targets (pulumi config set ovn:targets FILE), or name the cluster "${DEFAULT_CLUSTER}", which is that of ${KUBECONFIG_KEY} and KUBECONFIG`
      : `cluster "${name}" is not configured; the targets have ${namesOf(known)}${didYouMean(name, known)}`,
  );
}

/** A cluster in errors: `cluster "prod" (kubeconfig ~/.kube/prod, context "admin")`. */
export function describeCluster(name: string, clusters: Clusters, config: KubernetesConfig): string {
  const { kubeconfig, context, cluster } = known(name, clusters, config);
  const ways = [kubeconfig && `kubeconfig ${kubeconfig}`, context && `context "${context}"`, cluster && `its cluster "${cluster}"`].filter(Boolean);
  return `cluster "${name}"${ways.length > 0 ? ` (${ways.join(", ")})` : ""}`;
}

function known(name: string, clusters: Clusters, config: KubernetesConfig): ClusterSettings {
  try {
    return clusterSettings(name, clusters, config);
  } catch {
    return {}; // its errors are reported at its use
  }
}

/**
 * Settings of @pulumi/kubernetes' default provider in the stack's configuration that locate a cluster. Pulumi keeps configuration in the state,
 * and a refresh receives the last update's, so only names are used.
 */
export interface KubernetesConfig {
  /** Path of a kubeconfig. */
  readonly kubeconfig?: string;
  /** The value is a kubeconfig itself, not a path. It is not kept, because it contains credentials. */
  readonly isText?: true;
  readonly context?: string;
  /** Name of a cluster of the kubeconfig, instead of the context's. */
  readonly cluster?: string;
  /** Manifests go into files there, and nothing into a cluster. */
  readonly renderYamlToDirectory?: string;
}

/** Key of the stack's configuration: a path of a kubeconfig, or its text. */
export const KUBECONFIG_KEY = "kubernetes:kubeconfig";

/** @param get the value of a key of the stack's configuration */
export function kubernetesConfig(get: (key: string) => string | undefined): KubernetesConfig {
  const kubeconfig = get(KUBECONFIG_KEY);
  const values = {
    ...(kubeconfig && (isKubeconfigText(kubeconfig) ? { isText: true } : { kubeconfig })),
    context: get("kubernetes:context"),
    cluster: get("kubernetes:cluster"),
    renderYamlToDirectory: get("kubernetes:renderYamlToDirectory"),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""));
}

/** No name in a path has more characters. */
const LONGEST_NAME = 255;

/** A text that can't be a path is a kubeconfig in YAML or JSON; it is never shown. */
export function isKubeconfigText(value: string): boolean {
  return /[\n{]|:\s/.test(value) || value.split("/").some((name) => name.length > LONGEST_NAME);
}

/** Fields of a user that are credentials (client-go, api/v1, AuthInfo, and the settings of its auth-provider). */
const CREDENTIAL = /["']?\b(?:token|password|client-key-data|id-token|refresh-token|access-token|client-secret)["']?\s*:\s*\S/;

/** Whether credentials stand in the text of a kubeconfig; one that names files and programs has none. */
export function holdsCredentials(value: string): boolean {
  return isKubeconfigText(value) && CREDENTIAL.test(value);
}

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Cluster, KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import type { ClusterSettings } from "../schema";
import { ObjectError } from "./errors";

/** Base of relative paths, and sources of kubeconfig paths. */
export interface Surroundings {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

let library: Promise<typeof import("@kubernetes/client-node", { with: { "resolution-mode": "import" }})> | undefined;

/** It takes a second to load, so that happens only where a cluster is used; and looking for a loaded module at every request takes a tenth of the request. */
export const kubernetesLibrary = () => (library ??= import("@kubernetes/client-node"));

/**
 * The way to a cluster as kubectl and @pulumi/kubernetes find it: the file that the target names; else those of
 * `KUBECONFIG`; else `~/.kube/config`; else, inside of a pod, its service account.
 */
export async function loadKubeConfig(settings: ClusterSettings, surroundings: Surroundings): Promise<KubeConfig> {
  const library = await kubernetesLibrary();
  const config = new library.KubeConfig();
  const [first, ...further] = settings.inCluster ? [] : filesOf(settings, surroundings);
  if (first === undefined) loadServiceAccount(config, settings, surroundings);
  else {
    loadFile(config, first);
    for (const path of further) {
      const more = new library.KubeConfig();
      loadFile(more, path);
      merge(config, more);
    }
  }
  choose(config, settings);
  return config;
}

function filesOf({ kubeconfig }: ClusterSettings, { folder, environment }: Surroundings): string[] {
  if (kubeconfig !== undefined) return [resolve(folder, kubeconfig.replace(/^~(?=\/|$)/, homedir()))];
  // As kubectl does: files of the list that are not there don't matter.
  const listed = (environment.KUBECONFIG ?? "").split(delimiter).filter(Boolean);
  const files = (listed.length > 0 ? listed : [join(homedir(), ".kube", "config")]).map((path) => resolve(folder, path)).filter((path) => existsSync(path));
  if (listed.length > 0 && files.length === 0)
    throw new ObjectError("OVN_KUBECONFIG", `there is no file ${listed.join(", ")}, which the environment variable KUBECONFIG names`);
  return files;
}

/** The first file that names something wins (Kubernetes, "Organizing Cluster Access Using kubeconfig Files"); the library refuses two of a name. */
function merge(config: KubeConfig, more: KubeConfig): void {
  const first = <Named extends { readonly name: string }>(known: readonly Named[], others: readonly Named[]) => [
    ...known,
    ...others.filter(({ name }) => !known.some((one) => one.name === name)),
  ];
  config.clusters = first(config.getClusters(), more.getClusters());
  config.users = first(config.getUsers(), more.getUsers());
  config.contexts = first(config.getContexts(), more.getContexts());
  if (!config.getCurrentContext()) config.setCurrentContext(more.getCurrentContext());
}

/** The parser's messages quote the text, which contains credentials: only the path is shown. */
function loadFile(config: KubeConfig, path: string): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ObjectError("OVN_KUBECONFIG", `the kubeconfig ${path} can't be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    config.loadFromString(text);
    config.makePathsAbsolute(dirname(path));
  } catch {
    throw new ObjectError("OVN_KUBECONFIG", `${path} is not a kubeconfig`);
  }
}

function loadServiceAccount(config: KubeConfig, { inCluster }: ClusterSettings, { environment }: Surroundings): void {
  if (environment.KUBERNETES_SERVICE_HOST) return config.loadFromCluster();
  throw new ObjectError(
    "OVN_KUBECONFIG",
    inCluster
      ? "this is no pod of a cluster: KUBERNETES_SERVICE_HOST is not set; name a kubeconfig in the file of targets"
      : "there is no kubeconfig: name one in the file of targets, or set KUBECONFIG; there is no ~/.kube/config either",
  );
}

function choose(config: KubeConfig, { context, cluster }: ClusterSettings): void {
  if (context !== undefined) {
    const names = config.getContexts().map(({ name }) => name);
    if (!names.includes(context)) throw new ObjectError("OVN_KUBECONFIG", `the kubeconfig has no context "${context}"; it has ${names.join(", ") || "none"}`);
    config.setCurrentContext(context);
  }
  if (cluster !== undefined) override(config, cluster);
  const chosen = config.getCurrentCluster();
  if (chosen !== null) return requireSafe(chosen);
  const current = config.getCurrentContext();
  throw new ObjectError(
    "OVN_KUBECONFIG",
    current
      ? `the context "${current}" of the kubeconfig names no cluster that it has`
      : "the kubeconfig has no current context; name one in the file of targets",
  );
}

/**
 * The library refuses to send credentials over plain HTTP unless configured, or to a proxy, and its error looks like that of a credential
 * program.
 */
function requireSafe({ name, server, skipTLSVerify, proxyUrl }: Pick<Cluster, "name" | "server" | "skipTLSVerify" | "proxyUrl">): void {
  if (!server.startsWith("http:") || skipTLSVerify || proxyUrl) return;
  throw new ObjectError(
    "OVN_KUBECONFIG",
    `the address of the kubeconfig's cluster "${name}" is http: without TLS; if that is meant, as with "kubectl proxy", give the cluster insecure-skip-tls-verify: true`,
  );
}

/** As `kubectl --cluster`: the context's user at another of the kubeconfig's clusters. */
function override(config: KubeConfig, cluster: string): void {
  const names = config.getClusters().map(({ name }) => name);
  if (!names.includes(cluster)) throw new ObjectError("OVN_KUBECONFIG", `the kubeconfig has no cluster "${cluster}"; it has ${names.join(", ") || "none"}`);
  config.contexts = config.getContexts().map((context) => (context.name === config.getCurrentContext() ? { ...context, cluster } : context));
}

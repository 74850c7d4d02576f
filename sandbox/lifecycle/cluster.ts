import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { runOrFail, until } from "../kit/process";
import type { Report } from "../kit/progress";
import { quote } from "../kit/shell";
import { FRR_K8S_NAMESPACE, type FrrK8sSite, frrK8sDaemons, frrK8sScripts, hostObjects } from "../plan/frr-k8s";
import type { Layout } from "../plan/layout";
import { onFreePorts } from "../servers/kubernetes-api";
import { KubernetesClient } from "../servers/kubernetes-client";
import { freePorts, kubeconfigOf, serverCommands, serverReady, type ServerSite, writeServerFiles } from "../servers/kubernetes-server";
import { type Binaries } from "../tools/binaries";
import { type FrrK8s, frrK8sPrograms, type KubernetesPrograms, kubernetesPrograms } from "../tools/kubernetes-tools";
import { inside } from "./namespaces";

/** Properties of a sandbox that its cluster uses. */
export interface ClusterSite {
  readonly folder: string;
  readonly hosts: Layout["hosts"];
  /** The number of the first process, as seen from outside. */
  readonly firstProcess: number;
}

/** The folder of a sandbox's cluster, in the sandbox's. */
export const clusterFolder = (folder: string): string => join(folder, "cluster");

/** Whether the cluster of a sandbox has been set up. */
export const hasCluster = (folder: string): Promise<boolean> => exists(join(clusterFolder(folder), "ready"));

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Fetches or builds what a cluster needs. */
export const clusterPrograms = async (report: Report): Promise<KubernetesPrograms & FrrK8s> => ({
  ...(await kubernetesPrograms(report)),
  ...(await frrK8sPrograms(report)),
});

/**
 * Starts the API server of a sandbox and the frr-k8s of each of its hosts. Their processes are among the sandbox's and end with them;
 * but the API server listens on the loopback interface outside, where Pulumi finds it.
 */
export const startCluster = async (site: ClusterSite, frr: Binaries, programs: KubernetesPrograms & FrrK8s): Promise<void> => {
  const client = await onFreePorts(() => startServer(site, programs));
  await define(client, programs.crds);
  await client.must("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: FRR_K8S_NAMESPACE } });
  await Promise.all(
    site.hosts.map(async (host) => {
      const { node, status, pod } = hostObjects(host);
      await client.must("POST", "/api/v1/nodes", node);
      await client.must("PATCH", `/api/v1/nodes/${host.name}/status`, status, { type: "application/merge-patch+json" });
      await client.must("POST", `/api/v1/namespaces/${FRR_K8S_NAMESPACE}/pods`, pod);
      await startFrrK8s(site, host.name, { kubeconfig: client.kubeconfig, reload: frr.file("frr-reload.py"), programs });
    }),
  );
  await until("the states of all nodes", 30_000, async () => {
    const { items } = (await client.must("GET", `${FRR}/frrnodestates`)) as { items: unknown[] };
    return items.length === site.hosts.length;
  });
  await writeFile(join(clusterFolder(site.folder), "ready"), "");
};

const FRR = "/apis/frrk8s.metallb.io/v1beta1";

const startServer = async ({ folder, firstProcess }: ClusterSite, programs: KubernetesPrograms): Promise<KubernetesClient> => {
  const server: ServerSite = { folder: clusterFolder(folder), ports: await freePorts() };
  await rm(server.folder, { recursive: true, force: true });
  await mkdir(server.folder);
  await writeServerFiles(server);
  const at = (file: string): string => join(server.folder, file);
  const ended = (name: string): string => at(`${name}.ended`);
  const commands = serverCommands(server, programs);
  for (const [name, { file, args }] of commands)
    await launch(firstProcess, undefined, `${[file, ...args].map(quote).join(" ")}; : > ${quote(ended(name))}`, at(`${name}.log`));
  await serverReady(server, async () => {
    for (const [name] of commands) {
      if (await exists(ended(name)))
        throw new SandboxError("daemon-failed", `${name} ended immediately`, (await readFile(at(`${name}.log`), "utf8")).slice(-1000));
    }
  });
  return new KubernetesClient(kubeconfigOf(server.folder));
};

/** Makes kinds; objects of them can be made when it returns. */
const define = async (client: KubernetesClient, crds: string): Promise<void> => {
  const files = await readdir(crds);
  for (const file of files)
    await client.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", await readFile(join(crds, file), "utf8"), {
      type: "application/yaml",
    });
  for (const file of files) {
    const plural = file.slice(file.indexOf("_") + 1, -".yaml".length);
    await until(plural, 30_000, async () => (await client.ask("GET", `${FRR}/${plural}`)).status === 200);
  }
};

const startFrrK8s = async ({ folder, firstProcess }: ClusterSite, host: string, more: Omit<FrrK8sSite, "folder" | "node">): Promise<void> => {
  const own = join(folder, host);
  await mkdir(join(own, "frr-k8s"));
  const scripts = frrK8sScripts({ folder: own, node: host, ...more });
  const holder = Number(await readFile(join(own, "pid"), "utf8"));
  for (const daemon of frrK8sDaemons) {
    const script = join(own, `start-${daemon}`);
    await writeFile(script, scripts[daemon]);
    await launch(firstProcess, holder, `exec sh ${quote(script)}`, join(own, `${daemon}.log`));
    // The controller reads the reloader's number.
    await until(`${daemon} of ${host}`, 10_000, () => exists(join(own, `${daemon}.pid`)));
  }
};

/** Starts a shell script among the sandbox's processes, in the network outside; it continues when this process ends. */
const launch = async (init: number, holder: number | undefined, script: string, log: string): Promise<void> => {
  // nsenter's shell ends immediately, and its child is adopted by the sandbox's first process.
  const { file, args } = inside(init, holder, { file: "sh", args: ["-c", 'sh -c "$1" >> "$2" 2>&1 < /dev/null &', "sh", script, log] }, false);
  await runOrFail({ file, args }, { timeout: 10_000 });
};

import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { run } from "../kit/process";
import type { Report } from "../kit/progress";
import { builtTools, goOptions, type GoTool, type Toolset } from "./go-tools";
import { findOnPath, programFolders } from "./path";

/** kube-apiserver and etcd, as controller-runtime's envtest has them. */
export interface KubernetesPrograms {
  readonly etcd: string;
  readonly apiServer: string;
}

/** frr-k8s: its controller, its status exporter, and the folder of its CustomResourceDefinitions (YAML). */
export interface FrrK8s {
  readonly controller: string;
  readonly status: string;
  readonly crds: string;
}

const etcd: GoTool = { name: "etcd", package: "go.etcd.io/etcd/server/v3", version: "v3.6.5" };
const VERSION = "k8s.io/component-base/version";
const apiServer: GoTool = {
  name: "kube-apiserver",
  package: "k8s.io/kubernetes/cmd/kube-apiserver",
  version: "v1.36.2",
  variables: { [`${VERSION}.gitVersion`]: "v1.36.2", [`${VERSION}.gitMajor`]: "1", [`${VERSION}.gitMinor`]: "36" },
  slow: true,
};
const controller: GoTool = { name: "frr-k8s-controller", package: "github.com/metallb/frr-k8s/cmd/frr-k8s-controller", version: "v0.0.25", slow: true };
const status: GoTool = { name: "frr-k8s-status", module: controller.name, package: "github.com/metallb/frr-k8s/cmd/status", version: controller.version };

const REMEDY = "Set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd (https://book.kubebuilder.io/reference/envtest), or put them on PATH.";

const toolset = (title: string, tools: readonly GoTool[], finish?: Toolset["finish"]): Toolset => ({
  folder: tools.map(({ name, version }) => `${name}-${version.slice(1)}`).join("-"),
  title,
  tools,
  remedy: REMEDY,
  missing: () =>
    new SandboxError(
      "no-kubernetes",
      `there is no \`${tools.at(-1)!.name}\` on PATH, and no \`go\` to build it with`,
      `${REMEDY} Or install Go 1.26 or newer (https://go.dev/doc/install): then it is built from its Go modules.`,
    ),
  ...(finish && { finish }),
});

const kubernetes = toolset("kube-apiserver", [etcd, apiServer]);

const frrK8s = toolset("frr-k8s", [controller, status], async (folder, go) => {
  const { code, stdout, stderr } = await run(
    { file: go, args: ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "github.com/metallb/frr-k8s"] },
    goOptions(controller),
  );
  if (code !== 0) throw new SandboxError("build-failed", `go list of frr-k8s failed: ${stderr.trim()}`, REMEDY);
  const definitions = join(stdout.trim(), "config/crd/bases");
  await mkdir(join(folder, "crds")); // a copy of the module's own folder would be read-only, and could not be removed
  for (const file of await readdir(definitions)) await copyFile(join(definitions, file), join(folder, "crds", file));
});

/** Those of `KUBEBUILDER_ASSETS`, or of PATH; otherwise they are built once from their pinned Go modules. */
export const kubernetesPrograms = async (report: Report, env: NodeJS.ProcessEnv = process.env): Promise<KubernetesPrograms> => {
  const folders = [...(env["KUBEBUILDER_ASSETS"] ? [env["KUBEBUILDER_ASSETS"]] : []), ...programFolders()];
  const installed = [etcd.name, apiServer.name].map((name) => findOnPath(name, folders));
  if (installed[0] !== undefined && installed[1] !== undefined) return { etcd: installed[0], apiServer: installed[1] };
  const folder = await builtTools(kubernetes, report);
  return { etcd: join(folder, etcd.name), apiServer: join(folder, apiServer.name) };
};

/** frr-k8s, built once from its pinned Go modules: its definitions belong to its release. */
export const frrK8sPrograms = async (report: Report): Promise<FrrK8s> => {
  const folder = await builtTools(frrK8s, report);
  return { controller: join(folder, controller.name), status: join(folder, status.name), crds: join(folder, "crds") };
};

import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../kit/cache";
import { SandboxError } from "../kit/errors";
import { run } from "../kit/process";
import type { Report } from "../kit/progress";
import { builtTools, goOptions, type GoTool, type Toolset } from "./go-tools";
import { findOnPath } from "./path";

/** Version of the plugin, and so of `@pulumi/kubernetes` in the tests and examples: the newest that can be built from Go modules. */
const VERSION = "4.25.0";
const MODULE = "github.com/pulumi/pulumi-kubernetes/provider/v4";
const plugin: GoTool = { name: "pulumi-resource-kubernetes", package: ".", version: `v${VERSION}`, slow: true };
const REMEDY = `Put pulumi-resource-kubernetes ${VERSION} on PATH (pulumi plugin install resource kubernetes ${VERSION}).`;

const toolset: Toolset = {
  folder: `${plugin.name}-${VERSION}`,
  title: "the plugin of @pulumi/kubernetes",
  tools: [plugin],
  remedy: REMEDY,
  missing: () => new SandboxError("no-kubernetes-plugin", `there is no \`${plugin.name}\` on PATH, and no \`go\` to build it with`, REMEDY),
  finish: async (folder, go) => {
    const { code, stdout, stderr } = await run({ file: go, args: ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", MODULE] }, goOptions(plugin));
    if (code !== 0) throw new SandboxError("build-failed", `go list of ${MODULE} failed: ${stderr.trim()}`, REMEDY);
    for (const [file, change] of [
      ["schema.json", { version: VERSION }],
      ["terraform-mapping.json", {}],
    ] as const) {
      const content = JSON.parse(await readFile(join(stdout.trim(), "cmd", plugin.name, file), "utf8")) as object;
      await writeFile(join(folder, file), JSON.stringify({ ...content, ...change }));
    }
  },
};

/** The folder of a plugin in the user's Pulumi home. */
const userPlugin = (env: NodeJS.ProcessEnv): string => join(env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins", `resource-kubernetes-v${VERSION}`);

/** The folder with a plugin that needs no building: the user's, or one that was built before. */
const presentPlugin = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  [userPlugin(env), join(cacheFolder(env), toolset.folder)].find((folder) => existsSync(join(folder, plugin.name)));

/** Whether Pulumi can have the plugin of `@pulumi/kubernetes` without building it. The CLI itself finds one on PATH. */
export const hasKubernetesPlugin = (): boolean => findOnPath(plugin.name) !== undefined || presentPlugin() !== undefined;

/** The folder of the plugin, built once from its pinned Go modules if it is missing; undefined if one is on PATH. */
export const kubernetesPlugin = async (report: Report): Promise<string | undefined> =>
  findOnPath(plugin.name) === undefined ? (presentPlugin() ?? builtTools(toolset, report)) : undefined;

/** Gives a Pulumi home the plugin of `@pulumi/kubernetes`. */
export const installKubernetesPlugin = async (home: string, report: Report): Promise<void> => {
  const folder = await kubernetesPlugin(report);
  if (folder === undefined) return;
  const own = join(home, "plugins", `resource-kubernetes-v${VERSION}`); // a linked folder is not a plugin to the CLI
  await mkdir(own, { recursive: true });
  await symlink(join(folder, plugin.name), join(own, plugin.name));
};

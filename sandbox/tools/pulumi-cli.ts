import { chmod, copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SandboxError } from "../kit/errors";
import type { Report } from "../kit/progress";
import { projectRoot } from "../kit/project-root";
import { builtTools, type GoTool, type Toolset } from "./go-tools";
import { findOnPath, programFolders } from "./path";

/** The words that run this repository's `pulumi-ovn`; its arguments follow. */
export const pulumiOvn = [process.execPath, join(projectRoot, "sdk/bin/pulumi-ovn.js")] as const;

const INSTALL = "https://www.pulumi.com/docs/install/";
const tool = (name: string, path: string, version: string): GoTool => ({
  name,
  package: `github.com/pulumi/pulumi/${path}`,
  version,
  // Pulumi's tools refuse a CLI without a version.
  variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": version },
});

const cli: GoTool = { ...tool("pulumi", "pkg/v3/cmd/pulumi", "v3.258.0"), tags: "osusergo,grpcnotrace", slow: true };
const languageHost = tool("pulumi-language-nodejs", "sdk/v3/nodejs/cmd/pulumi-language-nodejs", "v3.68.0");

const pulumi: Toolset = {
  folder: `pulumi-${cli.version.slice(1)}`,
  title: "the Pulumi CLI",
  tools: [languageHost, cli],
  remedy: `Install the Pulumi CLI yourself: ${INSTALL}`,
  missing: () =>
    new SandboxError(
      "no-pulumi",
      "there is no `pulumi` on PATH, and no `go` to build it with",
      `Install the Pulumi CLI (${INSTALL}), or Go 1.26 or newer (https://go.dev/doc/install): then it is built from its Go modules.`,
    ),
  finish: async (folder) => {
    const launcher = "pulumi-resource-pulumi-nodejs"; // a shell script; next to the CLI, Pulumi finds it without a warning
    await copyFile(join(projectRoot, "node_modules/@pulumi/pulumi", launcher), join(folder, launcher));
    await chmod(join(folder, launcher), 0o755);
  },
};

/**
 * Folder of the Pulumi CLI: that of `pulumi` on PATH, otherwise one built once from pinned Go modules, with the Node.js language host and the
 * dynamic provider's launcher.
 */
export const pulumiFolder = async (report: Report): Promise<string> => {
  const installed = findOnPath(
    "pulumi",
    programFolders().filter((folder) => !folder.includes("node_modules")),
  );
  return installed === undefined ? builtTools(pulumi, report) : dirname(installed);
};

/** Environment for the CLI that keeps a stack's state and plugins in `folder` and never reaches out to the network by itself. */
export const pulumiEnvironment = (cliFolder: string, folder: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...env,
  PATH: [cliFolder, join(projectRoot, "node_modules/.bin"), env["PATH"]].filter(Boolean).join(":"),
  PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
  PULUMI_HOME: join(folder, "home"),
  // A sandbox's state has no secrets, and a fixed passphrase avoids a prompt.
  PULUMI_CONFIG_PASSPHRASE: env["PULUMI_CONFIG_PASSPHRASE"] ?? "sandbox",
  PULUMI_SKIP_UPDATE_CHECK: "1",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "1",
});

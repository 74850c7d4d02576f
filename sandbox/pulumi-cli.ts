import { chmod, copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder, makeOnce } from "./cache";
import { findOnPath, programFolders } from "./debian-tree";
import { SandboxError } from "./errors";
import { run } from "./process";
import { duration, type Report } from "./progress";

/** The project's root folder; this file runs from `sandbox/` or `sandbox/dist/`. */
export const projectRoot = __dirname.endsWith("dist") ? join(__dirname, "../..") : join(__dirname, "..");

interface Tool {
  /** The folder below `scripts/tools` with the pinned go.mod and go.sum, and the binary's name. */
  readonly name: string;
  readonly package: string;
  /** Set in the binary: Pulumi's tools refuse a CLI without a version. */
  readonly version: string;
  readonly tags: string;
}

const cli: Tool = { name: "pulumi", package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", version: "v3.258.0", tags: "osusergo,grpcnotrace" };
const languageHost: Tool = { name: "pulumi-language-nodejs", package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs", version: "v3.68.0", tags: "" };

/**
 * The folder with the Pulumi CLI: that of `pulumi` on PATH when there is one, otherwise built once from its pinned Go modules,
 * with the Node.js language host and the dynamic provider's launcher beside it.
 */
export const pulumiFolder = async (report: Report): Promise<string> => {
  const installed = findOnPath("pulumi", programFolders().filter((folder) => !folder.includes("node_modules")));
  if (installed !== undefined) return dirname(installed);
  const folder = join(cacheFolder(), `pulumi-${cli.version.slice(1)}`);
  await makeOnce(folder, async (scratch) => {
    const go = findOnPath("go");
    if (go === undefined) {
      throw new SandboxError("no-pulumi", "there is no `pulumi` on PATH, and no `go` to build it with",
        "Install the Pulumi CLI (https://www.pulumi.com/docs/install/), or Go 1.26 or newer (https://go.dev/doc/install): then it is built from its Go modules.");
    }
    for (const tool of [languageHost, cli]) await build(go, tool, scratch, report);
    const launcher = "pulumi-resource-pulumi-nodejs"; // a shell script; beside the CLI it is found without a warning
    await copyFile(join(projectRoot, "node_modules/@pulumi/pulumi", launcher), join(scratch, launcher));
    await chmod(join(scratch, launcher), 0o755);
  }, () => report("another process is building the Pulumi CLI; waiting for it"));
  return folder;
};

const build = async (go: string, tool: Tool, folder: string, report: Report): Promise<void> => {
  const started = performance.now();
  report(`building ${tool.name} ${tool.version} from its Go modules${tool === cli ? " (some minutes, once)" : ""}`);
  let lines = 0;
  const timer = setInterval(() => report(`${tool.name}: ${lines} modules and packages, ${duration(performance.now() - started)}`), 15_000);
  // go.sum pins every module, so -mod=readonly verifies all of them without asking a checksum database.
  const args = ["build", "-v", "-trimpath", "-mod=readonly", "-tags", tool.tags,
    "-ldflags", `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${tool.version}`, "-o", join(folder, tool.name), tool.package];
  try {
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off" };
    const count = (text: string): void => void (lines += text.split("\n").length - 1);
    const { code, stderr } = await run({ file: go, args }, { cwd: join(projectRoot, "scripts/tools", tool.name), env, onOutput: count });
    if (code !== 0) throw new SandboxError("build-failed", `go build of ${tool.name} failed: ${stderr.trim().split("\n").slice(-8).join("\n  ")}`, "Install the Pulumi CLI yourself: https://www.pulumi.com/docs/install/");
  } finally {
    clearInterval(timer);
  }
  report(`${tool.name}: ${duration(performance.now() - started)}`);
};

/** Environment for the CLI that keeps a stack's state and plugins in `folder` and never reaches out to the network by itself. */
export const pulumiEnvironment = (cliFolder: string, folder: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...env,
  PATH: [cliFolder, join(projectRoot, "node_modules/.bin"), env["PATH"]].filter(Boolean).join(":"),
  PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
  PULUMI_HOME: join(folder, "home"),
  // Nothing secret is in a sandbox's state, and a passphrase that is not asked for makes every command work at once.
  PULUMI_CONFIG_PASSPHRASE: env["PULUMI_CONFIG_PASSPHRASE"] ?? "sandbox",
  PULUMI_SKIP_UPDATE_CHECK: "1",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "1",
  // Programs and the provider start faster when Node keeps their modules compiled.
  NODE_COMPILE_CACHE: env["NODE_COMPILE_CACHE"] ?? join(cacheFolder(), "modules"),
});


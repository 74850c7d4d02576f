import { type ChildProcess, spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { finished, type Ran, type Workspace } from "./workspace";

/** Runs the command `pulumi-ovn` as it is installed. */
export const pulumiOvn = (...given: Parameters<typeof startPulumiOvn>): Promise<Ran> => finished(startPulumiOvn(...given));

/** Starts the command `pulumi-ovn`. */
export function startPulumiOvn(args: readonly string[], environment: NodeJS.ProcessEnv = {}, cwd = projectRoot): ChildProcess {
  const { PULUMI_OVN_ZONES: _outer, ...inherited } = process.env;
  const file = join(projectRoot, "sdk/bin/pulumi-ovn.js");
  return spawn(process.execPath, [file, ...args], { cwd, env: { ...inherited, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
}

/** Imports the zones of a workspace into its stack: program, state and all. Returns the report. */
export async function importInto(workspace: Workspace, ...options: string[]): Promise<string> {
  const { folder } = workspace;
  await rm(join(folder, "index.js"), { force: true });
  await writeFile(join(folder, "Pulumi.yaml"), "name: trial\nruntime: nodejs\n");
  const { code, stdout, stderr } = await pulumiOvn(["import", "--config", join(folder, "Pulumi.dev.yaml"), "--out", folder, "--force", ...options]);
  if (code !== 0) throw new Error(`pulumi-ovn import exited ${code}\n${stderr}`);
  await workspace.must("import", "--file", "import.json", "--yes", "--skip-preview", "--protect=false", "--generate-code=false", "--stack", "dev");
  return stdout;
}

/** Compiler errors of a folder's program, with its own tsconfig.json and stricter ones. */
export function compile(folder: string, ...options: string[]): Promise<Ran> {
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  return finished(spawn(process.execPath, [compiler, "--project", folder, ...options], { stdio: ["ignore", "pipe", "pipe"] }));
}

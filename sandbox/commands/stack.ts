import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { SandboxError } from "../kit/errors";
import { run, runInTerminal } from "../kit/process";
import type { Report } from "../kit/progress";
import { projectRoot } from "../kit/project-root";
import type { Sandbox } from "../lifecycle/sandbox";
import { pulumiEnvironment, pulumiFolder } from "../tools/pulumi-cli";
import { withTargets } from "./stack-config";

/** The stack that the root project is deployed as in the sandbox. */
const stackName = "sandbox";
const stateFolder = join(projectRoot, ".sandbox");
const configFile = join(projectRoot, `Pulumi.${stackName}.yaml`);
const instanceFile = join(stateFolder, "instance");
/** JSON is YAML. */
const targetsFile = join(stateFolder, "targets.yaml");

/** Environment of the Pulumi CLI for the sandbox's stack. */
export const stackEnvironment = async (report: Report): Promise<NodeJS.ProcessEnv> => {
  await mkdir(join(stateFolder, "state"), { recursive: true }); // the CLI wants the backend's folder to exist
  return { ...pulumiEnvironment(await pulumiFolder(report), stateFolder), PULUMI_STACK: process.env["PULUMI_STACK"] ?? stackName };
};

/** Runs the Pulumi CLI in the project's root with this terminal; returns its exit status. */
export const pulumi = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => runInTerminal("pulumi", args, env, projectRoot);

/**
 * Points the stack's configuration at this sandbox, and creates the stack if needed. State of an ended sandbox describes deleted rows, so it is
 * removed.
 */
export const prepareStack = async (sandbox: Sandbox, env: NodeJS.ProcessEnv): Promise<void> => {
  const present = await readFile(instanceFile, "utf8").catch(() => "");
  if (present !== sandbox.instance) {
    await rm(join(stateFolder, "state"), { recursive: true, force: true });
    await rm(instanceFile, { force: true });
  }
  await mkdir(join(stateFolder, "state"), { recursive: true });
  const text = await readFile(configFile, "utf8").catch(() => "");
  await writeFile(targetsFile, `${JSON.stringify(sandbox.targets, undefined, 2)}\n`);
  const wanted = withTargets(text, relative(projectRoot, targetsFile));
  if (wanted !== text) await writeFile(configFile, wanted);
  if (present === sandbox.instance) return;
  const { code, stderr } = await run({ file: "pulumi", args: ["stack", "select", "--create", stackName, "--non-interactive"] }, { cwd: projectRoot, env });
  if (code !== 0) throw new SandboxError("stack", `the stack could not be made: ${stderr.trim()}`);
  await writeFile(instanceFile, sandbox.instance);
};

/** Removes the state and configuration of the stack, if they belong to this instance of the sandbox. */
export const removeStack = async (instance: string): Promise<void> => {
  if ((await readFile(instanceFile, "utf8").catch(() => "")) !== instance) return;
  await rm(stateFolder, { recursive: true, force: true });
  await rm(configFile, { force: true });
};

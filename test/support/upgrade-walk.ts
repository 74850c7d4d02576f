import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { processTree, projectRoot, pulumiEnvironment, pulumiFolder } from "@pulumi-ovn/sandbox/testing";
import { killAll } from "./processes";
import { finished, type Ran, type Workspace } from "./workspace";

/** Runs `pulumi-ovn upgrade` on the stack of a workspace, as its user would, in a process group of its own. */
export async function startUpgrade({ folder }: Workspace, ...args: string[]): Promise<ChildProcess> {
  const { PULUMI_OVN_ZONES: _outer, ...inherited } = process.env;
  const environment = pulumiEnvironment(await pulumiFolder(() => undefined), join(folder, "state"), inherited);
  return start(folder, environment, "dev", args);
}

/** @param args replace the folder and the stack if they have their options */
function start(folder: string, environment: NodeJS.ProcessEnv, stack: string, args: readonly string[]): ChildProcess {
  const chosen = [
    ["--cwd", folder],
    ["--stack", stack],
  ]
    .filter(([option]) => !args.includes(option!))
    .flat();
  return spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "upgrade", ...chosen, ...args], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

export async function upgrade(workspace: Workspace, ...args: string[]): Promise<Ran> {
  return finished(await startUpgrade(workspace, ...args));
}

/** An upgrade that has to succeed; returns what it printed. */
export async function mustUpgrade(workspace: Workspace, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await upgrade(workspace, ...args);
  if (code !== 0) throw new Error(`pulumi-ovn upgrade ${args.join(" ")} exited ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

export interface LogLine {
  readonly event: string;
  readonly [name: string]: unknown;
}

export async function readLog(path: string): Promise<LogLine[]> {
  return (await readFile(path, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
}

/** The stack's configuration file. */
export function configuration({ folder }: Workspace): Promise<string> {
  return readFile(join(folder, "Pulumi.dev.yaml"), "utf8");
}

/** Kills the walk with all its processes, like a power cut. */
export async function killWalk(walk: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => (walk.exitCode === null && walk.signalCode === null ? walk.once("exit", resolve) : resolve(undefined)));
  killAll(processTree(walk.pid!));
  await gone;
}

/** Resolves when the walk has printed the text. */
export function printed(walk: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = "";
    walk.stdout!.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve();
    });
    walk.once("close", (code) => reject(new Error(`the walk ended with ${code} and did not print ${JSON.stringify(text)}:\n${seen}`)));
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";

/** A `pulumi-ovn guard` in a process of its own. */
export interface Guard {
  readonly process: ChildProcess;
  /** Standard output up to now. */
  said(): string;
}

/** Writes the files that a guard needs: a project with the stack `dev`, without a program. */
export async function guardProject(folder: string, targets: object): Promise<string> {
  await mkdir(folder, { recursive: true });
  const files = {
    "Pulumi.yaml": "name: net\nruntime: nodejs\n",
    "Pulumi.dev.yaml": "config:\n  ovn:targets: targets.yaml\n",
    "targets.yaml": JSON.stringify(targets),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** Starts a guard in the folder of a project. It watches when this returns. */
export async function startGuard(cwd: string, environment: NodeJS.ProcessEnv = {}): Promise<Guard> {
  const child = spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "guard", "--stack", "dev"], {
    cwd,
    env: { ...process.env, PULUMI_OVN_ZONES: undefined, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => Promise.reject(new Error("the guard has ended")))]);
  return { process: child, said: () => text };
}

/** Ends a guard. Returns its exit code and signal. */
export async function ended({ process: child }: Guard, signal: NodeJS.Signals): Promise<unknown[]> {
  const exit = once(child, "exit");
  child.kill(signal);
  return exit;
}

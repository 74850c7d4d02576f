import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath } from "@pulumi-ovn/sandbox";

/** Programs that a runner's machine has. Node and Pulumi come by a pipeline's own steps or by its image. */
const PROGRAMS = "bash sh git env cat cp rm mkdir mv ls sed tee head tail grep uname dirname basename printenv tr cut id ln sleep ps kill setsid nohup".split(
  " ",
);

export type Variables = Readonly<Record<string, string>>;

/** A machine that runs pipelines: its folder, its PATH, and what a step can install. */
export interface Machine {
  readonly folder: string;
  readonly path: string;
  /** Folder of Node and npm. */
  readonly node: string;
  /** Folder of the Pulumi CLI. */
  readonly pulumi: string;
  /** The repository that the forge has. */
  readonly repository: string;
  /** Variables of the runner itself: here, where the state is. */
  readonly variables: Variables;
}

/** Programs by name, each a script. */
type Scripts = Readonly<Record<string, string>>;

const writeScripts = (folder: string, scripts: Scripts) =>
  Promise.all(Object.entries(scripts).map(([name, text]) => writeFile(join(folder, name), text, { mode: 0o755 })));

/**
 * Makes a machine with PROGRAMS and further ones. Its curl answers only as Pulumi's installer, its apt-get installs only OVN.
 * @param ovn programs of OVN's packages, and the folder of their schemas
 */
export async function startMachine(made: Omit<Machine, "path" | "node">, programs: Scripts, ovn: { programs: Scripts; schemas: string }): Promise<Machine> {
  const [path, node, packages] = ["usr/bin", "node", "packages"].map((name) => join(made.folder, name)) as [string, string, string];
  await Promise.all([path, node, packages, join(made.folder, "usr/share")].map((folder) => mkdir(folder, { recursive: true })));
  const linked = [...PROGRAMS.map((name) => [path, name]), [node, "npm"], [node, "npx"]] as [string, string][];
  for (const [folder, name] of linked) {
    const file = findOnPath(name);
    if (file !== undefined) await symlink(file, join(folder, name));
  }
  await symlink(process.execPath, join(node, "node"));
  const installer = `mkdir -p "$HOME/.pulumi/bin" && cp ${made.pulumi}/pulumi* "$HOME/.pulumi/bin/"`;
  await writeScripts(packages, ovn.programs);
  await writeScripts(path, {
    ...programs,
    curl: `#!/bin/sh\nfor last; do :; done\n[ "$last" = https://get.pulumi.com ] && echo '${installer}'\n`,
    "apt-get": `#!/bin/sh\ncase "$*" in update) ;; *install*ovn-central*) cp ${packages}/* ${path}/ && ln -sfn ${ovn.schemas} ${path}/../share/ovn ;; *) exit 100 ;; esac\n`,
  });
  return { ...made, path, node };
}

/** Runs a script; `shell` is the command with `{0}` for the script's file, as runners have it. */
export async function runScript(shell: string, cwd: string, env: Variables, script: string): Promise<{ failed: boolean; log: string }> {
  const file = join(await mkdtemp(join(cwd, "../script-")), "script.sh");
  await writeFile(file, script);
  const [program, ...args] = shell.replace("{0}", file).split(" ");
  const child = spawn(program!, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { failed: code !== 0, log };
}

/** Clones the forge's repository, as a runner does before a job. */
export async function checkOut({ repository, path }: Machine, ref: string, workspace: string): Promise<void> {
  const { failed, log } = await runScript("sh -e {0}", workspace, { PATH: path }, `git clone --quiet --branch "${ref}" "${repository}" .`);
  if (failed) throw new Error(log);
}

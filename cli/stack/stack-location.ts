import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { parse } from "yaml";
import { projectFile, requireProject } from "./stack-file";
import type { StackLocation } from "./state-file";

/** Location of a stack's state, from commands of Pulumi that do not read the state. */
export async function locationOf(stack: string | undefined, cwd = "."): Promise<StackLocation> {
  const folder = requireProject(cwd);
  const { name } = parse(readFileSync(projectFile(folder)!, "utf8")) as { name: string };
  const { stdout } = await promisify(execFile)("pulumi", ["whoami", "--json", "--non-interactive"], { cwd });
  const { url } = JSON.parse(stdout) as { url: string };
  return { backend: url, folder, project: name, stack: stack ?? process.env.PULUMI_STACK };
}

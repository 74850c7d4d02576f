import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OLD_ZONES_KEY, projectFolder, readTargets, TARGETS_KEY, type Zones } from "@pulumi-ovn/provider/targets";
import { parse } from "yaml";
import { CommandError } from "./command";

/** What a stack's files say about it. */
export interface StackFile {
  /** From the file's name, `Pulumi.STACK.yaml`. */
  readonly stack: string | undefined;
  /** From `Pulumi.yaml` beside it. */
  readonly project: string | undefined;
  readonly zones: Zones;
}

/** Reads the zones from the file of targets that a stack's configuration names, and from the environment, as the provider does. */
export function readStackFile(path: string | undefined, environment: NodeJS.ProcessEnv = process.env): StackFile {
  const config = path === undefined ? undefined : member(document(path), "config");
  const folder = path === undefined ? "." : dirname(path);
  const file = member(config, TARGETS_KEY);
  return {
    stack: path === undefined ? undefined : /^Pulumi\.(.+)\.ya?ml$/.exec(basename(path))?.[1],
    project: projectIn(folder),
    zones: readTargets({ file: typeof file === "string" ? file : undefined, oldZones: member(config, OLD_ZONES_KEY) !== undefined, environment, folder: projectFolder(folder) }),
  };
}

/** The only configuration of a stack in a folder; undefined when there is none. */
export function onlyConfiguration(folder: string): string | undefined {
  const files = readdirSync(folder).filter((name) => /^Pulumi\..+\.ya?ml$/.test(name)).sort();
  if (files.length > 1) throw new CommandError("OVN_USAGE", `which stack? The folder has ${files.join(", ")}`);
  return files[0];
}

/** The path of a stack's configuration in a project; without a name, of the only one. */
export function configurationOf(project: string, stack: string | undefined): string {
  if (stack === undefined) {
    const only = onlyConfiguration(project);
    if (only === undefined) throw new CommandError("OVN_USAGE", `${project} has no Pulumi.STACK.yaml; pass --cwd`);
    return join(project, only);
  }
  const found = stackFileIn(project, stack);
  if (found === undefined) throw new CommandError("OVN_USAGE", `${project} has no Pulumi.${stack.split("/").at(-1)}.yaml`);
  return found;
}

/** The path of a stack's configuration in a folder, where there is one; of `organization/project/stack` the last part counts. */
export function stackFileIn(folder: string, stack: string): string | undefined {
  const name = `Pulumi.${stack.split("/").at(-1)}`;
  return [`${name}.yaml`, `${name}.yml`].map((file) => join(folder, file)).find((file) => existsSync(file));
}

function projectIn(folder: string): string | undefined {
  try {
    const name = member(parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")), "name");
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

function document(path: string): unknown {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CommandError("OVN_CONFIG", `can't read the stack configuration ${path}: ${(error as Error).message.split("\n")[0]!}`);
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

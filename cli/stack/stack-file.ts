import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import {
  type KubernetesConfig,
  kubernetesConfig,
  OLD_ZONES_KEY,
  projectFolder,
  readAllTargets,
  type Targets,
  TARGETS_KEY,
  TARGETS_VARIABLE,
  type Zones,
} from "@pulumi-ovn/provider/targets";
import { didYouMean } from "@pulumi-ovn/provider/tools";
import { parse } from "yaml";
import { CommandError, type Option } from "../command";

/** Data of a stack from its files. */
export interface StackFile {
  /** From the file's name, `Pulumi.STACK.yaml`. */
  readonly stack: string | undefined;
  /** From the `Pulumi.yaml` of its project. */
  readonly project: string | undefined;
  readonly zones: Zones;
  readonly targets: Targets;
  readonly kubernetes: KubernetesConfig;
  /** The project's folder, where relative paths begin. */
  readonly folder: string;
}

/** Options of commands for a stack. */
export const CWD_OPTION = {
  value: "DIR",
  help: "the project's folder, or one below it; default: this one",
  completes: "folder",
  isFolder: true,
} as const satisfies Option;
export const STACK_OPTION = {
  value: "NAME",
  help: "the stack; default: the only one with a Pulumi.STACK.yaml in the project",
  completes: "stack",
} as const satisfies Option;
export const SELECTED_STACK_OPTION = { ...STACK_OPTION, help: "the stack; default: the one that is selected" } as const satisfies Option;

/** The options that name a stack. */
export interface StackChoice {
  /** A folder in the project. Default: the current one. */
  readonly cwd?: string | undefined;
  readonly stack?: string | undefined;
  /** The path of the stack's configuration, instead of both. */
  readonly config?: string | undefined;
}

/** The targets of the chosen stack, or of the project's only one. Without a choice, PULUMI_OVN_TARGETS makes the stack irrelevant. */
export function chosenStackFile({ cwd = ".", stack, config }: StackChoice, environment: NodeJS.ProcessEnv = process.env): StackFile {
  if (config !== undefined && stack !== undefined) throw new CommandError("OVN_USAGE", "--config and --stack both name the stack: pass one of them");
  if (config !== undefined) return readStackFile(config, environment);
  const project = projectFolder(cwd);
  if (stack !== undefined) return readStackFile(configurationOf(project, stack), environment, project);
  return readStackFile(environment[TARGETS_VARIABLE] ? undefined : onlyConfiguration(project), environment, project);
}

/**
 * Reads the targets from the file that a stack's configuration names, and from the environment, as the provider does.
 * @param project the project's folder, base of all relative paths, also in the environment; default: the project of the file, or of this folder
 */
export function readStackFile(
  path: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  project = projectFolder(path === undefined ? "." : dirname(path)),
): StackFile {
  const config = path === undefined ? undefined : field(document(path), "config");
  const file = field(config, TARGETS_KEY);
  const targets = readAllTargets({
    file: typeof file === "string" ? file : undefined,
    oldZones: field(config, OLD_ZONES_KEY) !== undefined,
    environment,
    folder: project,
  });
  return {
    stack: path === undefined ? undefined : /^Pulumi\.(.+)\.ya?ml$/.exec(basename(path))?.[1],
    project: projectIn(project),
    zones: targets.zones,
    targets,
    kubernetes: kubernetesConfig((key) => text(field(config, key))),
    folder: project,
  };
}

/** The folder of the Pulumi project that a folder is in. */
export function requireProject(from: string): string {
  const folder = projectFolder(from);
  if (projectFile(folder) === undefined) throw new CommandError("OVN_UPGRADE_PROJECT", `there is no Pulumi.yaml in ${folder} or above it; pass --cwd`);
  return folder;
}

/** The path of a project's `Pulumi.yaml`. */
export function projectFile(folder: string): string | undefined {
  return ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** Folder of a project's stack configurations: its own, or `stackConfigDir` of its `Pulumi.yaml`. */
function configFolder(project: string): string {
  const file = projectFile(project);
  const folder = file === undefined ? undefined : field(document(file, "the project"), "stackConfigDir");
  return typeof folder === "string" ? join(project, folder) : project;
}

/** The path of the only stack configuration in a project. Undefined if the project has no such file. */
export function onlyConfiguration(project: string): string | undefined {
  const files = configurationsIn(project);
  if (files.length > 1) throw new CommandError("OVN_USAGE", `which stack? The folder has ${files.join(", ")}`);
  return files[0] === undefined ? undefined : join(configFolder(project), files[0]);
}

function configurationsIn(project: string): string[] {
  const [folder, extension] = [configFolder(project), extensionOf(project)];
  return (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /^Pulumi\..+\./.test(name) && extname(name) === extension).sort();
}

/** The path of a stack's configuration in a project; without a name, of the only one. */
export function configurationOf(project: string, stack: string | undefined): string {
  const found = stack === undefined ? onlyConfiguration(project) : stackFileIn(project, stack);
  if (found !== undefined) return found;
  if (stack === undefined) throw new CommandError("OVN_USAGE", `${project} has no Pulumi.STACK${extensionOf(project)}; pass --cwd`);
  const name = basename(stackPath(project, stack));
  throw new CommandError("OVN_CONFIG", `${configFolder(project)} has no ${name}${didYouMean(name, configurationsIn(project))}`);
}

/** The path of a stack's configuration in a project, where there is one. */
export function stackFileIn(project: string, stack: string): string | undefined {
  const path = stackPath(project, stack);
  return existsSync(path) ? path : undefined;
}

/** The only path at which Pulumi looks for a stack's configuration. Uses the last part of `organization/project/stack`. */
export function stackPath(project: string, stack: string): string {
  return join(configFolder(project), `Pulumi.${stack.split("/").at(-1)}${extensionOf(project)}`);
}

/** Configurations have that of the project's own file. */
function extensionOf(project: string): string {
  return extname(projectFile(project) ?? "Pulumi.yaml");
}

/** Name in the `Pulumi.yaml` of a project's folder. */
export function projectIn(folder: string): string | undefined {
  try {
    const name = field(parse(readFileSync(projectFile(folder)!, "utf8")), "name");
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

function document(path: string, what = "the stack configuration"): unknown {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CommandError("OVN_CONFIG", `can't read ${what} ${path}: ${(error as Error).message.split("\n")[0]!}`);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

import { Connections } from "@pulumi-ovn/provider/targets";
import { readStackFile, requireProject, stackFileIn } from "../stack/stack-file";
import { Engine } from "../stack/engine";
import { print } from "../output";
import { writeAbove } from "../progress";

/** A stack with its engine and its targets. */
export interface OpenStack {
  readonly engine: Engine;
  readonly targets: Connections;
  readonly folder: string;
  /** `PROJECT/STACK`, as in URNs. */
  readonly stack: string;
  readonly say: (text: string) => void;
}

export const say = (text: string): void => writeAbove(`${text}\n`, print);

export async function openStack(stack: string | undefined, cwd: string | undefined): Promise<OpenStack> {
  const folder = requireProject(cwd ?? ".");
  const engine = await Engine.open(folder, stack, say);
  const { project = "", targets } = connectionsIn(folder, engine.name);
  return { engine, targets, folder, stack: stackOf(project, engine.name), say };
}

/** `PROJECT/STACK`, as in URNs. @param stack as Pulumi shows it, with an organization or without */
export const stackOf = (project: string, stack: string): string => `${project}/${stack.split("/").at(-1)}`;

/** Connections of a stack, without Pulumi. */
export function connectionsIn(folder: string, stack: string | undefined): { readonly targets: Connections; readonly project: string | undefined } {
  const file = readStackFile(stack === undefined ? undefined : stackFileIn(folder, stack), process.env, folder);
  const { zones, hosts, clusters } = file.targets;
  return { targets: new Connections(zones, hosts, clusters, folder, file.kubernetes), project: file.project };
}

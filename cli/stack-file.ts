import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readZones, type Zones, ZONES_VARIABLE } from "@pulumi-ovn/provider/zones";
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

/** Reads the zones from a stack's configuration file, where there is one, and from the environment, as the provider does. */
export function readStackFile(path: string | undefined, environment: NodeJS.ProcessEnv = process.env): StackFile {
  const config = path === undefined ? undefined : member(document(path), "config");
  const zones = member(config, "ovn:zones");
  const text = zones === undefined ? undefined : typeof zones === "string" ? zones : JSON.stringify(zones);
  return {
    stack: path === undefined ? undefined : /^Pulumi\.(.+)\.ya?ml$/.exec(basename(path))?.[1],
    project: projectIn(path === undefined ? "." : dirname(path)),
    zones: readZones(text, environment[ZONES_VARIABLE]),
  };
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

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { TargetsError } from "./errors";
import { refuseSharedEndpoints } from "./same-database";
import { COLON_ADVICE, targetsOf, zonesOf, type Targets, type Zones } from "./schema";

/** Path of a file of targets that replaces the configured one; relative to the project's folder. */
export const TARGETS_VARIABLE = "PULUMI_OVN_TARGETS";

/** Zones that go before those of the file, name by name: JSON text, or the path of a JSON or YAML file, relative to the project's folder. */
export const ZONES_VARIABLE = "PULUMI_OVN_ZONES";

/** Key of the stack's configuration: the path of the file of targets, relative to the project's folder. */
export const TARGETS_KEY = "ovn:targets";

/** Key of the stack's configuration under which releases before 0.2 had the zones themselves. */
export const OLD_ZONES_KEY = "ovn:zones";

/** Sources of the targets. During a refresh, the stack's configuration is that of the last update. */
export interface TargetSource {
  /** Value of `ovn:targets`. */
  readonly file?: string | undefined;
  /** Whether the configuration has `ovn:zones`. */
  readonly oldZones?: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** Base of relative paths: the project's folder. */
  readonly folder: string;
}

/**
 * Reads the targets. Pulumi keeps the stack's configuration in the state, and a refresh uses that: so the configuration only names a file, which
 * is read in each operation.
 */
export function readAllTargets({ file, oldZones = false, environment, folder }: TargetSource): Targets {
  const path = environment[TARGETS_VARIABLE] || file;
  const override = environment[ZONES_VARIABLE];
  if (path === undefined && !override && oldZones) throw new TargetsError(OLD_ZONES);
  const { zones, hosts, clusters }: Targets =
    path === undefined ? { zones: {}, hosts: {}, clusters: {} } : targetsOf(yaml(read(resolve(folder, path), path, environment), path), path);
  const variable = `the environment variable ${ZONES_VARIABLE}`;
  const all = { ...zones, ...(override ? zonesOf(environmentZones(override, folder), variable) : {}) };
  refuseSharedEndpoints(all, override ? variable : (path ?? ""));
  return { zones: all, hosts, clusters };
}

/** The zones among the targets. */
export function readTargets(source: TargetSource): Zones {
  return readAllTargets(source).zones;
}

/** Advice about zones in the configuration. */
export const OLD_ZONES =
  `${OLD_ZONES_KEY} in the stack's configuration is not used: it would put endpoints into the state. Move it to a file of targets with: npx --no-install pulumi-ovn targets. ` +
  `If that is done, the last update is older: "pulumi up" brings the state up to date; before it, "pulumi refresh" and "pulumi destroy" need --run-program, or ${TARGETS_VARIABLE} with the file's path`;

/** Folder of the Pulumi project around a folder; the folder itself outside of a project. */
export function projectFolder(from: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (["Pulumi.yaml", "Pulumi.yml"].some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return resolve(from);
  }
}

function read(path: string, given: string, environment: NodeJS.ProcessEnv): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const source = environment[TARGETS_VARIABLE] ? `the environment variable ${TARGETS_VARIABLE}` : `the stack's configuration ${TARGETS_KEY}`;
    throw new TargetsError(
      `the file of targets ${JSON.stringify(given)}, named by ${source}, can't be read: ${(error as Error).message}. ` +
        `If ${TARGETS_KEY} has changed since the last update, "pulumi refresh" and "pulumi destroy" need --run-program, or ${TARGETS_VARIABLE}`,
    );
  }
}

function environmentZones(value: string, folder: string): unknown {
  if (value.trimStart().startsWith("{")) return yaml(value, `the environment variable ${ZONES_VARIABLE}`);
  let text: string;
  try {
    text = readFileSync(resolve(folder, value), "utf8");
  } catch (error) {
    throw new TargetsError(`${ZONES_VARIABLE} names a file that can't be read: ${(error as Error).message}`);
  }
  return yaml(text, value);
}

/** Parses YAML (JSON is YAML). The parser's messages quote the text, which may contain a secret: only the position is shown. */
function yaml(text: string, source: string): unknown {
  const value = parsed(text, source);
  if (value === null) throw new TargetsError(`${source} is empty; write "zones: { NAME: unix:/run/ovn/ovnnb_db.sock }" into it`);
  return value;
}

function parsed(text: string, source: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    const { code, linePos } = error as { code?: string; linePos?: readonly { line: number; col: number }[] };
    const position = linePos?.[0] ? ` at line ${linePos[0].line}, column ${linePos[0].col}` : "";
    const advice = code === undefined ? undefined : YAML_ADVICE[code];
    throw new TargetsError(`${source} is not YAML${position}${code ? ` (${code})` : ""}${advice === undefined ? "" : `: ${advice}`}`);
  }
}

/** Advice for errors of the YAML parser, by code. */
const YAML_ADVICE: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "a TAB indents the line; indent with spaces",
  MULTILINE_IMPLICIT_KEY: COLON_ADVICE,
  MISSING_CHAR: COLON_ADVICE,
};

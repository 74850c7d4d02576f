import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { projectFolder, TARGETS_KEY } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError, JSON_OPTION, options, type Options } from "../command";
import { print, printJson } from "../output";
import { replaceFile } from "../replace-file";
import { configurationOf, CWD_OPTION, STACK_OPTION } from "../stack/stack-file";
import { migrate } from "./migrate";

const known = {
  stack: STACK_OPTION,
  cwd: CWD_OPTION,
  out: { value: "FILE", help: "the file to write, relative to the project's folder; default: targets.STACK.yaml", completes: "file" },
  json: JSON_OPTION,
} as const satisfies Options;

function run(args: readonly string[]): Promise<number> {
  const { stack, cwd = ".", out, json } = options(args, known);
  const project = projectFolder(cwd);
  const configuration = configurationOf(project, stack);
  const name = /^Pulumi\.(.+)\.ya?ml$/.exec(basename(configuration))![1]!;
  const file = out === undefined ? `targets.${name}.yaml` : relative(project, resolve(project, out));
  const path = join(project, file);
  if (existsSync(path)) throw new CommandError("OVN_OUT", `${path} is there already; name another file with --out`);
  const moved = migrate(readFileSync(configuration, "utf8"), configuration, file);
  // The file first: a configuration that names none would be of no use.
  writeFileSync(path, moved.targets, { mode: 0o600 });
  replaceFile(configuration, moved.configuration);
  const done = { version: 1, zones: moved.zones, file: path, configuration };
  if (json) printJson(done);
  else
    print(
      `${moved.zones.length} ${moved.zones.length === 1 ? "zone" : "zones"} moved to ${path}; ${TARGETS_KEY} in ${configuration} names it.\n` +
        `The state of the last update has the old endpoints: "pulumi up" takes them out. Before it, "pulumi refresh" and "pulumi destroy" need --run-program.\n`,
    );
  return Promise.resolve(0);
}

export const targetsCommand: Command = {
  summary: "move a stack's zones from its configuration to a file of targets",
  forms: ["[OPTIONS]"],
  about: `Moves the zones of a stack's configuration (ovn:zones, as before release 0.2) to a file of targets,
which the configuration then names (ovn:targets). Endpoints in the configuration are kept in the
state, and "pulumi refresh" and "pulumi destroy" use what is kept; a file is read each time.`,
  options: known,
  notes: "Exit code: 0 done; 1 there is nothing to move or a file can't be written; 2 usage error.",
  run,
};

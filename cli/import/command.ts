import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { providerText } from "@pulumi-ovn/provider";
import { endAtSignal } from "../end-at-signal";
import { type Command, CommandError, JSON_OPTION, options, type Options } from "../command";
import { projectFolder } from "@pulumi-ovn/provider/targets";
import { print, printJson } from "../output";
import { during } from "../progress";
import { CWD_OPTION, projectFile, readStackFile, stackFileIn, stackPath } from "../stack/stack-file";
import { type Import, importZones } from "./index";
import { projectSettings, type Setting } from "./project";

const known = {
  out: { value: "DIR", help: "folder to write; empty or new", completes: "folder" },
  force: { help: "write to a folder with files; settings of a project there stay" },
  config: {
    value: "FILE",
    help: "the stack's configuration, which names the file of targets; default: that of --stack",
    completes: "file",
  },
  zones: { value: "A,B", help: "zones to read; default: all that are configured" },
  stack: { value: "NAME", help: "the stack that will have the rows; default: from the name of --config", completes: "stack" },
  project: { value: "NAME", help: "its project; default: from Pulumi.yaml next to --config, or in the folder of --cwd" },
  cwd: CWD_OPTION,
  json: JSON_OPTION,
} as const satisfies Options;

const { version, dependencies: own } = require("@pulumi-ovn/cli/package.json") as {
  readonly version: string;
  readonly dependencies: { readonly "@pulumi/pulumi": string };
};

const dependencies = { "@pulumi/pulumi": own["@pulumi/pulumi"], "pulumi-ovn": `^${version}` };

async function run(args: readonly string[]): Promise<number> {
  const { out, force, config, zones: wanted, cwd = ".", json, ...names } = options(args, known);
  using _ = endAtSignal();
  if (out === undefined) throw new CommandError("OVN_USAGE", "--out DIR is required");
  const folder = projectFolder(cwd);
  const configuration = config ?? (names.stack === undefined ? undefined : stackFileIn(folder, names.stack));
  const file = readStackFile(configuration, process.env, config === undefined ? folder : undefined);
  const stack = part("stack", names.stack ?? file.stack, "name it, or name its configuration Pulumi.STACK.yaml");
  const project = part("project", names.project ?? file.project, "name it, or run this where Pulumi.yaml is");
  const zones = zoneNames(wanted, Object.keys(file.zones));
  refuseFull(out, force);
  const result = await during("reading zones", (count) => importZones(file.zones, zones, { stack, project, providerText }, count));
  const imported = Object.fromEntries(zones.map((zone) => [zone, file.zones[zone]!]));
  const keptFiles = write(out, result, projectSettings({ project, stack, zones: imported, folder: process.cwd(), dependencies, files: filesIn(out, stack) }));
  const done = { version: 1, project, stack, resources: result.resources, out: resolve(out), kept: keptFiles };
  if (json) printJson(done);
  else
    print(
      `${result.report}\n${result.resources} resources of stack ${stack}, written to ${out}\n${keptFiles.length === 0 ? "" : `kept as they were: ${keptFiles.join(", ")}\n`}`,
    );
  return 0;
}

/** Files that Pulumi would read in a folder, which may already contain a project. */
function filesIn(out: string, stack: string): { project: string; configuration: string } {
  const folder = resolve(out);
  return { project: basename(projectFile(folder) ?? "Pulumi.yaml"), configuration: relative(folder, stackPath(folder, stack)) };
}

/** Requires a name that is valid in URNs. */
function part(what: string, text: string | undefined, hint: string): string {
  if (text === undefined) throw new CommandError("OVN_USAGE", `--${what} is required: ${hint}`);
  if (!/^[\w.-]+$/.test(text))
    throw new CommandError("OVN_USAGE", `--${what} ${JSON.stringify(text)} is not a name of a ${what}: letters, digits, "_", "." and "-"`);
  return text;
}

function zoneNames(wanted: string | undefined, configured: readonly string[]): readonly string[] {
  const names = wanted === undefined ? configured : [...new Set(wanted.split(",").map((name) => name.trim()))];
  if (names.length === 0)
    throw new CommandError("OVN_USAGE", "there are no zones: pass --config Pulumi.STACK.yaml with ovn:targets, or set PULUMI_OVN_TARGETS or PULUMI_OVN_ZONES");
  if (names.includes("")) throw new CommandError("OVN_USAGE", "--zones has an empty name");
  return names;
}

function refuseFull(folder: string, force: boolean): void {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new CommandError("OVN_OUT", `can't write to ${folder}: ${(error as Error).message}`);
  }
  if (files.length > 0 && !force) throw new CommandError("OVN_OUT", `${folder} is not empty; name another folder, or pass --force`);
}

/** Returns the names of settings that were there, and stay. */
function write(folder: string, { program, importFile, report }: Import, settings: readonly Setting[]): string[] {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ "index.ts": program, "import.json": importFile, "report.txt": report })) writeFileSync(join(folder, name), text);
  // A configuration that is there names its own targets, or means those of the environment.
  const configured = settings.some(({ name, configuration }) => configuration === true && existsSync(join(folder, name)));
  const keptFiles = settings.filter(({ name, targets }) => existsSync(join(folder, name)) || (targets === true && configured));
  for (const { name, text, targets } of settings.filter((setting) => !keptFiles.includes(setting))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: targets ? 0o600 : 0o666 });
  }
  return keptFiles.map(({ name }) => name).filter((name) => existsSync(join(folder, name)));
}

export const importCommand: Command = {
  summary: "write a stack program and an import file for rows that exist already",
  forms: ["--out DIR [OPTIONS]"],
  about: `Reads live Northbound databases and writes a project of their rows to DIR: a program (index.ts), the
file that "pulumi import --file" reads (import.json), what stays outside of the stack (report.txt),
and what the program needs to run, with the zones in targets.STACK.yaml. Changes no database.`,
  options: known,
  notes: `Then, in DIR:
  npm install
  pulumi stack init STACK
  pulumi import --file import.json --protect=false --generate-code=false

Exit code: 0 done; 1 failed; 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM.
After a failure, nothing is written.`,
  run,
};

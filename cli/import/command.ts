import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providerText } from "@pulumi-ovn/provider";
import { type Command, CommandError, options } from "../command";
import { readStackFile } from "../stack-file";
import { type Import, importZones } from "./index";

const usage = `Usage: pulumi-ovn import --out DIR [OPTIONS]

Reads live Northbound databases and writes a stack of their rows to DIR: a program (index.ts), the
file that "pulumi import --file" reads (import.json), and what stays outside of the stack
(report.txt). Changes no database.

  --out DIR        where to write; has to be empty or new
  --force          write to a folder that has files in it
  --config FILE    a stack's configuration, Pulumi.STACK.yaml, whose ovn:targets names the file of
                   targets; the variables PULUMI_OVN_TARGETS and PULUMI_OVN_ZONES go first
  --zones A,B      which zones to read; default: all that are configured
  --stack NAME     the stack that will have the rows; default: from the name of --config
  --project NAME   its project; default: from Pulumi.yaml beside --config, or in the current folder

Then, in DIR and with the stack selected:
  pulumi import --file import.json --protect=false --generate-code=false
`;

const known = {
  out: { type: "string" },
  force: { type: "boolean", default: false },
  config: { type: "string" },
  zones: { type: "string" },
  stack: { type: "string" },
  project: { type: "string" },
} as const;

const TSCONFIG = `${JSON.stringify(
  { compilerOptions: { target: "es2022", module: "node16", moduleResolution: "node16", strict: true, skipLibCheck: true, types: ["node"], noEmit: true }, files: ["index.ts"] },
  undefined,
  2,
)}\n`;

async function run(args: readonly string[]): Promise<number> {
  const { out, force, config, zones: wanted, ...names } = options(args, known);
  if (out === undefined) throw new CommandError("OVN_USAGE", "--out DIR is required");
  const file = readStackFile(config);
  const stack = part("stack", names.stack ?? file.stack, "name it, or name its configuration Pulumi.STACK.yaml");
  const project = part("project", names.project ?? file.project, "name it, or run this where Pulumi.yaml is");
  const zones = zoneNames(wanted, Object.keys(file.zones));
  refuseFull(out, force);
  const result = await importZones(file.zones, zones, { stack, project, providerText });
  write(out, project, result);
  process.stdout.write(`${result.report}\n${result.resources} resources of stack ${stack}, written to ${out}\n`);
  return 0;
}

/** What URNs are made of. */
function part(what: string, text: string | undefined, hint: string): string {
  if (text === undefined) throw new CommandError("OVN_USAGE", `--${what} is required: ${hint}`);
  if (!/^[\w.-]+$/.test(text)) throw new CommandError("OVN_USAGE", `--${what} ${JSON.stringify(text)} is no name of a ${what}: letters, digits, "_", "." and "-"`);
  return text;
}

function zoneNames(wanted: string | undefined, configured: readonly string[]): readonly string[] {
  const names = wanted === undefined ? configured : [...new Set(wanted.split(",").map((name) => name.trim()))];
  if (names.length === 0) throw new CommandError("OVN_USAGE", "there are no zones: pass --config Pulumi.STACK.yaml with ovn:targets, or set PULUMI_OVN_TARGETS or PULUMI_OVN_ZONES");
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
  if (files.length > 0 && !force) throw new CommandError("OVN_OUT", `${folder} is not empty; name another folder, or say --force`);
}

function write(folder: string, project: string, { program, importFile, report }: Import): void {
  mkdirSync(folder, { recursive: true });
  const files = { "index.ts": program, "import.json": importFile, "report.txt": report, "tsconfig.json": TSCONFIG };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // A project's own settings stay as they are.
  if (!existsSync(join(folder, "Pulumi.yaml"))) writeFileSync(join(folder, "Pulumi.yaml"), `name: ${JSON.stringify(project)}\nruntime: nodejs\n`);
}

export const importCommand: Command = { summary: "write a stack program and an import file for rows that exist already", usage, run };

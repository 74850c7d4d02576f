import { didYouMean } from "@pulumi-ovn/provider/tools";
import { agentCommand } from "./agent/command";
import { type Command, CommandError } from "./command";
import { diffCommand } from "./diff/command";
import { doctorCommand } from "./doctor/command";
import { egressCommand } from "./egress/command";
import { importCommand } from "./import/command";
import { outliveOutput, outputFailure } from "./output";
import { statusCommand } from "./status/command";
import { targetsCommand } from "./targets/command";
import { traceCommand } from "./trace/command";
import { upgradeCommand } from "./upgrade/command";

/** Subcommands by name, each in a file of its own. */
const commands: Readonly<Record<string, Command>> = {
  agent: agentCommand,
  diff: diffCommand,
  doctor: doctorCommand,
  egress: egressCommand,
  import: importCommand,
  status: statusCommand,
  targets: targetsCommand,
  trace: traceCommand,
  upgrade: upgradeCommand,
};

const USAGE = `Usage: pulumi-ovn COMMAND [OPTIONS]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join("\n")}

"pulumi-ovn COMMAND --help" prints the options of a command, "pulumi-ovn --version" the release.
`;

/** Packages of one release have one version. */
const { version } = require("@pulumi-ovn/cli/package.json") as { readonly version: string };

/** Exit codes: 0 done, 1 failed with a message on stderr, 2 not understood; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM. */
export async function main(args: readonly string[]): Promise<number> {
  outliveOutput();
  const code = await ran(args);
  const failure = await outputFailure();
  if (failure === undefined) return code;
  process.stderr.write(`pulumi-ovn: can't write to standard output: ${failure.message}\n`);
  return code || 1;
}

async function ran(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(USAGE);
    return 0;
  }
  if (name === "--version" || name === "-V" || name === "version") {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`${name === undefined ? "" : `pulumi-ovn: there is no command "${name}"${didYouMean(name, Object.keys(commands))}\n\n`}${USAGE}`);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(command.usage);
    return 0;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    process.stderr.write(`pulumi-ovn ${name}: ${typeof code === "string" ? `${code}: ` : ""}${message}\n`);
    return error instanceof CommandError && error.code === "OVN_USAGE" ? (command.usageExitCode ?? 2) : 1;
  }
}

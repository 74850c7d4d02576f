import { codeWithOutput, didYouMean, reportedError, withCode } from "@pulumi-ovn/provider/tools";
import type { Command } from "./command";
import { commands } from "./commands";
import { beginOutput, hasPrinted, print, printError, printJsonLine } from "./output";
import { usageOf, usageOfAll } from "./usage";

/** Packages of one release have one version. */
const { version } = require("@pulumi-ovn/cli/package.json") as { readonly version: string };

/** Codes of usage errors. */
const USAGE_CODES: ReadonlySet<unknown> = new Set(["OVN_USAGE", "OVN_UPGRADE_BATCH"]);

/** Exit codes: 0 done, 1 failed with a message on stderr, 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM. */
export async function main(args: readonly string[]): Promise<number> {
  beginOutput();
  return await codeWithOutput("pulumi-ovn", () => ran(args));
}

async function ran(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") {
    print(usageOfAll(commands));
    return 0;
  }
  if (name === "--version" || name === "-V" || name === "version") {
    print(`${version}\n`);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    printError(`${name === undefined ? "" : `pulumi-ovn: there is no command "${name}"${didYouMean(name, Object.keys(commands))}\n\n`}${usageOfAll(commands)}`);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    print(usageOf(name!, command));
    return 0;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    const reported = reportedError(error);
    const { code, message } = reported;
    if (isForPrograms(command, rest) && !hasPrinted()) printJsonLine({ version: 1, error: reported });
    printError(`pulumi-ovn ${name}: ${withCode(code, message)}\n`);
    return USAGE_CODES.has(code) ? (command.usageExitCode?.(rest) ?? 2) : 1;
  }
}

/** Whether one JSON document is expected on standard output, also after an error. */
function isForPrograms({ options }: Command, args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return Object.hasOwn(options, "json") && (end < 0 ? args : args.slice(0, end)).includes("--json");
}

import { didYouMean } from "@pulumi-ovn/provider/tools";
import { commands } from "./commands";
import { outliveOutput, outputFailure } from "./output";
import { usageOf, usageOfAll } from "./usage";

/** Packages of one release have one version. */
const { version } = require("@pulumi-ovn/cli/package.json") as { readonly version: string };

/** Codes of usage errors. */
const USAGE_CODES: ReadonlySet<unknown> = new Set(["OVN_USAGE", "OVN_UPGRADE_BATCH"]);

/** Exit codes: 0 done, 1 failed with a message on stderr, 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM. */
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
    process.stdout.write(usageOfAll(commands));
    return 0;
  }
  if (name === "--version" || name === "-V" || name === "version") {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(
      `${name === undefined ? "" : `pulumi-ovn: there is no command "${name}"${didYouMean(name, Object.keys(commands))}\n\n`}${usageOfAll(commands)}`,
    );
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(usageOf(name!, command));
    return 0;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    process.stderr.write(`pulumi-ovn ${name}: ${typeof code === "string" ? `${code}: ` : ""}${message}\n`);
    return USAGE_CODES.has(code) ? (command.usageExitCode?.(rest) ?? 2) : 1;
  }
}

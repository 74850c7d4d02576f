import { parseArgs, type ParseArgsConfig } from "node:util";
import { didYouMean } from "@pulumi-ovn/provider/tools";

/** A subcommand of pulumi-ovn. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** What --help prints. */
  readonly usage: string;
  /** Resolves to the exit code; a thrown error is printed as one line, and the exit code is 1 (2 when the options were not understood). */
  readonly run: (args: readonly string[]) => Promise<number>;
  /** When the options were not understood, for a command in which 2 means something else. Default: 2. */
  readonly usageExitCode?: number;
}

/** What a subcommand can't do, said to the person who typed it. */
export class CommandError extends Error {
  constructor(
    /** Stable: OVN_USAGE when the options were not understood. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "CommandError";
  }
}

type Known = NonNullable<ParseArgsConfig["options"]>;

/** Options that had another name in an earlier release: scripts that have it go on. */
const RENAMED: Readonly<Record<string, string>> = { "gate-seconds": "gate-timeout", "probe-seconds": "probe-timeout", wait: "timeout" };

/** `parseArgs` of node:util, its complaints as a CommandError; an option that is not known, with the nearest that is. */
export function parsed<const T extends Known, Positionals extends boolean>(given: readonly string[], known: T, allowPositionals: Positionals) {
  const args = given.map((word) => withNameOfToday(word, known));
  refuseUnknown(args, known);
  try {
    return parseArgs({ args, options: known, strict: true, allowPositionals });
  } catch (error) {
    throw new CommandError("OVN_USAGE", (error as Error).message.split("\n")[0]!);
  }
}

/** The options of a command that has nothing else. */
export function options<const T extends Known>(args: readonly string[], known: T) {
  return parsed(args, known, false).values;
}

/** Of `--NAME` and `--NAME=VALUE`, where the command has no option of the former name. */
function withNameOfToday(word: string, known: Known): string {
  const [, name = "", value = ""] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
  const today = Object.hasOwn(RENAMED, name) && !Object.hasOwn(known, name) ? RENAMED[name]! : name;
  return today !== name && Object.hasOwn(known, today) ? `--${today}${value}` : word;
}

function refuseUnknown(args: readonly string[], known: Known): void {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(known, token.name)) continue;
    throw new CommandError(
      "OVN_USAGE",
      `there is no option "${token.rawName}"${didYouMean(
        token.rawName,
        Object.keys(known).map((name) => `--${name}`),
      )}`,
    );
  }
}

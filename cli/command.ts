import { parseArgs, type ParseArgsConfig } from "node:util";

/** A subcommand of pulumi-ovn. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** What --help prints. */
  readonly usage: string;
  /** Resolves to the exit code; a thrown error is printed as one line, and the exit code is 1 (2 when the options were not understood). */
  readonly run: (args: readonly string[]) => Promise<number>;
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

/** `parseArgs` of node:util, its complaints as a CommandError. */
export function options<const T extends NonNullable<ParseArgsConfig["options"]>>(args: readonly string[], known: T) {
  try {
    return parseArgs({ args: [...args], options: known, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new CommandError("OVN_USAGE", (error as Error).message.split("\n")[0]!);
  }
}

import { type Option as ParsedOption, parseOptions, type Parsed, type Values } from "@pulumi-ovn/provider/tools";
import { isFolder } from "./folder";

/** An option of a command. */
export interface Option extends ParsedOption {
  /** The value must be the path of an existing folder. */
  readonly isFolder?: true;
}

export type Options = Readonly<Record<string, Option>>;

/** A subcommand of pulumi-ovn. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Text after the command's name in the usage, for each form of the call. */
  readonly forms: readonly string[];
  /** Paragraphs of the usage before the options. */
  readonly about: string;
  readonly options: Options;
  /** Words that a shell offers for the first argument that is not an option. */
  readonly words?: readonly string[] | "file";
  /** Paragraphs of the usage after the options: exit codes, and options of other commands that this one lacks. */
  readonly notes: string;
  /** Resolves to the exit code. An error is printed as one line; then it is 1, for a usage error 2. */
  readonly run: (args: readonly string[]) => Promise<number>;
  /** Exit code of a usage error, if 2 has another meaning for these arguments. Default: 2. */
  readonly usageExitCode?: (args: readonly string[]) => number;
}

/** Subcommands by name. */
export type Commands = Readonly<Record<string, Command>>;

/** An error of a subcommand for the person who typed it. */
export class CommandError extends Error {
  constructor(
    /** Stable: OVN_USAGE for a usage error. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "CommandError";
  }
}

/** The option of commands that print an object for programs. */
export const JSON_OPTION = { help: "for programs; docs/reference/cli.md has the format" } as const satisfies Option;

/** Parses arguments as `parseOptions` does. Refuses missing folders, too. */
export function parsed<const T extends Options>(args: readonly string[], table: T, allowPositionals: boolean): Parsed<T> {
  const refusal = (message: string) => new CommandError("OVN_USAGE", message);
  const { values, positionals } = parseOptions(args, table, allowPositionals, refusal);
  for (const [name, value] of Object.entries(values)) {
    if (table[name]?.isFolder && !isFolder(String(value))) throw refusal(`--${name} ${String(value)}: there is no such folder`);
  }
  return { values, positionals };
}

/** The options of a command without other arguments. */
export function options<const T extends Options>(args: readonly string[], table: T): Values<T> {
  return parsed(args, table, false).values;
}

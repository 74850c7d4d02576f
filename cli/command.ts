import { statSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { didYouMean } from "@pulumi-ovn/provider/tools";

/** An option of a command, from which its usage, its parsing and the completion of shells are made. */
export interface Option {
  /** Placeholder of the value in the usage. Undefined for a flag. */
  readonly value?: string;
  readonly help: string;
  readonly default?: string;
  /** Values that a shell offers: a list, paths, or the stacks with a configuration in the current folder. */
  readonly completes?: readonly string[] | "file" | "folder" | "stack";
  /** The value must be the path of an existing folder. */
  readonly isFolder?: true;
  /** Name in an earlier release, still accepted. */
  readonly formerly?: string;
}

export type Options = Readonly<Record<string, Option>>;

/** Values of options: a string if it has a value, otherwise whether the flag is given. */
export type Values<T extends Options> = {
  readonly [Name in keyof T]: T[Name] extends { readonly value: string }
    ? T[Name] extends { readonly default: string }
      ? string
      : string | undefined
    : boolean;
};

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

/** Parses arguments by a table of options. Refuses unknown options with the nearest known name, missing and empty values, and a second value. */
export function parsed<const T extends Options>(given: readonly string[], table: T, allowPositionals: boolean) {
  const args = given.map((word) => withCurrentName(word, table));
  const known: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, optionConfig(option)] as const),
  );
  refuseWrong(args, known);
  const { values, positionals } = parsedStrictly({ args, options: known, strict: true, allowPositionals });
  for (const [name, value] of Object.entries(values)) {
    if (table[name]?.isFolder && !statSync(String(value), { throwIfNoEntry: false })?.isDirectory())
      throw new CommandError("OVN_USAGE", `--${name} ${String(value)}: there is no such folder`);
  }
  return { values: values as Values<T>, positionals };
}

function parsedStrictly(config: ParseArgsConfig) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new CommandError("OVN_USAGE", (error as Error).message.split("\n")[0]!);
  }
}

/** The options of a command without other arguments. */
export function options<const T extends Options>(args: readonly string[], table: T): Values<T> {
  return parsed(args, table, false).values;
}

function optionConfig({ value, default: standard }: Option) {
  if (value === undefined) return { type: "boolean", default: false } as const;
  return { type: "string", ...(standard !== undefined && { default: standard }) } as const;
}

/** `--NAME` or `--NAME=VALUE` under the current name of the option. */
function withCurrentName(word: string, table: Options): string {
  const [, name, value = ""] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
  const current = name === undefined ? undefined : Object.keys(table).find((each) => table[each]!.formerly === name);
  return current === undefined ? word : `--${current}${value}`;
}

function refuseWrong(args: readonly string[], known: NonNullable<ParseArgsConfig["options"]>): void {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, allowPositionals: true, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const problem = problemOf(token, known, given);
    if (problem !== undefined) throw new CommandError("OVN_USAGE", problem);
    given.add(token.name);
  }
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: OptionToken, known: NonNullable<ParseArgsConfig["options"]>, given: ReadonlySet<string>) {
  if (!Object.hasOwn(known, name)) {
    const names = Object.keys(known).map((each) => `--${each}`);
    return `there is no option "${rawName}"${didYouMean(rawName, names)}`;
  }
  if (known[name]!.type === "boolean") return undefined;
  // An empty value is an unset variable of a script. Without a check, the command would use its default, such as another stack.
  if (!value) return `${rawName} needs a value`;
  if (!inlineValue && /^-./.test(value)) return `${rawName} needs a value; for a value that begins with "-", write ${rawName}=${value}`;
  return given.has(name) ? `${rawName} is given twice` : undefined;
}

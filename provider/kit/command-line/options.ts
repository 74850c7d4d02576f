import { parseArgs, type ParseArgsConfig } from "node:util";
import { didYouMean } from "../arguments/nearest";

/** An option of a program, from which its usage, its parsing and the completion of shells are made. */
export interface Option {
  /** Placeholder of the value in the usage. Undefined for a flag. */
  readonly value?: string;
  readonly help: string;
  readonly default?: string;
  /** Values that a shell offers: a list, paths, or the stacks with a configuration in the current folder. */
  readonly completes?: readonly string[] | "file" | "folder" | "stack";
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

export interface Parsed<T extends Options> {
  readonly values: Values<T>;
  readonly positionals: readonly string[];
}

/**
 * Parses arguments by a table of options. Refuses unknown options with the nearest known name, missing and empty values, and a second value.
 * @param refusal makes the error from its message
 */
export function parseOptions<const T extends Options>(
  given: readonly string[],
  table: T,
  allowPositionals: boolean,
  refusal: (message: string) => Error,
): Parsed<T> {
  const args = given.map((word) => withCurrentName(word, table));
  const options: Known = Object.fromEntries(Object.entries(table).map(([name, option]) => [name, optionConfig(option)] as const));
  const problem = problemIn(args, options);
  if (problem !== undefined) throw refusal(problem);
  try {
    const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals });
    return { values: values as Values<T>, positionals };
  } catch (error) {
    throw refusal((error as Error).message.split("\n")[0]!);
  }
}

type Known = NonNullable<ParseArgsConfig["options"]>;

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

function problemIn(args: readonly string[], known: Known): string | undefined {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, allowPositionals: true, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const problem = problemOf(token, known, given);
    if (problem !== undefined) return problem;
    given.add(token.name);
  }
  return undefined;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: OptionToken, known: Known, given: ReadonlySet<string>): string | undefined {
  if (!Object.hasOwn(known, name)) {
    const names = Object.keys(known).map((each) => `--${each}`);
    return `there is no option "${rawName}"${didYouMean(rawName, names)}`;
  }
  if (known[name]!.type === "boolean") return undefined;
  // An empty value is an unset variable of a script. Without a check, the program would use its default, such as another stack.
  if (!value) return `${rawName} needs a value`;
  if (!inlineValue && /^-./.test(value)) return `${rawName} needs a value; for a value that begins with "-", write ${rawName}=${value}`;
  return given.has(name) ? `${rawName} is given twice` : undefined;
}

import type { Command, Commands, Option } from "./command";

/** Columns of a line. */
const WIDTH = 100;
/** Longest name of an option with its help in the same line. */
const LONGEST_NAME = 22;

/** Pure. Text of `pulumi-ovn NAME --help`. */
export function usageOf(name: string, { forms, about, options, notes }: Command): string {
  const [first, ...more] = forms.map((form) => `pulumi-ovn ${name} ${form}`.trimEnd());
  const names = Object.entries(options).map(([option, { value }]) => `--${option}${value === undefined ? "" : ` ${value}`}`);
  const column = Math.max(...names.filter((each) => each.length <= LONGEST_NAME).map((each) => each.length));
  const lines = Object.values(options).flatMap((option, index) => optionLines(names[index]!, option, column));
  const all = [[`Usage: ${first}`, ...more.map((form) => `       ${form}`)], [about], ...(lines.length > 0 ? [lines] : []), ...(notes ? [[notes]] : [])];
  return `${all.map((paragraph) => paragraph.join("\n")).join("\n\n")}\n`;
}

/** Pure. Text of `pulumi-ovn --help`. */
export function usageOfAll(commands: Commands): string {
  const longest = Math.max(...Object.keys(commands).map((name) => name.length));
  return `Usage: pulumi-ovn COMMAND [OPTIONS]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(longest)}  ${summary}`)
  .join("\n")}

"pulumi-ovn COMMAND --help" prints the options of a command, "pulumi-ovn --version" the release.
`;
}

function optionLines(name: string, { help, default: standard }: Option, column: number): string[] {
  const text = wrapped(`${help}${standard === undefined ? "" : `; default: ${standard}`}`, WIDTH - column - 4);
  const [first, ...more] = name.length <= column ? [`${name.padEnd(column)}  ${text[0]!}`, ...text.slice(1)] : [name, ...text];
  return [`  ${first}`, ...more.map((line) => `${" ".repeat(column + 4)}${line}`)];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

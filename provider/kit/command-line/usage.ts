import type { Option, Options } from "./options";

/** Columns of a line. */
const WIDTH = 100;
/** Longest name of an option with its help in the same line. */
const LONGEST_NAME = 22;

/** Lines of a usage, for each option. */
export function optionsUsage(options: Options): string[] {
  const names = Object.entries(options).map(([option, { value }]) => `--${option}${value === undefined ? "" : ` ${value}`}`);
  const column = Math.max(...names.filter((each) => each.length <= LONGEST_NAME).map((each) => each.length));
  return Object.values(options).flatMap((option, index) => optionLines(names[index]!, option, column));
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

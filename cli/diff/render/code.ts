import { visible } from "@pulumi-ovn/provider/tools";

/** Code in a line of text. (CommonMark 0.31, 6.1) */
export function code(text: string): string {
  const shown = visible(text);
  const ticks = "`".repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) || shown === "" ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** A block of code; no line in it can end it. (CommonMark 0.31, 4.5) */
export function fence(language: string, lines: readonly string[]): string {
  const ticks = "`".repeat(lines.reduce((most, line) => Math.max(most, longestRun(line) + 1), 3));
  return `${ticks}${language}\n${lines.join("\n")}\n${ticks}\n`;
}

import { optionsUsage } from "@pulumi-ovn/provider/tools";
import type { Command, Commands } from "./command";

/** Pure. Text of `pulumi-ovn NAME --help`. */
export function usageOf(name: string, { forms, about, options, notes }: Command): string {
  const [first, ...more] = forms.map((form) => `pulumi-ovn ${name} ${form}`.trimEnd());
  const lines = optionsUsage(options);
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

import type { Commands, Option } from "../command";
import { STACKS } from "./bash";

/** Pure. */
export function fishScript(commands: Commands): string {
  const names = Object.keys(commands).join(" ");
  const lines = Object.entries(commands).flatMap(([name, { summary, options, words }]) => {
    const within = `complete -c pulumi-ovn -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c pulumi-ovn -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${quoted(summary)}`,
      ...(words === undefined ? [] : [`${within}${candidates(words)}`]),
      ...Object.entries({ ...options, help: { help: "print the usage" } satisfies Option as Option }).map(
        ([option, { value, help, completes }]) => `${within} -l ${option}${value === undefined ? "" : candidates(completes)} -d ${quoted(help)}`,
      ),
    ];
  });
  return ["# fish completion of pulumi-ovn", "complete -c pulumi-ovn -f", ...lines, ""].join("\n");
}

/** Flags of an option with a value, or of an argument. */
function candidates(completes: Option["completes"]): string {
  if (completes === undefined) return " -x";
  if (completes === "file") return " -r -F";
  if (completes === "folder") return " -x -a '(__fish_complete_directories)'";
  return ` -x -a ${quoted(completes === "stack" ? `(${STACKS})` : completes.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

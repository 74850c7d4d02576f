import type { Commands, Option } from "../command";
import { STACKS } from "./bash";

/** Conditions: the number of finished words, and the command. Values of options may look like commands. */
const CONDITIONS = `function __pulumi_ovn_at -a place
  test (count (commandline -opc)) -eq $place
end
function __pulumi_ovn_in -a name
  set -l words (commandline -opc)
  test "$words[2]" = $name
end`;

/** Pure. */
export function fishScript(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, { summary, options, words }]) => {
    const within = `complete -c pulumi-ovn -n '__pulumi_ovn_in ${name}'`;
    return [
      `complete -c pulumi-ovn -n '__pulumi_ovn_at 1' -a ${name} -d ${quoted(summary)}`,
      ...(words === undefined ? [] : [`complete -c pulumi-ovn -n '__pulumi_ovn_in ${name}; and __pulumi_ovn_at 2'${candidates(words)}`]),
      ...Object.entries({ ...options, help: { help: "print the usage" } satisfies Option as Option }).map(
        ([option, { value, help, completes }]) => `${within} -l ${option}${value === undefined ? "" : candidates(completes)} -d ${quoted(help)}`,
      ),
    ];
  });
  return ["# fish completion of pulumi-ovn", CONDITIONS, "complete -c pulumi-ovn -f", ...lines, ""].join("\n");
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

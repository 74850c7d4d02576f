import type { Commands, Option } from "../command";
import { STACKS } from "./bash";

/** Pure. */
export function zshScript(commands: Commands): string {
  const names = Object.entries(commands).map(([name, { summary }]) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = Object.entries(commands).map(([name, { options, words }]) => {
    const given = Object.entries(options).map(
      ([option, { value, help, completes }]) =>
        `      ${quoted(`--${option}[${escaped(help)}]${value === undefined ? "" : `:${escaped(value)}:${action(completes)}`}`)}`,
    );
    const first = words === undefined ? [] : [`      ${quoted(`1:argument:${action(words)}`)}`];
    return `    ${name}) _arguments \\\n${[...given, ...first, "      '--help[print the usage]'"].join(" \\\n")} ;;`;
  });
  return `#compdef pulumi-ovn
_pulumi_ovn_stacks() { compadd -- \${(f)"$(${STACKS})"} }
_pulumi_ovn() {
  local -a commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _pulumi_ovn pulumi-ovn
`;
}

function action(completes: Option["completes"]): string {
  if (completes === undefined) return " ";
  if (completes === "file") return "_files";
  if (completes === "folder") return "_files -/";
  return completes === "stack" ? "_pulumi_ovn_stacks" : `(${completes.join(" ")})`;
}

/** Text inside of a specification of _arguments. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

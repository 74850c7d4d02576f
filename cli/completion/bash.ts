import type { Commands, Option } from "../command";

/** Pure. */
export function bashScript(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, { options, words }]) => {
    const values = Object.entries(options).flatMap(([option, { value, completes }]) =>
      value === undefined ? [] : [`        --${option}) ${candidates(completes)} ;;`],
    );
    const flags = candidates([...Object.keys(options), "help"].map((option) => `--${option}`));
    const first = words === undefined ? flags : `if (( COMP_CWORD == 2 )) && [[ $word != -* ]]; then ${candidates(words)}; else ${flags}; fi`;
    return [`    ${name})`, "      case $previous in", ...values, `        *) ${first} ;;`, "      esac ;;"].join("\n");
  });
  return `# bash completion of pulumi-ovn
_pulumi_ovn() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "${Object.keys(commands).join(" ")}" -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
}
complete -F _pulumi_ovn pulumi-ovn
`;
}

/** A command of bash that sets COMPREPLY. */
function candidates(completes: Option["completes"]): string {
  if (completes === undefined) return ":";
  if (completes === "file") return `compopt -o filenames; COMPREPLY=($(compgen -f -- "$word"))`;
  if (completes === "folder") return `compopt -o filenames; COMPREPLY=($(compgen -d -- "$word"))`;
  if (completes === "stack") return `COMPREPLY=($(compgen -W "$(${STACKS})" -- "$word"))`;
  return `COMPREPLY=($(compgen -W "${completes.join(" ")}" -- "$word"))`;
}

/**
 * Prints the names of stacks with a configuration in the current folder. Runs in every shell. Names have only the characters that Pulumi
 * allows: bash expands the words of `compgen -W`, and would run a command in the name of a file.
 */
export const STACKS = "ls | sed -nE 's/^Pulumi\\.([[:alnum:]_.-]+)\\.ya?ml$/\\1/p'";

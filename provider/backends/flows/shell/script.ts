import { randomBytes } from "node:crypto";
import { PORT_WORD } from "../printed/ports";

/** One command of a script. */
export interface Step {
  readonly argv: readonly string[];
  /** Its standard input; lines end with a newline. */
  readonly input?: string;
  /** Whether this bridge is in the host's configuration is looked up when the command fails. */
  readonly bridge?: string;
  /** Word that the output must contain, or the command has failed. The output has no other use. */
  readonly word?: string;
  /** Ports that the output must list, and no others, or the command has failed. The output has no other use. */
  readonly ports?: string;
}

/** Result of one command. */
export interface StepResult {
  readonly status: number;
  /** Exit status of `ovs-vsctl br-exists`, 2 for no (ovs-vsctl(8)); only of commands that failed. */
  readonly bridge: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Output of a script. */
export interface Outcome {
  /** Whether a shell on the host ran it at all. */
  readonly isStarted: boolean;
  /** Whether the programs that it needs were found. */
  readonly found: boolean;
  /** Results of ended commands. */
  readonly steps: readonly StepResult[];
}

/** A line of a script: what a login shell would add, as programs of the host are often there, and messages in English. */
export const ENVIRONMENT = 'LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin"; export LC_ALL PATH';

/** Random word by which a script marks its own lines. */
export const newMark = (): string => `pulumi-ovn-${randomBytes(8).toString("hex")}`;

/** Last line of a script in both streams: then a shell may get the next script. */
export const lastLine = (mark: string): string => `\n${mark} done\n`;

/** `ovs-ofctl diff-flows` ends with 2 where flows differ. */
const DIFFERENT = 2;

/**
 * A script for `sh` that runs the steps in their order, up to the first that fails.
 *
 * It goes to the shell's standard input whole, so the words of `command` in the file of targets are followed by the one
 * word `sh`: no quoting can go wrong on the way, be it ssh, which gives words to a remote shell, or kubectl, which does
 * not. A function is run only when the shell has read all of it, so of a script that was cut nothing is done.
 *
 * @param mark a word that is in no input; lines of the script's own begin with it
 */
export function scriptOf(steps: readonly Step[], mark: string): string {
  const lines = steps.flatMap(({ argv, input, bridge, ...expected }) => [
    ...commandLines(argv.map(quote).join(" "), input === undefined ? "</dev/null" : `<<'${mark}'\n${input}${mark}`, expected),
    "say end >&2",
    `if [ $status != 0 ] && [ $status != ${DIFFERENT} ]; then`,
    ...(bridge === undefined ? [] : [`ovs-vsctl --timeout=5 br-exists ${quote(bridge)} </dev/null >/dev/null 2>&1; say "bridge $?"`]),
    'say "status $status"; return 0',
    "fi",
    'say "status $status"',
  ]);
  return [
    `say() { printf '\\n%s %s\\n' ${mark} "$1"; }`,
    "pulumi_ovn() {",
    ENVIRONMENT,
    "say begin; say begin >&2",
    "command -v ovs-ofctl >/dev/null 2>&1 || { say absent; return 0; }",
    ...lines,
    "}",
    "pulumi_ovn; say done; say done >&2",
    "",
  ].join("\n");
}

/** The shell looks for the words itself: on many hosts a program more takes as long as the work. */
function commandLines(command: string, input: string, { word, ports }: Pick<Step, "word" | "ports">): string[] {
  if (word === undefined && ports === undefined) return [`${command} ${input}`, "status=$?"];
  return [
    `said=$(${command} ${input}`,
    ")",
    "status=$?",
    ...(word === undefined ? [] : [`case " "$said" " in *" "${quote(word)}" "*) ;; *) status=1;; esac`]),
    ...(ports === undefined
      ? []
      : [
          `set -f; ports=; for word in $said; do case "$word" in ${PORT_WORD}) ports="$ports $word";; esac; done`,
          `[ "$ports" = ${quote(ports)} ] || status=1`,
        ]),
  ];
}

/** Pure. Seconds of the option `--timeout` of a command. */
export const timeoutIn = (argv: readonly string[]): number => Number(argv.find((word) => word.startsWith("--timeout="))?.slice("--timeout=".length));

export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Pure. Parses a script's output. Text before the script, such as a banner, is ignored. */
export function outcomeOf(mark: string, stdout: string, stderr: string): Outcome {
  const [, ...said] = stderr.split(new RegExp(`\\n${mark} (?:begin|end)\\n`));
  const [, ...parts] = stdout.split(new RegExp(`\\n${mark} (\\w+)(?: (\\d+))?\\n`));
  const steps: StepResult[] = [];
  let found = true;
  let printed = "";
  let bridge: number | undefined;
  // A word of the script's own, its number, and what was printed after it.
  for (let at = 0; at < parts.length; at += 3) {
    const [word, number, text] = parts.slice(at, at + 3) as [string, string | undefined, string];
    if (word === "absent") found = false;
    else if (word === "bridge") bridge = Number(number);
    else if (word === "status") {
      steps.push({ status: Number(number), bridge, stdout: printed, stderr: said[steps.length] ?? "" });
      bridge = undefined;
    }
    if (word !== "bridge") printed = text;
  }
  return { isStarted: parts.length > 0, found, steps };
}

/** One command of a script. */
export interface Step {
  readonly argv: readonly string[];
  /** Its standard input; lines end with a newline. */
  readonly input?: string;
  /** Whether this bridge is in the host's configuration is looked up when the command fails. */
  readonly bridge?: string;
}

/** What became of one command. */
export interface StepResult {
  readonly status: number;
  /** Exit status of `ovs-vsctl br-exists`, 2 for no (ovs-vsctl(8)); only of commands that failed. */
  readonly bridge: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a script has said. */
export interface Outcome {
  /** Whether a shell on the host ran it at all. */
  readonly begun: boolean;
  /** Whether the programs that it needs were found. */
  readonly found: boolean;
  /** Of commands that have ended. */
  readonly steps: readonly StepResult[];
}

/** `ovs-ofctl diff-flows` ends with 2 where flows differ. */
const DIFFERENT = 2;

/**
 * A script for `sh` that runs the steps in their order, up to the first that fails.
 *
 * It goes to the shell's standard input whole, so the words of `command` in the file of targets are followed by the one
 * word `sh`: no quoting can go wrong on the way, be it ssh, which gives words to a remote shell, or kubectl, which does
 * not. A function is run only when the shell has read all of it, so of a script that was cut nothing is done.
 *
 * @param mark a word that stands in no input; lines of the script's own begin with it
 */
export function scriptOf(steps: readonly Step[], mark: string): string {
  const lines = steps.flatMap(({ argv, input, bridge }, index) => [
    `echo "${mark} ${index}"; echo "${mark} ${index}" >&2`,
    `${argv.map(quote).join(" ")} ${input === undefined ? "</dev/null" : `<<'${mark}'\n${input}${mark}`}`,
    "status=$?",
    `if [ $status != 0 ] && [ $status != ${DIFFERENT} ]; then`,
    ...(bridge === undefined ? [] : [`ovs-vsctl --timeout=5 br-exists ${quote(bridge)} >/dev/null 2>&1`, `echo "${mark} bridge $?"`]),
    `echo "${mark} status $status"; return 0`,
    "fi",
    `echo "${mark} status $status"`,
  ]);
  return [
    "pulumi_ovn() {",
    // What a login shell would add: programs of the host are often there.
    'LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin"; export LC_ALL PATH',
    `echo "${mark} begin"`,
    `command -v ovs-ofctl >/dev/null 2>&1 || { echo "${mark} absent"; return 0; }`,
    ...lines,
    "}",
    "pulumi_ovn",
    "",
  ].join("\n");
}

export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Pure. What others print before the script, such as a banner, is left out. */
export function outcomeOf(mark: string, stdout: string, stderr: string): Outcome {
  const sections = (text: string) => text.split(new RegExp(`^${mark} `, "m")).slice(1);
  const said = sections(stderr).map((section) => section.slice(section.indexOf("\n") + 1));
  const steps: StepResult[] = [];
  let begun = false;
  let found = true;
  let printed = "";
  let bridge: number | undefined;
  for (const section of sections(stdout)) {
    const end = section.indexOf("\n");
    const [word, value] = section.slice(0, end).split(" ");
    if (word === "begin") begun = true;
    else if (word === "absent") found = false;
    else if (word === "bridge") bridge = Number(value);
    else if (word === "status") {
      steps.push({ status: Number(value), bridge, stdout: printed, stderr: said[steps.length] ?? "" });
      bridge = undefined;
    } else printed = section.slice(end + 1);
  }
  return { begun, found, steps };
}

import type { Family, Problem } from "@pulumi-ovn/provider/agent";
import { lastLine } from "../problems";
import { type ProgramEnvironment, run, lastOutput } from "../program";
import type { IpStep, SysctlStep } from "../steps";

/** Takes steps of one family in one run of ip(8). A failed step does not prevent the others. */
export async function runBatch(environment: ProgramEnvironment, family: Family, steps: readonly IpStep[]): Promise<readonly Problem[]> {
  const ended = await run(environment, ["ip", "-force", `-${family}`, "-batch", "-"], steps.map(({ line }) => `${line}\n`).join(""));
  // A line that ip can't read ends it without its number.
  const unread = ended.status !== 0 && ended.status !== 1;
  return [...problemsIn(steps, ended.stderr), ...(unread ? [refusal(steps[0]!, lastOutput("ip", ended))] : [])];
}

/** Pure. Errors of ip(8) for the steps' lines, without later lines. */
export function problemsIn(steps: readonly IpStep[], stderr: string): Problem[] {
  return problemsOf(
    steps,
    failuresIn(stderr).filter(({ line, words }) => line <= steps.length && !isGone(steps[line - 1]!, words)),
  );
}

interface Failure {
  /** From 1. */
  readonly line: number;
  readonly words: string;
}

/** Pure. Failures with their line numbers. ip(8) prints the kernel's error before the line number. */
export function failuresIn(stderr: string): Failure[] {
  const failures: Failure[] = [];
  let words = "";
  for (const text of stderr.split("\n")) {
    const [, line] = /^Command failed -:(\d+)$/.exec(text) ?? [];
    if (line !== undefined) failures.push({ line: Number(line), words: words || "refused" });
    words = line === undefined ? lastLine(text).replace(/^(?:RTNETLINK answers|Error): /, "") : "";
  }
  return failures;
}

/** Whether a removal failed because the object is already deleted. */
const isGone = ({ line }: IpStep, words: string): boolean =>
  / del /.test(line) && /^(?:No such |Cannot assign requested address|Cannot find device)/.test(words);

/** Pure. One problem for each reason: a thousand routes may fail for the same one. */
function problemsOf(steps: readonly IpStep[], failures: readonly Failure[]): Problem[] {
  const byWords = new Map<string, IpStep[]>();
  for (const { line, words } of failures) byWords.set(words, [...(byWords.get(words) ?? []), steps[line - 1]!]);
  return [...byWords].map(([words, [first, ...more]]) =>
    refusal(first!, more.length === 0 ? words : `${words}; ${more.length} more failed for the same reason`),
  );
}

const refusal = ({ subject }: IpStep, words: string): Problem => ({ code: "OVN_AGENT_KERNEL", subject, message: `the kernel refuses ${subject}: ${words}` });

/** Writes each setting on its own. Returns a problem for each failed one. */
const SET = 'while [ $# -gt 1 ]; do echo "$2" > "/proc/sys/net/$1" || echo "$1" >&3; shift 2; done';

export async function setSysctls(environment: ProgramEnvironment, steps: readonly SysctlStep[]): Promise<readonly Problem[]> {
  const ended = await run(environment, ["sh", "-c", `exec 3>&1; ${SET}`, "sh", ...steps.flatMap(({ path, value }) => [path, value])]);
  return ended.stdout
    .split("\n")
    .filter(Boolean)
    .map((path) => {
      const name = `net.${path.replaceAll("/", ".")}`;
      return {
        code: "OVN_AGENT_SYSCTL",
        subject: name,
        message: `${name} can't be set to ${steps.find((step) => step.path === path)?.value}: ${lastOutput("sh", ended)}`,
      };
    });
}

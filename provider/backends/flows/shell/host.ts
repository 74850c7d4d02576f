import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Host } from "../../../targets/schema";
import { commandOf, describeCommand, withoutArguments } from "../../../targets/command";
import { FlowError, SilentSwitchError } from "../errors";
import { type ShellOutput, StartError, TimedOut } from "./group";
import { type BridgeStep, modeStep } from "./ofctl";
import { runGroup, type Ended, type RunOptions } from "./run";
import { lastLine, newMark, outcomeOf, scriptOf, type Step, type StepResult, timeoutIn } from "./script";
import { Shell } from "./shell";
import { ANSWER, askSwitch } from "./silence";

const DEFAULT_TIMEOUT_SECONDS = 30;

/** Factor for this timeout over that of programs on the host. Theirs ends first, with a better error. */
const GRACE = 1.1;

/** Exit status of a shell whose program SIGALRM has ended: the effect of --timeout of ovs-ofctl(8). */
const ALARM = 142;

/** Location of commands. */
export interface HostTarget {
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  /** Takes all scripts, over one run of the host's command. Default: each has a run of its own. */
  readonly shell?: Shell;
}

/** Runs work on a target whose scripts share a shell, because starting the command of a host may take longer than the scripts. */
export async function overOneShell<T>(target: HostTarget, work: (target: HostTarget) => Promise<T>): Promise<T> {
  const shell = new Shell();
  try {
    return await work({ ...target, shell });
  } finally {
    await shell.end();
  }
}

/**
 * Runs the steps on a host, up to the first that fails. Returns the results of all that ended; the last may have failed.
 *
 * Before the first steps with a bridge, the running switch is asked a short question: a large table may need the host's whole timeout, a
 * hung ovs-vswitchd must not.
 *
 * @throws SilentSwitchError if the switch does not answer in time
 */
export async function runOnHost(target: HostTarget, steps: readonly Step[]): Promise<readonly StepResult[]> {
  const { host, shell } = target;
  if (shell === undefined) return overOneShell(target, (own) => runOnHost(own, steps));
  const run = (script: readonly Step[]) => runScript(target, shell, script);
  const asking = steps.filter((step): step is BridgeStep => step.bridge !== undefined);
  const [first] = asking;
  if (first === undefined) return run(steps);
  if (asking.every(({ argv }) => timeoutIn(argv) <= ANSWER)) return askSwitch(host, first.bridge, () => run(steps));
  if (!shell.switchAnswers) {
    const [answer] = await askSwitch(host, first.bridge, () => run([modeStep(target, first.bridge)]));
    shell.switchAnswers = !failed(answer!);
  }
  return run(steps);
}

async function runScript(target: HostTarget, shell: Shell, steps: readonly Step[]): Promise<readonly StepResult[]> {
  const { host } = target;
  const mark = newMark();
  const output = await onHost(target, (command, { timeout, signal }) =>
    shell.run(command, { input: scriptOf(steps, mark), timeout, until: lastLine(mark) }, signal),
  );
  const { isStarted, found, steps: results } = outcomeOf(mark, output.stdout, output.stderr);
  const last = results.at(-1);
  const { bridge, argv } = steps[results.length - 1] ?? {};
  if (last?.status === ALARM && bridge !== undefined) throw new SilentSwitchError(bridge, timeoutIn(argv!));
  if (results.length === steps.length || (last && failed(last))) return results;
  const shown = describeCommand(host);
  if (!found)
    throw new FlowError(
      "OVN_HOST_COMMAND",
      `there is no ovs-ofctl where ${shown} leads to; install Open vSwitch's programs there, or correct "command" of the host in the file of targets`,
    );
  throw endedEarly(host, { ...output, stderr: output.stderr.replaceAll(mark, "") }, isStarted);
}

/** Like `runOnHost`, but continues after a failed step unless `each` throws. Returns the results of `each`. */
export async function eachOnHost<T>(target: HostTarget, steps: readonly Step[], each: (result: StepResult, index: number) => T): Promise<T[]> {
  const found: T[] = [];
  while (found.length < steps.length) {
    for (const result of await runOnHost(target, steps.slice(found.length))) found.push(each(result, found.length));
  }
  return found;
}

/** Gives a script to a shell on a host, over one run of its command. Throws a FlowError where that can't be run, or does not end in time. */
export function shellOnHost(target: HostTarget, script: string): Promise<Ended> {
  return onHost(target, (command, limits) => runGroup(command, { input: script, ...limits }));
}

/** @param run gets the words that lead to a shell there, and milliseconds that it may take */
async function onHost<T>({ host, signal }: HostTarget, run: (command: readonly string[], limits: Omit<RunOptions, "input">) => Promise<T>): Promise<T> {
  const seconds = host.timeout ?? DEFAULT_TIMEOUT_SECONDS;
  try {
    return await run([...commandOf(host), "sh"], { timeout: seconds * GRACE * 1000, signal });
  } catch (error) {
    throw failureOf(error, describeCommand(host), seconds, signal);
  }
}

/** The command of a host ended before the script did, or before a shell began with it. */
export function endedEarly(host: Host, { status, stderr }: Pick<ShellOutput, "status" | "stderr">, isStarted: boolean): FlowError {
  const message = printable(withoutArguments(stderr, commandOf(host)));
  return new FlowError(
    "OVN_HOST_UNREACHABLE",
    `${describeCommand(host)} ended ${typeof status === "number" ? `with status ${status}` : `by ${status}`} ${isStarted ? "before its work was done" : "before a shell began"}${message === "" ? "" : `: ${message}`}`,
  );
}

/** `diff-flows` ends with 2 where flows differ; that is its result. */
export function failed({ status }: StepResult): boolean {
  return status !== 0 && status !== 2;
}

function failureOf(error: unknown, shown: string, seconds: number, signal: AbortSignal | undefined): unknown {
  if (error instanceof StartError)
    return new FlowError("OVN_HOST_COMMAND", `${shown} can't be run: ${error.code}; correct "command" of the host in the file of targets`);
  if (error instanceof TimedOut)
    return new FlowError(
      "OVN_HOST_UNREACHABLE",
      `${shown} did not end within ${seconds} s ("timeout" of the host): the way to the host, or a program there, does not answer; see that the command works, or raise "timeout" in the file of targets. A change that was in progress may be made, and the next update finds out`,
    );
  if (signal?.aborted)
    return new FlowError("OVN_HOST_ABORTED", `${shown} was stopped; a change that was in progress may be made, and the next update finds out`, {
      cause: error,
    });
  return error;
}

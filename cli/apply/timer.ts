import { endedEarly, noSpace, shellOnHost } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../command";
import type { DatabaseShell } from "./host-of";
import { LACKS_PROGRAM, NO_SPACE, startingScript, type UndoScript } from "./undo-script";

/** Holder of the undo of a target until its deadline: the target's host, a guard, or only this command. */
export type Timer = "host" | "guard" | "command";

export const TIMER_TEXTS: Readonly<Record<Timer, string>> = {
  host: "a process on the database's host, which survives the end of this command and of the connection",
  guard: "pulumi-ovn guard, which survives the end of this command",
  command:
    "this command only, which is weaker: its end or the loss of the connection delays the undo until the next command; run pulumi-ovn guard next to the target",
};

/** Seconds for starting a process on a host. */
const START_TIMEOUT = 20;

/**
 * Starts the process on the database's host. Returns whether it runs: false if the host lacks a program. Throws a CommandError if the host
 * can't be reached or does not answer in time.
 */
export async function startTimer(shell: DatabaseShell, script: UndoScript): Promise<boolean> {
  const host = { ...shell.host, timeout: START_TIMEOUT };
  const ended = await shellOnHost({ host }, startingScript(shell, script)).catch(refuse);
  if (ended.status === LACKS_PROGRAM) return false;
  if (ended.status === NO_SPACE) refuse(new Error(noSpace(ended.stdout.trim())));
  return (ended.status === 0 && /^\d+\s*$/.test(ended.stdout)) || refuse(endedEarly(host, ended, false));
}

function refuse({ message }: Error): never {
  throw new CommandError(
    "OVN_APPLY_TIMER",
    `the process that would undo the change does not start on the database's host: ${message}; try again, or run pulumi-ovn guard next to the target`,
  );
}

import { shellOnHost } from "@pulumi-ovn/provider/tools";
import type { DatabaseShell } from "./host-of";
import { possible, startingScript, type UndoScript } from "./undo-script";

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

/** Whether a database's host has the programs of the timer. */
export async function canStart(shell: DatabaseShell): Promise<boolean> {
  return (await start(shell, `${possible(shell)} && echo 1\n`)) !== undefined;
}

/** Starts the process on the database's host. */
export async function startTimer(shell: DatabaseShell, script: UndoScript, title: string): Promise<void> {
  if ((await start(shell, startingScript(shell, script))) === undefined) throw new Error(`can't start the undo of ${title} on its host`);
}

/** Output of a script on the database's host, a number. Undefined if there is no way, or if it fails. */
async function start({ host }: DatabaseShell, script: string): Promise<string | undefined> {
  const ended = await shellOnHost({ host: { ...host, timeout: START_TIMEOUT } }, script).catch(() => undefined);
  return ended?.status === 0 && /^\d+\s*$/.test(ended.stdout) ? ended.stdout.trim() : undefined;
}

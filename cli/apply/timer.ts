import { shellOnHost } from "@pulumi-ovn/provider/tools";
import type { DatabaseShell } from "./host-of";
import { startingScript, type UndoScript } from "./undo-script";

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

/** Starts the process on the database's host. Returns whether it runs: the host can't be reached, or has not all programs. */
export async function startTimer(shell: DatabaseShell, script: UndoScript): Promise<boolean> {
  const target = { host: { ...shell.host, timeout: START_TIMEOUT } };
  const ended = await shellOnHost(target, startingScript(shell, script)).catch(() => undefined);
  return ended?.status === 0 && /^\d+\s*$/.test(ended.stdout);
}

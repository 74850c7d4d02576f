import type { Host } from "@pulumi-ovn/provider/targets";
import { shellOnHost } from "@pulumi-ovn/provider/tools";
import type { Database } from "./databases";
import { databaseHost } from "./host-of";
import { POSSIBLE, startingScript, type UndoScript } from "./undo-script";

/** Holder of the undo of a database until its deadline: the host of the database, a guard, or only this command. */
export type Timer = "host" | "guard" | "command";

export const TIMER_TEXTS: Readonly<Record<Timer, string>> = {
  host: "a process on the database's host, which survives the end of this command and of the connection",
  guard: "pulumi-ovn guard, which survives the end of this command",
  command: "this command only, so its end or the loss of the connection delays the undo until the next command; run pulumi-ovn guard next to the database",
};

/** Seconds for starting a process on a host. */
const START_TIMEOUT = 20;

/** Name of the OVSDB lock that a guard holds: an <id> of RFC 7047, without hyphens. */
export const GUARD_LOCK = "pulumi_ovn_guard";

/** The best timer that is possible for a database. Nothing is started. */
export async function timerFor(database: Database): Promise<Timer> {
  if ((await start(database, `${POSSIBLE} && echo 1\n`)) !== undefined) return "host";
  const lock = await database.client.lock(GUARD_LOCK);
  const hasGuard = !lock.held;
  await lock.release();
  return hasGuard ? "guard" : "command";
}

/** Starts the process on the database's host. */
export async function startTimer(database: Database, script: Omit<UndoScript, "endpoint">): Promise<void> {
  const pid = await start(database, startingScript({ ...script, endpoint: databaseHost(database.endpoint)!.endpoint }));
  if (pid === undefined) throw new Error(`can't start the undo of ${database.title} on its host`);
}

/** Output of a script on the database's host. Undefined if there is no way, or if it fails. */
async function start({ endpoint }: Database, script: string): Promise<string | undefined> {
  const found = databaseHost(endpoint);
  if (!found) return undefined;
  const host: Host = { ...(found.command.length > 0 && { command: [...found.command] }), timeout: START_TIMEOUT };
  const ended = await shellOnHost({ host }, script).catch(() => undefined);
  return ended?.status === 0 && /^\d+\s*$/.test(ended.stdout) ? ended.stdout.trim() : undefined;
}

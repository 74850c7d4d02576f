import { existsSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Stack } from "@pulumi/pulumi/automation";

/** Milliseconds that another update of the stack may take. */
const PATIENCE = 180_000;

/**
 * Runs an operation that needs the stack's lock. Backends of files and object stores keep locks that survive a kill: locks of ended processes of
 * this machine are removed; a living process is waited for, because its update may still be in progress. Locks of other machines stay.
 */
export async function waitForStack<T>(operation: () => Promise<T>, stack: Pick<Stack, "cancel">, say: (text: string) => void, patience = PATIENCE): Promise<T> {
  const until = Date.now() + patience;
  let isReported = false;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const locks = locksIn(error as Error);
      if (locks.length === 0 || locks.some(({ host }) => host !== hostname())) throw error;
      const owner = locks.find(({ pid }) => isAlive(pid));
      if (owner === undefined) {
        for (const { pid } of locks) say(`process ${pid}, which had locked the stack, has ended: removing its lock`);
        await takeAway(locks, stack);
        continue;
      }
      if (Date.now() > until) throw error;
      if (!isReported) say(`process ${owner.pid} works on the stack: waiting for it`);
      isReported = true;
      await setTimeout(1_000);
    }
  }
}

export interface StackLock {
  readonly url: string;
  readonly host: string;
  readonly pid: number;
}

/** All that the message of Pulumi's CLI names. */
export function locksIn({ message }: Error): StackLock[] {
  if (!message.includes("stack is currently locked")) return [];
  const lines = message.matchAll(/^\s*(\S.*): created by .*?@(\S+) \(pid (\d+)\)/gm);
  return [...lines].map(([, url, host, pid]) => ({ url: url!, host: host!, pid: Number(pid) }));
}

/** Removes locks. Lock files are deleted one by one; `pulumi cancel` deletes all locks, also a lock that another process has taken since. */
async function takeAway(locks: readonly StackLock[], stack: Pick<Stack, "cancel">): Promise<void> {
  const files = locks.map(({ url }) => fileOf(url));
  if (!files.every((file) => file !== undefined)) return stack.cancel();
  // Pulumi's library keeps the attributes of a file next to the file.
  for (const file of files) for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
}

/** The file of a lock, if the lock is a file on this machine. */
function fileOf(url: string): string | undefined {
  try {
    const path = fileURLToPath(url);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isDefunct(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether a process has ended without its parent reading the exit code, as in a container without an init. (proc_pid_stat(5); its second field
 * may have spaces)
 */
function isDefunct(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, ""));
  } catch {
    return false; // A system without /proc.
  }
}

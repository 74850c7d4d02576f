import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Stack } from "@pulumi/pulumi/automation";

/** Milliseconds that another update of the stack may take. */
const PATIENCE = 180_000;

/**
 * Runs an operation that needs the stack for itself. Backends of files and object stores keep a lock that survives a kill:
 * one of a process of this machine that is gone is taken away, one of a process that lives is waited for: after a kill of
 * the rollout its update may still be in progress.
 */
export async function waitForStack<T>(operation: () => Promise<T>, stack: Pick<Stack, "cancel">, say: (text: string) => void, patience = PATIENCE): Promise<T> {
  const until = Date.now() + patience;
  let told = false;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const holder = holderOf(error as Error);
      if (!holder || holder.host !== hostname()) throw error;
      if (!alive(holder.pid)) {
        say(`process ${holder.pid}, which had locked the stack, is gone: taking its lock away`);
        await stack.cancel();
        continue;
      }
      if (Date.now() > until) throw error;
      if (!told) say(`process ${holder.pid} works on the stack: waiting for it`);
      told = true;
      await setTimeout(1_000);
    }
  }
}

/** From the message of Pulumi's CLI. */
export function holderOf({ message }: Error): { readonly host: string; readonly pid: number } | undefined {
  if (!message.includes("stack is currently locked")) return undefined;
  const [, host, pid] = /created by \S+?@(\S+) \(pid (\d+)\)/.exec(message) ?? [];
  return host === undefined ? undefined : { host, pid: Number(pid) };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

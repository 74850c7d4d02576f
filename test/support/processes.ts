import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { commandOf } from "@pulumi-ovn/sandbox/testing";

/** Commands of those that have not ended by themselves in time. */
export async function survivors(pids: readonly number[], milliseconds: number): Promise<string[]> {
  const until = Date.now() + milliseconds;
  for (;;) {
    // A defunct process has no command.
    const left = pids.map(commandOf).filter(Boolean);
    if (left.length === 0 || Date.now() > until) return left;
    await sleep(50);
  }
}

/** Processes of the machine with a text in their command. */
export const processesWith = (text: string): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid).includes(text));

/** Whether a process is one that serves this project's resources to Pulumi. */
export const isProvider = (pid: number): boolean => commandOf(pid).includes("cmd/dynamic-provider");

/** Sends SIGKILL to processes that may have ended. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

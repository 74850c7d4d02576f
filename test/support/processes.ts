import { setTimeout as sleep } from "node:timers/promises";
import { readdirSync, readFileSync } from "node:fs";

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // gone already
  }
}

/** A process and everything below it, parents first. (/proc/PID/task/PID/children has those of one thread only.) */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
}

/** Commands of those that have not ended by themselves in time. */
export async function survivors(pids: readonly number[], milliseconds: number): Promise<string[]> {
  const until = Date.now() + milliseconds;
  for (;;) {
    // A process that nobody has waited for yet has no command any more.
    const left = pids.map(commandOf).filter(Boolean);
    if (left.length === 0 || Date.now() > until) return left;
    await sleep(50);
  }
}

/** SIGKILL, to processes that may be gone. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // gone already
    }
  }
}

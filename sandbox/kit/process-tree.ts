import { readdirSync, readFileSync } from "node:fs";

/** A file of a process in /proc, such as `status`; empty where the process has ended. */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** A process and everything below it, parents first. (/proc/PID/task/PID/children has those of one thread only.) */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readProcess(pid, "status"))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

export function commandOf(pid: number): string {
  return readProcess(pid, "cmdline").replaceAll("\0", " ");
}

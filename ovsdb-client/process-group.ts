import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Sends a signal to a process group by its leader, because a shell may not pass a signal on. The leader was started with `detached`. On Windows,
 * which has no groups, only the leader gets the signal.
 */
export function killGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = leader;
  if (pid === undefined) return;
  if (process.platform === "win32") return void leader.kill(signal);
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

/** Milliseconds between two looks, and looks at most. */
const [PAUSE, CHECKS] = [5, 40];

/**
 * Resolves when no process of a killed group is left: delivery takes time on a busy machine. Gives up after 0.2 s, because defunct processes
 * stay until their parent reads their exit code.
 */
export async function groupEnded({ pid }: ChildProcess): Promise<void> {
  for (let look = 0; look < CHECKS && pid !== undefined && isGroup(pid); look++) await sleep(PAUSE);
}

function isGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

const running = new Map<ChildProcess, () => void>();
let watched = false;

/**
 * Lets a program end with this process at the latest, however that comes to its end by itself: `process.exit` at a signal waits for
 * nothing, what the terminal sends does not reach other groups, and not every program notices that its input has ended.
 *
 * @param end default: the program leads a process group, and all of that is killed
 */
export function endsWithProcess(child: ChildProcess, end: () => void = () => killGroup(child, "SIGKILL")): void {
  if (child.pid === undefined) return;
  if (!watched) process.once("exit", () => running.forEach((each) => each()));
  watched = true;
  running.set(child, end);
  child.once("exit", () => running.delete(child));
}

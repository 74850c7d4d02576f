import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Sends a signal to what is left of a process group, by its leader: a shell, or what runs a program in another place, may not hand one
 * on. The leader was started with `detached`, but on Windows, which has no groups: there the signal is for itself alone.
 */
export function killGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = leader;
  if (pid === undefined) return;
  if (process.platform === "win32") return void leader.kill(signal);
  try {
    process.kill(-pid, signal);
  } catch {
    // All of the group are gone.
  }
}

/** Milliseconds between two looks, and looks at most. */
const [PAUSE, LOOKS] = [5, 40];

/**
 * Resolves when no process of a killed group is left. A signal that was sent is not delivered yet on a busy machine. Gives up after 0.2 s:
 * defunct processes stay where nobody waits for them.
 */
export async function groupEnded({ pid }: ChildProcess): Promise<void> {
  for (let look = 0; look < LOOKS && pid !== undefined && isGroup(pid); look++) await sleep(PAUSE);
}

function isGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

const living = new Map<ChildProcess, () => void>();
let watched = false;

/**
 * Lets a program end with this process at the latest, however that comes to its end by itself: `process.exit` at a signal waits for
 * nothing, what the terminal sends does not reach other groups, and not every program notices that its input has ended.
 *
 * @param end default: the program leads a process group, and all of that is killed
 */
export function endsWithProcess(child: ChildProcess, end: () => void = () => killGroup(child, "SIGKILL")): void {
  if (child.pid === undefined) return;
  if (!watched) process.once("exit", () => living.forEach((each) => each()));
  watched = true;
  living.set(child, end);
  child.once("exit", () => living.delete(child));
}

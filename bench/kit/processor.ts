import { readdirSync, readFileSync } from "node:fs";
import type { Taken } from "./measure";

/** Clock ticks in a second, as the kernel reports them for every architecture (proc(5), /proc/pid/stat). */
const TICKS = 100;

/** Fields of /proc/self/stat after the program's name: user and system time of children that have ended. */
const [CHILD_USER, CHILD_SYSTEM] = [13, 14];

/**
 * Milliseconds of processor time that this process, all programs that it has run to their end, and the daemons have taken so
 * far. Unlike a clock it does not count what other programs do at the same time; of programs it knows steps of 10 ms.
 */
export function processorTime(daemons: readonly number[]): number {
  return milliseconds(process.cpuUsage()) + othersTime(daemons);
}

/** Measures processor time of this process, its programs and the daemons, without the work of measuring. */
export async function taken(daemons: readonly number[], run: () => unknown): Promise<Taken> {
  const others = othersTime(daemons);
  const [clock, own] = [performance.now(), process.cpuUsage()];
  await run();
  const processor = milliseconds(process.cpuUsage(own));
  return { clock: performance.now() - clock, processor: processor + othersTime(daemons) - others };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function othersTime(daemons: readonly number[]): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  const children = Number(fields[CHILD_USER]) + Number(fields[CHILD_SYSTEM]);
  return (children * 1000) / TICKS + daemons.reduce((sum, pid) => sum + threadTime(pid), 0);
}

/** Processor time of all running threads; the first number is nanoseconds (kernel, Documentation/scheduler/sched-stats). */
export function threadTime(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, thread) => sum + Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6, 0);
}

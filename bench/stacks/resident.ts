import { readdirSync, readlinkSync } from "node:fs";
import { commandOf, processTree, readProcess } from "@pulumi-ovn/sandbox/dist/kit/process-tree";

/** So often the processes are looked at; the kernel keeps the largest size of each. */
const PERIOD = 50;

type Numbers<Name extends string> = Readonly<Record<Name, number>>;

/** The largest resident sizes in MB, by name, of processes that were descendants of this one while `run` ran. */
export async function largestResident(names: Readonly<Record<string, RegExp>>, run: () => Promise<unknown>): Promise<Record<string, number>> {
  const found = await largest(names, { resident: peak }, run, PERIOD);
  return Object.fromEntries(Object.entries(found).map(([name, { resident }]) => [name, resident]));
}

/**
 * The largest measures, by name, of processes that were descendants of this one while `run` ran.
 * @param period milliseconds between two looks
 */
export async function largest<Measure extends string>(
  names: Readonly<Record<string, RegExp>>,
  measures: Readonly<Record<Measure, (pid: number) => number>>,
  run: () => Promise<unknown>,
  period: number,
): Promise<Record<string, Numbers<Measure>>> {
  const found: Record<string, Numbers<Measure>> = {};
  const look = () => {
    for (const pid of processTree(process.pid).slice(1)) {
      const [name] = Object.entries(names).find(([, command]) => command.test(commandOf(pid))) ?? [];
      if (name === undefined) continue;
      const entries = Object.entries<(pid: number) => number>(measures);
      found[name] = Object.fromEntries(entries.map(([key, measure]) => [key, Math.max(found[name]?.[key as Measure] ?? 0, measure(pid))])) as Numbers<Measure>;
    }
  };
  const timer = setInterval(look, period);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return found;
}

/** Open sockets of a process; 0 if it has ended. */
export function sockets(pid: number): number {
  const links = `/proc/${pid}/fd`;
  const target = (link: string): string => {
    try {
      return readlinkSync(`${links}/${link}`);
    } catch {
      return "";
    }
  };
  try {
    return readdirSync(links).filter((link) => target(link).startsWith("socket:")).length;
  } catch {
    return 0;
  }
}

/** The largest resident size of a process so far, in MB. */
export function peak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readProcess(pid, "status"))?.[1] ?? 0) / 1024;
}

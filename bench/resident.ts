import { commandOf, processTree, readProcess } from "@pulumi-ovn/sandbox/dist/process-tree";

/** So often the processes are looked at; the kernel keeps the largest size of each. */
const PERIOD = 50;

/** The largest resident sizes in MB, by name, of processes that were descendants of this one while `run` ran. */
export async function largestResident(names: Readonly<Record<string, RegExp>>, run: () => Promise<unknown>): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const look = () => {
    for (const pid of processTree(process.pid).slice(1)) {
      const [name] = Object.entries(names).find(([, command]) => command.test(commandOf(pid))) ?? [];
      if (name !== undefined) sizes[name] = Math.max(sizes[name] ?? 0, peak(pid));
    }
  };
  const timer = setInterval(look, PERIOD);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return sizes;
}

function peak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readProcess(pid, "status"))?.[1] ?? 0) / 1024;
}

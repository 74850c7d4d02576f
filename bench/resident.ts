import { readdirSync, readFileSync } from "node:fs";

/** So often the processes are looked at; the kernel keeps the largest size of each. */
const PERIOD = 50;

/** The largest resident sizes in MB, by name, of processes that were descendants of this one while `run` ran. */
export async function largestResident(names: Readonly<Record<string, RegExp>>, run: () => Promise<unknown>): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const look = () => {
    for (const pid of descendants(process.pid)) {
      const [name] = Object.entries(names).find(([, command]) => command.test(read(pid, "cmdline"))) ?? [];
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

/** All processes below this one, at any depth. */
function descendants(parent: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((pid) => [Number(pid), Number(read(Number(pid), "stat").split(") ").at(-1)?.split(" ")[1])]));
  const found = [parent];
  for (const one of found) found.push(...[...parents].filter(([, of]) => of === one).map(([pid]) => pid));
  return found.slice(1);
}

function peak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(pid, "status"))?.[1] ?? 0) / 1024;
}

/** Empty where the process has ended meanwhile. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureRows } from "@pulumi-ovn/provider/rows";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { median, timed, thousands } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";
import { northbound, switchWith, target } from "./rows";

const run = promisify(execFile);
const SIZES = [2_000, 100_000];
const ROUNDS = 5;

interface Measured {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Runs in its own process, so that its memory is separate from the benchmark's. */
async function ours({ northbound }: Central): Promise<Measured> {
  const { stdout } = await run(process.execPath, [join(__dirname, "cache-child.js"), northbound]);
  return JSON.parse(stdout) as Measured;
}

/** The IDL in C, as the daemon that ovn-nbctl can be: it is whole when the first command is answered. */
async function peer(central: Central): Promise<Measured> {
  const [pidFile, control] = [join(central.folder, "ovn-nbctl.pid"), join(central.folder, "ovn-nbctl.ctl")];
  const must = async (program: string, args: readonly string[]): Promise<void> => {
    const { code, stderr } = await central.run(program, args);
    if (code !== 0) throw new Error(`${program}: ${stderr}`);
  };
  const milliseconds = await timed(async () => {
    await must("ovn-nbctl", [`--db=${central.northbound}`, "--detach", `--pidfile=${pidFile}`, `--unixctl=${control}`]);
    await must("ovn-appctl", ["-t", control, "run", "ls-list"]);
  });
  const status = await readFile(`/proc/${(await readFile(pidFile, "utf8")).trim()}/status`, "utf8");
  await must("ovn-appctl", ["-t", control, "exit"]);
  return { milliseconds, megabytes: Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024 };
}

/** Measures a database with this many ports, in turns. */
async function measured(ports: number): Promise<Result[]> {
  await using central = await startCentral({ northd: false });
  const client = await northbound(central);
  await ensureRows(target(client, "bench"), switchWith(ports));
  await client.close();
  const [own, other]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await ours(central));
    other.push(await peer(central));
  }
  const of = (all: readonly Measured[], value: keyof Measured): number => median(all.map((one) => one[value]));
  const [time, peerTime, memory, peerMemory] = [of(own, "milliseconds"), of(other, "milliseconds"), of(own, "megabytes"), of(other, "megabytes")];
  return [
    {
      what: `${thousands(ports)} rows, time`,
      ours: `${time.toFixed(0)} ms`,
      peer: `C IDL ${peerTime.toFixed(0)} ms`,
      ratio: (time / peerTime).toFixed(2),
      goal: "at most 1",
      met: time <= peerTime,
    },
    {
      what: `${thousands(ports)} rows, memory`,
      ours: `${memory.toFixed(0)} MB`,
      peer: `C IDL ${peerMemory.toFixed(0)} MB`,
      ratio: (memory / peerMemory).toFixed(2),
      goal: "at most 300 MB",
      met: memory <= 300,
    },
  ];
}

export const cache: Benchmark = {
  name: "cache",
  title: "A cache of rows by monitor",
  method: `A monitor of all columns of switch ports, each contender in its own process; medians of ${ROUNDS} rounds in turns. Peer: Open vSwitch's IDL in C (\`ovn-nbctl --detach\`), from its start to its first answer. Memory: largest resident size.`,
  async run(): Promise<Result[]> {
    const results: Result[] = [];
    for (const ports of SIZES) results.push(...(await measured(ports)));
    return results;
  },
};

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Baseline, planOf, programs, type Question, readPreview } from "@pulumi-ovn/cli/simulate";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";
import { bothTimes, inTurns, median, megabytes, ms, type Taken, timed } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";
import { previewOfChangedAcl } from "./simulated-network";

const run = promisify(execFile);
const ROUNDS = 3;
const QUESTIONS = 20;
const COMMAND = join(projectRoot, "sdk/bin/pulumi-ovn.js");

export const simulate: Benchmark = {
  name: "simulate",
  title: "Simulation of a plan",
  method: `\`pulumi-ovn simulate\` of a preview in a file that changes an ACL in each zone: processor time of all its processes, the whole process by the clock, and the memory of all processes together, looked at every 50 ms. Three zones: median of ${ROUNDS} runs; 100 zones: one run. Then a further question about two workloads of a zone of ten, first packet and reply, in turns with ovn-trace by hand.`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "bench-simulate-"));
    try {
      const small: Measured[] = [];
      for (let round = 0; round < ROUNDS; round++) small.push(await simulated(folder, 3, 3));
      const large = await simulated(folder, 100, 200);
      const [clock, processor] = [median(small.map((each) => each.clock)), median(small.map((each) => each.processor))];
      const question = await furtherQuestion(folder);
      const result = (what: string, ours: string, goal: string, met: boolean): Result => ({ what, ours, peer: "", ratio: "", goal, met });
      return [
        result("3 zones, 3 workloads", bothTimes({ clock, processor }), "at most 5 s", clock <= 5_000),
        result("100 zones, 200 workloads", bothTimes(large), "at most 60 s", large.clock <= 60_000),
        result("the same: memory", megabytes(large.bytes), "at most 500 MB", large.bytes <= 500e6),
        {
          what: "a further question",
          ours: ms(question.ours),
          peer: `ovn-trace by hand ${ms(question.peer)}`,
          ratio: (question.ours / question.peer).toFixed(2),
          goal: "below 1",
          met: question.ours < question.peer,
        },
      ];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

interface Measured extends Taken {
  /** The most that all processes have had together. */
  readonly bytes: number;
}

async function simulated(folder: string, zones: number, workloads: number): Promise<Measured> {
  const preview = join(folder, "preview.json");
  await writeFile(preview, await previewOfChangedAcl(zones, workloads));
  const start = performance.now();
  const child = spawn(process.execPath, [COMMAND, "simulate", "--preview", preview], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  let bytes = 0;
  const processors = new Map<string, number>();
  while (child.exitCode === null && child.signalCode === null) {
    const all = await usedBy(child, folder);
    bytes = Math.max(
      bytes,
      all.reduce((sum, each) => sum + each.bytes, 0),
    );
    for (const { pid, processor } of all) processors.set(pid, processor);
    await Promise.race([ended, sleep(50)]);
  }
  if (child.exitCode !== 0) throw new Error(`pulumi-ovn simulate exited ${child.exitCode}`);
  return { clock: performance.now() - start, processor: [...processors.values()].reduce((sum, each) => sum + each, 0), bytes };
}

interface Used {
  readonly pid: string;
  /** Resident memory. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly processor: number;
}

/** A process and all that it has started, also in the background: their command lines have the folder. */
async function usedBy({ pid: parent }: ChildProcess, folder: string): Promise<Used[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid): Promise<Used[]> => {
      const [command, status, stat] = await Promise.all(["cmdline", "status", "stat"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")));
      if (stat === "" || (Number(pid) !== parent && !command!.includes(folder))) return [];
      // Ticks of 10 ms, user and system. (proc_pid_stat(5); the name in brackets may have spaces)
      const [user, system] = stat!
        .slice(stat!.lastIndexOf(")") + 2)
        .split(" ")
        .slice(11, 13);
      return [{ pid, bytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status!)?.[1] ?? 0) * 1024, processor: (Number(user) + Number(system)) * 10 }];
    }),
  );
  return all.flat();
}

/** Milliseconds of a question whose shadows run already. */
async function furtherQuestion(folder: string): Promise<{ ours: number; peer: number }> {
  const found = await programs();
  process.env["TMPDIR"] = folder;
  const plan = planOf(readPreview(await previewOfChangedAcl(10, 20), "the preview"));
  await using baseline = await Baseline.create(plan, () => Promise.resolve(found));
  const question = (port: number): Question => ({
    from: { kind: "workload", name: "vm1" },
    source: "10.1.1.0",
    to: { kind: "workload", name: "vm11", address: "10.1.1.10" },
    family: 4,
    protocol: { name: "tcp", port },
  });
  const first = await baseline.answer(question(1));
  if (first.reach !== true) throw new Error("vm1 does not reach vm11");
  const [shadows] = (await readdir(folder)).filter((name) => name.startsWith("pulumi-ovn-simulate-"));
  const zones = await readdir(join(folder, shadows!));
  const sockets = await Promise.all(
    zones.map(async (zone) => ((await readdir(join(folder, shadows!, zone))).some((name) => /^trace\d+\.ctl$/.test(name)) ? [zone] : [])),
  );
  const database = `unix:${join(folder, shadows!, sockets.flat()[0]!, "db.sock")}`;
  const byHand = (port: number) => {
    const ends = [
      { inport: "vm1", mac: "0a:58:0a:01:01:00", other: "0a:58:0a:01:01:0a", from: "10.1.1.0", to: "10.1.1.10", ports: [49_152, port], state: "new" },
      { inport: "vm11", mac: "0a:58:0a:01:01:0a", other: "0a:58:0a:01:01:00", from: "10.1.1.10", to: "10.1.1.0", ports: [port, 49_152], state: "est,rpl" },
    ];
    return ends.map(({ inport, mac, other, from, to, ports: [source, destination], state }) => [
      `--db=${database}`,
      `--ct=${state}`,
      `--ct=${state}`,
      "blue_ovn_layer2_switch",
      `inport == "${inport}" && eth.src == ${mac} && eth.dst == ${other} && ip4.src == ${from} && ip4.dst == ${to} && ip.ttl == 64 && tcp.src == ${source} && tcp.dst == ${destination}`,
    ]);
  };
  let port = 1000;
  return await inTurns(
    QUESTIONS,
    () => timed(() => baseline.answer(question(++port))),
    () =>
      timed(async () => {
        for (const args of byHand(port)) await run(found.paths["ovn-trace"], args);
      }),
  );
}

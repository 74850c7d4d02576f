import { setTimeout as sleep } from "node:timers/promises";
import { median, megabytes, ms, thousands } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";
import type { AgentUsage } from "./agent-child";
import { AgentLab, type ChassisName, RouteNews, TABLES } from "./agent-lab";

const ADDRESSES = 5_000;
const ELSEWHERE = 10_000;
const CHANGES = 30;
/** That come one after the other: for longer than a look at the host may wait. */
const IN_ROW = 100;
/** Milliseconds until all work after a change has ended. */
const QUIET = 600;
/** Milliseconds between them. */
const APART = 60;
/** Milliseconds in which processor time is measured; and changes of ports elsewhere in it, so many each time. */
export const WHILE = 20_000;
const [EACH, AT_ONCE] = [20, 10];

export const addressAt = (network: number, index: number): string => `10.${network}.${index >> 8}.${index & 255}`;
const addresses = (network: number, count: number): string[] => Array.from({ length: count }, (_, index) => addressAt(network, index + 1));

export const agent: Benchmark = {
  name: "agent",
  title: `The BGP agent with ${thousands(ADDRESSES)} local addresses`,
  method: `The daemon on a sandbox host with FRR, a Southbound database without northd. From a workload's row to its route in the kernel: ${CHANGES} changes one by one, then ${IN_ROW} every ${APART} ms; median and 95th percentile. Peer: a script with a raw monitor and \`ip route replace\`. Processor time in ${WHILE / 1000} s without changes, and with ${thousands((1000 / EACH) * AT_ONCE)} changes a second of ${thousands(ELSEWHERE)} ports elsewhere.`,
  async run() {
    await using lab = await AgentLab.start();
    await using news = await RouteNews.of(lab);
    const local = addresses(20, ADDRESSES);
    await lab.workloads(lab.chassis.h1, local);
    const elsewhere = await lab.workloads(lab.chassis.h3, addresses(40, ELSEWHERE));

    const began = performance.now();
    const written = Promise.all(local.map((address) => news.comes(TABLES.agent, address)));
    const child = await lab.child("./agent-child", lab.sandbox.targets.hosts["node1"]!.openvswitch!, lab.central.southbound);
    const start = Math.max(...(await written)) - began;
    const usage = async () => JSON.parse(await child.answer("usage")) as AgentUsage;
    const script = await lab.child("./agent-script", lab.central.southbound.replace(/^unix:/, ""), lab.chassis.h2, "br-pro", String(TABLES.peer));
    await script.answer();
    await sleep(5 * QUIET);
    const { bytes } = await usage();

    let count = 0;
    const latency = async (chassis: ChassisName, table: number): Promise<number> => {
      const address = addressAt(30, ++count);
      const comes = news.comes(table, address);
      const sent = performance.now();
      await lab.workloads(lab.chassis[chassis], [address]);
      return (await comes) - sent;
    };
    const [alone, scripted]: [number[], number[]] = [[], []];
    for (let change = 0; change < CHANGES; change++) {
      alone.push(await latency("h1", TABLES.agent));
      await sleep(QUIET);
      scripted.push(await latency("h2", TABLES.peer));
      await sleep(QUIET / 5);
    }
    const inRow = (chassis: ChassisName, table: number) =>
      Promise.all(Array.from({ length: IN_ROW }, (_, index) => sleep(index * APART).then(() => latency(chassis, table))));
    const row = await inRow("h1", TABLES.agent);
    const scriptedRow = await inRow("h2", TABLES.peer);
    await sleep(5 * QUIET);

    const idle = await share(usage, () => sleep(WHILE));
    const busy = await share(usage, () => changing(lab, elsewhere));
    await script.end();
    await child.end();
    return [
      reaction("one change", alone, scripted),
      reaction(`changes ${APART} ms apart`, row, scriptedRow),
      plain(`start, until all ${thousands(ADDRESSES)} routes are there`, `${(start / 1000).toFixed(2)} s`, "at most 5 s", start <= 5_000),
      plain("memory", megabytes(bytes), "at most 200 MB", bytes <= 200e6),
      {
        ...plain("processor while ports elsewhere change", percent(busy), "below 1 % of a core", busy < 0.01),
        peer: `nothing changes ${percent(idle)}`,
        ratio: (busy / idle).toFixed(2),
      },
    ];
  },
};

/** Share of a core that an agent takes meanwhile. */
export async function share(usage: () => Promise<AgentUsage>, work: () => Promise<unknown>): Promise<number> {
  const before = await usage();
  const at = performance.now();
  await work();
  return ((await usage()).processor - before.processor) / (performance.now() - at);
}

/** Ports of other chassis go down and up again. Returns the number of changes. */
export async function changing({ client }: AgentLab, ports: readonly string[]): Promise<number> {
  const end = performance.now() + WHILE;
  let turn = 0;
  for (; performance.now() < end; turn++) {
    const from = (turn * AT_ONCE) % ports.length;
    const up = Math.floor((turn * AT_ONCE) / ports.length) % 2 === 1;
    await client.transaction((tx) => {
      for (const port of ports.slice(from, from + AT_ONCE)) tx.update("Port_Binding", port, { up });
    });
    await sleep(EACH);
  }
  return turn * AT_ONCE;
}

export const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
const plain = (what: string, ours: string, goal: string, met: boolean): Result => ({ what, ours, peer: "", ratio: "", goal, met });
const late = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1]!;

function reaction(what: string, ours: readonly number[], peer: readonly number[]): Result {
  const shown = (values: readonly number[]) => `${ms(median(values))} (95 %: ${ms(late(values))})`;
  return {
    what,
    ours: shown(ours),
    peer: `script ${shown(peer)}`,
    ratio: (median(ours) / median(peer)).toFixed(2),
    goal: "95 % within 50 ms",
    met: late(ours) <= 50,
  };
}

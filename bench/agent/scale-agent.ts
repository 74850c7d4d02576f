import { setTimeout as sleep } from "node:timers/promises";
import { megabytes, thousands } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";
import { addressAt, changing, percent, share, WHILE } from "./agent";
import type { AgentUsage } from "./agent-child";
import { AgentLab, RouteNews, TABLES } from "./agent-lab";

const CHASSIS = 1_000;
/** Workloads of each chassis. */
const WORKLOADS = 20;
/** Milliseconds until nothing goes on any more after the start. */
const QUIET = 3_000;

const row = (what: string, ours: string, peer = ""): Result => ({ what, ours, peer, ratio: "", goal: "", met: true });
const addressesOf = (chassis: number): string[] =>
  Array.from({ length: WORKLOADS }, (_, index) => addressAt(20 + (chassis >> 8), (chassis & 255) * 100 + index + 1));

export const scaleAgent: Benchmark = {
  name: "scale-agent",
  title: `One BGP agent in a zone of ${thousands(CHASSIS)} chassis`,
  method: `The daemon on a sandbox host with FRR, a Southbound database without northd: ${thousands(CHASSIS)} chassis, all named by the exposure, with ${WORKLOADS} workloads each on one provider network (${thousands(CHASSIS * WORKLOADS)} Port_Bindings). Processor time in ${WHILE / 1000} s without changes, and while ports of the other chassis change, 500 times a second at most. Memory: largest resident size of the agent's process.`,
  async run() {
    await using lab = await AgentLab.start();
    await using news = await RouteNews.of(lab);
    const local = addressesOf(0);
    await lab.workloads(lab.chassis.h1, local);
    // The laboratory has three of them already.
    const elsewhere = await lab.furtherChassis(CHASSIS - 3, (index) => addressesOf(index + 1));

    const began = performance.now();
    const written = Promise.all(local.map((address) => news.comes(TABLES.agent, address)));
    const child = await lab.child("./agent-child", lab.sandbox.targets.hosts["node1"]!.openvswitch!, lab.central.southbound);
    const usage = async () => JSON.parse(await child.answer("usage")) as AgentUsage;
    const start = Math.max(...(await written)) - began;
    const { processor } = await usage();
    await sleep(QUIET);
    const idle = await share(usage, () => sleep(WHILE));
    let changes = 0;
    const busy = await share(usage, async () => (changes = await changing(lab, elsewhere)));
    const { bytes } = await usage();
    await child.end();
    return [
      row("start, until its routes are there", `${(start / 1000).toFixed(2)} s`),
      row("processor time by then", `${(processor / 1000).toFixed(2)} s`),
      row("processor without changes", percent(idle)),
      row(`processor while ports of other chassis change, ${thousands((1000 * changes) / WHILE)} times a second`, percent(busy)),
      row("memory", megabytes(bytes)),
    ];
  },
};

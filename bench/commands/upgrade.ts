import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { megabytes } from "../kit/measure";
import type { Benchmark } from "../kit/report";

const NODES = 1000;

/** Runs in its own process, so that its memory is separate. */
const CHILD = `
const { planStages, settingsAfter, orderNodes, parseBatch } = require("@pulumi-ovn/cli/upgrade");
const names = Array.from({ length: ${NODES} }, (_, index) => "node" + (index + 1));
const start = performance.now();
let settings = { upgrade: undefined, nodes: Object.fromEntries(names.map((name) => [name, "gateway"])) };
const states = [settings];
const stages = planStages(settings, { order: orderNodes(names), batch: parseBatch("1", names.length) });
for (const stage of stages) states.push((settings = settingsAfter(settings, stage)));
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ stages: stages.length, states: states.length, milliseconds, bytes: process.resourceUsage().maxRSS * 1024 }));
`;

export const upgradePlan: Benchmark = {
  name: "upgrade-plan",
  title: "Planning an upgrade of 1,000 nodes",
  method: `All stages for ${NODES} nodes that move one by one, in its own process.`,
  async run() {
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", CHILD], { cwd: __dirname });
    const { stages, milliseconds, bytes } = JSON.parse(stdout) as { stages: number; milliseconds: number; bytes: number };
    return [
      { what: `time for ${stages} stages`, ours: `${milliseconds.toFixed(0)} ms`, peer: "", ratio: "", goal: "at most 2 s", met: milliseconds <= 2000 },
      { what: "memory", ours: megabytes(bytes), peer: "", ratio: "", goal: "at most 500 MB", met: bytes <= 500e6 },
    ];
  },
};

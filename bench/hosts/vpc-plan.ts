import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { median, ms } from "../kit/measure";
import type { Benchmark } from "../kit/report";

const run = promisify(execFile);
const ROUNDS = 5;

/** Processor time of one process, in milliseconds. */
export interface VpcPlanned {
  readonly resources: number;
  /** The program's part. */
  readonly plan: number;
  /** With the checks of all resources. */
  readonly both: number;
  readonly megabytes: number;
}

export const vpcPlan: Benchmark = {
  name: "vpc-plan",
  title: "Preview of a VPC of 100 hosts and 10 tiers",
  method: `Dual stack, 1,000 workloads, ten rules per tier: the program's part, and the provider's checks. Processor time without process start and Pulumi; medians of ${ROUNDS} runs.`,
  async run() {
    const taken: VpcPlanned[] = [];
    for (let round = 0; round < ROUNDS; round++) taken.push(JSON.parse((await run(process.execPath, [join(__dirname, "vpc-child.js")])).stdout) as VpcPlanned);
    const [plan, both] = [median(taken.map((one) => one.plan)), median(taken.map((one) => one.both))];
    const memory = median(taken.map(({ megabytes }) => megabytes));
    return [
      { what: "the program's part", ours: ms(plan), peer: "", ratio: "", goal: "at most 2 s", met: plan <= 2_000 },
      {
        what: `program, and checks of ${taken[0]!.resources} resources`,
        ours: `${ms(both)}, ${memory.toFixed(0)} MB`,
        peer: "",
        ratio: "",
        goal: "at most 2 s",
        met: both <= 2_000,
      },
    ];
  },
};

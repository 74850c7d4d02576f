import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ms } from "../kit/measure";
import type { Benchmark } from "../kit/report";

const run = promisify(execFile);

export const advertisement: Benchmark = {
  name: "advertisement",
  title: "Generating FRRConfigurations for 1,000 nodes",
  method: "Five dual-stack networks from 1,000 nodes over three templates of two neighbors, once in its own process.",
  async run() {
    const { stdout } = await run(process.execPath, [join(__dirname, "advertisement-child.js")]);
    const { milliseconds, objects, megabytes } = JSON.parse(stdout) as { milliseconds: number; objects: number; megabytes: number };
    return [
      { what: `time, ${objects} objects`, ours: ms(milliseconds), peer: "", ratio: "", goal: "at most 1 s", met: milliseconds <= 1_000 },
      { what: "memory", ours: `${megabytes.toFixed(0)} MB`, peer: "", ratio: "", goal: "at most 200 MB", met: megabytes <= 200 },
    ];
  },
};

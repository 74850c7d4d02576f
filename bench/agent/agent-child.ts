import { createInterface } from "node:readline";
import { readdirSync, readFileSync } from "node:fs";
import { runDaemon } from "@pulumi-ovn/agent";
import { processorTime } from "../kit/processor";

/** Resources that the agent has used so far, in running and ended programs. */
export interface AgentUsage {
  /** Milliseconds. */
  readonly processor: number;
  /** The largest resident size so far. */
  readonly bytes: number;
}

/** Programs that the agent keeps running, according to the kernel. */
const children = (): number[] =>
  readdirSync("/proc/self/task").flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number));

/** The daemon as `pulumi-ovn agent` runs it, in a process whose use of the machine can be asked for: a line in, a line out. */
async function main(openvswitch: string, southbound: string): Promise<void> {
  createInterface(process.stdin).on("line", () =>
    console.log(JSON.stringify({ processor: processorTime(children()), bytes: process.resourceUsage().maxRSS * 1024 } satisfies AgentUsage)),
  );
  await runDaemon({
    openvswitch,
    southbound,
    listen: { host: "127.0.0.1", port: 0 },
    log: (line) => console.error(line),
    signal: new AbortController().signal,
  });
}

void main(process.argv[2]!, process.argv[3]!);

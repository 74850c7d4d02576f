import { setTimeout } from "node:timers/promises";
import { type Connections, propagate } from "@pulumi-ovn/provider/targets";
import { probeFindings } from "../upgrade/probe";
import type { DatabaseRef } from "./databases";

export interface Probes {
  readonly targets: Connections;
  readonly databases: readonly DatabaseRef[];
  /** The user's shell command. */
  readonly command: string | undefined;
  readonly id: string;
  readonly stack: string;
}

/** Milliseconds before another round: after a success, and after a failure. */
const PAUSE = { success: 200, failure: 1000 } as const;

/** Milliseconds for northd to follow. */
const FOLLOW = 15_000;

/** Problems of the user's probe. Empty: it succeeds. */
export async function probeProblems({ command, id, stack }: Probes, seconds: number): Promise<string[]> {
  if (command === undefined) return [];
  const findings = await probeFindings(command, Math.max(1, Math.floor(seconds)), { OVN_APPLY_ID: id, OVN_APPLY_STACK: stack });
  return findings.map(({ where, problem }) => `probe ${JSON.stringify(where)}: ${problem}`);
}

/** Repeats propagation and probe until both succeed twice in a row. Returns the problems of the last round at the deadline. */
export async function verify(probes: Probes, deadline: number): Promise<string[]> {
  let successes = 0;
  let problems: string[] = [];
  while (Date.now() < deadline) {
    problems = [...(await propagationProblems(probes, deadline)), ...(await probeProblems(probes, (deadline - Date.now()) / 1000))];
    successes = problems.length === 0 ? successes + 1 : 0;
    if (successes === 2) return [];
    await setTimeout(problems.length === 0 ? PAUSE.success : PAUSE.failure);
  }
  return problems.length > 0 ? problems : ["the time was over before the probes had succeeded twice in a row"];
}

async function propagationProblems({ targets, databases }: Probes, deadline: number): Promise<string[]> {
  const zones = databases.filter(({ name }) => name === "OVN_Northbound").map(({ zone }) => zone);
  const settled = await Promise.allSettled(zones.map((zone) => propagate(targets, zone, "southbound", Math.max(1, Math.min(FOLLOW, deadline - Date.now())))));
  return settled.flatMap((result, index) => (result.status === "rejected" ? [`zone "${zones[index]}": ${(result.reason as Error).message}`] : []));
}

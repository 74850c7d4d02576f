import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";
import { configure } from "./frr/vtysh";
import { runBatch, setSysctls } from "./kernel/batch";
import { makeVrf } from "./kernel/vrf";
import { type ProgramEnvironment, ProgramError } from "./program";
import type { IpStep, Step, SysctlStep } from "./steps";
import { writeFlows } from "./switch/flows";
import { writePort } from "./switch/ports";

/**
 * Takes the steps in order. A failed step does not stop the following steps, except a failed VRF device: the next round repeats it.
 */
export async function apply(environment: ProgramEnvironment, client: OvsdbClient, steps: readonly Step[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const group of groupsOf(steps)) {
    environment.signal?.throwIfAborted();
    try {
      const failed = await take(environment, client, group);
      problems.push(...failed);
      if (group[0]!.kind === "vrf" && failed.length > 0) break;
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      problems.push({ code: "OVN_AGENT_PROGRAM", subject: group[0]!.kind, message: error.message });
      if (group[0]!.kind === "vrf") break;
    }
  }
  return problems;
}

/**
 * Pure. Groups steps that one run of a program can take, because a run costs more than its work. Steps of one family may pass those of
 * the other family. No step passes a change of a device: an address or a route of any family may depend on the device.
 */
export function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const [last, before] = [groups.at(-1), groups.at(-2)];
    if (last && sameRun(last[0]!, step)) last.push(step);
    else if (last && before && isOfFamily(last[0]!) && isOfFamily(step) && sameRun(before[0]!, step)) before.push(step);
    else groups.push([step]);
  }
  return groups;
}

const isLink = (step: Step): boolean => step.kind === "ip" && step.line.startsWith("link ");
const isOfFamily = (step: Step): boolean => step.kind === "ip" && !isLink(step);
const sameRun = (one: Step, other: Step): boolean =>
  one.kind === "ip" ? other.kind === "ip" && one.family === other.family && isLink(one) === isLink(other) : one.kind === "sysctl" && other.kind === "sysctl";

async function take(environment: ProgramEnvironment, client: OvsdbClient, group: readonly Step[]): Promise<readonly Problem[]> {
  const [first] = group as readonly [Step];
  const of = (problem: Problem | undefined): readonly Problem[] => (problem ? [problem] : []);
  switch (first.kind) {
    case "ip":
      return runBatch(environment, first.family, group as readonly IpStep[]);
    case "vrf":
      return of(await makeVrf(environment, first));
    case "sysctl":
      return setSysctls(environment, group as readonly SysctlStep[]);
    case "port":
      return of(await writePort(client, first));
    case "flows":
      return of(await writeFlows(environment, first));
    case "frr":
      return of(await configure(environment, first));
  }
}

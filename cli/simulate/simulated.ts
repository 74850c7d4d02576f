import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Plan, planOf } from "../plan/plan";
import type { Preview } from "../plan/preview";
import { during } from "../progress";
import type { AppliedPlan, Simulation } from "./applied";
import type { Networks } from "./questions/compared";
import { explanation, questionsBetween } from "./report/explain";
import { judgedIntents } from "./intents/simulated";
import { zoneAskers } from "./intents/zones";
import { programs } from "./shadow/programs";
import { rowNames } from "./report/names";
import { type Report, reportOf } from "./report/report";
import { Baseline } from "./simulation";
import { VpcPlan } from "./vpc/plan";

/** A preview with its effects. */
export interface Simulated {
  readonly preview: Pick<Preview, "steps">;
  readonly plan: Plan;
  readonly simulation: Simulation;
  readonly report: Report;
}

/** Targets of a plan whose databases are copied. Undefined: the rows of the state are. */
type LiveOf = ((plan: Plan) => Connections) | undefined;

/** Simulates a preview that was made with `--show-sames`, and judges the intents of the program. */
export async function simulated(preview: Pick<Preview, "steps">, liveOf?: LiveOf): Promise<Simulated> {
  return await withPlan(preview, liveOf, async ({ plan, applied, vpcs }) => {
    const hosts = vpcs.networks(workloadsOf(applied));
    const simulation = await during("simulating connections", (count) => applied.simulation(count, hosts));
    const intents = await during("judging intents", () => judgedIntents(preview, zoneAskers(applied), vpcs));
    return { preview, plan, simulation, report: reportOf(plan, simulation, intents) };
  });
}

/** The paths of packets from one end to the other, as a text. Simulates no other packets. */
export async function explained(
  preview: Pick<Preview, "steps">,
  { from, to }: { readonly from: string; readonly to: string },
  liveOf?: LiveOf,
): Promise<string> {
  return await withPlan(preview, liveOf, async ({ plan, applied, vpcs }) => {
    const { networks } = vpcs.networks(workloadsOf(applied));
    const all = [applied, ...networks].flatMap((network: Networks) => network.connections().map((connection) => ({ ...connection, network })));
    const asked = questionsBetween(all, from, to);
    return explanation(await Promise.all(asked.map(({ network, ...connection }) => network.compare(connection))), rowNames(plan));
  });
}

async function withPlan<T>(preview: Pick<Preview, "steps">, liveOf: LiveOf, work: (applied: Applied) => Promise<T>): Promise<T> {
  const plan = planOf(preview);
  const live = liveOf?.(plan);
  await using baseline = await during("copying zones", (count) => Baseline.create(plan, programs, count, live));
  await using applied = await during("applying the plan to zones", (count) => baseline.apply(plan, count));
  await using vpcs = await during("applying the plan to hosts", () => VpcPlan.create(preview, live));
  return await work({ plan, applied, vpcs });
}

interface Applied {
  readonly plan: Plan;
  readonly applied: AppliedPlan;
  readonly vpcs: VpcPlan;
}

function workloadsOf({ before, after }: AppliedPlan): ReadonlySet<string> {
  return new Set([...before.workloads.keys(), ...after.workloads.keys()]);
}

import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Plan, planOf } from "../plan/plan";
import type { Preview } from "../plan/preview";
import { during } from "../progress";
import type { AppliedPlan, Simulation } from "./applied";
import { explanation, questionsBetween } from "./explain";
import { judgedIntents } from "./intents/simulated";
import { zoneAskers } from "./intents/zones";
import type { Programs } from "./programs";
import { rowNames } from "./names";
import { questionsOf } from "./questions";
import { type Report, reportOf } from "./report";
import { Baseline } from "./simulation";

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
export async function simulated(preview: Pick<Preview, "steps">, found: Programs, liveOf?: LiveOf): Promise<Simulated> {
  return await withPlan(preview, found, liveOf, async (plan, applied) => {
    const simulation = await during("simulating connections", (count) => applied.simulation(count));
    const intents = await during("judging intents", () => judgedIntents(preview, zoneAskers(applied)));
    return { preview, plan, simulation, report: reportOf(plan, simulation, intents) };
  });
}

/** The paths of packets from one end to the other, as a text. Simulates no other packets. */
export async function explained(
  preview: Pick<Preview, "steps">,
  found: Programs,
  { from, to }: { readonly from: string; readonly to: string },
  liveOf?: LiveOf,
): Promise<string> {
  return await withPlan(preview, found, liveOf, async (plan, applied) => {
    const asked = questionsBetween(questionsOf(applied.before, applied.after), from, to);
    return explanation(await Promise.all(asked.map((each) => applied.compare(each))), rowNames(plan));
  });
}

async function withPlan<T>(
  preview: Pick<Preview, "steps">,
  found: Programs,
  liveOf: LiveOf,
  work: (plan: Plan, applied: AppliedPlan) => Promise<T>,
): Promise<T> {
  const plan = planOf(preview);
  const live = liveOf?.(plan);
  await using baseline = await during("copying zones", (count) => Baseline.create(plan, found, count, live));
  await using applied = await during("applying the plan to zones", (count) => baseline.apply(plan, count));
  return await work(plan, applied);
}

import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Plan, planOf } from "../plan/plan";
import type { Preview } from "../plan/preview";
import { during } from "../progress";
import type { Simulation } from "./applied";
import { judgedIntents } from "./intents/simulated";
import { zoneAskers } from "./intents/zones";
import type { Programs } from "./programs";
import { type Report, reportOf } from "./report";
import { Baseline } from "./simulation";

/** A preview with its effects. */
export interface Simulated {
  readonly preview: Pick<Preview, "steps">;
  readonly plan: Plan;
  readonly simulation: Simulation;
  readonly report: Report;
}

/**
 * Simulates a preview that was made with `--show-sames`, and judges the intents of the program.
 * @param liveOf targets of a plan whose databases are copied. Default: the rows of the state.
 */
export async function simulated(preview: Pick<Preview, "steps">, found: Programs, liveOf?: (plan: Plan) => Connections): Promise<Simulated> {
  const plan = planOf(preview);
  const live = liveOf?.(plan);
  await using baseline = await during("copying zones", (count) => Baseline.create(plan, found, count, live));
  await using applied = await during("applying the plan to zones", (count) => baseline.apply(plan, count));
  const simulation = await during("simulating connections", (count) => applied.simulation(count));
  const intents = await during("judging intents", () => judgedIntents(preview, zoneAskers(applied)));
  return { preview, plan, simulation, report: reportOf(plan, simulation, intents) };
}

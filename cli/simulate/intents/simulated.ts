import { intentsIn } from "../../intents/in-state";
import { planOf } from "../../plan/plan";
import type { Preview } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import { programs } from "../programs";
import { Baseline } from "../simulation";
import { vpcSides } from "../vpc/sides";
import { VpcWorld } from "../vpc/simulation";
import { type Askers, type IntentResult, intentResults } from "./results";
import { zoneAskers } from "./zones";

type Steps = Pick<Preview, "steps">;

/** Judges the intents of a preview that was made with `--show-sames`. Simulates the zones only if a Layer2Network has intents. */
export async function simulatedIntents(preview: Steps): Promise<IntentResult[]> {
  if (!hasIntents(preview, "Layer2Network")) return vpcIntents(preview);
  const plan = planOf(preview);
  await using baseline = await Baseline.create(plan, await programs());
  await using applied = await baseline.apply(plan);
  return await judgedIntents(preview, zoneAskers(applied));
}

/**
 * Judges the intents of a preview.
 * @param zones answers about Layer2Networks
 */
export async function judgedIntents(preview: Steps, zones: Askers): Promise<IntentResult[]> {
  const ofNetworks = await intentResults(preview, "Layer2Network", { before: [], after: [] }, zones);
  return [...ofNetworks, ...(await vpcIntents(preview))];
}

/** Judges the intents of VPCs by shadows of their hosts. */
async function vpcIntents(preview: Steps): Promise<IntentResult[]> {
  if (!hasIntents(preview, "Vpc")) return [];
  const sides = vpcSides(preview);
  await using old = await VpcWorld.create(sides.before);
  await using wanted = await VpcWorld.create(sides.after);
  return await intentResults(preview, "Vpc", sides, { before: old.ask.bind(old), after: wanted.ask.bind(wanted) });
}

function hasIntents({ steps }: Steps, kind: string): boolean {
  const states = steps.flatMap(({ urn, newState }) => (newState ? [{ urn, type: partsOf(urn).type, inputs: newState.inputs }] : []));
  return intentsIn(states).some((each) => each.kind === kind);
}

import { intentsIn } from "../../intents/in-state";
import { planOf } from "../../plan/plan";
import type { Preview } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import { programs } from "../shadow/programs";
import { Baseline } from "../simulation";
import { VpcPlan } from "../vpc/plan";
import { type Askers, type IntentResult, intentResults } from "./results";
import { zoneAskers } from "./zones";

type Steps = Pick<Preview, "steps">;

/** Judges the intents of a preview that was made with `--show-sames`. Simulates the zones only if a Layer2Network has intents. */
export async function simulatedIntents(preview: Steps): Promise<IntentResult[]> {
  await using vpcs = hasIntents(preview, "Vpc") ? await VpcPlan.create(preview) : undefined;
  if (!hasIntents(preview, "Layer2Network")) return vpcs === undefined ? [] : await vpcIntents(preview, vpcs);
  const plan = planOf(preview);
  await using baseline = await Baseline.create(plan, programs);
  await using applied = await baseline.apply(plan);
  return await judgedIntents(preview, zoneAskers(applied), vpcs);
}

/**
 * Judges the intents of a preview.
 * @param zones answers about Layer2Networks
 * @param vpcs answers about VPCs. Undefined: none has intents
 */
export async function judgedIntents(preview: Steps, zones: Askers, vpcs: VpcPlan | undefined): Promise<IntentResult[]> {
  const ofNetworks = await intentResults(preview, "Layer2Network", NO_VPCS, zones);
  return [...ofNetworks, ...(vpcs === undefined ? [] : await vpcIntents(preview, vpcs))];
}

const NO_VPCS = { before: [], after: [] };

/** Judges the intents of VPCs by shadows of their hosts. */
function vpcIntents(preview: Steps, { sides, askers }: VpcPlan): Promise<IntentResult[]> {
  return intentResults(preview, "Vpc", sides, askers);
}

function hasIntents({ steps }: Steps, kind: string): boolean {
  const states = steps.flatMap(({ urn, newState }) => (newState ? [{ urn, type: partsOf(urn).type, inputs: newState.inputs }] : []));
  return intentsIn(states).some((each) => each.kind === kind);
}

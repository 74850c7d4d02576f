import type { Connections } from "@pulumi-ovn/provider/targets";
import { intentsIn } from "../../intents/in-state";
import { planOf } from "../../plan/plan";
import type { Preview } from "../../plan/preview";
import type { StackState } from "../../stack/stack-state";
import { vpcsIn } from "../../vpc/model";
import { type JudgedIntent, judgedIntentsOf } from "../intents/results";
import { baselineAsker } from "../intents/zones";
import { programs } from "../shadow/programs";
import { Baseline } from "../simulation";
import { VpcWorld } from "../vpc/simulation";

/**
 * Judges the intents of a stack now, by copies of the live databases of all its zones and of the bridges of its hosts. Writes to no target.
 * Empty without intents. Throws if a database or a host can't be read, or if this machine lacks the programs.
 * @param state of the stack, for its intents, its workloads, its zones and its hosts
 * @param targets of the stack
 */
export async function liveIntents(state: StackState, targets: Connections): Promise<JudgedIntent[]> {
  const networks = intentsIn(state.resources);
  const has = (wanted: string) => networks.some(({ kind }) => kind === wanted);
  const unchanged = unchangedSteps(state);
  const ofVpcs = has("Vpc") ? await vpcIntents(unchanged, state, targets) : [];
  if (!has("Layer2Network")) return ofVpcs;
  await using baseline = await Baseline.create(planOf(unchanged), programs, undefined, targets);
  return [...(await judgedIntentsOf(unchanged, "Layer2Network", [], baselineAsker(baseline))), ...ofVpcs];
}

async function vpcIntents(unchanged: Pick<Preview, "steps">, state: StackState, targets: Connections): Promise<JudgedIntent[]> {
  const vpcs = vpcsIn(state);
  await using world = await VpcWorld.create(vpcs, { live: targets });
  return await judgedIntentsOf(unchanged, "Vpc", vpcs, world.ask.bind(world));
}

/** The preview of an update without changes. */
function unchangedSteps({ resources }: StackState): Pick<Preview, "steps"> {
  return { steps: resources.map((resource) => ({ op: "same", urn: resource.urn, oldState: resource, newState: resource })) };
}

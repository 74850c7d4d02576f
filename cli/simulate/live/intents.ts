import type { Connections } from "@pulumi-ovn/provider/targets";
import { intentsIn } from "../../intents/in-state";
import { planOf } from "../../plan/plan";
import type { Preview } from "../../plan/preview";
import type { StackState } from "../../stack-state";
import { type JudgedIntent, judgedIntentsOf } from "../intents/results";
import { baselineAsker } from "../intents/zones";
import { programs } from "../programs";
import { Baseline } from "../simulation";

const VPC = "flows of hosts are not read; the intents of a Vpc are judged by simulate and diff, from the state";

/**
 * Judges the intents of a stack now, by copies of the live databases of all its zones. Writes to no target. Empty without intents. An
 * intent of a Vpc is not known. Throws if a database can't be read, or if this machine has no OVN programs.
 * @param state of the stack, for its intents, its workloads and its zones
 * @param targets of the stack
 */
export async function liveIntents(state: StackState, targets: Connections): Promise<JudgedIntent[]> {
  const networks = intentsIn(state.resources);
  const ofVpcs = networks
    .filter(({ kind }) => kind === "Vpc")
    .flatMap(({ kind, network, intents }) => Object.keys(intents).map((intent): JudgedIntent => ({ kind, network, intent, verdict: "unknown", why: VPC })));
  if (networks.length === 0 || networks.every(({ kind }) => kind === "Vpc")) return ofVpcs;
  const unchanged = unchangedSteps(state);
  await using baseline = await Baseline.create(planOf(unchanged), await programs(), undefined, targets);
  return [...(await judgedIntentsOf(unchanged, "Layer2Network", baselineAsker(baseline))), ...ofVpcs];
}

/** The preview of an update without changes. */
function unchangedSteps({ resources }: StackState): Pick<Preview, "steps"> {
  return { steps: resources.map((resource) => ({ op: "same", urn: resource.urn, oldState: resource, newState: resource })) };
}

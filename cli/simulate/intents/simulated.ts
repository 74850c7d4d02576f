import type { Preview } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import { VpcWorld } from "../vpc/simulation";
import { type VpcSides, vpcSides } from "../vpc/sides";
import type { Answer } from "../types";
import { type Asker, type IntentResult, intentResults } from "./results";

/** Judges the intents of a preview that was made with `--show-sames`. Those of VPCs are answered by shadows of their hosts. */
export async function simulatedIntents(preview: Pick<Preview, "steps">): Promise<IntentResult[]> {
  const sides = vpcSides(preview);
  if (!preview.steps.some(({ urn, newState }) => isVpc(urn) && newState?.inputs["intents"] !== undefined))
    return intentResults(preview, sides, { before: unanswered, after: unanswered });
  return withWorlds(sides, (before, after) => intentResults(preview, sides, { before, after }));
}

async function withWorlds<T>({ before, after }: VpcSides, work: (before: Asker, after: Asker) => Promise<T>): Promise<T> {
  await using old = await VpcWorld.create(before);
  await using wanted = await VpcWorld.create(after);
  const of =
    (world: VpcWorld): Asker =>
    (urn, question) =>
      isVpc(urn) ? world.ask(urn, question) : unanswered(urn, question);
  return await work(of(old), of(wanted));
}

const isVpc = (urn: string): boolean => partsOf(urn).type === "ovn:network:Vpc";

const WHY = "zones are not simulated here";

const unanswered: Asker = (_urn, { source, to }) =>
  Promise.resolve<Answer>({
    reach: undefined,
    there: { steps: [], outcome: { kind: "unknown", why: WHY }, source, destination: to.address, backends: [] },
    back: undefined,
    unknowns: [WHY],
  });

import { intentsOf, INTENT_NETWORKS } from "../../intents/in-state";
import type { Preview } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import type { VpcSides } from "../vpc/sides";
import type { Answer, Question } from "../types";
import { type IntentVerdict, judged, type Judgement, verdictOf } from "./judge";
import { questionsOfIntent } from "./questions";
import { subjectOf } from "./subject";

/** An intent of the program, and the effect of the plan on it. */
export interface IntentResult {
  readonly kind: string;
  readonly network: string;
  readonly intent: string;
  readonly verdict: IntentVerdict;
  /** Why it is broken or not known. */
  readonly why?: string;
}

/** Asks questions before or after the plan. */
export type Asker = (urn: string, question: Question) => Promise<Answer>;

/** Judges all intents of the program after the plan, and the same intents before it. */
export async function intentResults(
  preview: Pick<Preview, "steps">,
  vpcs: VpcSides,
  ask: { readonly before: Asker; readonly after: Asker },
): Promise<IntentResult[]> {
  const networks = preview.steps.filter((step) => Object.hasOwn(INTENT_NETWORKS, partsOf(step.urn).type) && (step.newState ?? undefined) !== undefined);
  const all = networks.map(async ({ urn, newState }) => {
    const [before, after] = [subjectOf(preview, urn, "oldState", vpcs.before), subjectOf(preview, urn, "newState", vpcs.after)];
    const { name, type } = partsOf(urn);
    const results = Object.entries(intentsOf(newState?.inputs)).map(async ([text, intent]): Promise<IntentResult> => {
      const at = async (subject: typeof before, asker: Asker): Promise<Judgement | undefined> => {
        const questions = subject && questionsOfIntent(intent, subject);
        if (questions === undefined) return undefined;
        return judged(intent, subject!.zones, await Promise.all(questions.map(async (question) => [question, await asker(urn, question)] as const)));
      };
      const [old, wanted] = [await at(before, ask.before), (await at(after, ask.after)) ?? NOT_KNOWN];
      return {
        kind: INTENT_NETWORKS[type]!,
        network: name,
        intent: text,
        verdict: verdictOf(old, wanted),
        ...(wanted.kind !== "holds" && { why: wanted.why }),
      };
    });
    return Promise.all(results);
  });
  return (await Promise.all(all)).flat();
}

const NOT_KNOWN = { kind: "unknown", why: "the preview does not show the network's workloads" } as const;

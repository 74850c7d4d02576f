import type { Intent } from "@pulumi-ovn/provider";
import { CommandError } from "../../command";
import { intentsOf, INTENT_NETWORKS } from "../../intents/in-state";
import type { Preview } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import type { VpcSides } from "../vpc/sides";
import type { Answer, Question } from "../types";
import { type IntentVerdict, judged, type Judgement, verdictOf } from "./judge";
import { missingWorkloads, questionsOfIntent } from "./questions";
import { type IntentSubject, subjectOf } from "./subject";

/** An intent of the program, and the effect of the plan on it. */
export interface IntentResult {
  readonly kind: string;
  readonly network: string;
  readonly intent: string;
  readonly verdict: IntentVerdict;
  /** Why it is broken or not known. */
  readonly why?: string;
}

/** Answers a question about a network, by the URN of its component. */
export type Asker = (urn: string, question: Question) => Promise<Answer>;

/** Answers before and after the plan. */
export interface Askers {
  readonly before: Asker;
  readonly after: Asker;
}

/** Judges the intents of all networks of a kind after the plan, and the same intents before it. */
export async function intentResults(preview: Pick<Preview, "steps">, kind: string, vpcs: VpcSides, ask: Askers): Promise<IntentResult[]> {
  const networks = preview.steps.filter(({ urn, newState }) => INTENT_NETWORKS[partsOf(urn).type] === kind && (newState ?? undefined) !== undefined);
  const all = networks.map(async ({ urn, newState }) => {
    const [before, after] = [subjectOf(preview, urn, "oldState", vpcs.before), subjectOf(preview, urn, "newState", vpcs.after)];
    const results = Object.entries(intentsOf(newState?.inputs)).map(async ([text, intent]): Promise<IntentResult> => {
      const asked = async (subject: IntentSubject, asker: Asker): Promise<Judgement> => {
        const answers = questionsOfIntent(intent, subject).map(async (question) => [question, await asker(urn, question)] as const);
        return judged(intent, subject.zones, await Promise.all(answers));
      };
      const existed = before !== undefined && missingWorkloads(intent, before).length === 0;
      const old = existed ? await asked(before, ask.before) : undefined;
      const wanted = after === undefined ? NOT_KNOWN : (withoutWorkload(intent, after) ?? (await asked(after, ask.after)));
      return {
        kind,
        network: partsOf(urn).name,
        intent: text,
        verdict: verdictOf(old, wanted),
        ...(wanted.kind !== "holds" && { why: wanted.why }),
      };
    });
    return Promise.all(results);
  });
  return (await Promise.all(all)).flat();
}

/** Throws a CommandError if the plan breaks an intent. */
export function refuseBroken(results: readonly IntentResult[]): void {
  const broken = results.filter(({ verdict }) => verdict === "broken").length;
  if (broken > 0) throw new CommandError("OVN_INTENT", `the update breaks ${broken} of ${results.length} intents`);
}

/** Nothing reaches a workload that does not exist. */
function withoutWorkload(intent: Intent, subject: IntentSubject): Judgement | undefined {
  const [missing] = missingWorkloads(intent, subject);
  return intent.reach && missing !== undefined ? { kind: "broken", why: `the network does not have workload ${missing}` } : undefined;
}

const NOT_KNOWN = { kind: "unknown", why: "the preview does not show the network's workloads" } as const;

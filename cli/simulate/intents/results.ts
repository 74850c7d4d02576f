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

/** An intent of the program with a verdict on it. */
export interface IntentWith<Verdict> {
  readonly kind: string;
  readonly network: string;
  readonly intent: string;
  readonly verdict: Verdict;
  /** Why it is broken or not known. */
  readonly why?: string;
}

/** The effect of a plan on an intent. */
export type IntentResult = IntentWith<IntentVerdict>;

/** An intent at one time. */
export type JudgedIntent = IntentWith<Judgement["kind"]>;

/** Answers a question about a network, by the URN of its component. */
export type Asker = (urn: string, question: Question) => Promise<Answer>;

/** Answers before and after the plan. */
export interface Askers {
  readonly before: Asker;
  readonly after: Asker;
}

type Steps = Pick<Preview, "steps">;

/** Judges the intents of all networks of a kind after the plan, and the same intents before it. */
export async function intentResults(preview: Steps, kind: string, vpcs: Pick<VpcSides, "before" | "after">, ask: Askers): Promise<IntentResult[]> {
  const all = networksOf(preview, kind).map(async ({ urn, newState }) => {
    const [before, after] = [subjectOf(preview, urn, "oldState", vpcs.before), subjectOf(preview, urn, "newState", vpcs.after)];
    const results = Object.entries(intentsOf(newState?.inputs)).map(async ([text, intent]): Promise<IntentResult> => {
      const existed = before !== undefined && missingWorkloads(intent, before).length === 0;
      const old = existed ? await judgedBy(ask.before, urn, intent, before) : undefined;
      const wanted = await judgedNow(ask.after, urn, intent, after);
      return resultOf({ kind, urn, text }, verdictOf(old, wanted), wanted);
    });
    return Promise.all(results);
  });
  return (await Promise.all(all)).flat();
}

/** Judges the intents of all networks of a kind at the time of the new states. */
export async function judgedIntentsOf(preview: Steps, kind: string, vpcs: VpcSides["after"], ask: Asker): Promise<JudgedIntent[]> {
  const all = networksOf(preview, kind).flatMap(({ urn, newState }) =>
    Object.entries(intentsOf(newState?.inputs)).map(async ([text, intent]): Promise<JudgedIntent> => {
      const now = await judgedNow(ask, urn, intent, subjectOf(preview, urn, "newState", vpcs));
      return resultOf({ kind, urn, text }, now.kind, now);
    }),
  );
  return Promise.all(all);
}

interface NetworkIntent {
  readonly kind: string;
  readonly urn: string;
  readonly text: string;
}

function resultOf<Verdict>({ kind, urn, text }: NetworkIntent, verdict: Verdict, judgement: Judgement): IntentWith<Verdict> {
  return { kind, network: partsOf(urn).name, intent: text, verdict, ...(judgement.kind !== "holds" && { why: judgement.why }) };
}

function networksOf({ steps }: Steps, kind: string): Steps["steps"] {
  return steps.filter(({ urn, newState }) => INTENT_NETWORKS[partsOf(urn).type] === kind && (newState ?? undefined) !== undefined);
}

async function judgedNow(ask: Asker, urn: string, intent: Intent, subject: IntentSubject | undefined): Promise<Judgement> {
  return subject === undefined ? NOT_KNOWN : (withoutWorkload(intent, subject) ?? (await judgedBy(ask, urn, intent, subject)));
}

async function judgedBy(ask: Asker, urn: string, intent: Intent, subject: IntentSubject): Promise<Judgement> {
  const answers = questionsOfIntent(intent, subject).map(async (question) => [question, await ask(urn, question)] as const);
  return judged(intent, subject.zones, await Promise.all(answers));
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

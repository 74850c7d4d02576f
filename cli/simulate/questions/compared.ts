import { sameJson } from "@pulumi-ovn/provider/tools";
import { EVERYWHERE, isMet } from "../zones/flow-tables";
import type { AskedGroup } from "./groups";
import type { Connection } from "./questions";
import type { Answer, Path, Question, Step } from "../types";

/** A question with its answers before and after a plan. The same object if the paths do not change. */
export interface Compared {
  readonly question: Question;
  readonly before: Answer;
  readonly after: Answer;
}

/** Answers to the same question about each sender and receiver of a group. The question is that of the first ones. */
export interface ComparedGroup extends Compared, Pick<AskedGroup, "senders" | "receivers"> {}

/** Networks whose packets can be compared before and after a plan. */
export interface Networks {
  /** All questions about the networks. */
  connections(): readonly Connection[];
  /** The same questions, those that have the same answer as one. */
  groups(): readonly AskedGroup[];
  compare(connection: Connection): Promise<Compared>;
}

interface Sides {
  /** Tables of changed flows, by zone; see `comparedFlows`. */
  readonly changed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly askBefore: (question: Question) => Promise<Answer>;
  readonly askAfter: (question: Question) => Promise<Answer>;
}

/** Asks a question before the plan, and again after it if the path meets changed flows, or is not known. */
export async function compared({ before: old, after: question }: Connection, { changed, askBefore, askAfter }: Sides): Promise<Compared> {
  const before = await askBefore(old);
  if (before.reach !== undefined && !meets(before, changed) && sameJson(old, question)) return { question, before, after: before };
  const after = await askAfter(question);
  return { question, before, after: isSame(before, after) ? before : after };
}

/** Whether a path has passed a table whose flows change, or whether ports have changed, which every path depends on. */
function meets({ there, back }: Answer, changed: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if ([...changed.values()].some((tables) => tables.has(EVERYWHERE))) return true;
  const met = ({ steps }: Path) => steps.some((step) => isMet(step, changed.get(step.zone)));
  return met(there) || (back !== undefined && met(back));
}

/** Whether nothing distinguishes two answers. */
function isSame(before: Answer, after: Answer): boolean {
  const [old, wanted] = [before, after].map(({ there, back }) => [there, ...(back ? [back] : [])]) as [Path[], Path[]];
  if (before.reach !== after.reach || old.length !== wanted.length || !sameJson(before.unknowns, after.unknowns)) return false;
  return old.every(({ steps, ...rest }, index) => {
    const { steps: others, ...other } = wanted[index]!;
    return steps.length === others.length && steps.every((step, at) => isSameStep(step, others[at]!)) && sameJson(rest, other);
  });
}

function isSameStep(step: Step, other: Step): boolean {
  const { zone, datapath, pipeline, table, match, priority, hint } = other;
  if (step.zone !== zone || step.datapath !== datapath || step.pipeline !== pipeline || step.table !== table) return false;
  return step.match === match && step.priority === priority && step.hint === hint;
}

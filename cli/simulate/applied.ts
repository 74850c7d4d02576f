import { sameJson } from "@pulumi-ovn/provider/tools";
import { type Counter, uncounted } from "../progress";
import { ask } from "./ask";
import type { Omission } from "./build";
import { comparedFlows, EVERYWHERE, type Impact, isMet } from "./flow-tables";
import { type AskedGroup, questionGroups } from "./question-groups";
import type { Connection } from "./questions";
import type { Shadows } from "./shadows";
import { type RunTrace, tracing, tracingAlike } from "./traces";
import type { Answer, Path, Question, Step } from "./types";
import type { World } from "./world";

/** A question with its answers before and after a plan. The same object if the paths do not change. */
export interface Compared {
  readonly question: Question;
  readonly before: Answer;
  readonly after: Answer;
}

/** Answers to the same question about each sender and receiver of a group. The question is that of the first ones. */
export interface ComparedGroup extends Compared, Pick<AskedGroup, "senders" | "receivers"> {}

/** Result of a simulation. */
export interface Simulation {
  readonly before: World;
  readonly after: World;
  /** Number of connections that the answers are about. */
  readonly questions: number;
  /** Questions with another answer after the plan. */
  readonly changed: readonly ComparedGroup[];
  readonly impact: readonly Impact[];
  readonly omissions: readonly Omission[];
}

/** A plan on copies of the shadows of its changed zones. Questions are asked before and after it. */
export class AppliedPlan implements AsyncDisposable {
  readonly #traceAfter: RunTrace;
  readonly #impact: readonly Impact[];
  /** Places of changed flows, by zone; see `comparedFlows`. */
  readonly #changed: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param traceBefore traces packets in the rows of the state */
  constructor(
    readonly before: World,
    readonly after: World,
    private readonly copies: Shadows,
    private readonly traceBefore: RunTrace,
  ) {
    const flows = [...after.flows].map(([zone, { tables }]) => ({ zone, ...comparedFlows(zone, before.flows.get(zone)?.tables ?? new Map(), tables) }));
    this.#impact = flows.flatMap(({ impact }) => impact);
    this.#changed = new Map(flows.map(({ zone, changed }) => [zone, changed]));
    const traceCopy = tracingAlike(after, tracing(after, copies.trace.bind(copies)));
    this.#traceAfter = (zone, ...packet) => (after.flows.get(zone) === before.flows.get(zone) ? traceBefore : traceCopy)(zone, ...packet);
  }

  /** Asks a question before the plan, and again after it if the path meets changed flows, or is not known. */
  async compare({ before: old, after: question }: Connection): Promise<Compared> {
    const before = await ask(this.before, this.traceBefore, old);
    if (before.reach !== undefined && !meets(before, this.#changed) && sameJson(old, question)) return { question, before, after: before };
    const after = await ask(this.after, this.#traceAfter, question);
    return { question, before, after: isSame(before, after) ? before : after };
  }

  /**
   * Asks all questions about the zones, one for all senders and receivers that are alike.
   * @param count counts questions
   */
  async simulation(count: Counter = uncounted): Promise<Simulation> {
    const { before, after } = this;
    const groups = questionGroups(before, after);
    const done = count(groups.length);
    const comparing = groups.map(async (group): Promise<ComparedGroup[]> => {
      const compared = await this.compare(group);
      done();
      return compared.before === compared.after ? [] : [{ ...compared, senders: group.senders, receivers: group.receivers }];
    });
    const questions = groups.reduce((sum, group) => sum + group.count, 0);
    const changed = (await Promise.all(comparing)).flat();
    return { before, after, questions, changed, impact: this.#impact, omissions: unique([...before.omissions, ...after.omissions]) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.copies[Symbol.asyncDispose]();
  }
}

/** Whether a path has passed a table whose flows change, or whether ports have changed, which every path depends on. */
function meets({ there, back }: Answer, changed: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if ([...changed.values()].some((places) => places.has(EVERYWHERE))) return true;
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

function unique(omissions: readonly Omission[]): Omission[] {
  return [...new Map(omissions.map((omission) => [JSON.stringify(omission), omission])).values()];
}

import { sameJson } from "@pulumi-ovn/provider/tools";
import { type Counter, uncounted } from "../progress";
import { ask } from "./ask";
import type { Omission } from "./build";
import { comparedFlows, datapathOf, EVERYWHERE, type Impact } from "./flows";
import { type Connection, questionsOf } from "./questions";
import type { Shadows } from "./shadows";
import type { Answer, Path, Question } from "./types";
import type { World } from "./world";

/** A question with its answers before and after a plan. The same object if no flow on the paths changes. */
export interface Compared {
  readonly question: Question;
  readonly before: Answer;
  readonly after: Answer;
}

/** Result of a simulation. */
export interface Simulation {
  readonly before: World;
  readonly after: World;
  readonly compared: readonly Compared[];
  readonly impact: readonly Impact[];
  readonly omissions: readonly Omission[];
}

/** A plan on copies of the shadows of its changed zones. Questions are asked before and after it. */
export class AppliedPlan implements AsyncDisposable {
  readonly #answers = new Map<string, Promise<Answer>>();
  readonly #impact: readonly Impact[];
  /** Datapaths with changed flows, and EVERYWHERE, by zone. */
  readonly #changed: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param askBefore answers a question from the rows of the state */
  constructor(
    readonly before: World,
    readonly after: World,
    private readonly copies: Shadows,
    private readonly askBefore: (question: Question) => Promise<Answer>,
  ) {
    const flows = [...after.flows].map(([zone, wanted]) => ({ zone, ...comparedFlows(zone, before.flows.get(zone), wanted) }));
    this.#impact = flows.flatMap(({ impact }) => impact);
    this.#changed = new Map(flows.map(({ zone, changed }) => [zone, new Set([...changed].map(datapathOf))]));
  }

  /** Asks a question before the plan, and again after it if the path meets changed flows. */
  async compare({ before: old, after: question }: Connection): Promise<Compared> {
    const before = await this.askBefore(old);
    const again = meets(before, this.#changed) || !sameJson(old, question);
    return { question, before, after: again ? await this.#askAfter(question) : before };
  }

  /**
   * Asks all questions about the zones.
   * @param count counts questions
   */
  async simulation(count: Counter = uncounted): Promise<Simulation> {
    const { before, after } = this;
    const questions = questionsOf(before, after);
    const done = count(questions.length);
    const comparing = questions.map(async (question) => {
      const answers = await this.compare(question);
      done();
      return answers;
    });
    const compared = await Promise.all(comparing);
    return { before, after, compared, impact: this.#impact, omissions: unique([...before.omissions, ...after.omissions]) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.copies[Symbol.asyncDispose]();
  }

  #askAfter(question: Question): Promise<Answer> {
    const key = JSON.stringify(question);
    const answer = this.#answers.get(key) ?? ask(this.after, this.copies.trace.bind(this.copies), question);
    this.#answers.set(key, answer);
    return answer;
  }
}

/**
 * Whether a path has passed a datapath whose flows change, or whether ports have changed, which every path depends on. Tables are not compared:
 * ovn-trace does not print a table in which the packet only goes on to the next one.
 */
function meets({ there, back }: Answer, changed: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if ([...changed.values()].some((places) => places.has(EVERYWHERE))) return true;
  const met = ({ steps }: Path) => steps.some(({ zone, datapath }) => changed.get(zone)?.has(datapath));
  return met(there) || (back !== undefined && met(back));
}

function unique(omissions: readonly Omission[]): Omission[] {
  return [...new Map(omissions.map((omission) => [JSON.stringify(omission), omission])).values()];
}

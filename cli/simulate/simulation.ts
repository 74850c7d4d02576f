import { sameJson } from "@pulumi-ovn/provider/tools";
import type { Plan } from "../plan/plan";
import { ask } from "./ask";
import { changedZones, type Omission } from "./build";
import { comparedFlows, EVERYWHERE, type Impact, placeOf } from "./flows";
import type { Programs } from "./programs";
import { questionsOf } from "./questions";
import { Shadows } from "./shadows";
import type { Answer, Path, Question } from "./types";
import { worldAfter, worldBefore, type World } from "./world";

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

/** The rows of a state on shadows, and the answers that were asked for. Several plans from this state can be simulated. */
export class Baseline implements AsyncDisposable {
  readonly #answers = new Map<string, Promise<Answer>>();

  private constructor(
    private readonly shadows: Shadows,
    private readonly world: World,
  ) {}

  /** @param plan any plan from the state */
  static async create(plan: Plan, programs: Programs): Promise<Baseline> {
    const shadows = await Shadows.create(programs);
    try {
      return new Baseline(shadows, await worldBefore(plan, shadows));
    } catch (error) {
      await shadows[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Asks all questions before a plan, and again after it where a path meets changed flows. */
  async simulate(plan: Plan): Promise<Simulation> {
    const before = this.world;
    await using copies = await this.shadows.copy(changedZones(plan));
    const after = await worldAfter(plan, copies, before);
    const flows = [...after.flows].map(([zone, wanted]) => ({ zone, ...comparedFlows(zone, before.flows.get(zone), wanted) }));
    const changed = new Map(flows.map((each) => [each.zone, each.changed]));
    const asked = questionsOf(before, after).map(async ({ before: old, after: question }): Promise<Compared> => {
      const first = await this.#answer(old);
      const again = meets(first, changed) || !sameJson(old, question);
      return { question, before: first, after: again ? await ask(after, copies.trace.bind(copies), question) : first };
    });
    return {
      before,
      after,
      compared: await Promise.all(asked),
      impact: flows.flatMap(({ impact }) => impact),
      omissions: unique([...before.omissions, ...after.omissions]),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shadows[Symbol.asyncDispose]();
  }

  #answer(question: Question): Promise<Answer> {
    const key = JSON.stringify(question);
    const answer = this.#answers.get(key) ?? ask(this.world, this.shadows.trace.bind(this.shadows), question);
    this.#answers.set(key, answer);
    return answer;
  }
}

/** Whether a path has passed a table whose flows change, or whether ports have changed, which every path depends on. */
function meets({ there, back }: Answer, changed: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if ([...changed.values()].some((places) => places.has(EVERYWHERE))) return true;
  const met = ({ steps }: Path) => steps.some(({ zone, datapath, pipeline, table }) => changed.get(zone)?.has(placeOf(datapath, pipeline, table)));
  return met(there) || (back !== undefined && met(back));
}

function unique(omissions: readonly Omission[]): Omission[] {
  return [...new Map(omissions.map((omission) => [JSON.stringify(omission), omission])).values()];
}

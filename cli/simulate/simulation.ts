import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Plan } from "../plan/plan";
import { type Counter, uncounted } from "../progress";
import { AppliedPlan, type Simulation } from "./applied";
import { ask } from "./packets/ask";
import { changedZones } from "./zones/build";
import type { FindPrograms } from "./shadow/programs";
import { Shadows } from "./shadow/shadows";
import { type RunTrace, tracing, tracingAlike } from "./packets/traces";
import type { Answer, Question } from "./types";
import { worldAfter, worldBefore, type World } from "./zones/world";

/** The rows of a state, or of live databases, on shadows, and the answers that were asked for. Several plans from this state can be simulated. */
export class Baseline implements AsyncDisposable {
  readonly #trace: RunTrace;

  private constructor(
    private readonly shadows: Shadows,
    readonly world: World,
  ) {
    this.#trace = tracingAlike(world, tracing(world, shadows.trace.bind(shadows)));
  }

  /**
   * @param plan any plan from the state
   * @param count counts zones
   * @param live targets whose databases are copied. Default: the rows of the state.
   */
  static async create(plan: Plan, find: FindPrograms, count: Counter = uncounted, live?: Connections): Promise<Baseline> {
    const shadows = await Shadows.create(find);
    try {
      return new Baseline(shadows, await worldBefore(plan, shadows, count, live));
    } catch (error) {
      await shadows[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Applies a plan to copies of its changed zones. Dispose the result before the baseline. */
  async apply(plan: Plan, count: Counter = uncounted): Promise<AppliedPlan> {
    const copies = await this.shadows.copy(changedZones(plan));
    try {
      return new AppliedPlan(this.world, await worldAfter(plan, copies, this.world, count), copies, this.#trace);
    } catch (error) {
      await copies[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Answers a question about the rows before any plan. */
  answer(question: Question): Promise<Answer> {
    return ask(this.world, this.#trace, question);
  }

  /** Asks all questions before and after a plan. */
  async simulate(plan: Plan): Promise<Simulation> {
    await using applied = await this.apply(plan);
    return await applied.simulation();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shadows[Symbol.asyncDispose]();
  }
}

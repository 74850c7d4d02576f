import { setTimeout } from "node:timers/promises";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { isOverdue, lookAt } from "./pending";
import type { ApplyTarget } from "./target";
import { configuredTargets, openTarget, type TargetRef, titleOf } from "./targets";

/** Milliseconds between two looks at a target. */
const PAUSE = 1000;

/** Milliseconds for the removal of announcements at the end. */
const FAREWELL = 2000;

/** Undoes overdue applies in all targets of the file of targets. Each target has a loop of its own, so that a silent one delays no other. */
export class Guard {
  readonly titles: readonly string[];
  readonly #refs: readonly TargetRef[];
  readonly #open = new Map<TargetRef, Promise<ApplyTarget>>();

  constructor(
    private readonly targets: Connections,
    private readonly report: (text: string) => void,
  ) {
    this.#refs = configuredTargets(targets);
    this.titles = this.#refs.map(titleOf);
  }

  /** Runs until the end of the process. */
  async run(): Promise<void> {
    await this.targets.prepare();
    await Promise.all(this.#refs.map((ref) => this.#watch(ref)));
  }

  /** Removes the announcements of this guard. Without it they expire. */
  async end(): Promise<void> {
    const ended = [...this.#open.values()].map(async (target) => (await target).endGuard());
    await Promise.race([Promise.allSettled(ended), setTimeout(FAREWELL)]);
  }

  async #watch(ref: TargetRef): Promise<void> {
    for (;;) {
      // A target that can't be reached is asked again.
      const found = await lookAt(() => this.#guarded(ref)).catch(() => undefined);
      if (found?.record && isOverdue(found.record)) await this.#undo(found.target, found.record.id);
      await setTimeout(PAUSE);
    }
  }

  async #guarded(ref: TargetRef): Promise<ApplyTarget> {
    const opening = this.#open.get(ref) ?? openTarget(this.targets, ref);
    this.#open.set(ref, opening);
    opening.catch(() => this.#open.delete(ref));
    const target = await opening;
    await target.guard().catch(() => undefined);
    return target;
  }

  async #undo(target: ApplyTarget, id: string): Promise<void> {
    const outcome = await target.undo(id).then(
      () => `undone: apply ${id} in ${target.title}`,
      (error: Error) => `can't undo apply ${id} in ${target.title}: ${error.message}`,
    );
    this.report(`${new Date().toISOString()} ${outcome}`);
  }
}

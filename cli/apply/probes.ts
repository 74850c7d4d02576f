import { setTimeout } from "node:timers/promises";
import { CommandError } from "../command";
import type { Checks } from "./checks";
import { type Check, type Complaint, textOf } from "./checks/check";

/** Milliseconds before another round: after a success, and after a failure. */
const PAUSE = { success: 200, failure: 1000 } as const;

/** Decides whether a change stays. A complaint that exists before the change does not count after it. */
export class Probes {
  #before: ReadonlySet<string> = new Set();

  constructor(private readonly checks: Checks) {}

  /**
   * Complaints before the change, which can't undo it. Throws a CommandError if the user's command fails: it would say nothing about the
   * change.
   */
  async before(milliseconds: number): Promise<string[]> {
    const { command, waits, others } = this.checks;
    const failed = await complaintsOf(command, milliseconds);
    if (failed.length > 0) throw new CommandError("OVN_APPLY_PROBE", `fails already, before any change: ${failed.map(textOf).join("; ")}`);
    const complaints = await complaintsOf([...waits, ...others], milliseconds);
    this.#before = new Set(complaints.map(({ subject }) => subject));
    return complaints.map(textOf);
  }

  /**
   * Repeats all checks until they succeed twice in a row. Returns the complaints of the last round at the deadline.
   * @param signal ends the rounds
   */
  async verify(deadline: number, signal: AbortSignal): Promise<string[]> {
    let successes = 0;
    let complaints: string[] = [];
    while (Date.now() < deadline && !signal.aborted) {
      complaints = await this.#round(deadline, signal);
      successes = complaints.length === 0 ? successes + 1 : 0;
      if (successes === 2) return [];
      await setTimeout(complaints.length === 0 ? PAUSE.success : PAUSE.failure);
    }
    return complaints.length > 0 ? complaints : ["the time was over before the probes had succeeded twice in a row"];
  }

  async #round(deadline: number, signal: AbortSignal): Promise<string[]> {
    const { command, waits, others } = this.checks;
    for (const checks of [waits, [...command, ...others]]) {
      const found = (await complaintsOf(checks, deadline - Date.now(), signal)).filter(({ subject }) => !this.#before.has(subject));
      if (found.length > 0) return found.map(textOf);
    }
    return [];
  }
}

async function complaintsOf(checks: readonly Check[], milliseconds: number, signal?: AbortSignal): Promise<Complaint[]> {
  const found = checks.map((check) =>
    check.complaints(milliseconds, signal).catch((error: Error): Complaint[] => [{ subject: check.title, problem: error.message }]),
  );
  return (await Promise.all(found)).flat();
}

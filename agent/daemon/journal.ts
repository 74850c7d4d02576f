import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";
import type { Convergence } from "./converging";
import type { Ended } from "./loop";

/** Logs news: the end of the first round, the start and the end of each problem, and each change of the host. */
export class Journal {
  #isFirst = true;
  #reported = new Map<string, Problem>();

  constructor(private readonly log: (line: string) => void) {}

  round({ changed, took, wanted }: Pick<Ended<Convergence>, "changed" | "took" | "wanted">, problems: readonly Problem[]): void {
    if (changed > 0 || this.#isFirst)
      this.log(`${changed} ${changed === 1 ? "change" : "changes"} in ${Math.round(took)} ms: ${wanted.routes.length} announced`);
    this.#isFirst = false;
    this.problems(problems);
  }

  problems(problems: readonly Problem[]): void {
    const now = new Map(problems.map((problem) => [JSON.stringify([problem.code, problem.subject]), problem]));
    for (const [key, { code, subject, message }] of now) if (!this.#reported.has(key)) this.log(`${code} ${printable(subject)}: ${printable(message)}`);
    for (const [key, { code, subject }] of this.#reported) if (!now.has(key)) this.log(`over: ${code} ${printable(subject)}`);
    this.#reported = now;
  }
}

import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { CommandError } from "../command";
import { listed, plural } from "../texts";
import { print, printError } from "../output";
import { writeAbove } from "../progress";
import { countRows, type ResourceDifference } from "./differences";
import type { Finding } from "./gates/finding";
import type { Settings } from "./settings";

/** Rows that a stage's progress shows; a dry run shows all. */
const MOST_ROWS = 24;

/** Reports progress: text lines for people, JSON lines for programs. */
export class Reporter {
  #lost: Error | undefined;
  readonly #json: boolean;
  readonly #write: (text: string) => void;

  constructor(
    private readonly file: string | undefined,
    { json = false, write }: { readonly json?: boolean; readonly write?: (text: string) => void } = {},
  ) {
    this.#json = json;
    this.#write = write ?? ((text) => writeAbove(text, json ? printError : print));
    if (file === undefined) return;
    try {
      appendFileSync(file, endsInLine(file) ? "" : "\n");
    } catch (error) {
      throw new CommandError("OVN_UPGRADE_LOG", `can't write to --log: ${(error as Error).message}`);
    }
  }

  say(text: string): void {
    this.#write(`${text}\n`);
  }

  /** Writes one log line immediately, so the log of a killed rollout is complete. A failed write, as on a full disk, does not end a stage. */
  log(event: string, data: Readonly<Record<string, unknown>>): void {
    const line = `${JSON.stringify({ time: new Date().toISOString(), event, ...data })}\n`;
    if (this.#json) writeAbove(line, (text) => print(text, "json"));
    if (this.file === undefined || this.#lost) return;
    try {
      appendFileSync(this.file, line);
    } catch (error) {
      this.#lost = error as Error;
      this.say(`  warning: can't write to --log: ${this.#lost.message}; this run logs nothing more, and ends after the current stage`);
    }
  }

  /** Throws when the log has not everything. To be asked where ending is safe: between two stages. */
  requireLog(): void {
    if (this.#lost) throw new CommandError("OVN_UPGRADE_LOG", `can't write to --log: ${this.#lost.message}; no stage was left unfinished: run again to go on`);
  }

  findings(findings: readonly Finding[]): void {
    for (const { gate, where, problem, remedy } of findings) {
      this.say(`  [${gate}] ${where}: ${problem}\n      ${remedy}`);
      this.log("finding", { gate, where, problem, remedy });
    }
  }

  differences(differences: readonly ResourceDifference[], most = MOST_ROWS): void {
    const { added, changed, removed } = countRows(differences);
    this.say(`  rows: ${added} more, ${changed} changed, ${removed} fewer, in ${plural(differences.length, "resource")}`);
    this.log("rows", {
      added,
      changed,
      removed,
      resources: differences.map(({ resource, kind, zone, rows }) => ({ resource, kind, zone, rows: rows.length })),
    });
    let left = most;
    for (const { resource, kind, zone, rows } of differences) {
      if (left <= 0) break;
      this.say(`    ${kind} ${resource} (zone ${zone})`);
      for (const { label, before, after } of rows.slice(0, left)) this.say(`      ${rowText(label, before, after)}`);
      left -= rows.length;
    }
    const total = added + changed + removed;
    if (total > most) this.say(`    and ${total - most} more rows: --dry-run shows all`);
  }
}

/** Whether a log has no half line, as a full disk or a kill leaves. */
function endsInLine(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return true;
  const descriptor = openSync(file, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, found.size - 1);
    return last.toString() === "\n";
  } finally {
    closeSync(descriptor);
  }
}

/** One line for a row. A changed row has only the differences. */
export function rowText(label: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `+ ${label}: ${after}`;
  if (after === undefined) return `- ${label}`;
  const [old, wanted] = [before.split(" "), after.split(" ")];
  const only = (words: readonly string[], others: readonly string[]) => words.filter((word) => !others.includes(word)).join(" ") || "nothing";
  return `~ ${label}: ${only(old, wanted)} => ${only(wanted, old)}`;
}

/** End of a rollout that can't go on before other stacks. */
export function awaitedText(nodes: readonly string[]): string {
  return `other stacks have to move ${listed(nodes)}: run the upgrade there, then name the new topology in ovn:topology here (docs/how-to/regions.md)`;
}

/** End of a run that leaves stages. */
export function leftText(stages: number, isShared: boolean): string {
  return isShared
    ? `${plural(stages, "stage")} left; bring the other stacks as far, then run again (docs/how-to/regions.md)`
    : `${plural(stages, "stage")} left; run again to go on`;
}

/** Position of a network on its way, for people. */
export function describe({ upgrade, nodes }: Settings): string {
  const topologies = Object.values(nodes);
  const moved = topologies.filter((topology) => topology === "transit").length;
  return `${upgrade === undefined ? "no stage" : `stage "${upgrade}"`}, ${moved} of ${plural(topologies.length, "node")} on the transit topology`;
}

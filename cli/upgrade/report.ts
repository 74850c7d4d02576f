import { appendFileSync } from "node:fs";
import { CommandError } from "../command";
import { countRows, type ResourceDifference } from "./differences";
import type { Finding } from "./gates/finding";
import type { Settings } from "./settings";

/** Rows that a stage's progress shows; a dry run shows all. */
const MOST_ROWS = 24;

/** Tells a person what happens, line by line, and a program by JSON lines. */
export class Reporter {
  constructor(
    private readonly file: string | undefined,
    private readonly write: (text: string) => void = (text) => void process.stdout.write(text),
  ) {
    if (file === undefined) return;
    try {
      appendFileSync(file, "");
    } catch (error) {
      throw new CommandError("OVN_UPGRADE_LOG", `can't write to --log: ${(error as Error).message}`);
    }
  }

  say(text: string): void {
    this.write(`${text}\n`);
  }

  /** One line of the log: nothing is held back, so a killed rollout has told everything. */
  log(event: string, data: Readonly<Record<string, unknown>>): void {
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify({ time: new Date().toISOString(), event, ...data })}\n`);
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

/** Of a row that changes, only what differs. */
export function rowText(label: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `+ ${label}: ${after}`;
  if (after === undefined) return `- ${label}`;
  const [old, wanted] = [before.split(" "), after.split(" ")];
  const only = (words: readonly string[], others: readonly string[]) => words.filter((word) => !others.includes(word)).join(" ") || "nothing";
  return `~ ${label}: ${only(old, wanted)} => ${only(wanted, old)}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Where a network is, for people. */
export function describe({ upgrade, nodes }: Settings): string {
  const topologies = Object.values(nodes);
  const moved = topologies.filter((topology) => topology === "transit").length;
  return `${upgrade === undefined ? "no stage" : `stage "${upgrade}"`}, ${moved} of ${plural(topologies.length, "node")} on the transit topology`;
}

/** A terminal or a pipe that is gone takes no text any more, and is no reason to end in the middle of a stage. */
export function outliveTerminal(streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) stream.off("error", unlessGone).on("error", unlessGone);
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "EIO" && error.code !== "EPIPE") throw error;
}

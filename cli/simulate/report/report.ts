import { listed } from "@pulumi-ovn/provider/tools";
import type { Plan } from "../../plan/plan";
import { type Announcement, announcementsOf } from "./announcements";
import type { Omission } from "../zones/build";
import { type Cause, effectsOf, type EffectKind } from "./effects";
import type { Impact } from "../zones/flow-tables";
import { type EffectGroup, groupsOf } from "./groups";
import type { IntentResult } from "../intents/results";
import { rowNames } from "./names";
import type { BridgeImpact, Simulation } from "../applied";
import { elsewhereTexts } from "../zones/zone-ports";

/** Result of a simulation for people and programs. The JSON output has the same field names: docs/how-to/simulate.md documents them. */
export interface Report {
  readonly project: string;
  readonly stack: string;
  /** Number of connections that were asked about. */
  readonly questions: number;
  readonly effects: readonly EffectGroup[];
  /** Prefixes that nodes and chassis start and stop to announce. */
  readonly announcements: readonly Announcement[];
  /** All intents of the program. */
  readonly intents: readonly IntentResult[];
  /** Logical flows that northd adds and removes. */
  readonly impact: readonly Impact[];
  /** Flows of hosts that the update adds and removes. */
  readonly flows: readonly BridgeImpact[];
  /** Resources that the simulation could not write. Answers that depend on them can be wrong. */
  readonly omissions: readonly Omission[];
  /** Parts of the answers that OVN's databases do not decide. */
  readonly unknowns: readonly string[];
}

/** Pure. */
export function reportOf(plan: Plan, simulation: Simulation, intents: readonly IntentResult[] = []): Report {
  const { questions, changed, impact, flows, omissions } = simulation;
  const effects = groupsOf(effectsOf(simulation, rowNames(plan)));
  const { announcements, unknowns: unannounced } = announcementsOf(plan, simulation.before, simulation.after);
  const unknowns = new Set([...simulation.unknowns, ...changed.flatMap(({ before, after }) => [...before.unknowns, ...after.unknowns])]);
  const { project, stack } = plan;
  const notKnown = [...elsewhereTexts(simulation.after), ...unannounced, ...[...unknowns].sort()];
  return { project, stack, questions, effects, announcements, intents, impact, flows, omissions, unknowns: notKnown };
}

export const TITLES: Readonly<Record<EffectKind, string>> = {
  lost: "Lost",
  gained: "Gained",
  otherwise: "Another way",
  unknown: "Not known after the update",
};

/** Limits of every simulation, in the words of the reports. */
export const LIMITS = "Open connections, ECMP choices, host routing, FRR and MTU are not simulated.";

/** One line for the whole result. */
export function summaryOf({ questions, effects }: Pick<Report, "questions" | "effects">): string {
  const summary = `${questions} ${questions === 1 ? "connection" : "connections"} simulated`;
  return effects.length === 0 ? `No packet takes another way (${summary})` : `Packets take another way (${summary})`;
}

/** Text for a group, with each name passed through `name`. */
export function groupText({ from, to, packets, cause, differences }: EffectGroup, name: (text: string) => string): string {
  const list = (texts: readonly string[]) => listed(texts.map(name), 8);
  return `${list(from)} to ${list(to)}: ${packets.join(", ")}${differences.length > 0 ? `; ${differences.map(name).join(", ")}` : ""}; ${causeText(cause, name)}`;
}

function causeText(cause: Cause, name: (text: string) => string): string {
  switch (cause.kind) {
    case "decides":
      return `${name(cause.row)} decides`;
    case "decided":
      return `${name(cause.row)} no longer decides`;
    case "removed":
      return `${name(cause.workload)} is removed`;
    case "added":
      return `${name(cause.workload)} is new`;
    case "other":
      return name(cause.why);
  }
}

export function impactText({ zone, datapath, added, removed }: Impact, name: (text: string) => string): string {
  return `zone ${name(zone)}, ${name(datapath)}: +${added} -${removed}`;
}

export function bridgeText({ host, bridge, added, removed }: BridgeImpact, name: (text: string) => string): string {
  return `host ${name(host)}, ${name(bridge)}: +${added} -${removed}`;
}

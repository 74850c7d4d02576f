import { type Difference, type TargetDifference, targetDifferences } from "../model";
import type { Report } from "../../simulate/report/report";
import type { TargetKind } from "../../plan/target";
import { type Layout, levels, type Omitted, targetLevels, RANKS, type Section } from "./document";
import { danger, shortName } from "./sentences";

/** Version of this format. An added field does not change the version. */
const VERSION = 1;

const LISTS: Readonly<Record<TargetKind, string>> = { zone: "zones", host: "hosts", cluster: "clusters" };

/** Fields of a simulation's report that are lists. */
const EFFECT_LISTS = ["effects", "announcements", "impact", "flows", "omissions", "unknowns"] as const;

interface Element extends Section {
  /** The list that it is in. */
  readonly list: string;
}

/**
 * JSON format for programs: the `Difference`, with one zone, host or cluster per line. A shortened entry has `omitted`, and the document
 * has `omitted` with the missing parts.
 */
export function jsonFormat(difference: Difference): Layout {
  const { project, stack, failed, counts, diagnostics, intents, judged, simulated, others } = difference;
  const head = { version: VERSION, project: shortName(project), stack: shortName(stack), failed, counts, ...(simulated && { questions: simulated.questions }) };
  const sections: Element[] = [
    ...diagnostics.map(
      (diagnostic): Element => ({ list: "diagnostics", about: "message", weight: 1, levels: levels([element(diagnostic), "all", RANKS.message]) }),
    ),
    ...targetDifferences(difference).map(targetElement),
    ...intents.map((intent): Element => ({ list: "intents", about: "intent", weight: 1, levels: levels([element(intent), "all", RANKS.other]) })),
    ...(judged ?? []).map((result): Element => ({ list: "judged", about: "intent", weight: 1, levels: levels([element(result), "all", RANKS.message]) })),
    ...effectElements(simulated),
    ...others.map((other): Element => ({ list: "others", about: "resource", weight: 1, levels: levels([element(other), "all", RANKS.other]) })),
  ];
  return {
    head: JSON.stringify(head).replace(/}$/, ","),
    sections,
    tail: (omitted) => `${JSON.stringify({ omitted: omitted ? countsOf(omitted) : null }).slice(1)}\n`,
    join: (texts) =>
      ["diagnostics", ...Object.values(LISTS), "intents", ...(judged ? ["judged"] : []), ...(simulated ? EFFECT_LISTS : []), "others"]
        .map(
          (list) =>
            `${JSON.stringify(list)}:[${texts
              .filter(({ section }) => (section as Element).list === list)
              .map(({ text }) => text)
              .join("")
              .replace(/,\n$/, "\n")}],\n`,
        )
        .join(""),
  };
}

function element(value: unknown): string {
  return `${JSON.stringify(value)},\n`;
}

function targetElement({ kind, name, counts, resources }: TargetDifference): Element {
  const bare = resources.map(({ rows: _rows, drift: _drift, ...resource }) => resource);
  const target = { [kind]: name, counts };
  return {
    list: LISTS[kind],
    about: "target",
    weight: 1,
    levels: targetLevels(danger(resources) !== undefined, {
      line: element({ ...target, omitted: "resources" }),
      counts: element({ ...target, resources: bare, omitted: "rows" }),
      all: element({ ...target, resources }),
    }),
  };
}

function effectElements(simulated: Report | undefined): Element[] {
  if (simulated === undefined) return [];
  return EFFECT_LISTS.flatMap((list) =>
    simulated[list].map(
      (each): Element => ({
        list,
        about: "effect",
        weight: 1,
        levels: levels([element(each), "all", RANKS[list === "effects" || list === "announcements" ? "message" : "other"]]),
      }),
    ),
  );
}

function countsOf({ bytes, counted, targets, intents, effects, resources, messages }: Omitted): Record<string, number> {
  return { bytes, zonesWithoutRows: counted, zones: targets, intents, effects, others: resources, diagnostics: messages };
}

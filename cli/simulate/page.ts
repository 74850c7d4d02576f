import { judgedLines } from "../diff/render/intents";
import { page, type PageTable } from "../picture/page/page";
import type { PageEffect } from "../picture/page/effects";
import { picturedPreview } from "../picture/resources";
import { sceneOf } from "../picture/views";
import type { Plan } from "../plan/plan";
import type { Preview } from "../plan/preview";
import type { Simulation } from "./applied";
import { effectsOf } from "./effects";
import { pairsOf } from "./groups";
import { rowNames } from "./names";
import { furtherSections } from "./render";
import { groupText, type Report, summaryOf, TITLES } from "./report";
import { Places } from "./places";
import { waysOf } from "./ways";

/** Pure. The drawn difference of a plan, with the paths of the connections that it changes. */
export function simulationPage(preview: Pick<Preview, "steps">, plan: Plan, simulation: Simulation, report: Report): string {
  const pictured = picturedPreview(preview);
  const scene = sceneOf(pictured, "topology");
  const places = new Places(scene, plan);
  const effects = pairsOf(effectsOf(simulation, rowNames(plan))).map(
    ({ group, effects: own }): PageEffect => ({ kind: TITLES[group.kind], text: groupText(group, same), ways: waysOf(own, places) }),
  );
  return page(pictured, scene, tablesOf(report), { summary: summaryOf(report), effects });
}

function tablesOf(report: Report): PageTable[] {
  const intents = judgedLines(report.intents).map(({ mark, text }) => ({ cells: [text], error: mark === "!" }));
  const further = furtherSections(report, same).map(([title, lines]) => ({ title, rows: lines.map((text) => ({ cells: [text], error: false })) }));
  return [{ title: "Intents", rows: intents }, ...further].filter(({ rows }) => rows.length > 0).map((each) => ({ ...each, columns: [] }));
}

/** The page escapes all texts itself. */
const same = (text: string): string => text;

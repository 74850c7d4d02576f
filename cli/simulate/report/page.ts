import { judgedLines } from "../../diff/render/intents";
import type { ComparedScene } from "../../picture/compare";
import { layout } from "../../picture/draw/layout";
import { svgWithWays } from "../../picture/draw/svg";
import { fold } from "../../picture/fold";
import { page, type PageTable } from "../../picture/page/page";
import type { PageEffect } from "../../picture/page/effects";
import { picturedPreview } from "../../picture/resources";
import { sceneOf } from "../../picture/views";
import type { Plan } from "../../plan/plan";
import type { Simulation } from "../applied";
import { effectsOf } from "./effects";
import { pairsOf } from "./groups";
import { furtherSections } from "./render";
import { rowNames } from "./names";
import { groupText, type Report, summaryOf, TITLES } from "./report";
import { PathBoxes } from "./path-boxes";
import type { Simulated } from "../simulated";
import { waysOf } from "./ways";

/** Pure. The drawn difference of a plan as a page, with the paths of the connections that it changes. */
export function simulationPage({ preview, plan, simulation, report }: Simulated): string {
  const pictured = picturedPreview(preview);
  const scene = sceneOf(pictured, "topology");
  return page(pictured, scene, tablesOf(report), { summary: summaryOf(report), effects: pageEffects(scene, plan, simulation) });
}

/** Largest number of paths in one picture. */
const MOST_WAYS = 6;

/** Pure. The drawn difference of a plan as an SVG, with the paths of the first connections that it changes. */
export function simulationPicture({ preview, plan, simulation }: Simulated): string {
  const scene = sceneOf(picturedPreview(preview), "topology");
  const ways = pageEffects(scene, plan, simulation).flatMap((effect) => effect.ways);
  const different = [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
  return svgWithWays(layout(fold(scene)), different.slice(0, MOST_WAYS));
}

function pageEffects(scene: ComparedScene, plan: Plan, simulation: Simulation): PageEffect[] {
  const boxes = new PathBoxes(scene, plan);
  return pairsOf(effectsOf(simulation, rowNames(plan))).map(
    ({ group, effects }): PageEffect => ({ kind: TITLES[group.kind], text: groupText(group, same), ways: waysOf(effects, boxes) }),
  );
}

function tablesOf(report: Report): PageTable[] {
  const intents = judgedLines(report.intents).map(({ mark, text }) => ({ cells: [text], error: mark === "!" }));
  const further = furtherSections(report, same).map(([title, lines]) => ({ title, rows: lines.map((text) => ({ cells: [text], error: false })) }));
  return [{ title: "Intents", rows: intents }, ...further].filter(({ rows }) => rows.length > 0).map((each) => ({ ...each, columns: [] }));
}

/** The page escapes all texts itself. */
const same = (text: string): string => text;

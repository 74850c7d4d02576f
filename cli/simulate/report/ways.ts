import type { ComparedBox } from "../../picture/compare";
import type { Way } from "../../picture/draw/ways";
import type { Effect } from "./effects";
import { outcomeText } from "./explain";
import type { PathSide, PathBoxes } from "./path-boxes";
import type { Answer, Outcome, Path, Question } from "../types";

/** Pure. Different paths of the packets between two ends: those before an update first. */
export function waysOf(effects: readonly Effect[], boxes: PathBoxes): Way[] {
  const all = effects.map((effect) => bothWays(effect, boxes));
  const ways = [...all.map(([before]) => before), ...all.map(([, after]) => after)];
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
}

/** The first packet's paths, or the reply's if only its end changes. */
function bothWays({ question, before, after }: Effect, boxes: PathBoxes): readonly [Way, Way] {
  const isReply = arrives(before.there) && arrives(after.there) && before.back !== undefined && after.back !== undefined && before.reach !== after.reach;
  const way = (answer: Answer, side: PathSide) =>
    isReply
      ? wayOf("reply: ", side, answer.back!, endBox(answer.there, side, boxes), boxes)
      : wayOf("", side, answer.there, startBox(question, answer.there, side, boxes), boxes);
  return [way(before, "before"), way(after, "after")];
}

const arrives = ({ outcome: { kind } }: Path): boolean => kind === "delivered" || kind === "outside";

function startBox({ from }: Question, { steps }: Path, side: PathSide, boxes: PathBoxes): ComparedBox | undefined {
  return from.kind === "workload" ? boxes.workload(side, from.name, steps[0]?.zone) : boxes.outside(side, from.zone, from.network);
}

function endBox({ outcome }: Path, side: PathSide, boxes: PathBoxes): ComparedBox | undefined {
  if (outcome.kind === "delivered") return boxes.workload(side, outcome.port, outcome.zone);
  return outcome.kind === "outside" ? boxes.outside(side, outcome.zone, outcome.network) : undefined;
}

const ENDS: Readonly<Record<Outcome["kind"], string>> = { delivered: "", outside: "", lost: "lost", unknown: "not known" };

function wayOf(prefix: string, side: PathSide, path: Path, start: ComparedBox | undefined, boxes: PathBoxes): Way {
  const passed = path.steps.map(({ zone, datapath }) => boxes.datapath(side, zone, datapath));
  const met = [start, ...passed, endBox(path, side, boxes)].flatMap((box) => box ?? []).filter(({ id }, index, all) => id !== all[index - 1]?.id);
  const titles = met.map(({ title }) => title).join(" → ");
  const text = `${prefix}${titles === "" ? "" : `${titles}: `}${outcomeText(path.outcome)}`;
  return { side, boxes: met.map(({ id }) => id), end: ENDS[path.outcome.kind], text };
}

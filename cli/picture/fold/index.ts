import type { ComparedBox, ComparedScene } from "../compare";
import { natural } from "../model/values";
import { type ColumnFold, foldColumns } from "./columns";
import { foldBoxes, type FoldedBox, type FoldedScene } from "./folded";

export type { FoldedBox, FoldedColumn, FoldedScene } from "./folded";

/** Boxes that a person can look at. */
const MOST_BOXES = 40;
/** Columns and boxes of one cell, from generous to tight. */
const LIMITS = [
  [8, 4],
  [6, 4],
  [6, 3],
  [5, 2],
  [4, 2],
  [4, 1],
  [3, 1],
] as const;

/** Folds equal things until at most `most` boxes are left; default: 40. What changes stays as long as there is room. */
export function fold(scene: ComparedScene, most = MOST_BOXES): FoldedScene {
  let folded: FoldedScene | undefined;
  for (const [columns, cell] of LIMITS) {
    folded = foldTo(scene, columns, cell);
    if (folded.boxes.length <= most) return folded;
  }
  return foldBands(folded!, most);
}

function foldTo(scene: ComparedScene, most: number, perCell: number): FoldedScene {
  const { columns, target } = foldColumns(scene, most);
  const cells = Map.groupBy(scene.boxes, (box) => JSON.stringify([box.band, box.column === undefined ? `wide ${box.id}` : target.get(box.column)]));
  const boxes = [...cells.values()].flatMap((cell) => foldCell(cell, target, perCell, columns));
  return { ...scene, columns, boxes, links: movedLinks(scene, boxes) };
}

function foldCell(cell: readonly ComparedBox[], target: ColumnFold["target"], perCell: number, columns: ColumnFold["columns"]): FoldedBox[] {
  const own = (box: ComparedBox): FoldedBox => ({ ...box, represented: [] });
  const [first] = cell;
  if (first!.column === undefined) return cell.map((box) => ({ ...own(box), columns: [...new Set(box.columns.flatMap((id) => target.get(id) ?? []))] }));
  const column = target.get(first!.column) ?? first!.column;
  const sorted = [...cell].sort((a, b) => natural(a.id, b.id));
  const isFold = columns.find(({ id }) => id === column)?.count !== 1;
  if (isFold && sorted.length > 1) return [foldBoxes(sorted, first!.band, column)];
  if (isFold) return sorted.map((box) => ({ ...own(box), column }));
  if (sorted.length <= perCell) return sorted.map(own);
  const changed = sorted.filter(({ status }) => status !== "same");
  const shown = new Set([...changed, ...sorted].slice(0, Math.max(perCell - 1, 0)));
  const rest = sorted.filter((box) => !shown.has(box));
  return [...sorted.filter((box) => shown.has(box)).map(own), foldBoxes(rest, first!.band, column)];
}

/** Links between the boxes that are left, each once. */
function movedLinks(scene: ComparedScene, boxes: readonly FoldedBox[]): ComparedScene["links"] {
  const shownAs = new Map(boxes.flatMap((box) => [[box.id, box.id] as const, ...box.represented.map((id) => [id, box.id] as const)]));
  const links = scene.links.flatMap((link) => {
    const [from, to] = [shownAs.get(link.from), shownAs.get(link.to)];
    const isFolded = from !== link.from || to !== link.to;
    return from === undefined || to === undefined || from === to || (isFolded && link.status === "moved") ? [] : [{ ...link, from, to }];
  });
  const groups = Map.groupBy(links, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].map((group) =>
    group.every(({ status }) => status === group[0]!.status) ? group[0]! : { ...group[0]!, status: "same" as const },
  );
}

/** One box for all networks that do not fit. Networks with changes stay first. */
function foldBands(scene: FoldedScene, most: number): FoldedScene {
  const bandsOf = Map.groupBy(scene.bands, ({ group, id }) => group ?? id);
  const boxesOf = (group: string) => scene.boxes.filter(({ band }) => bandsOf.get(group)!.some(({ id }) => id === band));
  const isChanged = (group: string) => boxesOf(group).some(({ status }) => status !== "same");
  const kept = new Set<string>();
  let room = most - 1;
  for (const group of [...bandsOf.keys()].sort((a, b) => Number(isChanged(b)) - Number(isChanged(a)))) {
    const size = boxesOf(group).length;
    if (size > room) continue;
    for (const { id } of bandsOf.get(group)!) kept.add(id);
    room -= size;
  }
  const rest = scene.boxes.filter(({ band }) => !kept.has(band));
  if (rest.length === 0) return scene;
  const groups = [...bandsOf].filter(([, bands]) => !kept.has(bands[0]!.id)).map(([group]) => group);
  const more: FoldedBox = {
    ...foldBoxes(rest, "more", undefined),
    title: `${groups.length} more: ${groups.slice(0, 3).join(", ")}${groups.length > 3 ? " …" : ""}`,
    facts: [{ name: "", value: "--network draws one of them", status: "same" }],
    represented: rest.flatMap(({ id, represented }) => [id, ...represented]),
  };
  const boxes = [...scene.boxes.filter(({ band }) => kept.has(band)), more];
  const links = movedLinks(scene, boxes).filter(({ from, to }) => from !== more.id && to !== more.id);
  return { ...scene, bands: [...scene.bands.filter(({ id }) => kept.has(id)), { id: "more", title: "more" }], boxes, links };
}

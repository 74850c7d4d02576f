import type { ComparedLink } from "../compare";
import type { FoldedBox, FoldedColumn, FoldedScene } from "../fold";
import type { Band } from "../model/scene";
import { natural } from "../model/values";
import { boxHeight, flow, legendLines, type Line, SIZES, stackedLines } from "./text";

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a box, and whether an update adds or removes it. */
export interface Piece extends Pick<Rectangle, "x" | "width"> {
  readonly status: "same" | "added" | "removed";
}

export interface PlacedBox extends Rectangle {
  readonly box: FoldedBox;
  /** Its parts from left to right: one for each run of adjacent columns that it belongs to. */
  readonly pieces: readonly Piece[];
  readonly lines: readonly Line[];
  /** Number of boxes in its cell. */
  readonly stacked: number;
}

export interface PlacedColumn extends Rectangle {
  readonly column: FoldedColumn;
}

interface PlacedBand {
  readonly title: string;
  readonly y: number;
}

export interface Layout {
  readonly scene: FoldedScene;
  readonly width: number;
  readonly height: number;
  readonly columns: readonly PlacedColumn[];
  readonly bands: readonly PlacedBand[];
  readonly boxes: readonly PlacedBox[];
  readonly links: readonly ComparedLink[];
}

/** Positions of all boxes: a row for each band, a position in it for each column. Pure; the same for the same names. */
export function layout(scene: FoldedScene): Layout {
  const { columns, bands } = scene;
  const count = Math.max(columns.length, 1);
  const left = new Map(columns.map(({ id }, index) => [id, SIZES.left + index * (SIZES.column + SIZES.gap)]));
  const right = SIZES.left + count * (SIZES.column + SIZES.gap) - SIZES.gap;
  const header = SIZES.top;
  const headerHeight = 26 + Math.max(0, ...columns.map(({ facts }) => facts.length)) * SIZES.line;
  // Things outside are above the columns: they are not in any host.
  const hasLong = hasLongLinks(scene);
  const boxes: PlacedBox[] = [];
  const placedBands: PlacedBand[] = [];
  let y = header;
  const add = ({ id, title, isOutside }: Band) => {
    const found = scene.boxes.filter(({ band }) => band === id);
    // A network outside exists before and after, also where a host is added or removed.
    const own = isOutside ? found.map((box): FoldedBox => ({ ...box, columnChanges: new Map() })) : found;
    placedBands.push({ title, y });
    const placed = [...wideBoxes(own, y, left, right, hasLong), ...cellBoxes(own, y, left)];
    boxes.push(...placed);
    y = Math.max(y, ...placed.map((box) => box.y + box.height)) + SIZES.between;
  };
  for (const band of bands.filter(({ isOutside }) => isOutside)) add(band);
  const top = y;
  if (columns.length > 0) y += headerHeight;
  for (const band of bands.filter(({ isOutside }) => !isOutside)) add(band);
  const bottom = y - SIZES.between + SIZES.padding;
  const legend = scene.isDifference ? legendLines(right - SIZES.margin).length + 1 : 0;
  return {
    scene,
    width: right + SIZES.margin,
    height: bottom + legend * SIZES.line + SIZES.margin,
    columns: columns.map((column) => ({ column, x: left.get(column.id)!, y: top, width: SIZES.column, height: bottom - top })),
    bands: placedBands,
    boxes,
    links: scene.links,
  };
}

/** Whether links pass over wide boxes. Then the text of these stays in the first column. */
function hasLongLinks({ boxes, bands, links }: FoldedScene): boolean {
  const roles = new Map(boxes.map(({ band, role }) => [band, role]));
  const order = new Map(bands.filter(({ id }) => roles.get(id) !== "address").map(({ id }, index) => [id, index]));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  return links.some(({ from, to }) => {
    const [one, other] = [order.get(byId.get(from)?.band ?? ""), order.get(byId.get(to)?.band ?? "")];
    return one !== undefined && other !== undefined && Math.abs(one - other) > 1;
  });
}

/** Boxes over several columns, those with common columns below each other. */
function wideBoxes(own: readonly FoldedBox[], y: number, left: ReadonlyMap<string, number>, right: number, isNarrow: boolean): PlacedBox[] {
  const placed: PlacedBox[] = [];
  for (const box of own.filter(({ column }) => column === undefined).sort((a, b) => natural(a.id, b.id))) {
    const pieces = piecesOf(box, left, right);
    const [first, last] = [pieces[0]!, pieces.at(-1)!];
    const { x } = first;
    const width = last.x + last.width - x;
    const lines = flow(box.facts, (isNarrow ? SIZES.column : roomOf(pieces)) - 2 * SIZES.padding);
    const above = placed.filter((other) => other.x < x + width && x < other.x + other.width);
    const top = Math.max(y, ...above.map((other) => other.y + other.height + SIZES.stack));
    placed.push({ box, pieces, lines, x, y: top, width, height: boxHeight(lines), stacked: 1 });
  }
  return placed;
}

/** One piece for each run of adjacent columns with one status, so that a box does not seem to be in columns between. */
function piecesOf({ columns, columnChanges }: FoldedBox, left: ReadonlyMap<string, number>, right: number): Piece[] {
  const pieces: Piece[] = [];
  for (const [id, x] of left) {
    if (columns.length > 0 && !columns.includes(id)) continue;
    const status = columnChanges.get(id) ?? "same";
    const last = pieces.at(-1);
    if (last?.status === status && last.x + last.width + SIZES.gap === x) pieces[pieces.length - 1] = { ...last, width: x + SIZES.column - last.x };
    else pieces.push({ x, width: SIZES.column, status });
  }
  return pieces.length > 0 ? pieces : [{ x: SIZES.left, width: right - SIZES.left, status: "same" }];
}

/** Width of a box's text, which is in its first piece before and after. */
function roomOf(pieces: readonly Piece[]): number {
  const firsts = (["added", "removed"] as const).flatMap((hidden) => pieces.find(({ status }) => status !== hidden)?.width ?? []);
  return Math.min(...firsts, pieces[0]!.width);
}

function cellBoxes(own: readonly FoldedBox[], y: number, left: ReadonlyMap<string, number>): PlacedBox[] {
  const cells = Map.groupBy(
    own.filter(({ column }) => column !== undefined),
    ({ column }) => column!,
  );
  return [...cells].flatMap(([column, cell]) => {
    let top = y;
    // A fold is the last one of its cell.
    const sorted = [...cell].sort((a, b) => Number(a.represented.length > 0) - Number(b.represented.length > 0) || natural(a.id, b.id));
    return sorted.map((box): PlacedBox => {
      const width = SIZES.column - 2 * SIZES.inset;
      const lines = stackedLines(box.facts, width - 2 * SIZES.padding);
      const x = (left.get(column) ?? SIZES.left) + SIZES.inset;
      const placed = { box, pieces: [{ x, width, status: "same" as const }], lines, x, y: top, width, height: boxHeight(lines), stacked: cell.length };
      top += placed.height + SIZES.stack;
      return placed;
    });
  });
}

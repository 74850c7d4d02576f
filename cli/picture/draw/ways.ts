import { escaped } from "./escape";
import type { PlacedBox } from "./layout";

/** Path of a packet over a picture. */
export interface Way {
  /** The side that has the path. */
  readonly side: "before" | "after";
  /** Identities of the boxes that it passes, folded or not, in order. */
  readonly boxes: readonly string[];
  /** Word at its last box, such as "lost". Empty if the packet arrives. */
  readonly end: string;
  /** The path in words. */
  readonly text: string;
}

export interface DrawnWay extends Way {
  /** The same as that of its button in the page. */
  readonly id: number;
}

/** Style of paths, in addition to that of pictures. */
export const WAY_STYLE = `
.picture{--way:#0550ae}
@media (prefers-color-scheme:dark){.picture{--way:#79c0ff}}
.way polyline,.way rect{fill:none;stroke:var(--way);stroke-width:3}
.way rect{stroke-dasharray:1 4;stroke-linecap:round}
.way circle{fill:var(--way)}
.picture .way .number{fill:var(--paper);font-weight:700;font-size:11px;text-anchor:middle}
.picture .way .end{fill:var(--way);font-weight:700;text-anchor:end;paint-order:stroke;stroke:var(--paper);stroke-width:4px}
`.trim();

/** Distinguishes a path from others of the same picture. */
export interface WayMark {
  /** Precedes its numbers. */
  readonly letter: string;
  /** Pixels to the left of its usual position. */
  readonly shift: number;
}

/** A path: a line, and a number and an outline at each box. */
export function wayShape({ id, boxes, end, text }: DrawnWay, placed: readonly PlacedBox[], { letter, shift }: WayMark = { letter: "", shift: 0 }): string {
  const byId = new Map(placed.flatMap((each) => [[each.box.id, each] as const, ...each.box.represented.map((own) => [own, each] as const)]));
  const stops = boxes.flatMap((box) => byId.get(box) ?? []).filter((stop, index, all) => stop !== all[index - 1]);
  const points = stops.map((stop, index) => pointsAt(stop, stops[index - 1], stops[index + 1]).map(([x, y]): Point => [x - shift, y]));
  const marks = stops.flatMap(({ x, y, width, height }, index) => {
    const [at, down] = points[index]![0]!;
    return [
      `<rect x="${x - 5}" y="${y - 5}" width="${width + 10}" height="${height + 10}" rx="8"/>`,
      `<circle cx="${at}" cy="${down}" r="${letter === "" ? 9 : 11}"/><text class="number" x="${at}" y="${down + 4}">${letter}${index + 1}</text>`,
    ];
  });
  const last = points.at(-1)?.at(-1);
  return [
    `<g class="way" data-way="${id}"><title>${escaped(text)}</title>`,
    `<polyline points="${points
      .flat()
      .map((point) => point.join(","))
      .join(" ")}"/>`,
    ...marks,
    last === undefined || end === "" ? "" : `<text class="end" x="${last[0] - 14}" y="${last[1] + 5}">✕ ${escaped(end)}</text>`,
    "</g>",
  ].join("");
}

type Point = readonly [x: number, y: number];

/** A path passes a box of a column at the lower right corner, and a wide box from the previous box's position to the next one's. */
function pointsAt(stop: PlacedBox, previous: PlacedBox | undefined, next: PlacedBox | undefined): readonly Point[] {
  const y = stop.y + stop.height - 6;
  const right = stop.x + stop.width - 6;
  if (stop.box.column !== undefined) return [[right, y]];
  const at = (other: PlacedBox | undefined) => (other === undefined || other.box.column === undefined ? undefined : Math.min(right, other.x + other.width - 6));
  const [from, to] = [at(previous) ?? at(next) ?? right, at(next) ?? at(previous) ?? right];
  return from === to
    ? [[from, y]]
    : [
        [from, y],
        [to, y],
      ];
}

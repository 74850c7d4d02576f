import type { ComparedLink } from "../compare";
import { escaped } from "./escape";
import type { PlacedBox } from "./layout";
import { SIZES } from "./text";

export interface LinkLook {
  readonly className: string;
  /** Other boxes between its ends. */
  readonly passed: readonly PlacedBox[];
  /** End of the identities of markers: a page contains several pictures. */
  readonly side: string;
}

/** Pixels between a line and a box that it passes. */
const CLEAR = 5;

/** A link between two boxes, with its title. Dots mark its ends. Dotted parts are behind boxes. */
export function linkShape(link: ComparedLink, from: PlacedBox, to: PlacedBox, { className, passed, side }: LinkLook): string {
  const title = `<title>${escaped(`${from.box.title} – ${to.box.title}: ${link.title}`)}</title>`;
  const shape = (path: string, ends: string) => `<path class="link ${className}" d="${path}" ${ends}>${title}</path>`;
  if (link.status === "moved") {
    const path = arrow(from, to, passed);
    return `<path class="halo" d="${path}"/>${shape(path, `marker-end="url(#head-${side})"`)}`;
  }
  const { path, behind } = line(from, to, passed);
  const hidden = behind === "" ? "" : `<path class="behind" d="${behind}"/>`;
  return `${hidden}${shape(path, `marker-start="url(#dot-${side})" marker-end="url(#dot-${side})"`)}`;
}

/** It ends below a box's own link. It passes boxes between below them. */
function arrow(from: PlacedBox, to: PlacedBox, passed: readonly PlacedBox[]): string {
  const direction = to.x > from.x ? 1 : -1;
  const [x1, x2] = direction > 0 ? [from.x + from.width, to.x - 6] : [from.x, to.x + to.width + 6];
  const [y1, y2] = [from, to].map(({ y, height }) => y + height - 14);
  const between = direction * (SIZES.inset + SIZES.gap / 2);
  if (passed.length === 0) return `M${x1} ${y1}C${x1 + between} ${y1} ${x2 - between} ${y2} ${x2} ${y2}`;
  const below = Math.max(...passed.map(({ y, height }) => y + height)) + CLEAR;
  return `M${x1} ${y1}H${x1 + between}V${below}H${x2 - between}V${y2}H${x2}`;
}

interface Drawn {
  readonly path: string;
  /** Parts that are behind boxes, or "". */
  readonly behind: string;
}

function line(from: PlacedBox, to: PlacedBox, passed: readonly PlacedBox[]): Drawn {
  const [upper, lower] = from.y <= to.y ? [from, to] : [to, from];
  const isWide = ({ box }: PlacedBox) => box.column === undefined;
  const end = upper.y + upper.height;
  const straight = (x: number): Drawn => ({ path: `M${x} ${end}V${lower.y}`, behind: "" });
  if (isWide(upper) && isWide(lower)) return straight(common(upper, lower));
  if (!isWide(upper) && !isWide(lower) && upper.box.column !== lower.box.column) {
    const [x1, x2] = [upper.x + upper.width / 2, lower.x + lower.width / 2];
    const middle = (end + lower.y) / 2;
    return { path: `M${x1} ${end}C${x1} ${middle} ${x2} ${middle} ${x2} ${lower.y}`, behind: "" };
  }
  const cell = isWide(upper) ? lower : upper;
  if (cell.stacked === 1 && passed.length === 0) return straight(cell.x + cell.width * 0.8);
  // At the left to boxes of a stack. At the right past other boxes, so that the link is not mistaken for one of theirs.
  const [edge, rail] = passed.length === 0 ? [cell.x, cell.x - SIZES.inset * 0.4] : [cell.x + cell.width, cell.x + cell.width + SIZES.inset / 2];
  const middle = cell.y + SIZES.title / 2;
  const [top, bottom] = cell === lower ? [end, middle] : [middle, lower.y];
  const crossed = passed.filter(({ x, width }) => x <= rail && rail <= x + width).sort((a, b) => a.y - b.y);
  const gaps = crossed.map((box) => gap(box, rail));
  const down = `${gaps.map(({ start, stop }) => `V${start}M${rail} ${stop}`).join("")}V${bottom}`;
  return {
    path: cell === lower ? `M${rail} ${top}${down}H${edge}` : `M${edge} ${top}H${rail}${down}`,
    behind: gaps.flatMap(({ start, stop, isHidden }) => (isHidden ? `M${rail} ${start + 2 * CLEAR}V${stop - 2 * CLEAR}` : [])).join(""),
  };
}

/** Between two columns that both boxes belong to: such a link is not one of a single column. */
function common(upper: PlacedBox, lower: PlacedBox): number {
  const shared = upper.pieces.flatMap((one) =>
    lower.pieces.map((other) => ({ x: Math.max(one.x, other.x), end: Math.min(one.x + one.width, other.x + other.width) })),
  );
  const { x, end } = shared.reduce((widest, each) => (each.end - each.x > widest.end - widest.x ? each : widest));
  const columns = Math.round((end - x + SIZES.gap) / (SIZES.column + SIZES.gap));
  return columns < 2 ? (x + end) / 2 : x + Math.floor(columns / 2) * (SIZES.column + SIZES.gap) - SIZES.gap / 2;
}

/** The part that a vertical line leaves out for a box, or for the line between two of its pieces. */
function gap({ pieces, y, height }: PlacedBox, x: number): { readonly start: number; readonly stop: number; readonly isHidden: boolean } {
  const isHidden = pieces.some((piece) => piece.x <= x && x <= piece.x + piece.width);
  const [top, bottom] = isHidden ? [y, y + height] : [y + height / 2, y + height / 2];
  return { start: top - CLEAR, stop: bottom + CLEAR, isHidden };
}

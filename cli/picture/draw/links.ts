import type { ComparedLink } from "../compare";
import { escaped } from "./escape";
import type { PlacedBox } from "./layout";
import { SIZES } from "./text";

export interface LinkLook {
  readonly className: string;
  /** Whether other boxes of its column are between its ends. */
  readonly isLong: boolean;
  /** End of the identities of markers: a page contains several pictures. */
  readonly side: string;
}

/** A link between two boxes, with its title. Dots mark its ends. */
export function linkShape(link: ComparedLink, from: PlacedBox, to: PlacedBox, { className, isLong, side }: LinkLook): string {
  const title = `<title>${escaped(`${from.box.title} – ${to.box.title}: ${link.title}`)}</title>`;
  const [path, ends] =
    link.status === "moved"
      ? [arrow(from, to), `marker-end="url(#head-${side})"`]
      : [line(from, to, isLong), `marker-start="url(#dot-${side})" marker-end="url(#dot-${side})"`];
  return `<path class="link ${className}" d="${path}" ${ends}>${title}</path>`;
}

/** Gap in what a long link passes over. */
export function halo(from: PlacedBox, to: PlacedBox): string {
  return `<path class="halo" d="${line(from, to, true)}"/>`;
}

function arrow(from: PlacedBox, to: PlacedBox): string {
  const isRight = to.x > from.x;
  const [x1, x2] = isRight ? [from.x + from.width, to.x - 6] : [from.x, to.x + to.width + 6];
  const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
  const bend = Math.max(30, Math.abs(x2 - x1) / 3) * (isRight ? 1 : -1);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function line(from: PlacedBox, to: PlacedBox, isLong: boolean): string {
  const [upper, lower] = from.y <= to.y ? [from, to] : [to, from];
  const isWide = ({ box }: PlacedBox) => box.column === undefined;
  const end = upper.y + upper.height;
  if (isWide(upper) && isWide(lower)) {
    const x = Math.min(upper.x + upper.width, lower.x + lower.width) - SIZES.column / 5;
    return `M${x} ${end}V${lower.y}`;
  }
  if (!isWide(upper) && !isWide(lower) && upper.box.column !== lower.box.column) {
    const [x1, x2] = [upper.x + upper.width / 2, lower.x + lower.width / 2];
    const middle = (end + lower.y) / 2;
    return `M${x1} ${end}C${x1} ${middle} ${x2} ${middle} ${x2} ${lower.y}`;
  }
  const cell = isWide(upper) ? lower : upper;
  if (cell.stacked === 1 && !isLong) {
    const x = cell.x + cell.width * 0.8;
    return `M${x} ${end}V${lower.y}`;
  }
  // Long links have a rail of their own, so that they are not mistaken for links of what they pass.
  const rail = cell.x - SIZES.inset * (isLong ? 0.75 : 0.4);
  const middle = cell.y + SIZES.title / 2;
  return cell === lower ? `M${rail} ${end}V${middle}H${cell.x}` : `M${cell.x} ${middle}H${rail}V${lower.y}`;
}

import type { ComparedLink, Status } from "../compare";
import { factText } from "../model/scene";
import { escaped } from "./escape";
import type { Layout, Piece, PlacedBox, PlacedColumn } from "./layout";
import { linkShape } from "./links";
import { outline } from "./shapes";
import { STYLE } from "./style";
import { type DrawnWay, type Way, WAY_STYLE, wayShape } from "./ways";
import { boldCharacters, fitting, legendLines, type Line, SIZES, wrapped } from "./text";

/** Drawn part of a comparison: one side, or both with their difference. */
export type Side = "before" | "after" | "changes";

/** Statuses that are not drawn on a side. */
const HIDDEN: Readonly<Record<Side, ReadonlySet<string>>> = { before: new Set(["added", "moved"]), after: new Set(["removed", "left"]), changes: new Set() };

const TAGS: Readonly<Record<Status, string>> = {
  same: "",
  added: "+ added",
  removed: "− removed",
  changed: "~ changed",
  moved: "→ moved here",
  left: "→ moves away",
};

/**
 * A picture as one SVG without references to anything else.
 * @param ways paths of packets to draw over the boxes
 */
export function svg(placed: Layout, side: Side = placed.scene.isDifference ? "changes" : "after", ways: readonly DrawnWay[] = []): string {
  return picture(placed, side, {
    style: "",
    height: 0,
    shapes: (boxes) => ways.filter((way) => side === "changes" || way.side === side).map((way) => wayShape(way, boxes)),
  });
}

/** A difference with paths of packets over it, which lines below it describe. */
export function svgWithWays(placed: Layout, ways: readonly Way[]): string {
  const lines = ways.flatMap(({ side, text }, index) => wrapped(`${letterOf(index)} ${side}: ${text}`, placed.width - 2 * SIZES.margin));
  const captions = lines.map((line, index) => textLine("title", SIZES.margin, placed.height + (index + 1) * SIZES.line, line));
  const shapes = (boxes: readonly PlacedBox[]) => ways.map((way, id) => wayShape({ ...way, id }, boxes, { letter: letterOf(id), shift: id * LANE }));
  return picture(placed, "changes", {
    style: WAY_STYLE,
    height: lines.length === 0 ? 0 : lines.length * SIZES.line + SIZES.margin,
    shapes: (boxes) => [...shapes(boxes), ...captions],
  });
}

/** Pixels between the paths of one picture. */
const LANE = 26;
const letterOf = (index: number): string => String.fromCharCode("A".charCodeAt(0) + index);

/** Shapes and texts in addition to a layout. */
interface Addition {
  readonly style: string;
  /** Pixels below the layout. */
  readonly height: number;
  readonly shapes: (boxes: readonly PlacedBox[]) => readonly string[];
}

function picture(placed: Layout, side: Side, addition: Addition): string {
  const { scene, width } = placed;
  const height = placed.height + addition.height;
  const byId = new Map(placed.boxes.map((each) => [each.box.id, each]));
  const isShown = (status: string) => !HIDDEN[side].has(status);
  const boxes = placed.boxes.filter(({ box }) => isShown(side === "before" && box.status === "moved" ? "added" : box.status));
  const ids = new Set(boxes.map(({ box }) => box.id));
  const links = scene.links.filter(({ from, to, status }) => ids.has(from) && ids.has(to) && isShown(status) && (status !== "moved" || side === "changes"));
  const linkClass = (status: string) => (side === "changes" && status !== "same" ? status : "plain");
  const passed = passedBoxes(boxes, byId);
  const shape = (link: ComparedLink) =>
    linkShape(link, byId.get(link.from)!, byId.get(link.to)!, { className: linkClass(link.status), passed: passed(link), side });
  const name = escaped(`${scene.title}: ${scene.question}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<style>${STYLE}${addition.style}</style>`,
    `<defs><marker id="head-${side}" viewBox="0 0 10 10" refX="8" refY="5" markerUnits="userSpaceOnUse" markerWidth="14" markerHeight="14" orient="auto-start-reverse"><path class="head" d="M0 0L10 5L0 10z"/></marker><marker id="dot-${side}" viewBox="0 0 6 6" refX="3" refY="3" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8"><circle class="dot" cx="3" cy="3" r="3"/></marker></defs>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="heading" x="${SIZES.margin}" y="28">${escaped(scene.title)}</text>`,
    `<text class="soft" x="${SIZES.margin}" y="48">${escaped(scene.question)}</text>`,
    ...placed.columns.filter(({ column }) => isShown(column.status)).map((column) => columnShape(column, side)),
    ...placed.bands.map(({ title, y }) => bandTitle(title, y)),
    ...boxes.map((box) => boxShape(box, side)),
    // Changed links are on top.
    ...links.sort((a, b) => DRAWN.indexOf(a.status) - DRAWN.indexOf(b.status)).map(shape),
    ...addition.shapes(boxes),
    ...(side === "changes" && scene.isDifference ? [legend(placed)] : []),
    "</svg>\n",
  ].join("\n");
}

/** Statuses of links, from the lowest layer to the top. */
const DRAWN: readonly ComparedLink["status"][] = ["same", "removed", "added", "moved"];

/** Boxes between the ends of a link: those above each other, or next to each other for a move. */
function passedBoxes(boxes: readonly PlacedBox[], byId: ReadonlyMap<string, PlacedBox>): (link: ComparedLink) => PlacedBox[] {
  return (link) => {
    const [one, other] = [byId.get(link.from)!, byId.get(link.to)!];
    if (link.status === "moved") {
      const [left, right] = one.x <= other.x ? [one, other] : [other, one];
      return boxes.filter(({ box, x }) => box.band === one.box.band && x > left.x && x < right.x);
    }
    const [upper, lower] = one.y <= other.y ? [one, other] : [other, one];
    const cell = upper.box.column === undefined ? lower : upper;
    if (cell.box.column === undefined) return [];
    return boxes.filter(
      ({ box, x, y, width, height }) =>
        box.band !== cell.box.band && y >= upper.y + upper.height && y + height <= lower.y && x < cell.x + cell.width && cell.x < x + width,
    );
  };
}

function pieceShape(placed: PlacedBox, { status, ...piece }: Piece, side: Side): string {
  const shape = outline(placed.box.role, { ...placed, ...piece });
  return side === "changes" && status !== "same" ? `<g class="${status}"><title>${escaped(placed.box.title)} (part ${status})</title>${shape}</g>` : shape;
}

/** Thin line between two pieces of a box, over columns that it does not belong to. */
function jointShape(left: Piece, right: Piece, { y, height }: PlacedBox): string {
  return `<path class="joint" d="M${left.x + left.width} ${y + height / 2}H${right.x}"/>`;
}

function columnShape({ column, x, y, width, height }: PlacedColumn, side: Side): string {
  const status = side === "changes" && column.status !== "same" ? ` ${column.status}` : "";
  const mark = status === "" ? "" : ` (${column.status})`;
  const lines = column.facts.map((fact, index) => textLine("soft", x + SIZES.padding, y + 34 + index * SIZES.line, fitting(factText(fact), width - 20)));
  const title = [`${column.title}${mark}`, ...column.facts.map(factText)].map(escaped).join("\n");
  return [
    `<g><title>${title}</title><rect class="column${status}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
    textLine("title", x + SIZES.padding, y + 18, fitting(`${column.title}${mark}`, boldCharacters(width - 20) * SIZES.character)),
    ...lines,
    "</g>",
  ].join("");
}

function bandTitle(title: string, y: number): string {
  return wrapped(title, SIZES.left - SIZES.margin - 8)
    .map((line, index) => textLine("soft", SIZES.margin, y + 16 + index * SIZES.line, line))
    .join("");
}

function textLine(className: string, x: number, y: number, text: string): string {
  return `<text class="${className}" x="${x}" y="${y}">${escaped(text)}</text>`;
}

function boxShape(placed: PlacedBox, side: Side): string {
  const { box, y } = placed;
  const pieces = placed.pieces.filter(({ status }) => !HIDDEN[side].has(status));
  const { x, width } = pieces[0] ?? placed;
  const isChange = side === "changes" && box.status !== "same";
  const className = side !== "changes" ? "" : box.status === "same" ? "near" : box.status;
  const word = isChange ? TAGS[box.status] : "";
  // Where a long title leaves no room, the sign shows it.
  const most = boldCharacters(width - 2 * SIZES.padding);
  const tag = box.title.length + 1 + word.length <= most ? word : word.slice(0, 1);
  const room = (most - (tag === "" ? 0 : tag.length + 1)) * SIZES.character;
  const shown = placed.lines.map((line) =>
    line.filter(({ status }) => side === "changes" || status === "same" || status === (side === "before" ? "removed" : "added")),
  );
  const whole = [`${box.title}${word === "" ? "" : ` (${word.slice(2)})`}`, ...box.facts.map((fact) => `${SIGNS[fact.status]}${factText(fact)}`)]
    .map(escaped)
    .join("\n");
  return [
    `<g class="box ${box.role}${className === "" ? "" : ` ${className}`}${box.represented.length > 0 ? " fold" : ""}" data-box="${escaped(box.id)}"><title>${whole}</title>`,
    ...pieces.map((piece) => pieceShape(placed, piece, side)),
    ...pieces.slice(1).map((piece, index) => jointShape(pieces[index]!, piece, placed)),
    textLine("title", x + SIZES.padding, y + 17, fitting(box.title, room)),
    tag === "" ? "" : `<text class="tag" text-anchor="end" x="${x + width - SIZES.padding}" y="${y + 16}">${tag}</text>`,
    ...shown
      .filter((line) => line.length > 0)
      .map((line, index) => factLine(line, x + SIZES.padding, y + SIZES.title + 13 + index * SIZES.line, width - 2 * SIZES.padding, side)),
    "</g>",
  ].join("");
}

const SIGNS = { same: "", added: "+ ", removed: "− " } as const;
const CLASSES = { same: "", added: "new", removed: "gone" } as const;

function factLine(line: Line, x: number, y: number, width: number, side: Side): string {
  const parts = line.map(({ text, status, isContinued }, index) => {
    const isChange = side === "changes" && status !== "same";
    // Apart from its text, so that a line through the text does not hide a minus.
    const sign = isContinued ? "  " : isChange ? SIGNS[status] : "";
    const shown = escaped(fitting(text, width - sign.length * SIZES.character));
    const lead = sign === "" ? "" : `<tspan${isChange ? ` class="sign ${status}"` : ""}>${sign}</tspan>`;
    return `${lead}<tspan${isChange ? ` class="${CLASSES[status]}"` : ""}>${shown}</tspan>${index < line.length - 1 ? "<tspan>   </tspan>" : ""}`;
  });
  return `<text x="${x}" y="${y}">${parts.join("")}</text>`;
}

function legend({ width, height }: Layout): string {
  const lines = legendLines(width - 2 * SIZES.margin);
  return lines.map((line, index) => textLine("soft", SIZES.margin, height - SIZES.margin - (lines.length - 1 - index) * SIZES.line, line)).join("\n");
}

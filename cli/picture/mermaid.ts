import { visible } from "@pulumi-ovn/provider/tools";
import { bytesOf, clipped } from "../diff/sizes";
import type { ComparedScene, Status } from "./compare";
import { fold, type FoldedBox, type FoldedScene } from "./fold";
import { factText, type Role } from "./model/scene";

/** Largest diagram that a renderer draws. */
export interface MermaidLimits {
  readonly characters: number;
  readonly edges: number;
}

/** Mermaid's own limits, which GitHub has. (mermaid, config.schema.yaml: maxTextSize, maxEdges) */
export const GITHUB: MermaidLimits = { characters: 50_000, edges: 500 };
/** Larger diagrams are drawn in a comment of GitLab only after a click. (docs.gitlab.com, GitLab Flavored Markdown, Mermaid) */
export const GITLAB: MermaidLimits = { characters: 2_000, edges: 500 };

/** Shapes by role: begin and end of a node. */
const SHAPES: Readonly<Record<Role, readonly [begin: string, end: string]>> = {
  outside: ["([", "])"],
  router: ["{{", "}}"],
  switch: ["[", "]"],
  workload: ["(", ")"],
  address: [">", "]"],
  service: ["[/", "/]"],
  rule: ["[", "]"],
  host: ["[", "]"],
};

const MARKS: Readonly<Record<Status, string>> = { same: "", added: "+ ", removed: "− ", changed: "~ ", moved: "→ ", left: "→ " };
const CLASSES: Readonly<Partial<Record<Status, string>>> = { added: "added", moved: "added", removed: "removed", left: "removed", changed: "changed" };
const STYLES = {
  added: "stroke:#116329,stroke-width:3px",
  removed: "stroke:#a40e26,stroke-dasharray:6 4",
  changed: "stroke:#7d4e00,stroke-width:3px",
} as const;

/** Detail levels, richest first: boxes, facts of a box, characters of a text. */
const DETAILS = [
  [40, 6, 60],
  [40, 2, 40],
  [24, 1, 40],
  [16, 1, 30],
  [12, 0, 30],
  [8, 0, 20],
] as const;

/** A folded scene as a Mermaid flowchart, with as much detail as the limits allow. */
export function mermaid(scene: ComparedScene, limits: MermaidLimits): string {
  for (const [boxes, facts, length] of DETAILS) {
    const folded = changedFirst(fold(scene, boxes), boxes);
    const text = flowchart(folded, facts, length);
    if (bytesOf(text) <= limits.characters && folded.links.length <= limits.edges) return text;
  }
  const changed = scene.boxes.filter(({ status }) => status !== "same").length;
  return `flowchart TB\n  all["${scene.boxes.length} boxes${scene.isDifference ? `, ${changed} changed` : ""}: too many for this picture"]\n`;
}

/** At most so many boxes: changed ones, then those that are linked to them. */
function changedFirst(scene: FoldedScene, most: number): FoldedScene {
  if (scene.boxes.length <= most) return scene;
  const changed = new Set(scene.boxes.filter(({ status }) => status !== "same").map(({ id }) => id));
  const near = new Set(scene.links.flatMap(({ from, to }) => (changed.has(from) || changed.has(to) ? [from, to] : [])));
  const rank = ({ id }: FoldedBox) => (changed.has(id) ? 0 : near.has(id) ? 1 : 2);
  const boxes = [...scene.boxes].sort((a, b) => rank(a) - rank(b)).slice(0, most);
  const ids = new Set(boxes.map(({ id }) => id));
  return { ...scene, boxes: scene.boxes.filter(({ id }) => ids.has(id)), links: scene.links.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

function flowchart({ boxes, columns, links, bands }: FoldedScene, facts: number, length: number): string {
  const order = new Map(bands.map(({ id }, index) => [id, index]));
  const names = new Map(boxes.map(({ id }, index) => [id, `b${index}`]));
  const node = (box: FoldedBox) =>
    `${names.get(box.id)!}${nodeText(box, facts, length)}${CLASSES[box.status] === undefined ? "" : `:::${CLASSES[box.status]!}`}`;
  const groups = columns.map((column, index) => {
    const own = boxes.filter(({ column: id }) => id === column.id);
    const mark = column.status === "same" ? "" : MARKS[column.status];
    return own.length === 0 ? [] : [`subgraph c${index}["${escapedLabel(`${mark}${column.title}`, length)}"]`, ...own.map((box) => ` ${node(box)}`), "end"];
  });
  const band = new Map(boxes.map((box) => [box.id, order.get(box.band) ?? 0]));
  const edges = links.map(({ from, to, status }) => {
    const [upper, lower] = status === "moved" || band.get(from)! <= band.get(to)! ? [from, to] : [to, from];
    return `${names.get(upper)!} ${status === "moved" ? "==>|moves|" : status === "removed" ? "-.-" : status === "added" ? "===" : "---"} ${names.get(lower)!}`;
  });
  const used = new Set(boxes.flatMap(({ status }) => CLASSES[status] ?? []));
  const styles = Object.entries(STYLES).flatMap(([name, style]) => (used.has(name) ? [`classDef ${name} ${style}`] : []));
  const lines = [...boxes.filter(({ column }) => column === undefined).map(node), ...groups.flat(), ...edges, ...styles];
  return `flowchart TB\n${lines.map((line) => `${line}\n`).join("")}`;
}

function nodeText({ role, title, status, facts }: FoldedBox, most: number, length: number): string {
  const signs = { same: "", added: "+ ", removed: "− " } as const;
  // Changed facts come first.
  const sorted = [...facts].sort((a, b) => Number(a.status === "same") - Number(b.status === "same"));
  const lines = [`${MARKS[status]}${title}`, ...sorted.slice(0, most).map((fact) => `${signs[fact.status]}${factText(fact)}`)];
  const [begin, end] = SHAPES[role];
  return `${begin}"${lines.map((line) => escapedLabel(line, length)).join("<br/>")}"${end}`;
}

/** Characters without a meaning in Mermaid and HTML. */
const PLAIN = /[\p{L}\p{N} .,:/_+=@…−→~\ufeff\u2060-]/u;
/** Markdown inside of a line: emphasis, parts of links, escapes; and Mermaid's formulas and icons. Not "_" inside of a word. */
const MARKDOWN = /[*~@$\\\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/|fa-)|(?<=www)\./giu;
/** A line that is not a block of Markdown, such as a list. */
const TEXT = /^(?!\d+[.)] )[\p{L}\p{N}]/u;

/**
 * Text of a label. Mermaid 11.4 reads labels as Markdown, also characters that are written as codes. It loses emphasis and refuses lists and links.
 * So characters without a width separate what would be Markdown: U+FEFF, which Markdown reads as a space, and U+2060, which it reads as a letter.
 * (mermaid.js.org, Flowcharts, Entity codes to escape characters)
 */
function escapedLabel(text: string, length: number): string {
  const characters = [...visible(clipped(text, 4 * length))];
  const shown = (characters.length > length ? [...characters.slice(0, length - 1), "…"] : characters).join("").replaceAll("`", "ˋ");
  const separated = shown.replace(MARKDOWN, "\ufeff$&\ufeff").replaceAll("\ufeff\ufeff", "\ufeff");
  return [...(TEXT.test(shown) ? separated : `\u2060${separated}`)]
    .map((character) => (PLAIN.test(character) ? character : `#${character.codePointAt(0)!};`))
    .join("");
}

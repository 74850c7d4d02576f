/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { DataBox, DataSide, PageData } from "./data";

/** The part of Panzoom that is used. (github.com/timmywil/panzoom) */
interface PanzoomObject {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly zoomWithWheel: (event: WheelEvent) => void;
  readonly pan: (x: number, y: number, options: { relative: boolean }) => void;
  readonly reset: () => void;
}

export type Panzoom = (element: HTMLElement, options: object) => PanzoomObject;

/**
 * Program of a page. The page contains its text, so it refers to nothing outside of itself. Texts of a stack are only ever set as text,
 * never as HTML.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- One function: the page contains its text.
export function client(panzoom: Panzoom): void {
  const MOST_RESULTS = 50;
  const find = <Type extends Element>(selector: string) => document.querySelector<Type>(selector)!;
  const data = JSON.parse(find("#data").textContent) as PageData;
  const byId = new Map(data.boxes.map((box) => [box.id, box]));
  const boxesOf = new Map<string, DataBox[]>();
  for (const box of data.boxes) if (box.fold !== "") boxesOf.set(box.fold, [...(boxesOf.get(box.fold) ?? []), box]);
  const details = find<HTMLElement>("#details");
  const view = find<HTMLElement>("#view");

  const element = (tag: string, text: string, ...children: readonly Node[]) => {
    const made = document.createElement(tag);
    made.textContent = text;
    made.append(...children);
    return made;
  };
  const button = (text: string, id: string) => {
    const made = element("button", text);
    made.addEventListener("click", () => select(id));
    return made;
  };
  const shapes = () => [...document.querySelectorAll<SVGGElement>(".side:not([hidden]) .box")];
  const shapeOf = (id: string) => shapes().find((shape) => shape.dataset["box"] === id);
  const label = ({ title, column, status }: DataBox) => `${title}${column === "" ? "" : ` in ${column}`}${status === "" ? "" : ` (${status})`}`;

  function select(id: string): void {
    const box = byId.get(id);
    const shown = box === undefined || box.fold === "" ? id : box.fold;
    for (const shape of document.querySelectorAll(".box")) shape.classList.toggle("selected", (shape as SVGGElement).dataset["box"] === shown);
    const folded = boxesOf.get(id) ?? [];
    if (folded.length > 0) details.replaceChildren(element("h2", `${folded.length} folded`), list(folded));
    else if (box !== undefined) details.replaceChildren(...describe(box));
    details.scrollTop = 0;
  }

  function describe(box: DataBox): Node[] {
    const facts = element(
      "ul",
      "",
      ...box.facts.map(([name, value, sign]) => element("li", `${sign === "" ? "" : `${sign} `}${name === "" ? value : `${name} ${value}`}`)),
    );
    const sources = box.sources.flatMap(([index, paths]) => {
      const { name, kind, before, after } = data.resources[index]!;
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      const sides =
        isSame || before === undefined || after === undefined
          ? side("", after ?? before, paths)
          : [...side("before: ", before, paths), ...side("after: ", after, paths)];
      return [element("h3", `${kind} ${name}`), ...sides];
    });
    return [element("h2", label(box)), facts, ...sources];
  }

  function side(when: string, given: DataSide | undefined, paths: readonly string[]): Node[] {
    if (given?.arguments === undefined) return [element("p", `${when}left out of this page: draw one network with --network`)];
    const chosen = Object.fromEntries(paths.map((path) => [path, at(given.arguments!, path)]).filter(([, value]) => value !== undefined));
    const rows = Object.entries(given.rows ?? {}).map(([row, line]) => `${row}: ${line}`);
    const shownRows = rows.length === 0 ? [] : [element("details", "", element("summary", `${when}rows (${rows.length})`), element("pre", rows.join("\n")))];
    return [element("h4", `${when}arguments`), element("pre", JSON.stringify(chosen, undefined, 2)), ...shownRows];
  }

  /** The value at a path. Names after the first dot may contain dots. */
  function at(values: Readonly<Record<string, unknown>>, path: string): unknown {
    const dot = path.indexOf(".");
    if (dot < 0) return values[path];
    const inner = values[path.slice(0, dot)];
    return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[path.slice(dot + 1)] : undefined;
  }

  function list(boxes: readonly DataBox[]): Node {
    const items = boxes.slice(0, MOST_RESULTS).map((box) => element("li", "", button(label(box), box.id)));
    const more = boxes.length > MOST_RESULTS ? [element("li", `${boxes.length - MOST_RESULTS} more: search for them`)] : [];
    return element("ul", "", ...items, ...more);
  }

  function search(words: string): void {
    const wanted = words.trim().toLowerCase();
    const hits =
      wanted === ""
        ? []
        : data.boxes.filter(({ title, facts }) => [title, ...facts.map(([, value]) => value)].some((text) => text.toLowerCase().includes(wanted)));
    const drawn = new Set(hits.map(({ id, fold }) => (fold === "" ? id : fold)));
    for (const shape of document.querySelectorAll<SVGGElement>(".box")) shape.classList.toggle("hit", drawn.has(shape.dataset["box"]!));
    find("#found").textContent = wanted === "" ? "" : `${hits.length} found`;
    find("#results").replaceChildren(...(hits.length === 0 ? [] : [list(hits)]));
  }

  function show(name: string): void {
    for (const each of document.querySelectorAll<HTMLElement>(".side")) each.hidden = each.id !== `side-${name}`;
  }

  /** Shows one path, or hides it if it is shown. */
  function toggleWay(chosen: HTMLButtonElement): void {
    const isShown = chosen.getAttribute("aria-pressed") === "true";
    for (const each of ways) each.setAttribute("aria-pressed", String(each === chosen && !isShown));
    for (const shape of document.querySelectorAll<SVGGElement>(".way"))
      shape.classList.toggle("shown", !isShown && shape.dataset["way"] === chosen.dataset["way"]);
    // The side that is shown may not have the path.
    if (!isShown && document.querySelector(".side:not([hidden]) .way.shown") === null) find<HTMLInputElement>("input[value=changes]").click();
  }

  const canvas = find<HTMLElement>("#canvas");
  const zoom = panzoom(canvas, { maxScale: 12, minScale: 0.2, step: 0.3, cursor: "grab", canvas: true });
  view.addEventListener("wheel", zoom.zoomWithWheel, { passive: false });
  const keys: Readonly<Record<string, () => void>> = {
    "+": zoom.zoomIn,
    "-": zoom.zoomOut,
    "0": zoom.reset,
    ArrowLeft: () => zoom.pan(60, 0, { relative: true }),
    ArrowRight: () => zoom.pan(-60, 0, { relative: true }),
    ArrowUp: () => zoom.pan(0, 60, { relative: true }),
    ArrowDown: () => zoom.pan(0, -60, { relative: true }),
  };
  view.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  for (const [id, action] of [
    ["zoom-in", zoom.zoomIn],
    ["zoom-out", zoom.zoomOut],
    ["zoom-reset", zoom.reset],
  ] as const)
    find(`#${id}`).addEventListener("click", () => action());

  let pressed = { x: 0, y: 0 };
  view.addEventListener("pointerdown", ({ clientX, clientY }) => (pressed = { x: clientX, y: clientY }), { capture: true });
  for (const shape of document.querySelectorAll<SVGGElement>(".box")) {
    shape.setAttribute("tabindex", "0");
    shape.setAttribute("role", "button");
    // The end of a drag is not a click.
    shape.addEventListener("click", ({ clientX, clientY }) => Math.hypot(clientX - pressed.x, clientY - pressed.y) < 5 && select(shape.dataset["box"]!));
    shape.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      select(shape.dataset["box"]!);
    });
  }
  for (const picture of document.querySelectorAll("svg.picture")) picture.setAttribute("role", "group");
  for (const each of document.querySelectorAll<HTMLElement>("[data-select]"))
    each.addEventListener("click", () => {
      select(each.dataset["select"]!);
      shapeOf(each.dataset["select"]!)?.focus({ preventScroll: true });
    });
  for (const each of document.querySelectorAll<HTMLInputElement>("input[name=side]")) each.addEventListener("change", () => show(each.value));
  const ways = [...document.querySelectorAll<HTMLButtonElement>("button[data-way]")];
  for (const each of ways) each.addEventListener("click", () => toggleWay(each));
  const field = find<HTMLInputElement>("#search");
  field.addEventListener("input", () => search(field.value));
}

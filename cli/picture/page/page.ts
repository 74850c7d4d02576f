import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { client } from "../client/client";
import type { ComparedBox, ComparedScene } from "../compare";
import { escaped } from "../draw/escape";
import { layout } from "../draw/layout";
import { type Side, svg } from "../draw/svg";
import { fold } from "../fold";
import type { Pictured } from "../resources";
import { pageData } from "./data";
import { drawnWays, effectsSection, type PageEffects } from "./effects";
import { PAGE_STYLE } from "./style";

/** A table next to the picture, such as live states. */
export interface PageTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly error: boolean }[];
  /** A sentence under the table. */
  readonly note?: string;
}

const SIDES: Readonly<Record<Side, string>> = { changes: "changes", before: "before", after: "after" };

/** One file that opens without a network: a picture to zoom and search, and what its boxes come from. */
export function page(pictured: Pictured, scene: ComparedScene, tables: readonly PageTable[] = [], effects?: PageEffects): string {
  const folded = fold(scene);
  const placed = layout(folded);
  const sides: readonly Side[] = scene.isDifference ? ["changes", "before", "after"] : ["after"];
  const scripts = [readFileSync(require.resolve("@panzoom/panzoom/dist/panzoom.min.js"), "utf8"), `(${client.toString()})(Panzoom);`];
  const hashes = scripts.map((script) => `'sha256-${hash("sha256", script, "base64")}'`).join(" ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${hashes}">
<title>${escaped(scene.title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<label>Search <input id="search" type="search" autocomplete="off"></label> <output id="found"></output>
${sides.length > 1 ? `<fieldset><legend>Show</legend>${sides.map(radio).join("")}</fieldset>` : ""}
<span class="zoom"><button id="zoom-in" aria-label="zoom in">+</button><button id="zoom-out" aria-label="zoom out">−</button><button id="zoom-reset">whole picture</button></span>
</header>
<main>
<section id="view" tabindex="0" aria-label="Picture. Plus and minus zoom, arrows move, 0 shows all of it; Tab goes from box to box."><div id="canvas">
${sides.map((side, index) => `<div class="side" id="side-${side}"${index > 0 ? " hidden" : ""}>${svg(placed, side, effects && drawnWays(effects))}</div>`).join("\n")}
</div></section>
<aside>
<section id="results" aria-live="polite"></section>
<section id="details" aria-live="polite"><p>Choose a box for its rows and the arguments that it comes from.</p></section>
${effects ? effectsSection(effects) : ""}
${scene.isDifference ? changes(scene) : ""}
${tables.map(table).join("\n")}
</aside>
</main>
<script id="data" type="application/json">${json(pageData(pictured, scene, folded))}</script>
${scripts.map((script) => `<script>${script}</script>`).join("\n")}
</body>
</html>
`;
}

function radio(side: Side, index: number): string {
  return `<label><input type="radio" name="side" value="${side}"${index === 0 ? " checked" : ""}>${SIDES[side]}</label>`;
}

/** Longest list of changes. The search finds the others. */
const MOST_CHANGES = 300;

function changes({ boxes, columns }: ComparedScene): string {
  const changed = boxes.filter(({ status }) => status !== "same" && status !== "left");
  const titles = new Map(columns.map(({ id, title }) => [id, title]));
  const line = ({ id, title, status, column, otherColumn }: ComparedBox) => {
    const to = column === undefined ? "" : ` in ${titles.get(column) ?? column}`;
    const text =
      status === "moved" ? `${title}: moves from ${titles.get(otherColumn ?? "") ?? otherColumn}${to.replace(" in ", " to ")}` : `${title}${to}: ${status}`;
    return `<li><button data-select="${escaped(id)}">${escaped(text)}</button></li>`;
  };
  const more = changed.length > MOST_CHANGES ? `<p>${changed.length - MOST_CHANGES} more</p>` : "";
  return `<section id="changes"><h2>${changed.length === 0 ? "No changes" : `Changes (${changed.length})`}</h2><ul>${changed.slice(0, MOST_CHANGES).map(line).join("")}</ul>${more}</section>`;
}

function table({ title, columns, rows, note }: PageTable): string {
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join("");
  const body = rows.map(
    ({ cells, error }) => `<tr${error ? ' class="error"' : ""}><td>${error ? "!" : ""}</td>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`,
  );
  return `<section class="table"><h2>${escaped(title)}</h2><table><thead><tr><td></td>${head}</tr></thead><tbody>${body.join("")}</tbody></table>${note === undefined ? "" : `<p>${escaped(note)}</p>`}</section>`;
}

/** JSON that can't end its element. */
function json(value: object): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

import { escaped } from "../draw/escape";
import type { DrawnWay, Way } from "../draw/ways";

/** A connection that an update changes, and its paths. */
export interface PageEffect {
  /** Such as "Lost". */
  readonly kind: string;
  readonly text: string;
  readonly ways: readonly Way[];
}

export interface PageEffects {
  /** The whole result in one line. */
  readonly summary: string;
  readonly effects: readonly PageEffect[];
}

/** Longest list of effects: each has a drawing on every side. */
const MOST_EFFECTS = 200;

const shownOf = ({ effects }: PageEffects) => effects.slice(0, MOST_EFFECTS);

/** Paths of the listed effects, with the numbers of their buttons. */
export function drawnWays(effects: PageEffects): DrawnWay[] {
  return shownOf(effects)
    .flatMap(({ ways }) => ways)
    .map((way, id) => ({ ...way, id }));
}

/** List of effects. A button for each path shows it in the picture. */
export function effectsSection(effects: PageEffects): string {
  let id = 0;
  const line = ({ text, ways }: PageEffect) => {
    const paths = ways.map((way) => `<li><button data-way="${id++}" aria-pressed="false">${escaped(`${way.side}: ${way.text}`)}</button></li>`);
    return `<li>${escaped(text)}<ul>${paths.join("")}</ul></li>`;
  };
  const groups = [...Map.groupBy(shownOf(effects), ({ kind }) => kind)].map(([kind, own]) => `<h3>${escaped(kind)}</h3><ul>${own.map(line).join("")}</ul>`);
  const left = effects.effects.length - shownOf(effects).length;
  return `<section id="effects"><h2>${escaped(effects.summary)}</h2>${groups.join("")}${left > 0 ? `<p>${left} more</p>` : ""}</section>`;
}

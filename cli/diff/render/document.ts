import { fit, isWhole, type Level, type Part } from "../fit";
import type { Difference } from "../model";
import { bytesOf } from "../sizes";

/** How much of a part a level shows. */
export type Shows = "line" | "counts" | "clipped" | "all";

export interface Section extends Part {
  readonly about: "target" | "resource" | "intent" | "effect" | "message";
  /** Number of targets, resources, intents, effects or messages. */
  readonly weight: number;
  readonly levels: readonly (Level & { readonly shows: Shows })[];
}

/** Parts that a document does not show. */
export interface Omitted {
  /** The limit that it had to keep to. */
  readonly bytes: number;
  /** Number of zones, hosts and clusters with shortened values. */
  readonly clipped: number;
  /** Number of those that are shown only as counts. */
  readonly counted: number;
  /** Number of those that are not shown at all. The total counts include them. */
  readonly targets: number;
  readonly resources: number;
  readonly intents: number;
  readonly effects: number;
  readonly messages: number;
}

/** A format's way to write a difference down. */
export interface Layout {
  readonly head: string;
  readonly sections: readonly Section[];
  /** Text after the sections, at most `NOTICE` bytes. `undefined`: nothing was omitted. */
  readonly tail: (omitted: Omitted | undefined) => string;
  /** No longer than what it makes of nothing and the texts together. */
  readonly join: (texts: readonly { readonly section: Section; readonly text: string }[]) => string;
}

/** Order in which levels get space when there is not enough: lower ranks first. */
export const RANKS = { message: 0, other: 3, line: 2, wholeMessage: 4, counts: 5, clipped: 6, all: 7 } as const;

/** Levels, shortest first. Leaves out a level that is not shorter than the next level. */
export function levels(...given: readonly (readonly [text: string, shows: Shows, rank: number])[]): Section["levels"] {
  const isShorter = (text: string, next: string | undefined) => next === undefined || bytesOf(text) < bytesOf(next);
  return given.flatMap(([text, shows, rank], index) => (isShorter(text, given[index + 1]?.[0]) ? [{ text, shows, rank }] : []));
}

/** The sections of targets, by level; irreversible changes precede the rest. */
export function targetLevels(
  dangerous: boolean,
  texts: { readonly line: string; readonly counts: string; readonly clipped?: string; readonly all: string },
): Section["levels"] {
  const order = ["line", "counts", "clipped", "all"] as const;
  return levels(...order.flatMap((shows) => (texts[shows] === undefined ? [] : [[texts[shows], shows, RANKS[shows] - (dangerous ? 0.5 : 0)] as const])));
}

export type Format = (difference: Difference) => Layout;

/** Characters reserved for the notice about omitted parts. */
const NOTICE = 700;

/** The whole document, in at most so many bytes. 0: however long it is. */
export function compose(layout: Layout, most: number): string {
  const { head, sections, tail, join } = layout;
  const texts = (chosen: readonly number[]) =>
    sections.flatMap((section, index) => (chosen[index]! < 0 ? [] : [{ section, text: section.levels[chosen[index]!]!.text }]));
  const whole = sections.map(({ levels }) => levels.length - 1);
  const everything = head + join(texts(whole)) + tail(undefined);
  if (most === 0 || bytesOf(everything) <= most) return everything;
  const frame = bytesOf(head) + bytesOf(join([])) + NOTICE;
  const chosen = fit(sections, most - frame);
  return head + join(texts(chosen)) + tail(isWhole(sections, chosen) ? undefined : omittedOf(sections, chosen, most));
}

function omittedOf(sections: readonly Section[], chosen: readonly number[], bytes: number): Omitted {
  const sum = (fits: (section: Section, shows: Shows | undefined) => boolean) =>
    sections.reduce((total, section, index) => total + (fits(section, section.levels[chosen[index]!]?.shows) ? section.weight : 0), 0);
  return {
    bytes,
    clipped: sum(({ about }, shows) => about === "target" && shows === "clipped"),
    counted: sum(({ about }, shows) => about === "target" && (shows === "counts" || shows === "line")),
    targets: sum(({ about }, shows) => about === "target" && shows === undefined),
    resources: sum(({ about }, shows) => about === "resource" && shows === undefined),
    intents: sum(({ about }, shows) => about === "intent" && shows === undefined),
    effects: sum(({ about }, shows) => about === "effect" && shows === undefined),
    messages: sum(({ about }, shows) => about === "message" && shows !== "all"),
  };
}

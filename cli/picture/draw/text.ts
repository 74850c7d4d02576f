import type { ComparedFact } from "../compare";
import { factText } from "../model/scene";

/** Sizes in pixels. */
export const SIZES = {
  left: 150,
  margin: 16,
  top: 64,
  column: 272,
  gap: 16,
  inset: 18,
  padding: 10,
  stack: 10,
  between: 34,
  line: 16,
  /** Height of a box's title. */
  title: 22,
  /** Average width of a character of the widest usual font. */
  character: 6.9,
  /** Width of a bold character. */
  bold: 7.7,
} as const;

/** Parts of one line, with what an update does to them. */
export type Line = readonly LinePart[];

interface LinePart {
  readonly text: string;
  readonly status: ComparedFact["status"];
  /** Whether it continues the previous line. */
  readonly isContinued?: boolean;
}

/** Facts in lines that are not wider than so many pixels. */
export function flow(facts: readonly ComparedFact[], width: number): Line[] {
  const lines: { text: string; status: ComparedFact["status"] }[][] = [];
  let used = Infinity;
  for (const fact of facts) {
    const text = factText(fact);
    const size = (text.length + 5) * SIZES.character;
    if (used + size > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)!.push({ text, status: fact.status });
    used += size;
  }
  return lines;
}

/** Facts below each other, at most ten: those that change first. A long one takes up to three lines. */
export function stackedLines(facts: readonly ComparedFact[], width: number): Line[] {
  const kept = new Set(
    facts.length <= MOST_FACTS ? facts : facts.toSorted((a, b) => Number(a.status === "same") - Number(b.status === "same")).slice(0, MOST_FACTS - 1),
  );
  const lines = facts
    .filter((fact) => kept.has(fact))
    .flatMap((fact): Line[] => {
      const lines = wrapped(factText(fact), width - 2 * SIZES.character);
      const shown = lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1]!} …`];
      return shown.map((text, index): Line => [{ text, status: fact.status, isContinued: index > 0 }]);
    });
  return kept.size === facts.length ? lines : [...lines, [{ text: `${facts.length - kept.size} more`, status: "same" }]];
}

const MOST_FACTS = 10;
const MOST_LINES = 3;

export function boxHeight(lines: readonly Line[]): number {
  return SIZES.title + lines.length * SIZES.line + SIZES.padding;
}

/** Number of bold characters that fit into so many pixels. */
export const boldCharacters = (width: number): number => Math.floor(width / SIZES.bold);

/** Text that fits into so many pixels. The whole text is in the shape's `<title>`. */
export function fitting(text: string, width: number): string {
  const most = Math.max(1, Math.floor(width / SIZES.character));
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Lines of words, each at most so many pixels wide. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && (last.length + 1 + word.length) * SIZES.character <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(fitting(word, width));
  }
  return lines;
}

const LEGEND = [
  "thick line, “+”: added",
  "dashed, “−”: removed",
  "thick, “~”: changed in place",
  "arrow: moved from dashed to thick",
  "thin and grey: unchanged",
];

/** Lines that explain a difference. */
export function legendLines(width: number): string[] {
  const parts = LEGEND.map((value) => ({ name: "", value, status: "same" as const }));
  return flow(parts, width).map((line) => line.map(({ text }) => text).join("      "));
}

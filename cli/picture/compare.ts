import type { Band, Box, Column, Fact, Link, Scene } from "./model/scene";
import { natural } from "./model/values";

/** `left`: the previous position of a box that moves. */
export type Status = "same" | "added" | "removed" | "changed" | "moved" | "left";

export interface ComparedFact extends Fact {
  readonly status: "same" | "added" | "removed";
}

export interface ComparedBox extends Omit<Box, "facts"> {
  readonly facts: readonly ComparedFact[];
  readonly status: Status;
  /** The other column of a box that moves. */
  readonly otherColumn: string | undefined;
  /** Columns that a wide box gains or loses. Keyed by the column's identity. */
  readonly columnChanges: ReadonlyMap<string, "added" | "removed">;
}

export interface ComparedColumn extends Column {
  readonly status: "same" | "added" | "removed";
}

export interface ComparedLink extends Link {
  readonly status: "same" | "added" | "removed" | "moved";
}

/** A scene before and after an update, laid over each other. */
export interface ComparedScene {
  readonly title: string;
  readonly question: string;
  /** Whether there is a scene before: then statuses are shown. */
  readonly isDifference: boolean;
  readonly columns: readonly ComparedColumn[];
  readonly bands: readonly Band[];
  readonly boxes: readonly ComparedBox[];
  readonly links: readonly ComparedLink[];
}

/** Lays two scenes over each other. Boxes are the same by their identity. Without `before` everything is unchanged. */
export function compareScenes(before: Scene | undefined, after: Scene): ComparedScene {
  const old = before ?? after;
  const [left, right] = [keyed(old.boxes, ({ id }) => id), keyed(after.boxes, ({ id }) => id)];
  const boxes = [...new Set([...left.keys(), ...right.keys()])].flatMap((id) => compareBoxes(left.get(id), right.get(id)));
  const linkKey = ({ from, to }: Link) => JSON.stringify([from, to]);
  // A box that moves has links of its own at each position.
  const moved = new Set(boxes.flatMap(({ id, status }) => (status === "moved" ? id : [])));
  const oldPlace = (id: string) => (moved.has(id) ? leftId(id) : id);
  const leftLinks = old.links.map((link) => ({ ...link, from: oldPlace(link.from), to: oldPlace(link.to) }));
  const [oldLinks, newLinks] = [keyed(leftLinks, linkKey), keyed(after.links, linkKey)];
  const links = [...new Set([...oldLinks.keys(), ...newLinks.keys()])].map((key): ComparedLink => {
    const [one, other] = [oldLinks.get(key), newLinks.get(key)];
    return { ...(other ?? one)!, status: presence(one, other) };
  });
  const moves = boxes.flatMap(({ id, status, title, otherColumn, column }): ComparedLink[] =>
    status === "moved" ? [{ from: leftId(id), to: id, title: `${title} moves from ${otherColumn} to ${column}`, status: "moved" }] : [],
  );
  const [oldColumns, newColumns] = [keyed(old.columns, ({ id }) => id), keyed(after.columns, ({ id }) => id)];
  const columns = [...new Set([...oldColumns.keys(), ...newColumns.keys()])].sort(natural).map((id): ComparedColumn => {
    const [one, other] = [oldColumns.get(id), newColumns.get(id)];
    return { ...(other ?? one)!, status: presence(one, other) };
  });
  const { title, question } = after;
  return { title, question, isDifference: before !== undefined, columns, bands: mergedBands(old.bands, after.bands), boxes, links: [...links, ...moves] };
}

/** Identity of the previous position of a box that moves. */
const leftId = (id: string): string => `${id} (before)`;

const keyed = <Item>(items: readonly Item[], key: (item: Item) => string) => new Map(items.map((item) => [key(item), item]));

function presence(before: unknown, after: unknown): "same" | "added" | "removed" {
  return before === undefined ? "added" : after === undefined ? "removed" : "same";
}

function compareBoxes(before: Box | undefined, after: Box | undefined): ComparedBox[] {
  const of = (box: Box, status: Status, facts: readonly ComparedFact[], otherColumn?: string): ComparedBox => ({
    ...box,
    status,
    facts,
    otherColumn,
    columnChanges: new Map(),
  });
  if (before === undefined || after === undefined) {
    const box = (after ?? before)!;
    const status = presence(before, after);
    return [
      of(
        box,
        status,
        box.facts.map((fact) => ({ ...fact, status: "same" })),
      ),
    ];
  }
  const facts = compareFacts(before.facts, after.facts);
  const columns = [...new Set([...before.columns, ...after.columns])];
  if (before.column === after.column) {
    const isSame = before.title === after.title && facts.every(({ status }) => status === "same");
    const columnChanges = new Map(
      columns.flatMap((id) => {
        const status = presence(before.columns.includes(id) || undefined, after.columns.includes(id) || undefined);
        return status === "same" ? [] : [[id, status] as const];
      }),
    );
    return [{ ...of({ ...after, columns }, isSame ? "same" : "changed", facts), columnChanges }];
  }
  const left = of(
    { ...before, id: leftId(before.id) },
    "left",
    before.facts.map((fact) => ({ ...fact, status: "same" })),
    after.column,
  );
  return [left, of(after, "moved", facts, before.column)];
}

/** Facts in the order of the new ones; a removed fact precedes the first added one of its name. */
function compareFacts(before: readonly Fact[], after: readonly Fact[]): ComparedFact[] {
  const key = ({ name, value }: Fact) => JSON.stringify([name, value]);
  const [old, wanted] = [new Set(before.map(key)), new Set(after.map(key))];
  const removed = before.filter((fact) => !wanted.has(key(fact)));
  const found: ComparedFact[] = [];
  const waiting = new Set(removed);
  for (const fact of after) {
    const isNew = !old.has(key(fact));
    if (isNew) {
      for (const removed of waiting) {
        if (removed.name !== fact.name) continue;
        waiting.delete(removed);
        found.push({ ...removed, status: "removed" });
      }
    }
    found.push({ ...fact, status: isNew ? "added" : "same" });
  }
  return [...found, ...[...waiting].map((fact): ComparedFact => ({ ...fact, status: "removed" }))];
}

/** Bands of both scenes. A band of the old scene keeps its position after its predecessor. */
function mergedBands(before: readonly Band[], after: readonly Band[]): Band[] {
  const bands = [...after];
  before.forEach((band, index) => {
    if (bands.some(({ id }) => id === band.id)) return;
    const previous = before[index - 1];
    bands.splice(previous === undefined ? 0 : bands.findIndex(({ id }) => id === previous.id) + 1, 0, band);
  });
  return bands;
}

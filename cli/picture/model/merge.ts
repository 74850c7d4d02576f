import type { Contribution } from "./layer2";
import type { Band, Box, Column, Link } from "./scene";
import { natural } from "./values";

/** One scene of several parts. Boxes with one id are one box. Bands without boxes are left out. */
export function merged(parts: readonly Contribution[]): Contribution {
  const boxes = new Map<string, Box>();
  const outside = outsideIds(parts.flatMap((part) => part.boxes));
  for (const given of parts.flatMap((part) => part.boxes)) {
    const box = { ...given, id: outside.get(given.id) ?? given.id };
    const known = boxes.get(box.id);
    boxes.set(box.id, known === undefined ? box : together(known, box));
  }
  const ids = new Set(boxes.keys());
  const used = new Set([...boxes.values()].map(({ band }) => band));
  const moved = parts.flatMap((part) => part.links).map((link) => ({ ...link, to: outside.get(link.to) ?? link.to }));
  const links = new Map(moved.map((link) => [JSON.stringify([link.from, link.to]), link]));
  return {
    columns: columnsOf(parts.flatMap((part) => part.columns)),
    bands: [...new Map(parts.flatMap((part) => part.bands).map((band): [string, Band] => [band.id, band])).values()].filter(({ id }) => used.has(id)),
    boxes: [...boxes.values()],
    links: [...links.values()].filter(({ from, to }: Link) => ids.has(from) && ids.has(to)),
  };
}

/** External networks with one name and a common subnet are one network. */
function outsideIds(boxes: readonly Box[]): Map<string, string> {
  const ids = new Map<string, string>();
  const first = new Map<string, string>();
  for (const { id, title, facts, role, column } of [...boxes].sort((a, b) => b.facts.length - a.facts.length || natural(a.id, b.id))) {
    if (role !== "outside" || column !== undefined) continue;
    const keys = facts.filter(({ name }) => name === "subnet").map(({ value }) => JSON.stringify([title, value]));
    const known = keys.flatMap((key) => first.get(key) ?? [])[0] ?? id;
    for (const key of keys) first.set(key, known);
    ids.set(id, known);
  }
  return ids;
}

function columnsOf(columns: readonly Column[]): Column[] {
  const found = new Map<string, Column>();
  for (const column of columns) {
    const known = found.get(column.id);
    const texts = new Map([...(known?.facts ?? []), ...column.facts].map((fact) => [JSON.stringify(fact), fact]));
    found.set(column.id, { ...(known ?? column), facts: [...texts.values()] });
  }
  return [...found.values()].sort((a, b) => natural(a.id, b.id));
}

function together(one: Box, other: Box): Box {
  const texts = new Map([...one.facts, ...other.facts].map((fact) => [JSON.stringify(fact), fact]));
  return { ...one, facts: [...texts.values()], columns: [...new Set([...one.columns, ...other.columns])], sources: [...one.sources, ...other.sources] };
}

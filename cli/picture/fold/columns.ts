import type { ComparedBox, ComparedColumn, ComparedScene } from "../compare";
import { natural } from "../model/values";
import type { FoldedColumn } from "./folded";

/** Columns of a folded scene, and where each column of the scene is in it. */
export interface ColumnFold {
  readonly columns: readonly FoldedColumn[];
  /** Keyed by the column's identity. */
  readonly target: ReadonlyMap<string, string>;
}

/** Chooses at most `most` columns: those with changes first, then one of each form; the others are one column. */
export function foldColumns(scene: ComparedScene, most: number): ColumnFold {
  const { columns } = scene;
  const own = (shown: readonly ComparedColumn[]) => shown.map((column): FoldedColumn => ({ ...column, count: 1 }));
  if (columns.length <= most) return { columns: own(columns), target: new Map(columns.map(({ id }) => [id, id])) };
  const boxesOf = Map.groupBy(scene.boxes, ({ column }) => column);
  const linksOf = Map.groupBy(scene.links, ({ from }) => from);
  const forms = Map.groupBy(columns, (column) => formOf(column, boxesOf.get(column.id) ?? [], (id) => (linksOf.get(id) ?? []).map(({ to }) => to)));
  const groups = [...forms.values()].sort((a, b) => rank(a[0]!, boxesOf) - rank(b[0]!, boxesOf) || natural(a[0]!.id, b[0]!.id));
  const shown: ComparedColumn[] = [];
  // One of each form, then further changed ones.
  for (const [first] of groups) if (shown.length < most - 1) shown.push(first!);
  for (const group of groups) for (const column of group.slice(1)) if (shown.length < most - 1 && rank(column, boxesOf) === 0) shown.push(column);
  const chosen = new Set(shown);
  const rest = columns.filter((column) => !chosen.has(column));
  const shownForms = groups.filter((group) => group.some((column) => chosen.has(column)));
  const like = shownForms.find((group) => rest.every((column) => group.includes(column)))?.find((column) => chosen.has(column));
  const fold: FoldedColumn = {
    id: "fold",
    title: `${rest.length} ${nounOf(rest[0]!)} ${like === undefined ? "more" : `like ${like.id}`}`,
    facts: [{ name: "", value: `${rest[0]!.id} … ${rest.at(-1)!.id}` }],
    status: new Set(rest.map(({ status }) => status)).size === 1 ? rest[0]!.status : "same",
    count: rest.length,
  };
  const kept = own(shown.sort((a, b) => natural(a.id, b.id)));
  return { columns: [...kept, fold], target: new Map([...shown.map(({ id }) => [id, id] as const), ...rest.map(({ id }) => [id, fold.id] as const)]) };
}

/** "zones" for "zone node1". */
function nounOf({ title }: ComparedColumn): string {
  return `${/^\w+/.exec(title)?.[0] ?? "column"}s`;
}

/** 0 for a column with changes. */
function rank(column: ComparedColumn, boxesOf: ReadonlyMap<string | undefined, readonly ComparedBox[]>): 0 | 1 {
  return column.status !== "same" || (boxesOf.get(column.id) ?? []).some(({ status }) => status !== "same") ? 0 : 1;
}

/** Equal for columns that differ only in names, addresses and numbers of workloads. */
function formOf(column: ComparedColumn, boxes: readonly ComparedBox[], targets: (id: string) => readonly string[]): string {
  const forms = boxes.map(({ band, role, status, facts, id }) => {
    const shared = facts.filter(({ value }) => !/\d/.test(value)).map(({ name, value }) => `${name} ${value}`);
    return JSON.stringify([
      band,
      status,
      role === "workload" ? [] : [shared, facts.map((fact) => `${fact.name} ${fact.status}`), targets(id).filter((to) => !/\d/.test(to))],
    ]);
  });
  return JSON.stringify([column.status, [...new Set(forms)].sort()]);
}

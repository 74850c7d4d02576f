import type { ComparedBox, ComparedColumn, ComparedScene } from "../compare";
import { natural } from "../model/values";
import type { FoldedColumn } from "./folded";

/** Columns of a folded scene, and where each column of the scene is in it. */
export interface ColumnFold {
  readonly columns: readonly FoldedColumn[];
  /** Keyed by the column's identity. */
  readonly target: ReadonlyMap<string, string>;
}

/** Chooses at most `most` columns: one of each form, then those with changes. The others are one column for each form, or one for all if there are many forms. */
export function foldColumns(scene: ComparedScene, most: number): ColumnFold {
  const { columns } = scene;
  const own = (shown: readonly ComparedColumn[]) => shown.map((column): FoldedColumn => ({ ...column, count: 1 }));
  if (columns.length <= most) return { columns: own(columns), target: new Map(columns.map(({ id }) => [id, id])) };
  const boxesOf = Map.groupBy(scene.boxes, ({ column }) => column);
  const linksOf = Map.groupBy(scene.links, ({ from }) => from);
  const forms = Map.groupBy(columns, (column) => formOf(column, boxesOf.get(column.id) ?? [], (id) => (linksOf.get(id) ?? []).map(({ to }) => to)));
  const groups = [...forms.values()].sort((a, b) => rank(a[0]!, boxesOf) - rank(b[0]!, boxesOf) || natural(a[0]!.id, b[0]!.id));
  const many = groups.filter((group) => group.length > 1).length;
  const isSplit = groups.length + many <= most;
  const room = most - (isSplit ? many : 1);
  const shown: ComparedColumn[] = [];
  // One of each form, then further changed ones.
  for (const [first] of groups) if (shown.length < room) shown.push(first!);
  for (const group of groups) for (const column of group.slice(1)) if (shown.length < room && rank(column, boxesOf) === 0) shown.push(column);
  const chosen = new Set(shown);
  const left = groups.map((group) => ({ like: group.find((column) => chosen.has(column)), rest: group.filter((column) => !chosen.has(column)) }));
  const open = left.filter(({ rest }) => rest.length > 0);
  const rest = columns.filter((column) => !chosen.has(column));
  const folds = isSplit || open.length === 1 ? open : [{ like: undefined, rest }];
  const folded = folds.filter((fold) => fold.rest.length > 1).map((fold) => ({ ...fold, column: foldOf(fold.rest, fold.like) }));
  const kept = own([...shown, ...folds.flatMap((fold) => (fold.rest.length === 1 ? fold.rest : []))].sort((a, b) => natural(a.id, b.id)));
  const target = [...kept.map(({ id }) => [id, id] as const), ...folded.flatMap((fold) => fold.rest.map(({ id }) => [id, fold.column.id] as const))];
  return { columns: [...kept, ...folded.map(({ column }) => column)], target: new Map(target) };
}

/** @param like a column of the same form. Undefined if the columns differ. */
function foldOf(columns: readonly ComparedColumn[], like: ComparedColumn | undefined): FoldedColumn {
  return {
    id: `fold ${like?.id ?? ""}`,
    title: `${columns.length} ${nounOf(columns[0]!)} ${like === undefined ? "more" : `like ${like.id}`}`,
    facts: [{ name: "", value: `${columns[0]!.id} … ${columns.at(-1)!.id}` }],
    status: new Set(columns.map(({ status }) => status)).size === 1 ? columns[0]!.status : "same",
    count: columns.length,
  };
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

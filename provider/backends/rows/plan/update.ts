import type { Atom, ColumnSchema, Mutation, TableSchema, Value } from "@pulumi-ovn/ovsdb-client";
import { ownedColumns } from "../marks/owned-columns";
import { byUuid, type LiveRow } from "../database/row";
import { sameMeaning } from "../database/meanings";
import { COLUMNS_KEY, noteIn, noteOf, type OwnColumns } from "../marks/note";
import type { ResolvedRow } from "../set/resolve";
import { type PlanInput, refuseForeign, RowRefusal, type Step, type Subject } from "./steps";
import { defaultValue, isResolvedMap, mapChange, setChange, toValue } from "../set/values";

/** The operations that make a row what it is to be; none when it is. */
export function updateSteps(input: PlanInput, row: ResolvedRow): Step[] {
  const table = input.schema.table(row.table);
  const live = input.live.get(row.uuid)!;
  refuseForeign(input, row, live);
  const { values, mutations } = columnChanges(table, row, live, ownedColumns(row, live, input, table));
  // A row of an older release has no note, and none is written for its own sake.
  if (Object.keys(values).length + mutations.length === 0 && noteIn(live) === undefined) return [];
  mutations.push(...noteMutations(row, live));
  const where = byUuid(row);
  const subject: Subject = { kind: "write", row };
  const steps: Step[] = [];
  if (Object.keys(values).length > 0) {
    steps.push({ operation: { op: "update", table: row.table, where, row: table.encodeRow(values) }, subject });
  }
  if (mutations.length > 0) steps.push({ operation: { op: "mutate", table: row.table, where, mutations }, subject });
  return steps;
}

/** Columns of a row to write and to clear. Throws a RowRefusal for an immutable column. */
export function columnChanges(
  table: TableSchema,
  row: ResolvedRow,
  live: LiveRow,
  dropped: OwnColumns,
): { values: Record<string, Value>; mutations: Mutation[] } {
  const values: Record<string, Value> = {};
  const mutations: Mutation[] = [];
  for (const name of new Set([...Object.keys(row.columns), ...dropped.keys()])) {
    const column = table.column(name);
    const desired = row.columns[name];
    const removals = dropped.get(name);
    if (isResolvedMap(desired) || removals instanceof Set) {
      const own = isResolvedMap(desired) ? desired : { map: {} };
      const { remove, insert } = mapChange(column, own, removals instanceof Set ? [...removals] : [], live[name]!);
      if (remove.length > 0) mutations.push([name, "delete", ["set", remove]]);
      if (insert.size > 0) mutations.push([name, "insert", column.encode(insert)]);
      continue;
    }
    const value = desired === undefined ? defaultValue(column) : toValue(column, desired);
    const ofElements = elementMutations(column, value, live[name]!);
    if (ofElements) {
      mutations.push(...ofElements);
      continue;
    }
    if (sameMeaning(column, value, live[name]!)) continue;
    if (!column.mutable) throw new RowRefusal("immutable", row, [name]);
    values[name] = value;
  }
  return { values, mutations };
}

/** Sets from this size are changed element by element: the server's work, and ours, then grows with the change. */
const LARGE_SET = 32;

/** Mutations of a set; undefined if it is better written as a whole. Insertions come first, because a set may need an element. */
function elementMutations(column: ColumnSchema, desired: Value, live: Value): Mutation[] | undefined {
  if (!column.isSet || !column.mutable || column.type.max !== Infinity) return undefined;
  const [wanted, present] = [desired as readonly Atom[], live as readonly Atom[]];
  if (wanted.length < LARGE_SET || present.length < LARGE_SET) return undefined;
  const { insert, remove } = setChange(wanted, present);
  if (insert.length + remove.length > wanted.length / 2) return undefined;
  return [
    ...(insert.length === 0 ? [] : [[column.name, "insert", column.encode(insert)] as const]),
    ...(remove.length === 0 ? [] : [[column.name, "delete", column.encode(remove)] as const]),
  ];
}

function noteMutations(row: ResolvedRow, live: LiveRow): Mutation[] {
  if (!("external_ids" in row.columns)) return [];
  const note = noteOf(row.columns);
  if (note === noteIn(live)) return [];
  const removal: Mutation = ["external_ids", "delete", ["set", [COLUMNS_KEY]]];
  return note === undefined ? [removal] : [removal, ["external_ids", "insert", ["map", [[COLUMNS_KEY, note]]]]];
}

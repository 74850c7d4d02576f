import type { ColumnSchema, DatabaseSchema, Mutation, Operation } from "@pulumi-ovn/ovsdb-client";
import type { ResolvedContribution } from "./contributions";
import { RowError } from "../errors";
import { byUuid, type LiveRow, type Snapshot } from "../database/row";
import { type Placed, placeKey, surplusContributions } from "./surplus";
import type { ContributionLocation } from "../set";
import { currentValue, entryOf, listItems } from "./values";
import type { Step } from "../plan/steps";

export interface ContributionInput {
  readonly schema: DatabaseSchema;
  readonly owner: string;
  readonly desired: readonly ResolvedContribution[];
  /** Contributions of an earlier version, and others with the resource's mark. */
  readonly previous: readonly ResolvedContribution[];
  readonly live: Snapshot;
}

/** Changes of one row: map entries from what was read to what is to be (undefined: absent), and elements of sets. */
interface RowChange {
  readonly table: string;
  readonly uuid: string;
  readonly label: string;
  readonly live: LiveRow;
  readonly entries: Map<string, Map<string, string | undefined>>;
  readonly sets: Map<string, { readonly insert: string[]; readonly delete: string[] }>;
}

/**
 * Pure: the operations that put in what is desired, and take out what was put in before and is desired no more; none
 * when nothing differs. The transaction fails, to be planned again, when a value that is read here and written is not
 * what it was: so two writers of one list lose nothing.
 */
export function planContributions(input: ContributionInput): Step[] {
  const changes = new Map<string, RowChange>();
  const { schema, owner, desired, previous, live } = input;
  const wanted = new Set(desired.map(placeKey));
  for (const contribution of [...previous, ...surplusContributions([...desired, ...previous], live, owner, schema)]) {
    if (!wanted.has(placeKey(contribution))) takeOut(input, changes, contribution);
  }
  for (const contribution of desired) putIn(input, changes, contribution);
  return [...changes.values()].flatMap((change) => stepsOf(schema, change));
}

function changeOf(changes: Map<string, RowChange>, { table, uuid, label }: Placed, live: LiveRow): RowChange {
  const change = changes.get(uuid!) ?? { table, uuid: uuid!, label, live, entries: new Map(), sets: new Map() };
  changes.set(uuid!, change);
  return change;
}

function putIn(input: ContributionInput, changes: Map<string, RowChange>, contribution: ResolvedContribution): void {
  const live = input.live.get(contribution.uuid!);
  const { table, label, mark, value } = contribution;
  if (!live) throw new RowError("OVN_NOT_FOUND", `${label}: there is no such row of ${table}`, label);
  const holder = entryOf(live, "external_ids", mark);
  const current = currentValue(contribution, live);
  if (holder !== undefined && holder !== input.owner) throw new RowError("OVN_FOREIGN_ROW", `${label} belongs to ${holder}; remove it there first`, label);
  if (current === value) return;
  if (current !== undefined && holder === undefined) {
    throw new RowError("OVN_CLAIMED", `${label} is ${JSON.stringify(current)} already, set by another writer; choose another name, or remove it first`, label);
  }
  const change = changeOf(changes, contribution, live);
  setPart(change, contribution, value);
  setEntry(change, "external_ids", mark, input.owner);
}

/** Exactly what was put in: something with another value by now, or with another's mark or none, is not ours. */
function takeOut(input: ContributionInput, changes: Map<string, RowChange>, contribution: Placed): void {
  const live = contribution.uuid === undefined ? undefined : input.live.get(contribution.uuid);
  if (!live || entryOf(live, "external_ids", contribution.mark) !== input.owner) return;
  const change = changeOf(changes, contribution, live);
  if (currentValue(contribution, live) === contribution.value) setPart(change, contribution, undefined);
  setEntry(change, "external_ids", contribution.mark, undefined);
}

function setPart(change: RowChange, { column, key, name }: ContributionLocation, value: string | undefined): void {
  if (key === undefined) {
    const sets = change.sets.get(column) ?? { insert: [], delete: [] };
    sets[value === undefined ? "delete" : "insert"].push(name!);
    change.sets.set(column, sets);
  } else if (name === undefined) {
    setEntry(change, column, key, value);
  } else {
    const planned = change.entries.get(column);
    const text = planned?.has(key) ? planned.get(key) : entryOf(change.live, column, key);
    const others = listItems(text).filter((item) => item.name !== name);
    const list = [...others.map((item) => item.text), ...(value === undefined ? [] : [`${name}:${value}`])].join(",");
    setEntry(change, column, key, list === "" ? undefined : list);
  }
}

function setEntry(change: RowChange, column: string, key: string, value: string | undefined): void {
  const entries = change.entries.get(column) ?? new Map<string, string | undefined>();
  change.entries.set(column, entries.set(key, value));
}

function stepsOf(schema: DatabaseSchema, change: RowChange): Step[] {
  const { table, uuid, live } = change;
  const where = byUuid({ uuid });
  const column = (name: string) => schema.table(table).column(name);
  const mutations: Mutation[] = [];
  const before: Record<string, Map<string, string>> = {};
  const after: Record<string, Map<string, string>> = {};
  for (const [name, entries] of change.entries) {
    const old = [...entries.keys()].flatMap((key): [string, string][] => (entryOf(live, name, key) === undefined ? [] : [[key, entryOf(live, name, key)!]]));
    const fresh = [...entries].flatMap(([key, value]): [string, string][] => (value === undefined ? [] : [[key, value]]));
    if (old.length > 0) mutations.push([name, "delete", column(name).encode((before[name] = new Map(old)))]);
    if (fresh.length > 0) mutations.push([name, "insert", column(name).encode((after[name] = new Map(fresh)))]);
  }
  for (const [name, { insert, delete: removals }] of change.sets) {
    if (removals.length > 0) mutations.push([name, "delete", setOf(column(name), removals)]);
    if (insert.length > 0) mutations.push([name, "insert", setOf(column(name), insert)]);
  }
  const subject = { kind: "shared", label: change.label } as const;
  const holds = (values: Record<string, Map<string, string>>): Step[] => {
    const conditions = Object.entries(values).map(([name, map]) => [name, "includes", column(name).encode(map)] as const);
    if (conditions.length === 0) return [];
    // Inserting a key that another writer has just made keeps that one's value, without an error: so look again afterwards.
    const operation: Operation = { op: "wait", table, where: [...where, ...conditions], columns: ["_uuid"], until: "!=", rows: [], timeout: 0 };
    return [{ operation, subject }];
  };
  return [...holds(before), { operation: { op: "mutate", table, where, mutations }, subject }, ...holds(after)];
}

function setOf({ type }: ColumnSchema, texts: readonly string[]): Mutation[2] {
  const atom = (text: string) => (type.key.type === "uuid" ? (["uuid", text] as const) : type.key.type === "integer" ? Number(text) : text);
  return ["set", texts.map(atom)];
}

import type { DatabaseSchema, Mutation, Mutator, Operation, Value } from "@pulumi-ovn/ovsdb-client";
import { claimGuard, existsGuard, holdsGuard, ownedGuard, parentGuard } from "./guards";
import { byUuid, childColumns, type LiveRow, type Snapshot } from "./live";
import { sameMeaning } from "./meanings";
import { ownerIn } from "./ownership";
import type { ResolvedParent, ResolvedRow } from "./resolve";
import type { Claim } from "./rowset";
import { defaultValue, isResolvedMap, mapChange, toValue } from "./values";

/** What an operation is there for: a failure is explained by it. */
export type Subject =
  | { readonly kind: "comment" }
  | { readonly kind: "exists" | "write"; readonly row: ResolvedRow }
  | { readonly kind: "parent"; readonly row: ResolvedRow; readonly parent: ResolvedParent }
  | { readonly kind: "claim"; readonly row: ResolvedRow; readonly claim: Claim }
  | { readonly kind: "empty"; readonly row: ResolvedRow }
  | { readonly kind: "shared"; readonly label: string };

export interface Step {
  readonly operation: Operation;
  readonly subject: Subject;
}

export interface PlanInput {
  readonly schema: DatabaseSchema;
  readonly owner: string;
  /** Other owners whose rows may be taken over. */
  readonly managers: readonly string[];
  /** Rows that must exist afterwards. */
  readonly desired: readonly ResolvedRow[];
  /** Rows that an earlier version of this resource had. */
  readonly previous: readonly ResolvedRow[];
  readonly live: Snapshot;
  /** UUIDs of others' rows that may go with the rows that hold them. */
  readonly carried: ReadonlySet<string>;
}

/** A row that can't be written, found before anything is sent. */
export class RowRefusal extends Error {
  constructor(
    readonly reason: "foreign" | "immutable" | "not-empty",
    readonly row: ResolvedRow,
    /** foreign: the owner; immutable: the column; not-empty: UUIDs of the rows inside. */
    readonly details: readonly string[],
  ) {
    super(`${reason}: ${row.label}`);
  }
}

/**
 * Pure: the operations of ONE transaction that lead from the live rows to the desired ones; none when nothing differs.
 * Rows and map keys of others are left alone, and the sets of parents are mutated, never replaced.
 */
export function plan(input: PlanInput): Step[] {
  const wanted = new Set(input.desired.map((row) => row.uuid));
  const gone = input.previous.filter((row) => !wanted.has(row.uuid) && input.live.has(row.uuid));
  const before = new Map(input.previous.map((row) => [row.uuid, row]));
  const missing = input.desired.filter((row) => !input.live.has(row.uuid));
  const changes = input.desired
    .filter((row) => input.live.has(row.uuid))
    .map((row) => ({ row, steps: updateSteps(input, row, before.get(row.uuid)) }))
    .filter(({ steps }) => steps.length > 0);

  const guards: Step[] = [...gone, ...changes.map(({ row }) => row)].map((row) => ({
    operation: guardOf(input, row),
    subject: { kind: "exists", row },
  }));
  const steps = [
    ...guards,
    ...removalSteps(input, gone),
    ...missing.map((row): Step => ({ operation: insertOf(input.schema, row), subject: { kind: "write", row } })),
    ...changes.flatMap(({ steps: own }) => own),
    ...parentSteps(input, missing, before),
    ...claimSteps(input, missing, changes.map(({ row }) => row)),
  ];
  return steps;
}

function guardOf(input: PlanInput, row: ResolvedRow): Operation {
  const live = input.live.get(row.uuid)!;
  const owner = ownerIn(live);
  return owner === undefined ? existsGuard(row, input.schema.table(row.table), live) : ownedGuard(row, owner);
}

function refuseForeign(input: PlanInput, row: ResolvedRow, live: LiveRow): void {
  const owner = ownerIn(live);
  if (owner === undefined || owner === input.owner || input.managers.includes(owner)) return;
  throw new RowRefusal("foreign", row, [owner]);
}

function insertOf(schema: DatabaseSchema, row: ResolvedRow): Operation {
  const table = schema.table(row.table);
  const values: Record<string, Value> = {};
  for (const [name, desired] of Object.entries(row.columns)) values[name] = toValue(table.column(name), desired);
  return { op: "insert", table: row.table, uuid: row.uuid, row: table.encodeRow(values) };
}

function updateSteps(input: PlanInput, row: ResolvedRow, before: ResolvedRow | undefined): Step[] {
  const table = input.schema.table(row.table);
  const live = input.live.get(row.uuid)!;
  refuseForeign(input, row, live);
  const values: Record<string, Value> = {};
  const mutations: Mutation[] = [];
  for (const name of new Set([...Object.keys(row.columns), ...Object.keys(before?.columns ?? {})])) {
    const column = table.column(name);
    const desired = row.columns[name];
    const earlier = before?.columns[name];
    if (isResolvedMap(desired) || (desired === undefined && isResolvedMap(earlier))) {
      const own = isResolvedMap(desired) ? desired : { map: {} };
      const dropped = isResolvedMap(earlier) ? Object.keys(earlier.map).filter((key) => !(key in own.map)) : [];
      const { remove, insert } = mapChange(column, own, dropped, live[name]!);
      if (remove.length > 0) mutations.push([name, "delete", ["set", remove]]);
      if (insert.size > 0) mutations.push([name, "insert", column.encode(insert)]);
      continue;
    }
    const value = desired === undefined ? defaultValue(column) : toValue(column, desired);
    if (sameMeaning(column, value, live[name]!)) continue;
    if (!column.mutable) throw new RowRefusal("immutable", row, [name]);
    values[name] = value;
  }
  const where = byUuid(row);
  const steps: Step[] = [];
  const subject: Subject = { kind: "write", row };
  if (Object.keys(values).length > 0) {
    steps.push({ operation: { op: "update", table: row.table, where, row: table.encodeRow(values) }, subject });
  }
  if (mutations.length > 0) {
    steps.push({ operation: { op: "mutate", table: row.table, where, mutations }, subject });
  }
  return steps;
}

function removalSteps(input: PlanInput, gone: readonly ResolvedRow[]): Step[] {
  const going = new Map(gone.map((row) => [row.uuid, row]));
  const steps: Step[] = [...setMutations(gone, "delete")];
  for (const row of gone) {
    const live = input.live.get(row.uuid)!;
    refuseForeign(input, row, live);
    const table = input.schema.table(row.table);
    const inside = childColumns(input.schema, table).map((name) => [name, (live[name] ?? []) as readonly string[]] as const);
    const others = inside.flatMap(([, uuids]) => uuids).filter((uuid) => !going.has(uuid) && !input.carried.has(uuid));
    if (others.length > 0) throw new RowRefusal("not-empty", row, others);
    // Rows that name this one as their parent have left its sets by now; those that a column of it names are there still.
    const left = inside.map(([name, uuids]) => [name, uuids.filter((uuid) => going.get(uuid)?.parent?.uuid !== row.uuid)] as const);
    if (left.length > 0) steps.push({ operation: holdsGuard(row, table, Object.fromEntries(left)), subject: { kind: "empty", row } });
  }
  for (const row of gone) {
    steps.push({ operation: { op: "delete", table: row.table, where: byUuid(row) }, subject: { kind: "write", row } });
  }
  return steps;
}

/** One mutation of each parent's set, however many of its rows come or go. */
function setMutations(rows: readonly ResolvedRow[], mutator: Mutator): Step[] {
  const groups = new Map<string, ResolvedRow[]>();
  for (const row of rows) {
    if (!row.parent) continue;
    const group = `${row.parent.table}\0${row.parent.uuid}\0${row.parent.column}`;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return [...groups.values()].map((members) => {
    const [row] = members as [ResolvedRow];
    const { table, column } = row.parent!;
    const uuids = members.map(({ uuid }) => ["uuid", uuid] as const);
    const operation: Operation = { op: "mutate", table, where: byUuid(row.parent!), mutations: [[column, mutator, ["set", uuids]]] };
    return { operation, subject: { kind: "write", row } };
  });
}

/** New rows enter their parents' sets; a row whose parent is another one now leaves the old set first. */
function parentSteps(input: PlanInput, missing: readonly ResolvedRow[], before: ReadonlyMap<string, ResolvedRow>): Step[] {
  const absent = new Set(missing.map((row) => row.uuid));
  const moved = input.desired.filter((row) => {
    const earlier = before.get(row.uuid);
    return !absent.has(row.uuid) && earlier?.parent !== undefined && earlier.parent.uuid !== row.parent?.uuid;
  });
  const entering = [...missing, ...moved].filter((row) => row.parent);
  const own = new Set(input.desired.map((row) => row.uuid));
  const guarded = new Map(entering.filter((row) => !own.has(row.parent!.uuid)).map((row) => [row.parent!.uuid, row]));
  return [
    ...[...guarded.values()].map((row): Step => {
      return { operation: parentGuard(row.parent!), subject: { kind: "parent", row, parent: row.parent! } };
    }),
    ...setMutations(moved.map((row) => before.get(row.uuid)!), "delete"),
    ...setMutations(entering, "insert"),
  ];
}

/** At the end, when every row of this transaction holds its new values. */
function claimSteps(input: PlanInput, ...groups: (readonly ResolvedRow[])[]): Step[] {
  return groups.flat().flatMap((row) =>
    row.claims.map((claim): Step => {
      const column = input.schema.table(claim.table).column(claim.column);
      return { operation: claimGuard(row, claim, column), subject: { kind: "claim", row, claim } };
    }),
  );
}

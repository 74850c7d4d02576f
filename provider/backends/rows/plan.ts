import type { DatabaseSchema, Operation } from "@pulumi-ovn/ovsdb-client";
import { asWritten } from "./marks/as-written";
import { claimGuard, existsGuard, ownedGuard, parentGuard } from "./plan/guards";
import { OWNER_KEY } from "../../kit/identity";
import { setMutations } from "./plan/parent-references";
import { COLUMNS_KEY, noteIn } from "./marks/note";
import { ownerIn } from "./marks/ownership";
import { goingSteps, removalSteps } from "./plan/removal";
import type { ParentReference, ResolvedRow } from "./set/resolve";
import { RowRefusal, type PlanInput, type Step } from "./plan/steps";
import { updateSteps } from "./plan/update";

/**
 * Pure: operations of ONE transaction from the live rows to the desired ones; none if nothing differs. Foreign rows and map keys stay, and sets
 * of parents are mutated, never replaced.
 */
export function plan(input: PlanInput): Step[] {
  const { schema, desired, live } = input;
  const missing = desired.filter((row) => !live.has(row.uuid));
  const lost = missing.find(({ source }) => input.unlisted?.has(source));
  if (lost) throw new RowRefusal("unlisted", lost, []);
  const staying = missing.length === desired.length ? [] : desired.filter((row) => live.has(row.uuid));
  const changes = staying.map((row) => ({ row, steps: updateSteps(input, row) })).filter(({ steps }) => steps.length > 0);
  return [
    ...goingSteps(input),
    ...changes.map(({ row }): Step => ({ operation: stayingGuard(input, row), subject: { kind: "exists", row } })),
    ...setMutations(input.leaving, "delete"),
    ...removalSteps(input),
    ...missing.map((row): Step => ({ operation: insertOf(schema, row), subject: { kind: "write", row } })),
    ...changes.flatMap(({ steps }) => steps),
    ...parentSteps(input, missing),
    ...claimSteps(input, [...missing, ...changes.map(({ row }) => row)]),
  ];
}

/**
 * Guard by which an update without a read detects what an interrupted run set. A missing annotation can't be tested, so a row without one must
 * have exactly the expected `external_ids`.
 */
function stayingGuard({ live, schema }: PlanInput, row: ResolvedRow): Operation {
  const found = live.get(row.uuid)!;
  const [owner, note] = [ownerIn(found), noteIn(found)];
  if (owner === undefined || note === undefined) return existsGuard(row, schema.table(row.table), found);
  return ownedGuard(row, [
    [OWNER_KEY, owner],
    [COLUMNS_KEY, note],
  ]);
}

function insertOf(schema: DatabaseSchema, row: ResolvedRow): Operation {
  return { op: "insert", table: row.table, uuid: row.uuid, row: schema.table(row.table).encodeRow(asWritten(schema, row)) };
}

/** New rows, and those that are elsewhere, enter their parents' sets. */
function parentSteps({ desired, astray }: PlanInput, missing: readonly ResolvedRow[]): Step[] {
  const entering: ParentReference[] = [];
  for (const row of [...missing, ...astray]) if (row.parent) entering.push({ row, parent: row.parent });
  const guarded = new Map(entering.map((reference) => [reference.parent.uuid, reference]));
  for (const { uuid } of desired) guarded.delete(uuid);
  return [
    ...[...guarded.values()].map(({ row, parent }): Step => ({ operation: parentGuard(parent), subject: { kind: "parent", row, parent } })),
    ...setMutations(entering, "insert"),
  ];
}

/** At the end, when every row of this transaction holds its new values. */
function claimSteps({ schema, owner }: PlanInput, rows: readonly ResolvedRow[]): Step[] {
  const steps: Step[] = [];
  for (const row of rows) {
    for (const claim of row.claims) {
      const column = schema.table(claim.table).column(claim.column);
      steps.push({ operation: claimGuard(row, claim, column, owner), subject: { kind: "claim", row, claim } });
    }
  }
  return steps;
}

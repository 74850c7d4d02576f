import type { DatabaseSchema, Operation, TableSchema } from "@pulumi-ovn/ovsdb-client";
import { liveState } from "../live/drift";
import { RowError } from "../errors";
import { existsGuard } from "../plan/guards";
import { byUuid } from "../database/row";
import { isNamed, managerOf, ownerIn } from "../marks/ownership";
import { adoptionKey, type Adopted, type ResolvedRow } from "../set/resolve";
import type { DatabaseName } from "../../../targets/database";
import type { Step } from "../plan/steps";
import { columnChanges } from "../plan/update";
import { toValue } from "../set/values";
import type { JointGroup } from "./groups";
import { groupKey, liveKey, type JointSurvey, type LiveGroup } from "./observe";
import { resolveGroup, snapshotOf } from "./resolve";
import { isOfKind, leavingMutations, usersOf } from "./users";

export interface JointInput {
  readonly schema: DatabaseSchema;
  readonly owner: string;
  readonly desired: readonly JointGroup[];
  readonly previous: readonly JointGroup[];
  readonly survey: JointSurvey;
  readonly adopted?: Adopted | undefined;
  readonly managers: readonly string[];
}

/**
 * Pure: operations that create each desired row, or add the owner's mark to an existing row of the kind; and that remove the mark from unwanted
 * rows, or the row without other users. Throws a RowError for a foreign row, and for users that disagree.
 */
export function planJoint(input: JointInput): Step[] {
  const { schema, owner, desired, previous, survey } = input;
  const wanted = new Set(desired.map(({ row }) => groupKey(schema, row)));
  const earlier = previous.flatMap(({ row }) => survey.found.get(groupKey(schema, row)) ?? []);
  const leaving = new Map([...earlier, ...survey.marked].filter(({ table, live }) => !wanted.has(liveKey(table, live))).map((group) => [group.uuid, group]));
  return [
    ...[...leaving.values()].filter(({ live }) => usersOf(live).includes(owner)).flatMap((group) => leave(schema, owner, group)),
    ...desired.flatMap((group) => enter(input, group, survey.found.get(groupKey(schema, group.row)))),
  ];
}

function leave(schema: DatabaseSchema, owner: string, group: LiveGroup): Step[] {
  const { table, live } = group;
  const label = `${table} ${typeof live.name === "string" ? live.name : group.uuid}`;
  const where = byUuid(group);
  const isSoleUser = usersOf(live).every((user) => user === owner);
  const operation: Operation = isSoleUser ? { op: "delete", table, where } : { op: "mutate", table, where, mutations: leavingMutations(owner, live) };
  return [asRead(schema, group, label), { operation, subject: { kind: "joint", label } }];
}

function enter(input: JointInput, group: JointGroup, found: LiveGroup | undefined): Step[] {
  const { schema, owner } = input;
  const rows = resolveGroup(schema, owner, group, found);
  const [head] = rows as [ResolvedRow];
  if (found) refuse(input, group, found, rows);
  const snapshot = snapshotOf(found);
  const steps = rows.flatMap((row): Step[] => {
    const table = schema.table(row.table);
    const live = snapshot.get(row.uuid);
    const operations = live ? changesOf(table, row, live) : [{ op: "insert", table: row.table, uuid: row.uuid, row: encoded(table, row) } as const];
    return operations.map((operation) => ({ operation, subject: { kind: "joint", label: head.label } }));
  });
  return found && steps.length > 0 ? [asRead(schema, found, head.label), ...steps] : steps;
}

function changesOf(table: TableSchema, row: ResolvedRow, live: LiveGroup["live"]): Operation[] {
  const { values, mutations } = columnChanges(table, row, live, new Map());
  const where = byUuid(row);
  return [
    ...(Object.keys(values).length > 0 ? [{ op: "update", table: row.table, where, row: table.encodeRow(values) } as const] : []),
    ...(mutations.length > 0 ? [{ op: "mutate", table: row.table, where, mutations } as const] : []),
  ];
}

function encoded(table: TableSchema, { columns }: ResolvedRow) {
  return table.encodeRow(Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, toValue(table.column(name), value)])));
}

/** Users change by marks: the guard requires all marks as read. */
function asRead(schema: DatabaseSchema, { table, uuid, live }: LiveGroup, label: string): Step {
  return { operation: existsGuard({ table, uuid }, schema.table(table), live), subject: { kind: "joint", label } };
}

function refuse({ schema, owner, adopted = {}, managers }: JointInput, { row, parts }: JointGroup, found: LiveGroup, rows: readonly ResolvedRow[]): void {
  const [head] = rows as [ResolvedRow];
  if (usersOf(found.live).includes(owner) || adopted[adoptionKey(row.table, row.key)] === found.uuid) return;
  const manager = managerOf(found.live);
  const first = ownerIn(found.live);
  if (first === undefined || !isOfKind(owner, first)) {
    if (manager !== undefined && isNamed(manager, managers)) return;
    const holder = `${row.table} (${found.uuid}) ${manager === undefined ? "without an owner mark" : `of ${manager}`}`;
    throw new RowError("OVN_NAME_TAKEN", `${head.label} exists already: ${holder}; choose another name, or remove that row`, head.label);
  }
  const { [head.label]: _mark, ...others } = liveState(setOf([row, ...parts]), rows, snapshotOf(found), schema).drift;
  const own = liveState(setOf([row]), [withoutMarks(head)], snapshotOf(found), schema).drift[head.label];
  const differences = [...(own === undefined ? [] : [own]), ...Object.entries(others).map(([label, text]) => `${label}: ${text}`)];
  if (differences.length === 0) return;
  throw new RowError(
    "OVN_SHARED",
    `${head.label} is shared with ${first}, which has other values (${differences.join("; ")}); all resources that share a row must give it the same values`,
    head.label,
  );
}

function withoutMarks({ columns: { external_ids: _marks, ...columns }, ...row }: ResolvedRow): ResolvedRow {
  return { ...row, columns };
}

function setOf(rows: readonly ResolvedRow["source"][]) {
  return { database: "OVN_Southbound" as DatabaseName, rows };
}

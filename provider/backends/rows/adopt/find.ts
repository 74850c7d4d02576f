import type { Condition, DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { outlookOf, type Outcome, type Outlook } from "../../contract/outlook";
import { rowDrifts, type RowDrift } from "../live/drift";
import type { Target } from "../live/target";
import { RowError } from "../errors";
import { rowLabel } from "../set/words";
import { lookupNames, requireName } from "../set/names";
import { matchRows, type Candidate } from "../live/matching";
import { naturalKey } from "../database/natural-keys";
import { rowsOf, select } from "../../../targets/select";
import { isOfKind } from "../joint/users";
import { isNamed, managerOf, ownerIn } from "../marks/ownership";
import { childColumns, type LiveRow } from "../database/row";
import { adoptionKey, namesIn, resolveRows, type Adopted, type ResolvedRow } from "../set/resolve";
import type { DesiredRow, LocalReference, RowSet } from "../set";
import { toValue } from "../set/values";

export interface Adoption {
  /** UUIDs of the rows that were found. */
  readonly adopted: Adopted;
  /** Effect of the adoption on each row. */
  readonly outlook: Outlook;
}

/**
 * Finds rows that exist already by what makes them what they are, reading only. Refuses rows of a manager that is not
 * named, natural keys that several rows have, and a set whose primary row (or, without one, every row) does not exist.
 */
export async function findAdoptable(target: Target, set: RowSet, primary: LocalReference | undefined, managers: readonly string[]): Promise<Adoption> {
  const { client } = target;
  const call = target.call ?? {};
  const schema = await client.getSchema(call);
  const lookups = namesIn(set.rows, schema);
  const names = await lookupNames(client, lookups, call);
  for (const lookup of lookups) requireName(names, lookup);
  const rows = resolveRows(set.rows, target.owner, schema, names.found);
  const results = await client.transact(
    rows.flatMap((row) => [rowQuery(row, schema), parentQuery(row)]),
    call,
  );
  const candidates = rows.map((row, index) => candidatesOf(row, schema, rowsOf(results[2 * index])));
  const parents = rows.map((_row, index) => elements(rowsOf(results[2 * index + 1])[0]));
  const found = matchRows(rows, candidates, parents, schema);
  // Its own mark is that of a former life: the state was lost, or the rows were retained.
  const shared = [...found].filter(([row, { live }]) => isShared(target.owner, row, live)).map(([row]) => row);
  for (const [row, { live }] of found) if (!shared.includes(row)) refuseForeign(row, live, [...managers, target.owner]);
  if (![...found.keys()].some(({ source }) => primary === undefined || (source.table === primary.table && source.key === primary.key))) {
    throw nothingToAdopt(set.rows, primary);
  }
  for (const row of shared) found.delete(row);
  const adopted = Object.fromEntries([...found].map(([row, { uuid }]) => [adoptionKey(row.source.table, row.source.key), uuid]));
  const settled = resolveRows(set.rows, target.owner, schema, names.found, adopted);
  const live = new Map([...found.values()].map(({ uuid, live: columns }) => [uuid, columns]));
  const sharedLabels = new Set(shared.map(({ label }) => label));
  const outcomes = rowDrifts(settled, live, schema).map((drift): Outcome => [drift.label, sharedLabels.has(drift.label) ? "shared" : outcomeOf(drift)]);
  return { adopted, outlook: outlookOf(outcomes) };
}

/** Another resource of the kind has made the row: the two will have it together. */
function isShared(owner: string, { source }: ResolvedRow, live: LiveRow): boolean {
  const first = ownerIn(live);
  return source.joint !== undefined && first !== undefined && first !== owner && isOfKind(owner, first);
}

function rowQuery(row: ResolvedRow, schema: DatabaseSchema) {
  const table = schema.table(row.table);
  const key = naturalKey(row.table);
  // A row that lacks one of its natural columns is not one of those that can be found by them.
  const where: Condition[] = (key?.columns ?? []).flatMap((name) => {
    const desired = row.columns[name];
    return desired === undefined ? [] : [[name, "==", table.column(name).encode(toValue(table.column(name), desired))] as const];
  });
  const complete = key !== undefined && where.length === key.columns.length;
  const columns = new Set(["_uuid", ...Object.keys(row.columns), ...childColumns(schema, table)]);
  return select(row.table, complete ? where : [["_uuid", "==", ["uuid", row.uuid]]], [...columns]);
}

function parentQuery(row: ResolvedRow) {
  const { table, uuid, column } = row.parent ?? { table: row.table, uuid: row.uuid, column: "_uuid" };
  return select(table, [["_uuid", "==", ["uuid", uuid]]], [column]);
}

function candidatesOf(row: ResolvedRow, schema: DatabaseSchema, found: ReturnType<typeof rowsOf>): Candidate[] {
  const table = schema.table(row.table);
  return found.map((wire) => ({ uuid: (wire._uuid as [string, string])[1], live: table.decodeRow(wire) }));
}

/** UUIDs in the set column of a parent of another resource. */
function elements(wire: Readonly<Record<string, unknown>> | undefined): ReadonlySet<string> {
  const [value] = Object.values(wire ?? {}) as [readonly [string, unknown] | undefined];
  if (!value) return new Set();
  const items = value[0] === "set" ? (value[1] as readonly [string, string][]) : [value as readonly [string, string]];
  return new Set(items.map(([, uuid]) => uuid));
}

function refuseForeign(row: ResolvedRow, live: LiveRow, managers: readonly string[]): void {
  const manager = managerOf(live);
  if (manager === undefined || isNamed(manager, managers)) return;
  throw new RowError(
    "OVN_FOREIGN_ROW",
    `${row.label} belongs to ${manager}; to take it over, name that owner: adopt: { owners: [${JSON.stringify(manager)}] }`,
    row.label,
  );
}

function nothingToAdopt(rows: readonly DesiredRow[], primary: LocalReference | undefined): RowError {
  const row = rows.find(({ table, key }) => primary === undefined || (table === primary.table && key === primary.key))!;
  const label = rowLabel(row);
  return new RowError("OVN_NOT_FOUND", `there is no ${label} to adopt; leave out "adopt" to create it`, label);
}

function outcomeOf({ missing, values }: RowDrift): Outcome[1] {
  if (missing) return "added";
  if (values.length === 0) return "adopted";
  return { before: values.flatMap(({ found }) => found).join(" "), after: values.flatMap(({ wanted }) => wanted).join(" ") };
}

import type { CallOptions, DatabaseSchema, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { rowUuid } from "../../../kit/identity";
import { lookupNames, requireName } from "../set/names";
import { rowsOf, select } from "../../../targets/select";
import { byUuid, type LiveRow, type Snapshot } from "../database/row";
import { nameKey, type NameLookup, type ResolvedNames } from "../set/resolve";
import type { Atom, Contribution, ForeignReference, Reference, ContributionLocation } from "../set";
import { ask, type Query } from "../database/query";
import { contributionLabel } from "../lines/contributions";
import { contributionMark, markedColumns } from "./marks";

/** Location of a contribution in a row, and its value. */
export interface ResolvedContribution extends ContributionLocation {
  readonly table: string;
  /** UUID of the foreign row; undefined if it does not exist. */
  readonly uuid: string | undefined;
  /** "" for an element of a set, which is there or not. */
  readonly value: string;
  /** Key in the row's `external_ids` whose value is the owner's URN. */
  readonly mark: string;
  readonly label: string;
  readonly source: Contribution;
}

const NONE: readonly Contribution[] = [];

/** The contributions with UUIDs instead of names. Throws a RowError when a row of a desired one does not exist. */
export async function resolveContributions(
  client: OvsdbClient,
  schema: DatabaseSchema,
  owner: string,
  given: { readonly desired?: readonly Contribution[] | undefined; readonly previous?: readonly Contribution[] | undefined },
  call: CallOptions,
): Promise<{ desired: ResolvedContribution[]; previous: ResolvedContribution[] }> {
  const { desired = NONE, previous = NONE } = given;
  const wanted = lookupsOf(desired, schema);
  const names = await lookupNames(client, [...wanted, ...lookupsOf(previous, schema)], call);
  for (const lookup of wanted) requireName(names, lookup);
  const resolve = (contribution: Contribution) => resolveOne(contribution, owner, schema, names.found);
  return { desired: desired.map(resolve), previous: previous.map(resolve) };
}

function lookupsOf(contributions: readonly Contribution[], schema: DatabaseSchema): NameLookup[] {
  return contributions.flatMap((contribution) => {
    const { table, row, part } = contribution;
    const element: Atom | Reference = part.kind === "element" ? part.element : "";
    const refersTo = typeof element === "object" && "name" in element ? [{ table: refTable(contribution, schema), name: element.name }] : [];
    return "name" in row ? [{ table, name: row.name }, ...refersTo] : refersTo;
  });
}

function refTable({ table, column }: Contribution, schema: DatabaseSchema): string {
  return schema.table(table).column(column).type.key.refTable ?? table;
}

function resolveOne(source: Contribution, owner: string, schema: DatabaseSchema, names: ResolvedNames): ResolvedContribution {
  const { table, row, column, part } = source;
  const uuidOf = (target: string, reference: ForeignReference) =>
    "uuid" in reference ? reference.uuid : names.get(nameKey({ table: target, name: reference.name }));
  const elementOf = (element: Atom | Reference): string => {
    if (typeof element !== "object") return String(element);
    return "key" in element ? rowUuid(owner, element.table, element.key) : (uuidOf(refTable(source, schema), element) ?? "");
  };
  const key = part.kind === "element" ? undefined : part.key;
  const name = part.kind === "element" ? elementOf(part.element) : part.kind === "item" ? part.name : undefined;
  return {
    table,
    uuid: uuidOf(table, row),
    column,
    key,
    name,
    value: part.kind === "element" ? "" : part.value,
    mark: contributionMark({ column, key, name }),
    label: contributionLabel(source),
    source,
  };
}

interface SharedRow {
  readonly table: string;
  readonly uuid: string;
  readonly columns: ReadonlySet<string>;
}

/** The rows that contributions go to, with the columns that matter: those of the contributions, and those that marks of the owner name. */
export async function observeShared(
  client: OvsdbClient,
  schema: DatabaseSchema,
  owner: string,
  contributions: readonly ResolvedContribution[],
  call: CallOptions,
): Promise<Snapshot> {
  const wanted = new Map<string, SharedRow>();
  for (const { uuid, table, column } of contributions) {
    if (uuid !== undefined) wanted.set(uuid, { table, uuid, columns: new Set([...(wanted.get(uuid)?.columns ?? ["external_ids"]), column]) });
  }
  const [live] = await ask<[Snapshot]>(client, call, sharedQuery(schema, [...wanted.values()]));
  const marked = [...wanted.values()].flatMap(({ table, uuid, columns }): SharedRow[] => {
    const named = live.has(uuid) ? markedColumns(live.get(uuid)!, owner, schema, table) : [];
    return named.every((name) => columns.has(name)) ? [] : [{ table, uuid, columns: new Set([...columns, ...named]) }];
  });
  const [again] = await ask<[Snapshot]>(client, call, sharedQuery(schema, marked));
  return new Map([...live, ...again]);
}

function sharedQuery(schema: DatabaseSchema, rows: readonly SharedRow[]): Query<Snapshot> {
  return {
    operations: rows.map((row) => select(row.table, byUuid(row), [...row.columns])),
    read: (results) =>
      new Map(rows.flatMap(({ table, uuid }, index) => rowsOf(results[index]).map((found): [string, LiveRow] => [uuid, schema.table(table).decodeRow(found)]))),
  };
}

import type { CallOptions, DatabaseSchema, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { rowUuid } from "./identity";
import { lookupNames, requireName } from "./names";
import { rowsOf, select } from "./observe";
import { byUuid, type LiveRow, type Snapshot } from "./live";
import { nameKey, type NameLookup, type ResolvedNames } from "./resolve";
import type { Atom, Contribution, ForeignReference, Reference } from "./rowset";
import { contributionLabel } from "./shared-lines";

/** Where in a row a contribution is, and what it puts there. */
export interface ResolvedContribution {
  readonly table: string;
  /** UUID of the row of others; undefined when there is no such row. */
  readonly uuid: string | undefined;
  readonly column: string;
  /** Key of the map; undefined for an element of a set. */
  readonly key: string | undefined;
  /** Name in the list, or the element of the set; undefined for a whole map entry. */
  readonly name: string | undefined;
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
  const uuidOf = (target: string, reference: ForeignReference) => ("uuid" in reference ? reference.uuid : names.get(nameKey({ table: target, name: reference.name })));
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
    mark: ["pulumi-ovn:owner", column, key, name].filter((word) => word !== undefined).join("/"),
    label: contributionLabel(source),
    source,
  };
}

/** The rows that contributions go to, with the columns that matter. */
export async function observeShared(client: OvsdbClient, schema: DatabaseSchema, contributions: readonly ResolvedContribution[], call: CallOptions): Promise<Snapshot> {
  const wanted = new Map<string, { table: string; uuid: string; columns: Set<string> }>();
  for (const { uuid, table, column } of contributions) {
    if (uuid === undefined) continue;
    const entry = wanted.get(uuid) ?? { table, uuid, columns: new Set(["external_ids"]) };
    wanted.set(uuid, { ...entry, columns: entry.columns.add(column) });
  }
  const entries = [...wanted.values()];
  if (entries.length === 0) return new Map();
  const results = await client.transact(entries.map((entry) => select(entry.table, byUuid(entry), [...entry.columns])), call);
  const live = new Map<string, LiveRow>();
  entries.forEach(({ table, uuid }, index) => {
    const [found] = rowsOf(results[index]);
    if (found) live.set(uuid, schema.table(table).decodeRow(found));
  });
  return live;
}

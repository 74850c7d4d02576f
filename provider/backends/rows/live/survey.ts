import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { asWritten } from "../marks/as-written";
import type { Memory } from "../marks/owned-columns";
import { isDerivedUuid } from "../../../kit/identity";
import { goingColumns, isOwn, leftoverRow, markedQuery, unmarkedQuery, type OwnedRow } from "./leftovers";
import { childColumns, type LiveRow, type Snapshot } from "../database/row";
import { isMarkless } from "../marks/markless";
import { findParents, parentsAmong, referenceKey, presentReferencesQuery, wantedReference } from "../plan/parent-references";
import { withNoted } from "./noted";
import { carriedQuery, rowsQuery } from "./observe";
import { ask, type Source } from "../database/query";
import type { Adopted, ParentReference, ResolvedParent, ResolvedRow } from "../set/resolve";
import type { Carried } from "../set";
import type { Survey } from "../plan/steps";

/** Database and owner of the rows that an operation reads and writes. */
export interface OwnerScope extends Source {
  readonly owner: string;
}

/** Rows of one transaction, in both versions. */
export interface Versions {
  readonly desired: readonly ResolvedRow[];
  readonly previous: readonly ResolvedRow[];
}

/** Locations of rows that neither version contains. */
export interface Search {
  readonly tables: readonly string[];
  /** UUIDs of all rows of both versions. */
  readonly known: ReadonlySet<string>;
  /** Whether the previous version is unknown, so that rows without marks must be searched, too. */
  readonly blind: boolean;
  readonly adopted: Adopted | undefined;
  readonly carries: readonly Carried[];
}

const NOTHING: Survey = { live: new Map(), removals: [], astray: [], leaving: [], carried: new Set() };

/** Survey of a create: no row exists. */
export function absent(): Survey {
  return NOTHING;
}

/** Survey that assumes the previous rows, and reads only rows to delete. */
export async function unchanged({ client, schema, call }: OwnerScope, { desired, previous }: Versions): Promise<Survey> {
  const now = new Map(desired.map((row) => [row.uuid, row]));
  const kept = new Map(previous.filter(({ uuid }) => now.has(uuid)).map((row) => [row.uuid, asWritten(schema, row)]));
  const going = previous.filter(({ uuid }) => !kept.has(uuid));
  const [found, carried] = await ask<[Snapshot, Set<string>]>(
    client,
    call,
    rowsQuery(schema, going),
    carriedQuery(going.flatMap(({ source }) => source.carries ?? [])),
  );
  const removals = going.filter(({ uuid }) => found.has(uuid));
  const moved = previous.filter(({ uuid, parent }) => kept.has(uuid) && parent !== undefined && !isSame(parent, now.get(uuid)!.parent));
  return {
    live: new Map([...kept, ...found]),
    removals,
    astray: moved.map(({ uuid }) => now.get(uuid)!),
    leaving: toLeave([...removals, ...moved].flatMap(wantedReference), desired, removals),
    carried,
  };
}

/** Survey that reads everything: rows by UUID, their positions in other rows' sets, and further rows with the owner's mark. */
export async function careful(scope: OwnerScope, { desired, previous }: Versions, memory: Memory, search: Search | undefined): Promise<Survey> {
  const { client, schema, owner, call } = scope;
  const rows = [...desired, ...previous];
  const more = (table: string): string[] => [...(memory.tables?.[table]?.keys() ?? [])].filter((name) => schema.table(table).columns.has(name));
  const going = goingColumns(schema);
  const tables = search?.tables ?? [];
  const [found, present, marked, unmarked, carried] = await ask<[Snapshot, Set<string>, OwnedRow[], OwnedRow[], Set<string>]>(
    client,
    call,
    rowsQuery(schema, rows, more),
    presentReferencesQuery(schema, rows),
    markedQuery(schema, owner, tables, going),
    unmarkedQuery(schema, search?.blind ? tables : [], going),
    carriedQuery([...previous.flatMap(({ source }) => source.carries ?? []), ...(search?.carries ?? [])]),
  );
  const surplus = [...marked, ...unmarked.filter(isOwn(owner, search?.adopted, marked))].filter(({ uuid }) => !search!.known.has(uuid));
  if (search && !search.blind) surplus.push(...(await bindingsOf(scope, search, surplus)));
  const live = new Map<string, LiveRow>([...(await withNoted(scope, desired, found)), ...surplus.map((row): [string, LiveRow] => [row.uuid, row.live])]);

  const wanted = new Set(desired.map(({ uuid }) => uuid));
  const removals = [...previous.filter(({ uuid }) => !wanted.has(uuid) && live.has(uuid)), ...surplus.map(leftoverRow)];
  const parentsOf = parentsAmong(schema, [...rows, ...removals], live);
  const inside = (row: ResolvedRow): ParentReference[] => {
    const own = parentsOf(row);
    return own.length > 0 ? own : wantedReference(row).filter(({ parent }) => present.has(referenceKey(row.uuid, parent)));
  };
  const astray = desired.filter((row) => live.has(row.uuid) && row.parent !== undefined && !inside(row).some(({ parent }) => isSame(parent, row.parent)));
  const placed = [...removals, ...astray].map((row) => ({ row, parents: inside(row) }));
  const unplaced = placed.filter(({ parents }) => parents.length === 0).map(({ row }) => row);
  return {
    live,
    removals,
    astray,
    leaving: toLeave([...placed.flatMap(({ parents }) => parents), ...(await findParents(client, schema, unplaced, call))], desired, removals),
    carried: new Set([...carried, ...belongings(schema, removals, live)]),
  };
}

/** References to remove from sets. Sets of deleted rows are deleted with them, and a set that the desired row names is written whole. */
function toLeave(references: readonly ParentReference[], desired: readonly ResolvedRow[], removals: readonly ResolvedRow[]): ParentReference[] {
  const going = new Set(removals.map(({ uuid }) => uuid));
  const named = new Map(desired.map(({ uuid, columns }) => [uuid, columns]));
  return references.filter(({ parent: { uuid, column } }) => !going.has(uuid) && named.get(uuid)?.[column] === undefined);
}

function isSame(left: ResolvedParent, right: ResolvedParent | undefined): boolean {
  return left.uuid === right?.uuid && left.column === right.column;
}

/** Unmarked rows that refer to leftover rows by name, such as a Static_MAC_Binding of a deleted port. */
async function bindingsOf({ client, schema, owner, call }: OwnerScope, { tables, known, adopted }: Search, surplus: readonly OwnedRow[]): Promise<OwnedRow[]> {
  const ports = surplus.flatMap(({ live }) => (typeof live.name === "string" && live.name !== "" ? [live.name] : []));
  if (ports.length === 0) return [];
  const [found] = await ask<[OwnedRow[]]>(client, call, unmarkedQuery(schema, tables, goingColumns(schema), ports));
  return found.filter(isOwn(owner, adopted, surplus)).filter(({ uuid }) => !known.has(uuid));
}

/** Unmarked rows that exist only inside deleted rows, such as a Chassis's Encap. They are ours if their UUIDs are derived. */
function belongings(schema: DatabaseSchema, removals: readonly ResolvedRow[], live: Snapshot): string[] {
  return removals.flatMap(({ table, uuid }) => {
    const definition = schema.table(table);
    const columns = childColumns(schema, definition).filter((name) => isMarkless(schema, definition.column(name).type.key.refTable!));
    return columns.flatMap((name) => (live.get(uuid)![name] as readonly string[]).filter(isDerivedUuid));
  });
}

import type { ZoneArgs } from "../../backends/rows/kind";
import type { Atom, Claim, DesiredRow, ForeignReference, LocalReference, MapValue, Parent, Reference, Requirement, RowSet } from "../../backends/rows/set";
import type { DatabaseName } from "../../targets/database";

/** Arguments that every kind of the topology has. */
export interface TopologyArgs extends ZoneArgs {
  /** Entries of the column `external_ids` of every row that has one. Default: none. */
  externalIds?: Record<string, string>;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A row that another resource made, by UUID or by name. */
export function foreign(text: string): ForeignReference {
  return UUID.test(text) ? { uuid: text.toLowerCase() } : { name: text };
}

export function local(table: string, key: string): LocalReference {
  return { table, key };
}

export function listedIn(table: string, row: Reference, column: string): Parent {
  return { table, row, column };
}

/** OVN's maps hold text only; an undefined entry is left out. */
export function textMap(entries: Readonly<Record<string, Atom | undefined>>): MapValue {
  const map: [string, string][] = [];
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) map.push([key, String(value)]);
  return { map: Object.fromEntries(map) };
}

/** No other row of the table may have the name: names have no index, and ovn-nbctl and lookups by name would not know which one is meant. */
export function nameClaim(table: "Logical_Switch", name: string): Claim {
  return { table, column: "name", value: name };
}

/** No switch and no router of the zone may hold the key of a datapath that spans zones: northd would quietly give one of them another. */
export function datapathKeyClaims(tunnelKey: number): Claim[] {
  const value = String(tunnelKey);
  return [
    { table: "Logical_Switch", column: "other_config", key: "requested-tnl-key", value },
    { table: "Logical_Router", column: "options", key: "requested-tnl-key", value },
  ];
}

// The only tables that kinds of the topology write and that have no column external_ids.
const WITHOUT_EXTERNAL_IDS: ReadonlySet<string> = new Set(["Static_MAC_Binding", "Encap"]);

export function rowSet(database: DatabaseName, rows: readonly DesiredRow[], args: TopologyArgs, requires: readonly Requirement[] = []): RowSet {
  const { externalIds = {} } = args;
  const marked = Object.keys(externalIds).length === 0 ? rows : rows.map((row) => withExternalIds(row, externalIds));
  return requires.length === 0 ? { database, rows: marked } : { database, rows: marked, requires };
}

export function withExternalIds(row: DesiredRow, externalIds: Readonly<Record<string, string>>): DesiredRow {
  if (WITHOUT_EXTERNAL_IDS.has(row.table)) return row;
  const own = row.columns["external_ids"] as MapValue | undefined;
  return { ...row, columns: { ...row.columns, external_ids: { map: { ...externalIds, ...own?.map } } } };
}

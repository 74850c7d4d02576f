import type { Failure } from "../../../kit/arguments/errors";
import { listed } from "../../../kit/text/listed";
import { namedSets, type SetName } from "../../../kit/match/named-sets";
import type { Connections } from "../../../targets/connections";
import { rowsOf, select } from "../../../targets/select";
import { rowLabel } from "../set/words";
import type { RowSet } from "../set";
import type { Target } from "./target";

/** Maximum number of rows that a warning names. */
const MOST_NAMED = 3;

/** Sets that the resources of this program make, by zone. A resource that is checked may not be written yet. */
const planned = new WeakMap<Connections, Map<string, Set<string>>>();

/** Records the address sets and port groups of a checked resource. */
export function planSets(targets: Connections, zone: string, { rows }: RowSet): void {
  for (const { table, columns } of rows) {
    if (table !== "Address_Set" && table !== "Port_Group") continue;
    const zones = planned.get(targets) ?? new Map<string, Set<string>>();
    planned.set(targets, zones);
    zones.set(zone, (zones.get(zone) ?? new Set()).add(keyOf({ table, name: String(columns["name"]) })));
  }
}

/**
 * Warnings about written rows whose matches refer to sets that neither the zone nor the program has. OVN ignores such a row until the
 * set exists, and only the log of ovn-controller shows it.
 */
export async function missingSets({ client, call = {} }: Target, targets: Connections, zone: string, { rows }: RowSet): Promise<Failure[]> {
  const known = planned.get(targets)?.get(zone);
  const users = new Map<string, { readonly set: SetName; readonly labels: string[] }>();
  for (const row of rows) {
    const { match } = row.columns;
    if (typeof match !== "string") continue;
    for (const set of namedSets(match)) {
      if (sourcesOf(set).some((source) => known?.has(keyOf(source)))) continue;
      const found = users.get(keyOf(set)) ?? { set, labels: [] };
      users.set(keyOf(set), found);
      found.labels.push(rowLabel(row));
    }
  }
  const wanted = [...users.values()];
  if (wanted.length === 0) return [];
  const sources = wanted.flatMap(({ set }, index) => sourcesOf(set).map((source) => ({ ...source, index })));
  const results = await client.transact(
    sources.map(({ table, name }) => select(table, [["name", "==", name]], ["_uuid"])),
    call,
  );
  const existing = new Set(sources.flatMap(({ index }, at) => (rowsOf(results[at]).length > 0 ? [index] : [])));
  return wanted.flatMap(({ set, labels }, index) => (existing.has(index) ? [] : [warning(set, labels)]));
}

function warning({ table, name }: SetName, labels: readonly string[]): Failure {
  const what = table === "Address_Set" ? `address set $${name}` : `port group @${name}`;
  const message = `match of ${listed(labels, MOST_NAMED)}: the zone has no ${what}; OVN ignores the row until it exists`;
  return { path: "", code: "OVN_WARN_MATCH_SET", message };
}

/** Rows that provide a set: northd makes the address sets `NAME_ip4` and `NAME_ip6` of each port group (ovn-nb(5), Port_Group). */
function sourcesOf({ table, name }: SetName): SetName[] {
  const group = table === "Address_Set" ? /^(.+)_ip[46]$/.exec(name)?.[1] : undefined;
  return [{ table, name }, ...(group === undefined ? [] : [{ table: "Port_Group", name: group } as const])];
}

const keyOf = ({ table, name }: SetName): string => `${table} ${name}`;

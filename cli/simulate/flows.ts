import { type Decoded, map, members, zoneRows } from "../zone-rows";
import type { Shadow } from "./shadow";

const SOUTHBOUND = {
  Datapath_Binding: ["_uuid", "external_ids"],
  Logical_DP_Group: ["_uuid", "datapaths"],
  Logical_Flow: ["_uuid", "logical_datapath", "logical_dp_group", "pipeline", "table_id", "priority", "match", "actions", "external_ids"],
  Address_Set: ["name", "addresses"],
  Port_Group: ["name", "ports"],
  Port_Binding: ["logical_port", "type", "datapath", "tunnel_key", "mac", "options"],
  MAC_Binding: ["logical_port", "ip", "mac"],
} as const;

/** A zone's logical flows, and the rows that ovn-trace reads with them. */
export interface ZoneFlows {
  /** Texts of the flows, by place: datapath, pipeline and table. See `placeOf`. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
  /** First eight digits of the UUIDs of the Northbound rows that flows come from, by those of the flows' own. */
  readonly hints: ReadonlyMap<string, string>;
}

/** Identifies a table of a datapath. */
function placeOf(datapath: string, pipeline: string, table: number): string {
  return `${datapath}\0${pipeline}\0${table}`;
}

/** Name of the datapath of a place. That of EVERYWHERE is EVERYWHERE. */
export const datapathOf = (place: string): string => place.split("\0", 1)[0]!;

/** Place for the ports and neighbours of all datapaths: if one of them changes, every path is asked for again. */
export const EVERYWHERE = "";

export async function readFlows({ connections, zone }: Shadow): Promise<ZoneFlows> {
  const south = await zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND);
  const names = new Map(south.Datapath_Binding.map((row) => [row._uuid as string, map(row.external_ids).name ?? ""]));
  const groups = new Map(south.Logical_DP_Group.map((row) => [row._uuid as string, members(row.datapaths)]));
  const sets = setsOf(south);
  const places = new Map<string, Set<string>>();
  const add = (place: string, text: string) => places.set(place, (places.get(place) ?? new Set()).add(text));
  for (const row of south.Logical_Flow) {
    const datapaths = [...members(row.logical_datapath), ...members(row.logical_dp_group).flatMap((uuid) => groups.get(uuid) ?? [])];
    const text = `${row.priority as number}\0${row.match as string}\0${row.actions as string}${contentsIn(row.match as string, sets)}`;
    for (const uuid of datapaths) if (names.has(uuid)) add(placeOf(names.get(uuid)!, row.pipeline as string, row.table_id as number), text);
  }
  for (const { datapath, ...row } of south.Port_Binding) add(EVERYWHERE, JSON.stringify([names.get(datapath as string), row]));
  for (const row of south.MAC_Binding) add(EVERYWHERE, JSON.stringify(row));
  return {
    places,
    hints: new Map(south.Logical_Flow.map((row) => [(row._uuid as string).slice(0, 8), map(row.external_ids)["stage-hint"] ?? ""])),
  };
}

/** Contents of sets by name, as matches write it. The Southbound name of a port group begins with the tunnel key of its datapath. */
function setsOf({ Address_Set, Port_Group }: Record<"Address_Set" | "Port_Group", Decoded[]>): ReadonlyMap<string, string> {
  const sets = new Map<string, string>();
  const add = (name: string, content: unknown) => sets.set(name, `${sets.get(name) ?? ""} ${[...members(content)].sort().join(" ")}`);
  for (const { name, addresses } of Address_Set) add(`$${name as string}`, addresses);
  for (const { name, ports } of Port_Group) add(`@${(name as string).replace(/^\d+_/, "")}`, ports);
  return sets;
}

/** Contents of the sets that a match refers to: they change without the flow. */
function contentsIn(match: string, sets: ReadonlyMap<string, string>): string {
  return [...match.matchAll(/[$@][\w.]+/g)].map(([name]) => `\0${name}=${sets.get(name) ?? ""}`).join("");
}

/** Flows that northd adds and removes in a datapath. */
export interface Impact {
  readonly zone: string;
  readonly datapath: string;
  readonly added: number;
  readonly removed: number;
}

/** Pure. Changed places of a zone, and the flows that change, by datapath. */
export function comparedFlows(
  zone: string,
  before: ZoneFlows | undefined,
  after: ZoneFlows,
): { readonly changed: ReadonlySet<string>; readonly impact: readonly Impact[] } {
  const changed = new Set<string>();
  const counts = new Map<string, { added: number; removed: number }>();
  for (const place of new Set([...(before?.places.keys() ?? []), ...after.places.keys()])) {
    const [old, wanted] = [before?.places.get(place) ?? new Set<string>(), after.places.get(place) ?? new Set<string>()];
    const [added, removed] = [[...wanted].filter((text) => !old.has(text)).length, [...old].filter((text) => !wanted.has(text)).length];
    if (added + removed === 0) continue;
    changed.add(place);
    if (place === EVERYWHERE) continue;
    const datapath = datapathOf(place);
    const count = counts.get(datapath) ?? { added: 0, removed: 0 };
    counts.set(datapath, { added: count.added + added, removed: count.removed + removed });
  }
  return { changed, impact: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([datapath, count]) => ({ zone, datapath, ...count })) };
}

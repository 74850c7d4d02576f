import { createHash } from "node:crypto";
import { type Decoded, map, members, zoneRows } from "../zone-rows";
import { classesOf } from "./alike/classes";
import { Identities } from "./alike/identities";
import type { ZoneFacts } from "./facts";
import type { Shadow } from "./shadow";
import type { Step } from "./types";

const SOUTHBOUND = {
  Datapath_Binding: ["_uuid", "external_ids"],
  Logical_DP_Group: ["_uuid", "datapaths"],
  Logical_Flow: ["logical_datapath", "logical_dp_group", "pipeline", "table_id", "priority", "match", "actions", "external_ids"],
  Address_Set: ["name", "addresses"],
  Port_Group: ["name", "ports"],
  Port_Binding: ["_uuid", "logical_port", "type", "datapath", "tunnel_key", "mac", "port_security", "options"],
  Multicast_Group: ["name", "datapath", "ports"],
  MAC_Binding: ["logical_port", "ip", "mac"],
  FDB: ["mac", "dp_key", "port_key"],
} as const;

/**
 * A flow without its place, priority and match: first eight digits of the UUID of the Northbound row that it comes from, or spaces, and a
 * digest of the actions and of the contents of the sets that the match refers to. A text takes less memory than an object.
 */
type Flow = string;

/** A zone's logical flows, and the rows that ovn-trace reads with them. */
export interface ZoneFlows {
  /** Flows by place (see `placeOf`), then by priority and match (see `matchKey`). */
  readonly places: ReadonlyMap<string, ReadonlyMap<string, Flow>>;
  readonly identities: Identities;
  /** Classes of ports that are alike, by port; see `classesOf`. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Identifies a table of a datapath. */
function placeOf(datapath: string, pipeline: string, table: number): string {
  return `${datapath}\0${pipeline}\0${table}`;
}

/** Name of the datapath of a place. That of EVERYWHERE is EVERYWHERE. */
const datapathOf = (place: string): string => place.split("\0", 1)[0]!;

/**
 * Whether a packet that has made a step has passed one of these places. It has passed all earlier tables of the pipeline: ovn-trace does not
 * print a table in which the packet only goes on to the next one.
 */
export function isMet({ datapath, pipeline, table }: Pick<Step, "datapath" | "pipeline" | "table">, places: ReadonlySet<string> | undefined): boolean {
  if (places === undefined || places.size === 0) return false;
  for (let passed = 0; passed <= table; passed++) if (places.has(placeOf(datapath, pipeline, passed))) return true;
  return false;
}

/** Place for the ports and neighbours of all datapaths: if one of them changes, every path is asked for again. */
export const EVERYWHERE = "";

export async function readFlows({ connections, zone }: Shadow, facts: ZoneFacts): Promise<ZoneFlows> {
  const south = await zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND);
  const names = new Map(south.Datapath_Binding.map((row) => [row._uuid as string, map(row.external_ids).name ?? ""]));
  const groups = new Map(south.Logical_DP_Group.map((row) => [row._uuid as string, members(row.datapaths)]));
  const sets = setsOf(south);
  const places = new Map<string, Map<string, Flow>>();
  const add = (place: string, key: string, hint: string, digest: string) => {
    const flows = places.get(place) ?? new Map<string, Flow>();
    places.set(place, flows.set(key, withDigest(flows.get(key) ?? hint.padEnd(8), digest)));
  };
  for (const row of south.Logical_Flow) {
    const digest = digestOf(`${row.actions as string}${contentsIn(row.match as string, sets)}`);
    const hint = map(row.external_ids)["stage-hint"] ?? "";
    const key = matchKey(row.priority as number, row.match as string);
    for (const uuid of datapathsOf(row, groups))
      if (names.has(uuid)) add(placeOf(names.get(uuid)!, row.pipeline as string, row.table_id as number), key, hint, digest);
  }
  const everywhere = (text: string) => add(EVERYWHERE, digestOf(text), "", "");
  for (const { _uuid, datapath, ...row } of south.Port_Binding) everywhere(JSON.stringify([names.get(datapath as string), row]));
  for (const row of south.MAC_Binding) everywhere(JSON.stringify(row));
  const identities = new Identities(facts.addressed);
  return { places, identities, classes: classesOf(identities, textsOf(south, facts, { names, groups })) };
}

function datapathsOf(row: Decoded, groups: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...members(row.logical_datapath), ...members(row.logical_dp_group).flatMap((uuid) => groups.get(uuid) ?? [])];
}

/** Flows can differ in their actions only. */
function withDigest(flow: Flow, digest: string): Flow {
  return flow.slice(0, 8) + [...(flow.slice(8).match(/.{12}/g) ?? []), digest].sort().join("");
}

const digestOf = (text: string): string => createHash("sha1").update(text).digest("base64").slice(0, 12);

const matchKey = (priority: number, match: string): string => digestOf(`${priority} ${match}`);

/** First eight digits of the UUID of the Northbound row that a flow comes from. */
export function hintOf(
  { places }: ZoneFlows,
  { datapath, pipeline, table, priority, match }: Pick<Step, "datapath" | "pipeline" | "table" | "priority" | "match">,
): string | undefined {
  return (
    places
      .get(placeOf(datapath, pipeline, table))
      ?.get(matchKey(priority, match))
      ?.slice(0, 8)
      .trimEnd() || undefined
  );
}

interface Datapaths {
  readonly names: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** All that decides about packets, as `classesOf` takes it: what ovn-trace reads, and what paths between zones depend on. */
function* textsOf(south: Record<keyof typeof SOUTHBOUND, Decoded[]>, facts: ZoneFacts, { names, groups }: Datapaths): Generator<string> {
  const ports = new Map(south.Port_Binding.map((row) => [row._uuid as string, row.logical_port as string]));
  const list = (quoted: readonly string[]) => `{${quoted.join(", ")}}`;
  for (const row of south.Logical_Flow)
    yield `${list(datapathsOf(row, groups).map((uuid) => JSON.stringify(names.get(uuid))))} ${row.pipeline as string} ${row.table_id as number} ${row.priority as number} ${row.match as string} ${row.actions as string}`;
  for (const row of south.Port_Binding) {
    // ovn-northd and ovn-controller have read requests; ovn-trace does not.
    const options = Object.entries(map(row.options)).filter(([name]) => !name.startsWith("requested-"));
    yield `${JSON.stringify(row.logical_port)} ${row.type as string} ${JSON.stringify(names.get(row.datapath as string))} ${members(row.mac).join(" ")} ${members(row.port_security).join(" ")} ${JSON.stringify(options)}`;
  }
  for (const { name, addresses } of south.Address_Set) yield `set ${name as string} ${list(members(addresses))}`;
  for (const { name, ports: own } of south.Port_Group) yield `group ${name as string} ${list(members(own).map((port) => JSON.stringify(port)))}`;
  for (const { name, datapath, ports: own } of south.Multicast_Group)
    yield `multicast ${names.get(datapath as string)} ${name as string} ${list(members(own).map((uuid) => JSON.stringify(ports.get(uuid))))}`;
  for (const { logical_port, ip, mac } of south.MAC_Binding) yield `neighbour ${JSON.stringify(logical_port)} ${ip as string} ${mac as string}`;
  for (const { mac, dp_key, port_key } of south.FDB) yield `learned ${mac as string} ${dp_key as number} ${port_key as number}`;
  for (const { switch: on, networks } of facts.gateways) yield `gateway ${on} ${networks.join(" ")}`;
  for (const { router, address } of facts.floating) yield `floating ${router} ${address}`;
  for (const { vip, backends, router } of facts.virtual) yield `virtual ${vip} ${router ?? ""} ${backends.join(" ")}`;
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
    const [old, wanted] = [before?.places.get(place) ?? NO_FLOWS, after.places.get(place) ?? NO_FLOWS];
    const [added, removed] = [missingFrom(old, wanted), missingFrom(wanted, old)];
    if (added + removed === 0) continue;
    changed.add(place);
    if (place === EVERYWHERE) continue;
    const datapath = datapathOf(place);
    const count = counts.get(datapath) ?? { added: 0, removed: 0 };
    counts.set(datapath, { added: count.added + added, removed: count.removed + removed });
  }
  return { changed, impact: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([datapath, count]) => ({ zone, datapath, ...count })) };
}

const NO_FLOWS: ReadonlyMap<string, Flow> = new Map();

/** Number of flows that others do not contain. */
function missingFrom(others: ReadonlyMap<string, Flow>, flows: ReadonlyMap<string, Flow>): number {
  return [...flows].filter(([key, flow]) => others.get(key)?.slice(8) !== flow.slice(8)).length;
}

import { type Decoded, map, elements, zoneRows } from "../../zone-rows";
import { classesOf } from "../alike/classes";
import type { Identities } from "../alike/identities";
import type { ZoneFacts } from "./facts";
import { digestOf, EVERYWHERE, type FlowTables, flowTables, matchKey, tableKeyOf, type TableFlow } from "./flow-tables";
import type { Shadow } from "../shadow/shadow";

const SOUTHBOUND = {
  Datapath_Binding: ["_uuid", "external_ids"],
  Logical_DP_Group: ["_uuid", "datapaths"],
  Logical_Flow: ["_uuid", "logical_datapath", "logical_dp_group", "pipeline", "table_id", "priority", "match", "actions", "external_ids"],
  Address_Set: ["name", "addresses"],
  Port_Group: ["name", "ports"],
  Port_Binding: ["_uuid", "logical_port", "type", "datapath", "tunnel_key", "mac", "port_security", "options"],
  Multicast_Group: ["name", "datapath", "ports"],
  MAC_Binding: ["logical_port", "ip", "mac"],
  FDB: ["mac", "dp_key", "port_key"],
} as const;

/** A zone's logical flows, and the rows that ovn-trace reads with them. */
export interface ZoneFlows {
  readonly tables: FlowTables;
  readonly identities: Identities;
  /** Classes of ports that are alike, by port; see `classesOf`. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Rows of a zone's Southbound database that decide about packets. */
export type Southbound = Readonly<Record<keyof typeof SOUTHBOUND, readonly Decoded[]>>;

export function readSouthbound({ connections, zone }: Shadow): Promise<Southbound> {
  return zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND);
}

/**
 * Pure.
 * @param like flows of the zone at an earlier time; what has not changed is not kept again
 */
export function flowsOf(south: Southbound, facts: ZoneFacts, like?: ZoneFlows): ZoneFlows {
  const datapaths = namesOf(south);
  const { identities } = facts;
  return {
    tables: flowTables(tableFlowsOf(south, datapaths), like?.tables),
    identities,
    classes: classesOf(identities, textsOf(south, facts, datapaths)),
  };
}

function* tableFlowsOf(south: Southbound, datapaths: Datapaths): Generator<TableFlow> {
  const sets = setsOf(south);
  for (const row of south.Logical_Flow) {
    const digest = digestOf(`${row.actions as string}${contentsIn(row.match as string, sets)}`);
    const hint = map(row.external_ids)["stage-hint"] ?? "";
    const key = matchKey(row.priority as number, row.match as string);
    for (const name of datapathsOf(row, datapaths)) yield { tableKey: tableKeyOf(name, row.pipeline as string, row.table_id as number), key, hint, digest };
  }
  const everywhere = (text: string): TableFlow => ({ tableKey: EVERYWHERE, key: digestOf(text), hint: "", digest: "" });
  const { names } = datapaths;
  for (const { _uuid, datapath, ...row } of south.Port_Binding) yield everywhere(JSON.stringify([names.get(datapath as string), row]));
  for (const row of south.MAC_Binding) yield everywhere(JSON.stringify(row));
}

/** Names of the datapaths of a flow. */
export function datapathsOf(row: Decoded, { names, groups }: Datapaths): readonly string[] {
  const uuids = [...elements(row.logical_datapath), ...elements(row.logical_dp_group).flatMap((uuid) => groups.get(uuid) ?? [])];
  return uuids.flatMap((uuid) => names.get(uuid) ?? []);
}

interface Datapaths {
  /** Names of datapaths by their UUID. */
  readonly names: ReadonlyMap<string, string>;
  /** UUIDs of the datapaths by the UUID of their group. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

export function namesOf(south: Readonly<Record<"Datapath_Binding" | "Logical_DP_Group", readonly Decoded[]>>): Datapaths {
  return {
    names: new Map(south.Datapath_Binding.map((row) => [row._uuid as string, map(row.external_ids).name ?? ""])),
    groups: new Map(south.Logical_DP_Group.map((row) => [row._uuid as string, elements(row.datapaths)])),
  };
}

/** All that decides about packets, as `classesOf` takes it: what ovn-trace reads, and what paths between zones depend on. */
function* textsOf(south: Southbound, facts: ZoneFacts, datapaths: Datapaths): Generator<string> {
  const { names } = datapaths;
  const ports = new Map(south.Port_Binding.map((row) => [row._uuid as string, row.logical_port as string]));
  const list = (quoted: readonly string[]) => `{${quoted.join(", ")}}`;
  for (const row of south.Logical_Flow)
    yield `${list(datapathsOf(row, datapaths).map((name) => JSON.stringify(name)))} ${row.pipeline as string} ${row.table_id as number} ${row.priority as number} ${row.match as string} ${row.actions as string}`;
  for (const row of south.Port_Binding) {
    // ovn-northd and ovn-controller have read requests; ovn-trace does not.
    const options = Object.entries(map(row.options)).filter(([name]) => !name.startsWith("requested-"));
    yield `${JSON.stringify(row.logical_port)} ${row.type as string} ${JSON.stringify(names.get(row.datapath as string))} ${elements(row.mac).join(" ")} ${elements(row.port_security).join(" ")} ${JSON.stringify(options)}`;
  }
  for (const { name, addresses } of south.Address_Set) yield `set ${name as string} ${list(elements(addresses))}`;
  for (const { name, ports: own } of south.Port_Group) yield `group ${name as string} ${list(elements(own).map((port) => JSON.stringify(port)))}`;
  for (const { name, datapath, ports: own } of south.Multicast_Group)
    yield `multicast ${names.get(datapath as string)} ${name as string} ${list(elements(own).map((uuid) => JSON.stringify(ports.get(uuid))))}`;
  for (const { logical_port, ip, mac } of south.MAC_Binding) yield `neighbour ${JSON.stringify(logical_port)} ${ip as string} ${mac as string}`;
  for (const { mac, dp_key, port_key } of south.FDB) yield `learned ${mac as string} ${dp_key as number} ${port_key as number}`;
  for (const { switch: on, networks } of facts.gateways) yield `gateway ${on} ${networks.join(" ")}`;
  for (const { router, address } of facts.floating) yield `floating ${router} ${address}`;
  for (const { vip, backends, router } of facts.virtual) yield `virtual ${vip} ${router ?? ""} ${backends.join(" ")}`;
}

/** Contents of sets by name, as matches write it. The Southbound name of a port group begins with the tunnel key of its datapath. */
function setsOf({ Address_Set, Port_Group }: Pick<Southbound, "Address_Set" | "Port_Group">): ReadonlyMap<string, string> {
  const sets = new Map<string, string>();
  const add = (name: string, content: unknown) => sets.set(name, `${sets.get(name) ?? ""} ${[...elements(content)].sort().join(" ")}`);
  for (const { name, addresses } of Address_Set) add(`$${name as string}`, addresses);
  for (const { name, ports } of Port_Group) add(`@${(name as string).replace(/^\d+_/, "")}`, ports);
  return sets;
}

/** Contents of the sets that a match refers to: they change without the flow. */
function contentsIn(match: string, sets: ReadonlyMap<string, string>): string {
  return [...match.matchAll(/[$@][\w.]+/g)].map(([name]) => `\0${name}=${sets.get(name) ?? ""}`).join("");
}

import type { Operation } from "@pulumi-ovn/ovsdb-client";
import { byUuid, type Decoded, map, elements, referred, text, zoneRows } from "../../zone-rows";
import type { MacBinding, Shadow } from "../shadow/shadow";

const NORTHBOUND = {
  Static_MAC_Binding: ["logical_port", "ip", "mac", "override_dynamic_mac"],
  Logical_Switch: ["ports"],
  Logical_Switch_Port: ["_uuid", "type", "options"],
  Logical_Router: ["ports", "static_routes", "policies"],
  Logical_Router_Port: ["_uuid", "name", "peer", "options"],
  Logical_Router_Static_Route: ["_uuid", "nexthop"],
  Logical_Router_Policy: ["_uuid", "nexthop", "nexthops"],
} as const;

const SOUTHBOUND = { Port_Binding: ["logical_port", "datapath"] } as const;

/** MAC address of neighbours outside OVN whose real address is not known. */
export const ASSUMED_MAC = "0a:00:00:00:00:01";

/**
 * Lets northd translate the zone, and adds the neighbours that ovn-trace(8) looks up. It ignores Static_MAC_Binding rows, and no chassis
 * learns the addresses of next hops there. So next hops without a known address are assumed to answer.
 * @param isLive whether the rows are copies of live databases, which have all chassis of other zones
 */
export async function prepare(shadow: Shadow, isLive: boolean): Promise<void> {
  const { connections, zone } = shadow;
  const north = await zoneRows(connections, zone, "OVN_Northbound", NORTHBOUND);
  const assumed = isLive ? [] : await addRemoteChassis(shadow, north);
  await shadow.translate();
  if (!isLive && (await startSessions(shadow))) await shadow.translate();
  const south = await zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND);
  const datapaths = new Map(south.Port_Binding.map((row) => [row.logical_port as string, row.datapath as string]));
  const inserts = bindingsOf(north, shadow.learned).flatMap(({ port, ip, mac }): Operation[] => {
    const datapath = datapaths.get(port);
    return datapath === undefined ? [] : [{ op: "insert", table: "MAC_Binding", row: { logical_port: port, ip, mac, datapath: ["uuid", datapath] } }];
  });
  const client = await connections.get(zone, "OVN_Southbound");
  // A plan can create them.
  const deletions = assumed.map((name): Operation => ({ op: "delete", table: "Chassis", where: [["name", "==", name]] }));
  await client.transact([...deletions, { op: "delete", table: "MAC_Binding", where: [] }, ...inserts]);
}

/** Lets BFD sessions be up, as next hops are assumed to answer: northd leaves out routes whose session is not. Returns whether there are any. */
async function startSessions({ connections, zone }: Shadow): Promise<boolean> {
  const client = await connections.get(zone, "OVN_Southbound");
  const [result] = await client.transact([{ op: "update", table: "BFD", where: [["status", "!=", "up"]], row: { status: "up" } }]);
  return (result as { count: number }).count > 0;
}

/**
 * Adds other zones' chassis that ports name, and returns the names of those that were missing. Another writer, such as ovn-ic, may have added
 * them to the real databases.
 */
async function addRemoteChassis({ connections, zone }: Shadow, north: Record<keyof typeof NORTHBOUND, Decoded[]>): Promise<string[]> {
  const remote = [
    ...north.Logical_Switch_Port.filter(({ type }) => type === "remote"),
    ...north.Logical_Router_Port.filter(({ peer }) => elements(peer).length === 0),
  ].flatMap(({ options }) => (map(options)["requested-chassis"] ?? "").split(",").filter(Boolean));
  const { Chassis } = await zoneRows(connections, zone, "OVN_Southbound", { Chassis: ["name"] });
  const known = new Set(Chassis.map(({ name }) => name as string));
  const client = await connections.get(zone, "OVN_Southbound");
  const missing = [...new Set(remote)].filter((name) => !known.has(name));
  const inserts = missing.flatMap((name, index): Operation[] => [
    {
      op: "insert",
      table: "Encap",
      "uuid-name": `encap${index}`,
      row: { type: "geneve", ip: `2001:db8::${(known.size + index + 1).toString(16)}`, chassis_name: name },
    },
    {
      op: "insert",
      table: "Chassis",
      row: { name, hostname: name, encaps: ["named-uuid", `encap${index}`], other_config: ["map", [["is-remote", "true"]]] },
    },
  ]);
  if (inserts.length > 0) await client.transact(inserts);
  return missing;
}

/** Neighbours of routers' ports, as ovn-controller(8) prefers them, then the assumed ones. */
function bindingsOf(north: Record<keyof typeof NORTHBOUND, Decoded[]>, learned: readonly MacBinding[]): MacBinding[] {
  const [fallback, overriding] = [false, true].map((overrides) =>
    north.Static_MAC_Binding.filter((row) => row.override_dynamic_mac === overrides).map(bindingOf),
  );
  const all = [...overriding!, ...learned, ...fallback!, ...nextHops(north)];
  return [...new Map(all.toReversed().map((binding) => [`${binding.port} ${binding.ip}`, binding])).values()];
}

/** A row of MAC_Binding or Static_MAC_Binding. */
export function bindingOf({ logical_port, ip, mac }: Decoded): MacBinding {
  return { port: logical_port as string, ip: ip as string, mac: mac as string };
}

/** Next hops of the routers' ports to physical networks. Other next hops are in OVN, which knows their addresses, or do not exist. */
function nextHops(north: Record<keyof typeof NORTHBOUND, Decoded[]>): MacBinding[] {
  const [ports, routes, policies] = [byUuid(north.Logical_Router_Port), byUuid(north.Logical_Router_Static_Route), byUuid(north.Logical_Router_Policy)];
  const external = externalPorts(north);
  return north.Logical_Router.flatMap((router) => {
    const hops = [
      ...referred(routes, router.static_routes).map(({ nexthop }) => text(nexthop)),
      ...referred(policies, router.policies).flatMap(({ nexthop, nexthops }) => [...elements(nexthops), text(nexthop)]),
    ].filter((hop) => hop !== undefined && hop !== "");
    const names = referred(ports, router.ports).map(({ name }) => name as string);
    return names.filter((name) => external.has(name)).flatMap((port) => hops.map((ip): MacBinding => ({ port, ip: ip!, mac: ASSUMED_MAC })));
  });
}

/** Names of the router ports on switches with a localnet port. */
function externalPorts(north: Record<keyof typeof NORTHBOUND, Decoded[]>): ReadonlySet<string> {
  const ports = byUuid(north.Logical_Switch_Port);
  const switches = north.Logical_Switch.map((row) => referred(ports, row.ports));
  const external = switches.filter((all) => all.some(({ type }) => type === "localnet")).flat();
  return new Set(external.flatMap(({ options }) => map(options)["router-port"] ?? []));
}

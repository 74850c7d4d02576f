import type { OvsdbClient, Row } from "@pulumi-ovn/ovsdb-client";
import { formatIp } from "../../kit/address";
import { readable } from "../../kit/address/readable";
import type { World } from "../../backends/contract/kind";
import { mapOf, uuidOf } from "../lookup/rows";
import { inOrder } from "../topology/fields";
import type { OvnExposureSpec } from "./args";
import type { ExposureFacts, RouterFacts, RouterPortFacts } from "./facts";
import { names } from "./port";
import { labelsIn, networksIn, scopesIn } from "./router-port";
import { withoutPort } from "./vip";

/**
 * Reads the routers and their surroundings. Reads only those switch ports of the zone that lead to a router or outside,
 * or whose addresses are announced.
 */
export async function observe(spec: OvnExposureSpec, { targets }: World): Promise<ExposureFacts> {
  const client = await targets.get(spec.zone, "OVN_Northbound");
  const [toRouters, outside] = await Promise.all(
    (["router", "localnet"] as const).map((type) => client.select("Logical_Switch_Port", { where: { type }, columns: ["name", "options", "external_ids"] })),
  );
  const zone: Zone = { client, spec, toRouters: toRouters!, outside: new Set(outside!.map(uuidOf)) };
  const found = await Promise.all(
    Object.keys(spec.routers)
      .sort()
      .map(async (name) => [name, await router(zone, name)] as const),
  );
  return { routers: Object.fromEntries(found), taken: await takenKeys(zone) };
}

interface Zone {
  readonly client: OvsdbClient;
  readonly spec: OvnExposureSpec;
  /** Switch ports that lead to routers. */
  readonly toRouters: readonly Row[];
  /** UUIDs of localnet ports. */
  readonly outside: ReadonlySet<string>;
}

async function router(zone: Zone, name: string): Promise<RouterFacts | null> {
  const rows = await zone.client.select("Logical_Router", { where: { name }, columns: ["options", "ports", "nat", "load_balancer", "load_balancer_group"] });
  const [row] = rows;
  if (!row || rows.length > 1) return null;
  const groups = await byUuids(zone, "Load_Balancer_Group", row["load_balancer_group"], ["load_balancer"]);
  const balancers = [...(row["load_balancer"] as string[]), ...groups.flatMap((group) => group["load_balancer"] as string[])];
  const [ports, nat, vips] = await Promise.all([
    byUuids(zone, "Logical_Router_Port", row["ports"], ["name", "networks"]),
    byUuids(zone, "NAT", row["nat"], ["external_ip"]),
    byUuids(zone, "Load_Balancer", [...new Set(balancers)], ["vips"]),
  ]);
  const entries = await Promise.all(ports.map(async (port) => [port["name"] as string, await routerPort(zone, port)] as const));
  return {
    chassis: mapOf(row, "options")["chassis"] ?? null,
    ports: Object.fromEntries(
      entries.filter((entry): entry is readonly [string, RouterPortFacts] => entry[1] !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    nat: addresses(nat.map((entry) => entry["external_ip"] as string)),
    vips: addresses(vips.flatMap((balancer) => Object.keys(mapOf(balancer, "vips")).map(withoutPort))),
  };
}

async function routerPort(zone: Zone, port: Row): Promise<RouterPortFacts | undefined> {
  const { client, spec, toRouters, outside } = zone;
  const name = port["name"] as string;
  const leads = (row: Row) => mapOf(row, "options")["router-port"];
  const own = toRouters.find((row) => leads(row) === name);
  const [network] = own
    ? await client.select("Logical_Switch", { where: [["ports", "includes", [uuidOf(own)]]], columns: ["name", "ports", "external_ids"] })
    : [];
  if (!own || !network) return undefined;
  const ports = new Set(network["ports"] as string[]);
  const labels = mapOf(network, "external_ids");
  const facts: RouterPortFacts = {
    networks: networksIn(port["networks"] as string[]),
    network: network["name"] as string,
    provider: [...ports].some((uuid) => outside.has(uuid)),
    labels: labelsIn(labels, spec),
    scopes: spec.addressScopes ? scopesIn(mapOf(own, "external_ids")) : {},
    neighbors: toRouters
      .filter((row) => row !== own && ports.has(uuidOf(row)) && leads(row) !== undefined)
      .map((row) => leads(row)!)
      .sort(),
    hosts: [],
  };
  const asHosts = facts.provider ? spec.providerPorts : spec.tenantNetworks === "host";
  if (!asHosts || (spec.exclude && names(spec.exclude, name, facts)) || (spec.select && !names(spec.select, name, facts))) return facts;
  const routers = new Set(toRouters.map(uuidOf));
  const hosts = await byUuids(
    zone,
    "Logical_Switch_Port",
    [...ports].filter((uuid) => !outside.has(uuid) && !routers.has(uuid)),
    ["addresses", "dynamic_addresses"],
  );
  return { ...facts, hosts: addresses(hosts.flatMap(addressesOf)) };
}

/** Addresses of a port as northd reads them: `MAC IP...`, or what it has given itself. */
function addressesOf(row: Row): string[] {
  const texts = (row["addresses"] as string[]).map((text) => (text.endsWith("dynamic") ? ((row["dynamic_addresses"] as string | null) ?? "") : text));
  return texts
    .flatMap((text) => text.split(/\s+/).slice(1))
    .map((text) => text.split("/")[0]!)
    .filter((text) => !text.startsWith("fe80:"));
}

/**
 * Addresses in rows of other owners. northd ignores texts that are not addresses, such as a variable of a template
 * (ovn-nb(5), Load_Balancer options:template).
 */
function addresses(texts: readonly string[]): string[] {
  return inOrder([...new Set(texts.flatMap(readable).map(formatIp))]);
}

async function byUuids({ client }: Zone, table: string, uuids: unknown, columns: readonly string[]): Promise<Row[]> {
  const wanted = uuids as readonly string[];
  if (wanted.length === 0) return [];
  return (await Promise.all(wanted.map((uuid) => client.select(table, { where: [["_uuid", "==", uuid]], columns: [...columns] })))).flat();
}

/** Others that ask for one of the tables as their key: northd would give one of the two another. */
async function takenKeys({ client, spec }: Zone): Promise<Record<string, string>> {
  const setColumns = [
    ["Logical_Router", "options"],
    ["Logical_Switch", "other_config"],
  ] as const;
  const found = await Promise.all(
    Object.values(spec.routers).flatMap(({ table }) =>
      setColumns.map(async ([name, column]) => {
        const rows = await client.select(name, { where: [[column, "includes", new Map([["requested-tnl-key", String(table)]])]], columns: ["name"] });
        return rows.map((row) => [String(table), name, row["name"] as string] as const);
      }),
    ),
  );
  return Object.fromEntries(
    found
      .flat()
      .filter(([table, kind, name]) => !(kind === "Logical_Router" && spec.routers[name]?.table === Number(table)))
      .map(([table, kind, name]) => [table, `${kind} "${name}"`])
      .sort(),
  );
}

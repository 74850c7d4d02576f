import { type OvsdbClient, OperationError, type Row } from "@pulumi-ovn/ovsdb-client";
import { readable } from "../../../kit/address/readable";
import type { World } from "../../../backends/contract/kind";
import { mapOf, uuidOf } from "../../lookup/rows";
import type { BgpExposureSpec } from "../args";
import { columnsOf } from "../chassis/snapshot/columns";
import { desired } from "../chassis/desired";
import { hostsIn } from "../chassis/hosts-in";
import { type LocalBridge, NO_NORTHBOUND, type NorthboundFacts, type Snapshot } from "../chassis/snapshot/snapshot";
import { mappingsOf } from "../chassis/snapshot/rows";
import { NAT_COLUMNS, NatRows, NETWORK_PORTS, SouthboundReader } from "../chassis/snapshot/database-rows";
import { AGENT_KEY } from "./exposure";
import { queriedRows } from "./queried-rows";
import { exposureOf } from "./render";

/** Milliseconds that northd has to hand on what was written. */
const PATIENCE = 3_000;

/** Types of workloads' port bindings. (ovn-sb(5), Port_Binding) */
const WORKLOADS = ["", "virtual"];

/** MAC of bridges, which only their hosts know. No router can have this one. */
const NO_MAC = "ff:ff:ff:ff:ff:ff";

/**
 * Returns the routes that the agents of the chassis should announce for the current databases. It uses the same rules as
 * the agents. It does not see what only the hosts know: patch ports, MACs of bridges, sessions of FRR, networks of the
 * host, names of servers, a missing route to the Northbound database. Empty if the targets do not include the Southbound
 * database of the zone.
 */
export async function announcedByAgents(spec: BgpExposureSpec, { targets }: Pick<World, "targets">): Promise<Record<string, string[]>> {
  const endpoints = targets.zone(spec.zone);
  if (endpoints.southbound === undefined) return {};
  const [southbound, northbound] = await Promise.all([
    targets.get(spec.zone, "OVN_Southbound"),
    spec.floatingIPs ? targets.get(spec.zone, "OVN_Northbound") : undefined,
  ]);
  const text = JSON.stringify(exposureOf(spec));
  await arrived(southbound, AGENT_KEY + spec.name!, text);
  const [zone, translated] = await Promise.all([Zone.read(southbound, spec), northbound ? translations(northbound) : NO_NORTHBOUND]);
  // Agents know no other servers than by what their hosts have: mostly these.
  const servers = [endpoints.southbound, endpoints.northbound]
    .flatMap((list) => (list === undefined ? [] : hostsIn(list)))
    .filter((host) => readable(host).length > 0);
  const common = { northbound: translated, servers, unreadable: {}, exposures: { [spec.name!]: text } };
  return Object.fromEntries(
    spec.chassis!.toSorted().map((name) => {
      const { routes } = desired({ ...zone.of(name), ...common }).state;
      return [name, routes.map(({ destination }) => destination).sort()] as const;
    }),
  );
}

/**
 * Waits until the Southbound database has the exposure: everything written earlier is then there too. If northd is down,
 * or another writer changed the text, the current content counts.
 */
async function arrived(client: OvsdbClient, key: string, text: string): Promise<void> {
  try {
    await client.transact(
      [
        {
          op: "wait",
          table: "SB_Global",
          where: [["options", "includes", ["map", [[key, text]]]]],
          columns: ["_uuid"],
          until: "!=",
          rows: [],
          timeout: PATIENCE,
        },
      ],
      { timeout: PATIENCE + 5_000 },
    );
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

/** Rows of the Southbound database that can affect the chassis of an exposure. Results that are equal for all chassis are computed once. */
class Zone {
  private readonly chassis: ReadonlyMap<string, Row>;
  private readonly ownTunnels: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly common: Pick<Snapshot, "ports" | "loadBalancers" | "tunnels">;
  /** As if each network had its port on each bridge. */
  private readonly patches: LocalBridge["patches"];

  private constructor(rows: SouthboundReader, chassis: readonly Row[], encaps: readonly Row[]) {
    this.chassis = new Map(chassis.map((row) => [row["name"] as string, row]));
    this.ownTunnels = new Map(
      [...Map.groupBy(encaps, (row) => row["chassis_name"] as string)].map(([name, own]) => [name, new Set(own.map((row) => row["ip"] as string))]),
    );
    this.common = { ports: rows.ports(), loadBalancers: rows.loadBalancers(), tunnels: rows.tunnels() };
    this.patches = Object.fromEntries(this.common.ports.filter(({ type }) => type === "localnet").map(({ name }) => [name, "1"]));
  }

  static async read(client: OvsdbClient, { chassis, tenantNetworks, floatingIPs, loadBalancers }: BgpExposureSpec): Promise<Zone> {
    const columns = columnsOf(await client.getSchema());
    const query = (table: string, where: Parameters<OvsdbClient["select"]>[1] = {}) =>
      client.select(table, { columns: ["_uuid", ...columns[table]!], ...where });
    const byHost = tenantNetworks === "host";
    const [here, encaps, datapaths, networkPorts, balancers] = await Promise.all([
      all(chassis!.map((name) => client.select("Chassis", { where: { name }, columns: ["_uuid", "name", "external_ids", "other_config"] }))),
      client.select("Encap", { columns: ["_uuid", "ip", "chassis_name"] }),
      query("Datapath_Binding"),
      all(NETWORK_PORTS.map((type) => query("Port_Binding", { where: { type } }))),
      loadBalancers || floatingIPs ? query("Load_Balancer") : [],
    ]);
    const workloads = await all(
      byHost
        ? WORKLOADS.map((type) => query("Port_Binding", { where: { type } }))
        : here.map((row) => query("Port_Binding", { where: [["chassis", "==", uuidOf(row)]] })),
    );
    const found = { Chassis: here, Encap: encaps, Datapath_Binding: datapaths, Load_Balancer: balancers };
    const groups = new SouthboundReader(queriedRows(found), columns).groups();
    const datapathGroups = await all(groups.map((uuid) => query("Logical_DP_Group", { where: [["_uuid", "==", uuid]] })));
    const ports = [...networkPorts, ...workloads.filter((row) => WORKLOADS.includes(row["type"] as string))];
    return new Zone(new SouthboundReader(queriedRows({ ...found, Port_Binding: ports, Logical_DP_Group: datapathGroups }), columns), here, encaps);
  }

  /** As the agent of a chassis sees it, with workloads that it does not look for. */
  of(name: string): Pick<Snapshot, "chassis" | "otherChassis" | "bridges" | "ports" | "loadBalancers" | "tunnels" | "ownTunnels"> {
    const row = this.chassis.get(name);
    return {
      chassis: { name, uuid: row ? uuidOf(row) : null },
      otherChassis: Object.fromEntries([...this.chassis].filter(([other]) => other !== name).map(([other, found]) => [uuidOf(found), other])),
      bridges: row ? this.bridges(row) : {},
      ...this.common,
      ownTunnels: this.ownTunnels.get(name),
    };
  }

  /** Bridges as ovn-controller reports them, including what the host adds by itself. (ovn-sb(5), Chassis) */
  private bridges(row: Row): Record<string, LocalBridge> {
    const text = { ...mapOf(row, "external_ids"), ...mapOf(row, "other_config") }["ovn-bridge-mappings"] ?? "";
    return Object.fromEntries(mappingsOf(text).map(([physical, name]) => [physical, { name, mac: NO_MAC, patches: this.patches }]));
  }
}

const all = async (queries: readonly Promise<Row[]>[]): Promise<Row[]> => (await Promise.all(queries)).flat();

/** IPv6 addresses of NAT, which the Southbound database does not have. */
async function translations(client: OvsdbClient): Promise<NorthboundFacts> {
  const query = (table: keyof typeof NAT_COLUMNS, where: Parameters<OvsdbClient["select"]>[1] = {}) =>
    client.select(table, { columns: ["_uuid", ...NAT_COLUMNS[table]], ...where });
  const [routers, ports, nat] = await Promise.all([query("Logical_Router"), query("Logical_Switch_Port", { where: { type: "router" } }), query("NAT")]);
  return new NatRows(queriedRows({ Logical_Router: routers, Logical_Switch_Port: ports, NAT: nat })).facts();
}

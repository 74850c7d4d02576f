import { type OvsdbClient, OperationError, type Row } from "@pulumi-ovn/ovsdb-client";
import { readable } from "../../../kit/address/readable";
import type { World } from "../../../backends/contract/kind";
import { mapOf, uuidOf } from "../../lookup/rows";
import type { BgpExposureSpec } from "../args";
import {
  columnsOf,
  desired,
  floatingIP,
  groupsOf,
  hostsIn,
  loadBalancer,
  type LocalBridge,
  mappingsOf,
  NO_NORTHBOUND,
  type NorthboundFacts,
  portBinding,
  type PortBinding,
  type Read,
  type Snapshot,
} from "../chassis";
import { AGENT_KEY } from "./exposure";
import { exposureOf } from "./render";

/** Milliseconds that northd has to hand on what was written. */
const PATIENCE = 3_000;

/** Between networks: they tell what is where. (ovn-sb(5), Port_Binding) */
const BETWEEN = ["patch", "localnet", "chassisredirect", "l3gateway"];
const WORKLOADS = ["", "virtual"];

/** A bridge has one, which its host alone knows. This one no router can have. */
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
  const common = { northbound: translated, servers, held: {}, exposures: { [spec.name!]: text } };
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
  private readonly ownTunnels: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly tunnels: readonly string[];
  /** As if each network had its port on each bridge. */
  private readonly patches: LocalBridge["patches"];

  private constructor(
    private readonly chassis: ReadonlyMap<string, Row>,
    encaps: readonly Row[],
    private readonly ports: readonly PortBinding[],
    private readonly loadBalancers: Snapshot["loadBalancers"],
  ) {
    const addresses = (rows: readonly Row[]) => new Set(rows.map((row) => row["ip"] as string));
    this.ownTunnels = new Map([...Map.groupBy(encaps, (row) => row["chassis_name"] as string)].map(([name, own]) => [name, addresses(own)]));
    this.tunnels = [...addresses(encaps)];
    this.patches = Object.fromEntries(ports.filter(({ type }) => type === "localnet").map(({ name }) => [name, "1"]));
  }

  static async read(client: OvsdbClient, { chassis, tenantNetworks, floatingIPs, loadBalancers }: BgpExposureSpec): Promise<Zone> {
    const columns = columnsOf(await client.getSchema());
    const rows = (table: string, where: Parameters<OvsdbClient["select"]>[1] = {}) =>
      client.select(table, { columns: ["_uuid", ...columns[table]!], ...where });
    const reader =
      (table: string, row: Row | undefined): Read =>
      (column) =>
        columns[table]!.includes(column) ? row?.[column] : undefined;
    const byHost = tenantNetworks === "host";
    const [found, encaps, datapaths, between, balancers] = await Promise.all([
      Promise.all(chassis!.map((name) => client.select("Chassis", { where: { name }, columns: ["_uuid", "name", "external_ids", "other_config"] }))),
      client.select("Encap", { columns: ["ip", "chassis_name"] }),
      rows("Datapath_Binding"),
      Promise.all(BETWEEN.map((type) => rows("Port_Binding", { where: { type } }))),
      loadBalancers || floatingIPs ? rows("Load_Balancer") : [],
    ]);
    const here = found.flat();
    const workloads = await Promise.all(
      byHost
        ? WORKLOADS.map((type) => rows("Port_Binding", { where: { type } }))
        : here.map((row) => rows("Port_Binding", { where: [["chassis", "==", uuidOf(row)]] })),
    );
    const groups = [...new Set(balancers.flatMap((row) => groupsOf(reader("Load_Balancer", row))))];
    const members = new Map(
      (await Promise.all(groups.map((uuid) => rows("Logical_DP_Group", { where: [["_uuid", "==", uuid]] }))))
        .flat()
        .map((row) => [uuidOf(row), row["datapaths"] as string[]]),
    );
    const networks = new Map(datapaths.map((row) => [uuidOf(row), row]));
    const binding = (row: Row) => portBinding(reader("Port_Binding", row), reader("Datapath_Binding", networks.get(row["datapath"] as string)));
    return new Zone(
      new Map(here.map((row) => [row["name"] as string, row])),
      encaps,
      [...between.flat(), ...workloads.flat().filter((row) => WORKLOADS.includes(row["type"] as string))].map(binding),
      balancers.map((row) =>
        loadBalancer(
          reader("Load_Balancer", row),
          groupsOf(reader("Load_Balancer", row)).flatMap((uuid) => members.get(uuid) ?? []),
        ),
      ),
    );
  }

  /** As the agent of a chassis sees it, with workloads that it does not look for. */
  of(name: string): Pick<Snapshot, "chassis" | "otherChassis" | "bridges" | "ports" | "loadBalancers" | "tunnels" | "ownTunnels"> {
    const row = this.chassis.get(name);
    const { ports, loadBalancers, tunnels } = this;
    return {
      chassis: { name, uuid: row ? uuidOf(row) : null },
      otherChassis: Object.fromEntries([...this.chassis].filter(([other]) => other !== name).map(([other, found]) => [uuidOf(found), other])),
      bridges: row ? this.bridges(row) : {},
      ports,
      loadBalancers,
      tunnels,
      ownTunnels: this.ownTunnels.get(name),
    };
  }

  /** Bridges as ovn-controller reports them, including what the host adds by itself. (ovn-sb(5), Chassis) */
  private bridges(row: Row): Record<string, LocalBridge> {
    const text = { ...mapOf(row, "external_ids"), ...mapOf(row, "other_config") }["ovn-bridge-mappings"] ?? "";
    return Object.fromEntries(mappingsOf(text).map(([physical, name]) => [physical, { name, mac: NO_MAC, patches: this.patches }]));
  }
}

/** IPv6 addresses of NAT, which the Southbound database has none of. */
async function translations(client: OvsdbClient): Promise<NorthboundFacts> {
  const [routers, ports, nat] = await Promise.all([
    client.select("Logical_Router", { columns: ["_uuid", "nat"] }),
    client.select("Logical_Switch_Port", { where: { type: "router" }, columns: ["name", "options"] }),
    client.select("NAT", { columns: ["_uuid", "type", "external_ip", "logical_port", "external_mac"] }),
  ]);
  const byUuid = new Map(nat.map((row) => [uuidOf(row), row]));
  return {
    floatingIPs: routers.flatMap((router) => (router["nat"] as string[]).flatMap((uuid) => floatingIP(uuidOf(router), (column) => byUuid.get(uuid)?.[column]))),
    natPorts: ports.filter((row) => mapOf(row, "options")["nat-addresses"] === "router").map((row) => row["name"] as string),
  };
}

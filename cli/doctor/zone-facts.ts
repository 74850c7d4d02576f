import { describeEndpoint, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { requestedChassis } from "@pulumi-ovn/provider/tools";
import { databaseFacts, type DatabaseFacts } from "./database";

/** A row of NB_Global (ovn-nb(5)). Times are milliseconds since 1970, by the clock of northd. */
interface Global {
  readonly nbCfg: number;
  readonly sbCfg: number;
  readonly sbCfgTime: number;
}

export interface NorthboundFacts extends DatabaseFacts {
  /** Undefined: northd has not initialized the database. */
  readonly global?: Global | undefined;
  /** Chassis that remote ports ask for. */
  readonly wanted?: readonly string[];
}

/** A chassis of a Southbound database. */
export interface Chassis {
  readonly name: string;
  readonly hostname: string;
  /** True for a chassis of another zone. */
  readonly remote: boolean;
  /** Contents of its Chassis_Private row, with the time of the chassis' own clock. Undefined if it has no row. */
  readonly reached?: { readonly nbCfg: number; readonly time: number } | undefined;
}

export interface SouthboundFacts extends DatabaseFacts {
  /** Change that chassis have to install. */
  readonly nbCfg?: number;
  readonly chassis?: readonly Chassis[];
}

/** Facts about a zone. Databases without an endpoint are left out. */
export interface ZoneFacts {
  readonly name: string;
  readonly northbound?: NorthboundFacts;
  readonly southbound?: SouthboundFacts;
  readonly openvswitch?: DatabaseFacts;
}

/** Reads the databases of a zone, all at the same time. A database that can't be read is a fact, not an error. */
export async function zoneFacts(targets: Connections, name: string): Promise<ZoneFacts> {
  const { northbound, southbound, openvswitch } = targets.zone(name);
  const [nb, sb, ovs] = await Promise.all([
    northbound === undefined ? undefined : databaseFacts(targets, name, "OVN_Northbound", describeEndpoint(northbound), northboundFacts),
    southbound === undefined ? undefined : databaseFacts(targets, name, "OVN_Southbound", describeEndpoint(southbound), southboundFacts),
    openvswitch === undefined ? undefined : databaseFacts(targets, name, "Open_vSwitch", describeEndpoint(openvswitch), () => Promise.resolve({})),
  ]);
  return { name, ...(nb && { northbound: nb }), ...(sb && { southbound: sb }), ...(ovs && { openvswitch: ovs }) };
}

async function northboundFacts(client: OvsdbClient): Promise<Pick<NorthboundFacts, "global" | "wanted">> {
  const tables = (await client.getSchema()).tables;
  const times = tables.get("NB_Global")?.columns.has("sb_cfg_timestamp") ? ["sb_cfg_timestamp"] : [];
  const [[row], switchPorts, routerPorts] = await Promise.all([
    client.select("NB_Global", { columns: ["nb_cfg", "sb_cfg", ...times] }),
    client.select("Logical_Switch_Port", { where: { type: "remote" }, columns: ["options"] }),
    client.select("Logical_Router_Port", { columns: ["options"] }),
  ]);
  const requested = [...switchPorts, ...routerPorts].map(({ options }) => (options as ReadonlyMap<string, string>).get("requested-chassis"));
  const wanted = [...new Set(requested.flatMap(requestedChassis))].sort();
  const global = row && { nbCfg: Number(row["nb_cfg"]), sbCfg: Number(row["sb_cfg"]), sbCfgTime: Number(row["sb_cfg_timestamp"] ?? 0) };
  return { global, wanted };
}

async function southboundFacts(client: OvsdbClient): Promise<Pick<SouthboundFacts, "nbCfg" | "chassis">> {
  const [[global], rows, reached] = await Promise.all([
    client.select("SB_Global", { columns: ["nb_cfg"] }),
    client.select("Chassis", { columns: ["name", "hostname", "other_config"] }),
    client.select("Chassis_Private", { columns: ["name", "nb_cfg", "nb_cfg_timestamp"] }),
  ]);
  const own = new Map(reached.map((row) => [row["name"], { nbCfg: Number(row["nb_cfg"]), time: Number(row["nb_cfg_timestamp"]) }]));
  const chassis = rows.map(
    (row): Chassis => ({
      name: row["name"] as string,
      hostname: row["hostname"] as string,
      remote: (row["other_config"] as ReadonlyMap<string, string>).get("is-remote") === "true",
      reached: own.get(row["name"] as string),
    }),
  );
  return { nbCfg: Number(global?.["nb_cfg"] ?? 0), chassis };
}

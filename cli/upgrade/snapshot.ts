import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Decoded, map, elements, text, zoneRows } from "../zone-rows";

/** A port as the Southbound database has it. */
export interface PortBinding {
  readonly name: string;
  readonly datapath: string;
  /** "" for a workload's own port. (ovn-sb(5), Port_Binding) */
  readonly type: string;
  readonly tunnelKey: number;
  /** Name of the chassis; undefined when it is bound to none. */
  readonly chassis: string | undefined;
  readonly requestedChassis: string | undefined;
}

export interface Datapath {
  readonly name: string;
  readonly tunnelKey: number;
}

export interface Chassis {
  readonly name: string;
  readonly remote: boolean;
}

export interface SwitchPort {
  readonly name: string;
  readonly type: string;
  readonly addresses: readonly string[];
  readonly routerPort: string | undefined;
}

export interface RouterPort {
  readonly name: string;
  /** With prefix lengths. */
  readonly networks: readonly string[];
  readonly peer: string | undefined;
  readonly remote: boolean;
}

export interface StaticRoute {
  readonly prefix: string;
  readonly nextHop: string;
  readonly bySource: boolean;
  readonly outputPort: string | undefined;
}

export interface LogicalSwitch {
  readonly name: string;
  readonly ports: readonly SwitchPort[];
}

export interface LogicalRouter {
  readonly name: string;
  readonly ports: readonly RouterPort[];
  readonly routes: readonly StaticRoute[];
}

/** A zone as its two databases have it: what a gate judges. */
export interface ZoneSnapshot {
  readonly zone: string;
  /** Release of northd, such as "25.03.0". Undefined if northd never ran. */
  readonly release: string | undefined;
  readonly datapaths: readonly Datapath[];
  readonly ports: readonly PortBinding[];
  readonly chassis: readonly Chassis[];
  readonly switches: readonly LogicalSwitch[];
  readonly routers: readonly LogicalRouter[];
}

const SOUTHBOUND = {
  Datapath_Binding: ["_uuid", "tunnel_key", "external_ids"],
  Port_Binding: ["logical_port", "type", "tunnel_key", "datapath", "chassis", "options"],
  Chassis: ["_uuid", "name", "other_config"],
  SB_Global: ["options"],
} as const;

const NORTHBOUND = {
  Logical_Switch: ["name", "ports"],
  Logical_Switch_Port: ["_uuid", "name", "type", "addresses", "options"],
  Logical_Router: ["name", "ports", "static_routes"],
  Logical_Router_Port: ["_uuid", "name", "networks", "peer", "options"],
  Logical_Router_Static_Route: ["_uuid", "ip_prefix", "nexthop", "policy", "output_port", "route_table"],
} as const;

/** Reads a zone: one transaction of selects in each of its databases. */
export async function readZone(connections: Connections, zone: string): Promise<ZoneSnapshot> {
  const [south, north] = await Promise.all([
    zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND),
    zoneRows(connections, zone, "OVN_Northbound", NORTHBOUND),
  ]);
  return { zone, ...southbound(south), ...northbound(north) };
}

const byUuid = <T>(rows: readonly Decoded[], make: (row: Decoded) => T) => new Map(rows.map((row) => [row._uuid as string, make(row)]));

function southbound(rows: Record<keyof typeof SOUTHBOUND, Decoded[]>): Pick<ZoneSnapshot, "release" | "datapaths" | "ports" | "chassis"> {
  const datapaths = byUuid(rows.Datapath_Binding, (row): Datapath => ({ name: map(row.external_ids).name ?? "", tunnelKey: row.tunnel_key as number }));
  const chassis = byUuid(rows.Chassis, (row): Chassis => ({ name: row.name as string, remote: map(row.other_config)["is-remote"] === "true" }));
  return {
    release: /^\d+\.\d+\.\d+/.exec(map(rows.SB_Global[0]?.options ?? {}).northd_internal_version ?? "")?.[0],
    datapaths: [...datapaths.values()],
    chassis: [...chassis.values()],
    ports: rows.Port_Binding.map((row) => ({
      name: row.logical_port as string,
      datapath: datapaths.get(row.datapath as string)?.name ?? "",
      type: row.type as string,
      tunnelKey: row.tunnel_key as number,
      chassis: chassis.get(text(row.chassis) ?? "")?.name,
      requestedChassis: map(row.options)["requested-chassis"],
    })),
  };
}

function northbound(rows: Record<keyof typeof NORTHBOUND, Decoded[]>): Pick<ZoneSnapshot, "switches" | "routers"> {
  const switchPorts = byUuid(
    rows.Logical_Switch_Port,
    (row): SwitchPort => ({
      name: row.name as string,
      type: row.type as string,
      addresses: elements(row.addresses),
      routerPort: map(row.options)["router-port"],
    }),
  );
  const routerPorts = byUuid(
    rows.Logical_Router_Port,
    (row): RouterPort => ({
      name: row.name as string,
      networks: elements(row.networks),
      peer: text(row.peer),
      remote: map(row.options)["requested-chassis"] !== undefined,
    }),
  );
  const routes = new Map(
    rows.Logical_Router_Static_Route.filter(({ route_table }) => (route_table ?? "") === "").map((row) => [
      row._uuid as string,
      {
        prefix: row.ip_prefix as string,
        nextHop: row.nexthop as string,
        bySource: text(row.policy) === "src-ip",
        outputPort: text(row.output_port),
      } satisfies StaticRoute,
    ]),
  );
  const all = <T>(from: ReadonlyMap<string, T>, uuids: unknown) => elements(uuids).flatMap((uuid) => from.get(uuid) ?? []);
  return {
    switches: rows.Logical_Switch.map(({ name, ports }) => ({ name: name as string, ports: all(switchPorts, ports) })),
    routers: rows.Logical_Router.map(({ name, ports, static_routes }) => ({
      name: name as string,
      ports: all(routerPorts, ports),
      routes: all(routes, static_routes),
    })),
  };
}

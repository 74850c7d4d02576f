import {
  type Network,
  networkIn,
  type RouterPort,
  type Settings,
  type StackResource,
  type StaticRoute,
  type SwitchPort,
  type ZoneSnapshot,
} from "@pulumi-ovn/cli/upgrade";
import { type ColumnValue, type DesiredRow, expandLayer2Network, kinds, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { setDigest } from "@pulumi-ovn/provider/rows";
import { setLines } from "@pulumi-ovn/provider/testing";
import { blue, NODES } from "./network";

const KEYS = { switch: 16_715_779, router: 16_715_780 };
const COMPONENT = "urn:pulumi:dev::net::ovn:network:Layer2Network::blue";

/** The network `blue` in a state of its upgrade. */
export function inState({ upgrade, nodes }: Settings, change: Partial<Layer2NetworkArgs> = {}): Layer2NetworkArgs {
  const network = blue(Object.keys(nodes), { tunnelKeys: KEYS, ...change });
  const staged = Object.entries(network.nodes).map(([name, node]) => [name, { ...node, topology: nodes[name]! }]);
  return { ...network, nodes: Object.fromEntries(staged), ...(upgrade && { upgrade }) };
}

/** A network over so many nodes, with a workload on each. */
export function wide(count: number, settings: (names: readonly string[]) => Settings): Layer2NetworkArgs {
  const names = Array.from({ length: count }, (_, index) => `node${index + 1}`);
  const { upgrade, nodes } = settings(names);
  const address = (index: number) => `${Math.floor(index / 200)}.${(index % 200) + 20}`;
  return {
    name: "blue",
    subnets: ["203.203.0.0/16"],
    tunnelKeys: KEYS,
    nodes: Object.fromEntries(
      names.map((name, index) => [name, { id: index + 2, topology: nodes[name]!, external: { addresses: [`172.18.${address(index)}/16`] } }]),
    ),
    workloads: Object.fromEntries(names.map((name, index) => [`vm${index + 1}`, { node: name, addresses: [`203.203.${address(index)}`] }])),
    ...(upgrade && { upgrade }),
  };
}

const PARTS = {
  switch: "Layer2Switch",
  gatewayRouter: "GatewayRouter",
  gateway: "Layer2Gateway",
  workloads: "WorkloadPorts",
  remoteChassis: "RemoteChassis",
} as const;

type AnyKind = { schema: { parse: (args: unknown) => never }; render: (args: never) => { set: { rows: readonly DesiredRow[] }; outputs?: object } };

/** The network's resources as an engine shows them: checked inputs, by the kinds' own schemas and render functions. */
export function resourcesOf(args: Layer2NetworkArgs): StackResource[] {
  const children = Object.entries(expandLayer2Network(args).zones).flatMap(([zone, plan]) =>
    Object.entries(PARTS).flatMap(([part, kind]): StackResource[] => {
      const given = plan[part as keyof typeof PARTS];
      if (given === undefined) return [];
      const { set, outputs } = rendered(kind, given);
      const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
      return [
        {
          urn: `urn:pulumi:dev::net::ovn:network:Layer2Network$${type}::blue-${kind}-${zone}`,
          type,
          parent: COMPONENT,
          inputs: { ...given, ...outputs, rows: setLines(set as never), digest: setDigest(set as never) },
        },
      ];
    }),
  );
  return [{ urn: COMPONENT, type: "ovn:network:Layer2Network", parent: "", inputs: {} }, ...children];
}

function rendered(kind: (typeof PARTS)[keyof typeof PARTS], args: object) {
  const { schema, render } = kinds[kind] as unknown as AnyKind;
  return render(schema.parse(args));
}

export function networkOf(args: Layer2NetworkArgs): Network {
  return networkIn(resourcesOf(args), "blue");
}

const map = (value: ColumnValue | undefined) => ((value as { map?: Record<string, unknown> } | undefined)?.map ?? {}) as Record<string, string | undefined>;
const list = (value: ColumnValue | undefined) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]) as string[];

/** Databases of every zone after northd and the chassis have followed, as far as gates read them. */
export function snapshotsOf(args: Layer2NetworkArgs): ZoneSnapshot[] {
  const { zones } = expandLayer2Network(args);
  const chassisOf = (zone: string) => {
    const { node } = zones[zone]!;
    return [args.nodes[node]!.chassis ?? node, ...Object.keys(args.nodes[node]!.additionalChassis ?? {})];
  };
  return Object.entries(zones).map(([zone, plan]) => {
    const rows = Object.entries(PARTS).flatMap(([part, kind]) => {
      const given = plan[part as keyof typeof PARTS];
      return given === undefined ? [] : named(rendered(kind, given).set.rows);
    });
    return zoneSnapshot(zone, rows, chassisOf(zone), Object.keys(zones).flatMap(chassisOf));
  });
}

/** References within a resource as names: other resources have rows of the same keys. */
function named(rows: readonly DesiredRow[]): DesiredRow[] {
  return rows.map((row) => {
    const { parent } = row;
    if (!parent || !("key" in parent.row)) return row;
    const { key } = parent.row;
    const holder = rows.find((other) => other.table === parent.table && other.key === key)!;
    return { ...row, parent: { ...parent, row: { name: String(holder.columns.name) } } };
  });
}

function zoneSnapshot(zone: string, rows: readonly DesiredRow[], own: readonly string[], chassis: readonly string[]): ZoneSnapshot {
  const of = (...tables: string[]) => rows.filter(({ table }) => tables.includes(table));
  const nameOf = ({ row }: NonNullable<DesiredRow["parent"]>) => (row as { name: string }).name;
  const inside = (table: string, parent: DesiredRow) => of(table).filter((row) => row.parent && nameOf(row.parent) === parent.columns.name);
  return {
    zone,
    release: "25.03.0",
    chassis: chassis.map((name) => ({ name, remote: !own.includes(name) })),
    datapaths: of("Logical_Switch", "Logical_Router").map(({ columns }, index) => ({
      name: String(columns.name),
      tunnelKey: Number(map(columns.options)["requested-tnl-key"] ?? map(columns.other_config)["requested-tnl-key"] ?? index + 1),
    })),
    ports: of("Logical_Switch_Port", "Logical_Router_Port").map((row, index) => {
      const { name, type = "", options } = row.columns;
      const router = row.table === "Logical_Router_Port";
      const requestedChassis = map(options)["requested-chassis"];
      const remote = router ? requestedChassis !== undefined : type === "remote";
      const bound = remote ? requestedChassis : !router && type === "" ? (requestedChassis?.split(",")[0] ?? own[0]) : undefined;
      return {
        name: String(name),
        datapath: nameOf(row.parent!),
        type: remote ? "remote" : router || type === "router" ? "patch" : String(type),
        tunnelKey: Number(map(options)["requested-tnl-key"] ?? 20_000 + index),
        chassis: bound,
        requestedChassis,
      };
    }),
    switches: of("Logical_Switch").map((row) => ({
      name: String(row.columns.name),
      ports: inside("Logical_Switch_Port", row).map(
        ({ columns }): SwitchPort => ({
          name: String(columns.name),
          type: String(columns.type ?? ""),
          addresses: list(columns.addresses),
          routerPort: map(columns.options)["router-port"],
        }),
      ),
    })),
    routers: of("Logical_Router").map((row) => ({
      name: String(row.columns.name),
      ports: inside("Logical_Router_Port", row).map(
        ({ columns }): RouterPort => ({
          name: String(columns.name),
          networks: list(columns.networks),
          peer: list(columns.peer)[0],
          remote: map(columns.options)["requested-chassis"] !== undefined,
        }),
      ),
      routes: inside("Logical_Router_Static_Route", row).map(
        ({ columns }): StaticRoute => ({
          prefix: String(columns.ip_prefix),
          nextHop: String(columns.nexthop),
          bySource: columns.policy === "src-ip",
          outputPort: list(columns.output_port)[0],
        }),
      ),
    })),
  };
}

export const THREE = Object.keys(NODES);
export const everyNode = (topology: "gateway" | "transit", names: readonly string[] = THREE) => Object.fromEntries(names.map((name) => [name, topology]));

import type { Operation, WireRow } from "@pulumi-ovn/ovsdb-client";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { bfdProblem, bridgeFlows, madeProblem, rowsOf, select, uuidIn } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../../command";
import type { SwitchShadow } from "./switch-shadow";

/** Types of interfaces that work in a shadow as they do on a host. All others are dummies there. */
const COPIED_TYPES: ReadonlySet<unknown> = new Set(["patch", "gre", "geneve", "vxlan", "internal"]);
const PORT_COLUMNS = ["tag", "vlan_mode", "trunks", "protected"] as const;
const INTERFACE_COLUMNS = ["type", "options"] as const;

interface Ports {
  /** Names of ports by bridge. */
  readonly bridges: ReadonlyMap<string, readonly string[]>;
  readonly ports: readonly WireRow[];
  readonly interfaces: readonly WireRow[];
}

/** An interface that does not work on the host. */
export interface BrokenInterface {
  readonly problem: string;
  /** Type and options in the shadow. An update that changes them may repair the interface. Undefined if the shadow lacks it, too. */
  readonly settings: string | undefined;
}

interface Copied {
  readonly bridges: readonly string[];
  /** Ports of the shadow that the host has under another name. */
  readonly undeclared: ReadonlySet<string>;
}

/**
 * Brings bridges of a shadow, their ports and flows to those of the host, which is only read. Returns the interfaces that do not work there,
 * by name: a shadow's interfaces always work.
 */
export async function copyHost(
  shadow: SwitchShadow,
  own: Connections,
  live: Connections,
  { bridges, undeclared }: Copied,
): Promise<Map<string, BrokenInterface>> {
  const { host } = shadow;
  const [flows, there, here] = await read(host, live, own, bridges);
  const commands: string[][] = [];
  for (const [index, bridge] of bridges.entries()) {
    if (flows[index] === undefined) {
      commands.push(["--if-exists", "del-br", bridge]);
      continue;
    }
    if (!here.bridges.has(bridge)) commands.push(["add-br", bridge]);
    const [wanted, had] = [there.bridges.get(bridge) ?? [], here.bridges.get(bridge) ?? [bridge]];
    for (const port of had) if (!wanted.includes(port) && port !== bridge && !undeclared.has(port)) commands.push(["del-port", bridge, port]);
    for (const port of wanted) if (!had.includes(port)) commands.push(["add-port", bridge, port]);
  }
  if (commands.length > 0) await shadow.configure(commands.flatMap((command, index) => (index === 0 ? command : ["--", ...command])));
  const client = await own.get(host, "Open_vSwitch");
  await client.transact(updates(there, bridges));
  // ovs-vsctl(8) waits until the switch has all changes of the database.
  await shadow.configure(["set", "Open_vSwitch", ".", "external_ids:copied=true"]);
  for (const [index, bridge] of bridges.entries()) if (flows[index] !== undefined) await shadow.setFlows(bridge, flows[index]);
  const bridgeOf = new Map([...there.bridges].flatMap(([bridge, ports]) => ports.map((port) => [port, bridge] as const)));
  const rowOf = new Map(there.interfaces.map((row) => [row["name"], row]));
  const problems = bridges.flatMap((bridge) =>
    (here.bridges.get(bridge) ?? []).flatMap((name): [string, string][] => {
      if (undeclared.has(name)) return [];
      const [other, row] = [bridgeOf.get(name) ?? bridge, rowOf.get(name)];
      const problem = other === bridge ? (madeProblem(row) ?? bfdProblem(row)) : `on bridge ${other}`;
      return problem === undefined ? [] : [[name, problem]];
    }),
  );
  if (problems.length === 0) return new Map();
  const settings = await settingsOf(own, host);
  return new Map(problems.map(([name, problem]) => [name, { problem, settings: settings.get(name) }]));
}

/** Type and options of the interfaces of a shadow, by name. */
export async function settingsOf(own: Connections, host: string): Promise<ReadonlyMap<string, string>> {
  const { interfaces } = await portsOf(own, host);
  return new Map(interfaces.map(({ name, type, options }) => [name as string, JSON.stringify([type, options])]));
}

async function read(host: string, live: Connections, own: Connections, bridges: readonly string[]) {
  try {
    return await Promise.all([bridgeFlows({ host: live.host(host) }, bridges), portsOf(live, host), portsOf(own, host)]);
  } catch (error) {
    throw new CommandError("OVN_SIMULATE", `can't read host "${host}": ${(error as Error).message}`);
  }
}

async function portsOf(connections: Connections, host: string): Promise<Ports> {
  const client = await connections.get(host, "Open_vSwitch");
  const [bridges, ports, interfaces] = (
    await client.transact([
      select("Bridge", [], ["name", "ports"]),
      select("Port", [], ["_uuid", "name", ...PORT_COLUMNS]),
      select("Interface", [], ["name", ...INTERFACE_COLUMNS, "ofport", "error", "bfd_status"]),
    ])
  ).map(rowsOf) as [WireRow[], WireRow[], WireRow[]];
  const names = new Map(ports.map((row) => [uuidIn(row), row["name"] as string]));
  return { bridges: new Map(bridges.map((row) => [row["name"] as string, uuidsIn(row["ports"]).flatMap((uuid) => names.get(uuid) ?? [])])), ports, interfaces };
}

/** UUIDs of a set, which has no brackets on the wire if it has one element (RFC 7047, 5.1). */
function uuidsIn(value: unknown): string[] {
  const [tag, content] = value as [string, unknown];
  return tag === "uuid" ? [content as string] : (content as [string, string][]).map(([, uuid]) => uuid);
}

function updates({ bridges: all, ports, interfaces }: Ports, bridges: readonly string[]): Operation[] {
  const names = new Set(bridges.flatMap((bridge) => all.get(bridge) ?? []));
  const update = (table: string, columns: readonly string[], { name, ...row }: WireRow): Operation[] => {
    if (!names.has(name as string)) return [];
    return [{ op: "update", table, where: [["name", "==", name!]], row: Object.fromEntries(columns.map((column) => [column, row[column]!])) }];
  };
  return [
    ...ports.flatMap((row) => update("Port", PORT_COLUMNS, row)),
    ...interfaces.flatMap((row) => (COPIED_TYPES.has(row["type"]) ? update("Interface", INTERFACE_COLUMNS, row) : [])),
  ];
}

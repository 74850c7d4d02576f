import type { Operation, WireRow } from "@pulumi-ovn/ovsdb-client";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { bridgeFlows, rowsOf, select, uuidIn } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../../command";
import type { SwitchShadow } from "./switch-shadow";

/** Types of interfaces that work in a shadow as they do on a host. All others are dummies there. */
const COPIED_TYPES: ReadonlySet<unknown> = new Set(["patch", "gre", "geneve", "vxlan", "internal"]);
const PORT_COLUMNS = ["tag", "vlan_mode", "trunks", "protected"] as const;

interface Ports {
  /** Names of ports by bridge. */
  readonly bridges: ReadonlyMap<string, readonly string[]>;
  readonly ports: readonly WireRow[];
  readonly interfaces: readonly WireRow[];
}

interface Copied {
  readonly bridges: readonly string[];
  /** Ports of the shadow that the host has under another name. */
  readonly undeclared: ReadonlySet<string>;
}

/** Brings bridges of a shadow, their ports and flows to those of the host, which is only read. */
export async function copyHost(shadow: SwitchShadow, own: Connections, live: Connections, { bridges, undeclared }: Copied): Promise<void> {
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
      select("Interface", [], ["name", "type", "options"]),
    ])
  ).map(rowsOf) as [WireRow[], WireRow[], WireRow[]];
  const names = new Map(ports.map((row) => [uuidIn(row), row["name"] as string]));
  return { bridges: new Map(bridges.map((row) => [row["name"] as string, uuidsIn(row["ports"]).flatMap((uuid) => names.get(uuid) ?? [])])), ports, interfaces };
}

/** UUIDs of a set, which has no brackets on the wire if it has one member (RFC 7047, 5.1). */
function uuidsIn(value: unknown): string[] {
  const [tag, content] = value as [string, unknown];
  return tag === "uuid" ? [content as string] : (content as [string, string][]).map(([, uuid]) => uuid);
}

function updates({ bridges: all, ports, interfaces }: Ports, bridges: readonly string[]): Operation[] {
  const names = new Set(bridges.flatMap((bridge) => all.get(bridge) ?? []));
  const update = (table: string, { name, ...row }: WireRow): Operation[] =>
    names.has(name as string) ? [{ op: "update", table, where: [["name", "==", name!]], row }] : [];
  return [
    ...ports.flatMap(({ _uuid, ...row }) => update("Port", row)),
    ...interfaces.flatMap((row) => (COPIED_TYPES.has(row["type"]) ? update("Interface", row) : [])),
  ];
}

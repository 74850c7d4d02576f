import { formatIp, parseIp } from "@pulumi-ovn/provider";
import { byUuid, type Decoded, map, elements, referred, zoneRows } from "../../zone-rows";
import { type AddressedPort, Identities } from "../alike/identities";
import type { Shadow } from "../shadow/shadow";
import type { Undecided } from "./undecided";

const NORTHBOUND = {
  Logical_Switch: ["name", "ports"],
  Logical_Switch_Port: ["_uuid", "name", "type", "addresses", "options"],
  Logical_Router: ["_uuid", "name", "ports", "nat", "load_balancer", "static_routes"],
  Logical_Router_Static_Route: ["_uuid", "ip_prefix", "policy"],
  Logical_Router_Port: ["_uuid", "name", "mac", "networks", "ipv6_ra_configs"],
  NAT: ["_uuid", "type", "external_ip", "logical_ip"],
  Load_Balancer: ["_uuid", "vips", "protocol"],
  ACL: ["match"],
  Logical_Router_Policy: ["match"],
} as const;

const SOUTHBOUND = {
  Datapath_Binding: ["_uuid", "tunnel_key", "external_ids"],
  Port_Binding: ["logical_port", "type", "tunnel_key", "datapath", "options"],
} as const;

/** A port that packets pass, from the Southbound database. */
export interface Port {
  readonly name: string;
  /** "" for a workload's own port. (ovn-sb(5), Port_Binding) */
  readonly type: string;
  readonly datapath: string;
  /** Tunnel keys of datapath and port, which identify the port in all zones. */
  readonly key: string;
  readonly peer: string | undefined;
}

export interface Workload {
  readonly name: string;
  readonly switch: string;
  readonly mac: string;
  readonly addresses: readonly string[];
}

/** A router's port on a logical switch. */
export interface Gateway {
  readonly switch: string;
  readonly router: string;
  readonly mac: string;
  /** With prefix lengths. */
  readonly networks: readonly string[];
  /** Tunnel keys of the switch's port. */
  readonly key: string | undefined;
  /** Preference of the router in its advertisements: 0 is low, 2 is high. Undefined if it sends none. (RFC 4191, section 2.1) */
  readonly preference: number | undefined;
}

/** A load balancer's address, `ADDRESS:PORT`, or only an address. */
interface VirtualAddress {
  readonly vip: string;
  /** `ADDRESS:PORT`, or only addresses. */
  readonly backends: readonly string[];
  readonly protocol: string;
  readonly router: string | undefined;
}

/** A translation between an external address and an address, or a prefix, inside. */
interface Translation {
  readonly router: string;
  readonly address: string;
  readonly inside: string;
}

/** A zone's databases, as far as questions and paths need them. */
export interface ZoneFacts {
  readonly zone: string;
  readonly ports: ReadonlyMap<string, Port>;
  /** Names of the ports by their tunnel keys. */
  readonly keys: ReadonlyMap<string, string>;
  readonly workloads: readonly Workload[];
  /** MAC addresses by address, of all ports of each switch. */
  readonly neighbours: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Switches with workloads whose addresses are unknown. */
  readonly learning: readonly string[];
  /** All ports with addresses, also those of other zones. */
  readonly identities: Identities;
  readonly gateways: readonly Gateway[];
  /** Localnet ports: name of the port and of the physical network, by switch. */
  readonly externals: readonly { readonly switch: string; readonly port: string; readonly network: string }[];
  /** Translations of destinations. */
  readonly floating: readonly Translation[];
  /** Destinations of static routes, by router. */
  readonly routes: readonly { readonly router: string; readonly prefix: string }[];
  readonly virtual: readonly VirtualAddress[];
  readonly translations: readonly Translation[];
  /** Match expressions of ACLs and policies. */
  readonly matches: readonly string[];
  readonly undecided: readonly Undecided[];
}

export async function readFacts({ connections, zone }: Shadow): Promise<Omit<ZoneFacts, "undecided">> {
  const north = inOrder(await zoneRows(connections, zone, "OVN_Northbound", NORTHBOUND));
  const south = await zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND);
  const ports = portsOf(south);
  const switchPorts = byUuid(north.Logical_Switch_Port);
  const onSwitches = north.Logical_Switch.flatMap((row) =>
    referred(switchPorts, row.ports).map((port) => ({ switch: row.name as string, name: port.name as string, type: port.type as string, port })),
  );
  const routerPorts = byUuid(north.Logical_Router_Port);
  const routers = north.Logical_Router.flatMap((row) => referred(routerPorts, row.ports).map((port) => ({ router: row.name as string, port })));
  const addressed = onSwitches.flatMap(({ switch: on, name, type, port }) =>
    elements(port.addresses).flatMap((text): AddressedPort[] => {
      const [mac = "", ...addresses] = text.split(" ").filter(Boolean);
      return /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) ? [{ name, switch: on, mac: mac.toLowerCase(), addresses: addresses.map(canonical), type }] : [];
    }),
  );
  return {
    zone,
    ports,
    keys: new Map([...ports.values()].map(({ key, name }) => [key, name])),
    workloads: addressed.filter(({ type, addresses }) => type === "" && addresses.length > 0),
    neighbours: grouped(addressed),
    learning: onSwitches.filter(({ type, port }) => type === "" && elements(port.addresses).includes("unknown")).map((each) => each.switch),
    identities: new Identities(addressed),
    gateways: onSwitches.flatMap(({ switch: on, name, type, port }): Gateway[] => {
      const peer = type === "router" ? map(port.options)["router-port"] : undefined;
      const found = routers.find((each) => peer !== undefined && each.port.name === peer);
      if (found === undefined) return [];
      const { mac, networks, ipv6_ra_configs } = found.port;
      const own = { mac: mac as string, networks: elements(networks), preference: preferenceIn(map(ipv6_ra_configs)) };
      return [{ switch: on, router: found.router, key: ports.get(name)?.key, ...own }];
    }),
    externals: onSwitches.flatMap(({ switch: on, name, type, port }) =>
      type === "localnet" ? [{ switch: on, port: name, network: map(port.options).network_name ?? "" }] : [],
    ),
    floating: translationsOf(north, (type) => type !== "snat"),
    routes: routesOf(north),
    virtual: virtualOf(north),
    translations: translationsOf(north, () => true),
    matches: [...north.ACL, ...north.Logical_Router_Policy].map(({ match }) => match as string),
  };
}

/** Rows in one order. A server returns them in another order when it starts again. */
function inOrder<Name extends string>(tables: Readonly<Record<Name, Decoded[]>>): Readonly<Record<Name, Decoded[]>> {
  const keyOf = ({ name, _uuid, match }: Decoded) => (name ?? _uuid ?? match) as string;
  for (const rows of Object.values<Decoded[]>(tables)) rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return tables;
}

function portsOf(south: Record<keyof typeof SOUTHBOUND, Decoded[]>): ReadonlyMap<string, Port> {
  const datapaths = byUuid(south.Datapath_Binding);
  const ports = south.Port_Binding.map((row): Port => {
    const datapath = datapaths.get(row.datapath as string)!;
    return {
      name: row.logical_port as string,
      type: row.type as string,
      datapath: map(datapath.external_ids).name ?? "",
      key: `${datapath.tunnel_key as number}/${row.tunnel_key as number}`,
      peer: map(row.options).peer,
    };
  });
  return new Map(ports.map((port) => [port.name, port]));
}

const PREFERENCES = ["LOW", "MEDIUM", "HIGH"];

/** northd ignores advertisements without an address mode. */
function preferenceIn({ address_mode, router_preference = "MEDIUM" }: Readonly<Record<string, string>>): number | undefined {
  return address_mode === undefined ? undefined : PREFERENCES.indexOf(router_preference);
}

/** An address as ovn-trace prints it; other words, such as "dynamic", as they are. */
function canonical(address: string): string {
  try {
    return formatIp(parseIp(address));
  } catch {
    return address;
  }
}

function grouped(workloads: readonly Workload[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const result = new Map<string, Map<string, string>>();
  for (const { switch: on, mac, addresses } of workloads) {
    const known = result.get(on) ?? new Map<string, string>();
    result.set(on, known);
    for (const address of addresses) known.set(address, mac);
  }
  return result;
}

function translationsOf(north: Record<keyof typeof NORTHBOUND, Decoded[]>, isMeant: (type: string) => boolean): Translation[] {
  const translations = byUuid(north.NAT);
  return north.Logical_Router.flatMap(({ name, nat }) =>
    referred(translations, nat)
      .filter(({ type }) => isMeant(type as string))
      .map(({ external_ip, logical_ip }) => ({
        router: name as string,
        address: canonical(external_ip as string),
        inside: canonical(logical_ip as string),
      })),
  );
}

function routesOf(north: Record<keyof typeof NORTHBOUND, Decoded[]>): ZoneFacts["routes"] {
  const routes = byUuid(north.Logical_Router_Static_Route);
  return north.Logical_Router.flatMap(({ name, static_routes }) =>
    referred(routes, static_routes)
      .filter(({ policy }) => !elements(policy).includes("src-ip"))
      .map(({ ip_prefix }) => ({ router: name as string, prefix: ip_prefix as string })),
  );
}

function virtualOf(north: Record<keyof typeof NORTHBOUND, Decoded[]>): VirtualAddress[] {
  return north.Load_Balancer.flatMap(({ _uuid, vips, protocol }) => {
    const router = north.Logical_Router.find(({ load_balancer }) => elements(load_balancer).includes(_uuid as string))?.name as string | undefined;
    return Object.entries(map(vips)).map(([vip, list]) => ({
      vip,
      backends: list.split(",").filter(Boolean),
      protocol: elements(protocol)[0] ?? "tcp",
      router,
    }));
  });
}

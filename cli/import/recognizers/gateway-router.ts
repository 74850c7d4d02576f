import { contains, parsePrefix, parseSubnet, PORTS, type Prefix } from "@pulumi-ovn/provider";
import type { Properties } from "@pulumi-ovn/provider/tools";
import { entryOf, given, listOf, numberOf, textOf } from "../cells";
import type { Database, Row } from "../database";
import { derivedMac } from "./layer2-switch";
import type { Recognizer } from "./recognizer";

const DEFAULT_ROUTES = ["0.0.0.0/0", "::/0"];

/** Routers on a chassis with a port to an external switch, by the names of the two ports between them. */
export const gatewayRouters: Recognizer = ({ name: zone, database }) =>
  database.table("Logical_Router").flatMap((router) => {
    const name = textOf(router, "name") ?? "";
    const chassis = entryOf(router, "options", "chassis");
    const port = database.named("Logical_Router_Port", PORTS.rtoe(name));
    const switchPort = database.named("Logical_Switch_Port", PORTS.etor(name));
    const external = switchPort && database.parents(switchPort.uuid)[0]?.row;
    const localnet = external && database.inside(external, "ports").find((row) => textOf(row, "type") === "localnet");
    if (chassis === undefined || !port || !localnet) return [];
    const variants = () => variantsOf({ zone, database, router, name, chassis, port, switchPort, external, localnet });
    return [{ kind: "GatewayRouter", row: router, variants }];
  });

interface Found {
  readonly zone: string;
  readonly database: Database;
  readonly router: Row;
  readonly name: string;
  readonly chassis: string;
  /** To the external switch. */
  readonly port: Row;
  readonly switchPort: Row;
  readonly external: Row;
  readonly localnet: Row;
}

function variantsOf({ zone, database, router, name, chassis, port, switchPort, external, localnet }: Found): Properties[] {
  const routes = database.inside(router, "static_routes").filter((route) => textOf(route, "output_port") === PORTS.rtoe(name));
  const nats = database.inside(router, "nat").filter((nat) => textOf(nat, "type") === "snat" && textOf(nat, "match") === undefined);
  const masquerade = masqueradeOf(port, routes);
  const addresses = externalAddresses(port, masquerade?.subnets ?? [], nats);
  const mac = textOf(port, "mac");
  const snatSubnets = nats
    .map((nat) => textOf(nat, "logical_ip") ?? "")
    .filter((text) => text.includes("/"))
    .sort();
  const joinAddresses = entryOf(router, "options", "lb_force_snat_ip")?.split(" ");
  const args: Properties = {
    zone,
    name,
    chassis,
    external: {
      switchName: textOf(external, "name"),
      localnetPortName: textOf(localnet, "name"),
      addresses,
      ...given({
        networkName: nonDefault(entryOf(localnet, "options", "network_name"), "physnet"),
        vlan: typeof localnet.columns.tag === "number" ? localnet.columns.tag : undefined,
        mac: derivedMac(addresses.slice(0, 1)) === mac ? undefined : mac,
        nextHops: orNone(routes.filter((route) => DEFAULT_ROUTES.includes(textOf(route, "ip_prefix") ?? "")).map((route) => textOf(route, "nexthop") ?? "")),
      }),
    },
    ...given({
      joinAddresses,
      snatSubnets: orNone(snatSubnets),
      snatPorts: textOf(nats[0], "external_port_range"),
      ctCommitAll: entryOf(router, "options", "ct-commit-all") === "true" ? true : undefined,
      masquerade,
      neighbors: neighborsOf(router, switchPort),
    }),
  };
  const { masquerade: _masquerade, ...plain } = args;
  return masquerade ? [args, plain] : [args];
}

function nonDefault<T>(value: T, usual: T): T | undefined {
  return value === usual ? undefined : value;
}

function orNone<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Subnets that are routed out by the external port, other than everything, and the router's own single addresses in them. */
function masqueradeOf(port: Row, routes: readonly Row[]): { subnets: string[]; addresses: string[] } | undefined {
  const subnets = routes
    .map((route) => textOf(route, "ip_prefix") ?? "")
    .filter((prefix) => prefix.includes("/") && !DEFAULT_ROUTES.includes(prefix))
    .sort();
  const addresses = listOf(port, "networks")
    .filter((text) => inAny(text, subnets))
    .map((text) => text.split("/")[0]!);
  return subnets.length === 0 || addresses.length === 0 ? undefined : { subnets, addresses };
}

function inAny(text: string, subnets: readonly string[]): boolean {
  try {
    const address = parsePrefix(text);
    return isSingle(address) && subnets.some((subnet) => contains(parseSubnet(subnet), address));
  } catch {
    return false;
  }
}

function isSingle({ family, length }: Prefix): boolean {
  return length === (family === 4 ? 32 : 128);
}

/** The set has lost its order: what packets are translated to came first, and IPv4 before IPv6. */
function externalAddresses(port: Row, masquerade: readonly string[], nats: readonly Row[]): string[] {
  const sources = new Set(nats.map((nat) => textOf(nat, "external_ip")));
  const rank = (text: string) => (sources.has(text.split("/")[0]!) ? 0 : 1) + (text.includes(":") ? 2 : 0);
  return listOf(port, "networks")
    .filter((text) => !inAny(text, masquerade))
    .sort((a, b) => rank(a) - rank(b));
}

function neighborsOf(router: Row, switchPort: Row): Properties | undefined {
  const neighbors = given({
    alwaysLearnFromArpRequest: entryOf(router, "options", "always_learn_from_arp_request") === "true" ? true : undefined,
    dynamicNeighborRouters: entryOf(router, "options", "dynamic_neigh_routers") === "true" ? true : undefined,
    agingThreshold: nonDefault(numberOf(entryOf(router, "options", "mac_binding_age_threshold")), 300),
    announceAddresses: entryOf(switchPort, "options", "nat-addresses") === "router" ? undefined : false,
    excludeLoadBalancerVips: entryOf(switchPort, "options", "exclude-lb-vips-from-garp") === "true" ? undefined : false,
    disableAnnouncements: entryOf(router, "options", "disable_garp_rarp") === "true" ? true : undefined,
  });
  return Object.keys(neighbors).length === 0 ? undefined : neighbors;
}

import { FIRST_FREE_PORT_KEY, formatPrefix, namesOf, networkOf, networkPrefix, parsePrefix, PORTS, type Prefix, WIDTH } from "@pulumi-ovn/provider";
import type { Properties } from "@pulumi-ovn/provider/tools";
import { entryOf, given, listOf, numberOf, textOf } from "../cells";
import type { Database, Row } from "../database";
import type { Match } from "../match";
import { matchesOf, type Recognizer, rowOf } from "./recognizer";

/** Pairs of ports between a transit router and a gateway router that were recognized before. */
export const gatewayPeers: Recognizer = (zone) =>
  matchesOf(zone, "TransitRouter").flatMap((transit) => {
    const router = rowOf(transit, "Logical_Router");
    return matchesOf(zone, "GatewayRouter").flatMap((gateway) => {
      const gatewayRouter = rowOf(gateway, "Logical_Router");
      const name = textOf(gatewayRouter, "name") ?? "";
      const inner = zone.database.named("Logical_Router_Port", PORTS.trtor(name));
      const outer = zone.database.named("Logical_Router_Port", PORTS.rtotr(name));
      if (!inner || !outer || zone.database.parents(inner.uuid)[0]?.row !== router) return [];
      const variants = () => {
        const args = peerArgs(zone.name, zone.database, transit, router, gatewayRouter, outer);
        return args === undefined ? [] : [args, { ...args, staticNeighbors: false }];
      };
      return [{ kind: "GatewayPeer", row: inner, variants }];
    });
  });

function peerArgs(zone: string, database: Database, transit: Match, router: Row, gateway: Row, outer: Row): Properties | undefined {
  const network = networkOfRouter(router);
  if (network === undefined) return undefined;
  const nodes = nodesOf(database, router, gateway, network);
  const own = Object.keys(nodes).find((node) => namesOf(network).gatewayRouter(node) === textOf(gateway, "name"));
  if (own === undefined) return undefined;
  const links = listOf(outer, "networks").map(parsePrefix);
  const isLink = ({ family, length }: Prefix) => length === WIDTH[family] - 1;
  const { addresses } = transit.args.gateway as { addresses: string[] };
  const local = managementHops(database, router, links);
  return {
    zone,
    ...given({ network: network === "" ? undefined : network }),
    router: router.uuid,
    gatewayRouter: gateway.uuid,
    node: own,
    nodes,
    subnets: inFamilyOrder(addresses.map(parsePrefix).map(networkOf)),
    transitSubnets: inFamilyOrder(links.filter(isLink).map((link) => transitSubnet(link, nodes[own]!.id))),
    joinSubnets: inFamilyOrder(links.filter((link) => !isLink(link)).map(networkOf)),
    ...given({
      gatewayMtu: numberOf(entryOf(outer, "options", "gateway_mtu")),
      gatewayMode: local.length === 0 ? undefined : "local",
      managementAddresses: local.length === 0 ? undefined : local,
    }),
  };
}

function inFamilyOrder(prefixes: readonly Prefix[]): string[] {
  return prefixes.toSorted((a, b) => a.family - b.family).map(formatPrefix);
}

/** Names derive from it; two characters of it are lost in them, so the name in ovn-kubernetes' mark has precedence. */
function networkOfRouter(router: Row): string | undefined {
  const suffix = namesOf("").transitRouter;
  const name = textOf(router, "name") ?? "";
  if (!name.endsWith(suffix)) return undefined;
  const prefix = name.slice(0, -suffix.length);
  const marked = entryOf(router, "external_ids", "k8s.ovn.org/network");
  if (marked !== undefined && networkPrefix(marked) === prefix) return marked;
  return prefix.replace(/_$/, "");
}

type Nodes = Record<string, { id: number; chassis?: string }>;

/** Nodes from the names, ids and chassis of the ports to gateway routers. */
function nodesOf(database: Database, router: Row, gateway: Row, network: string): Nodes {
  const before = PORTS.trtor(namesOf(network).gatewayRouter(""));
  return Object.fromEntries(
    database.inside(router, "ports").flatMap((port): [string, Nodes[string]][] => {
      const name = textOf(port, "name") ?? "";
      const key = numberOf(entryOf(port, "options", "requested-tnl-key"));
      if (!name.startsWith(before) || key === undefined) return [];
      const node = name.slice(before.length);
      const chassis = entryOf(port, "options", "requested-chassis") ?? entryOf(gateway, "options", "chassis");
      return [[node, { id: key - FIRST_FREE_PORT_KEY, ...given({ chassis: chassis === node ? undefined : chassis }) }]];
    }),
  );
}

/** The subnet whose pair this is: as large as the defaults are, or as its first address allows. */
function transitSubnet(link: Prefix, id: number): Prefix {
  const base = { ...link, value: link.value - BigInt(2 * id + 1) };
  for (let length = base.family === 4 ? 16 : 64; length < WIDTH[base.family]; length++) {
    if (networkOf({ ...base, length }).value === base.value) return { ...base, length };
  }
  return base;
}

/** Next hops of the routes by source that lead to no gateway router: the management port of gateway mode "local". */
function managementHops(database: Database, router: Row, links: readonly Prefix[]): string[] {
  const own = new Set(links.map((link) => formatPrefix(link).split("/")[0]));
  const routes = database.inside(router, "static_routes").filter((route) => textOf(route, "policy") === "src-ip");
  return routes
    .map((route) => textOf(route, "nexthop") ?? "")
    .filter((nextHop) => !own.has(nextHop))
    .sort();
}

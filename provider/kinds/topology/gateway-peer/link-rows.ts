import { type Prefix, formatIp, formatPrefix, ofFamily, parseIp, parseSubnet } from "../../../kit/address";
import type { DesiredRow, Reference } from "../../../backends/rows/set";
import { inOrder } from "../fields";
import { staticMacBinding } from "../neighbors";
import { PORTS, namesOf } from "../naming";
import { insideOptions } from "../route-import";
import { staticRoute } from "../routing";
import { foreign, listedIn, textMap } from "../rows";
import type { GatewayPeerSpec } from "./args";
import { type Link, addressOf, texts } from "./links";

/** The address of a link's end in the family of what is routed. */
export const addressIn =
  (end: readonly Prefix[]) =>
  (of: Prefix): string =>
    addressOf(end, of);

function routerPort(router: Reference, link: Link, extra: { peer: string } | { chassis: string }): DesiredRow {
  const name = PORTS.trtor(link.gatewayRouter);
  return {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: link.routerMac,
      networks: texts(link.routerSide),
      ...("peer" in extra && { peer: extra.peer }),
      options: textMap({ "requested-tnl-key": link.portKey, "requested-chassis": "chassis" in extra ? extra.chassis : undefined }),
    },
    parent: listedIn("Logical_Router", router, "ports"),
  };
}

/** The link of the zone's own node: a port on each of the two routers. The join addresses can be elsewhere on the gateway router still. */
export function localPair(args: GatewayPeerSpec, router: Reference, link: Link, joins: readonly Prefix[] = link.joins): DesiredRow[] {
  const name = PORTS.rtotr(link.gatewayRouter);
  const gatewayPort: DesiredRow = {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: link.gatewayMac,
      networks: texts([...joins, ...link.gatewaySide]),
      peer: PORTS.trtor(link.gatewayRouter),
      options: textMap({ gateway_mtu: args.gatewayMtu, ...insideOptions(args.importsRoutes) }),
    },
    parent: listedIn("Logical_Router", foreign(args.gatewayRouter), "ports"),
  };
  return [routerPort(router, link, { peer: name }), gatewayPort];
}

/** Name of the transit router, for keys. */
function routerName(args: Pick<GatewayPeerSpec, "network" | "routerName">): string {
  return args.routerName ?? namesOf(args.network).transitRouter;
}

/**
 * Routes by source, so that only packets from the network take them. A change of the mode is one transaction.
 *
 * Why: docs/explanation/decisions/routes-with-their-link.md
 */
export function egressRoutes(args: GatewayPeerSpec, router: Reference, own: Link): DesiredRow[] {
  const management = args.managementAddresses.map(parseIp);
  return inOrder(args.subnets)
    .map(parseSubnet)
    .map((subnet) => {
      const prefix = formatPrefix(subnet);
      const nextHop = args.gatewayMode === "local" ? formatIp(ofFamily(management, subnet.family)!) : addressOf(own.gatewaySide, subnet);
      return staticRoute({ router, key: `${routerName(args)} src-ip ${prefix}`, prefix, nextHop, policy: "src-ip" });
    });
}

/** The way from the gateway router back into the network. */
export function subnetRoutes(args: GatewayPeerSpec, own: Link): DesiredRow[] {
  return inOrder(args.subnets)
    .map(parseSubnet)
    .map((subnet) => {
      const prefix = formatPrefix(subnet);
      const outputPort = PORTS.rtotr(own.gatewayRouter);
      return staticRoute({
        router: foreign(args.gatewayRouter),
        key: `${own.gatewayRouter} ${prefix}`,
        prefix,
        nextHop: addressOf(own.routerSide, subnet),
        outputPort,
      });
    });
}

/**
 * Answers to a join address go to the node that has it. They also make northd resolve IPv6 next hops on other
 * nodes, which reroute policies need. The next hop is the node's transit address, or, on its way there, another one.
 */
export function joinRoutes(
  args: Pick<GatewayPeerSpec, "network" | "routerName">,
  router: Reference,
  link: Link,
  nextHopOf: (join: Prefix) => string,
): DesiredRow[] {
  return link.joins.map((join) => {
    const prefix = formatIp(join);
    return staticRoute({ router, key: `${routerName(args)} ${prefix}`, prefix, nextHop: nextHopOf(join) });
  });
}

/**
 * The way to another node's gateway router.
 *
 * Why: docs/explanation/decisions/static-neighbors.md
 */
export function remotePort(args: Pick<GatewayPeerSpec, "staticNeighbors">, router: Reference, link: Link): DesiredRow[] {
  const port = routerPort(router, link, { chassis: link.chassis });
  if (!args.staticNeighbors) return [port];
  return [port, ...link.gatewaySide.map((gateway) => staticMacBinding(port.key, formatIp(gateway), link.gatewayMac))];
}

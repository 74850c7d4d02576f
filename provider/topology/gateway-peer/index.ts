import { formatIp, formatPrefix, ofFamily, parseIp, parseSubnet } from "../../address";
import type { Rendered, RowKind } from "../../kind";
import type { DesiredRow } from "../../rows/rowset";
import { inOrder } from "../fields";
import { staticMacBinding } from "../neighbors";
import { PORTS, namesOf } from "../naming";
import { REMOTE_ROUTER_PORTS } from "../requirements";
import { staticRoute } from "../routing";
import { foreign, listedIn, local, rowSet, textMap } from "../rows";
import { type GatewayPeerSpec, schema } from "./args";
import { check } from "./check";
import { type Link, addressOf, linksOf, texts } from "./links";

export type { GatewayPeerArgs, GatewayPeerSpec, PeerNodeArgs } from "./args";

function render(args: GatewayPeerSpec): Rendered {
  check(args);
  const links = linksOf(args);
  const own = links.find((link) => link.node === args.node)!;
  const remote = links.filter((link) => link !== own);
  const rows = [
    ...localPair(args, own),
    ...egressRoutes(args, own),
    ...subnetRoutes(args, own),
    ...links.flatMap((link) => joinRoutes(args, link)),
    ...remote.flatMap((link) => remotePort(args, link)),
  ];
  return {
    set: rowSet("OVN_Northbound", rows, args, remote.length > 0 ? [REMOTE_ROUTER_PORTS] : []),
    primary: local("Logical_Router_Port", PORTS.trtor(own.gatewayRouter)),
    outputs: { joinAddresses: own.joins.map(formatIp), transitAddresses: own.gatewaySide.map(formatIp) },
  };
}

function routerPort(args: GatewayPeerSpec, link: Link, extra: { peer: string } | { chassis: string }): DesiredRow {
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
    parent: listedIn("Logical_Router", foreign(args.router), "ports"),
  };
}

function localPair(args: GatewayPeerSpec, link: Link): DesiredRow[] {
  const name = PORTS.rtotr(link.gatewayRouter);
  const gatewayPort: DesiredRow = {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: link.gatewayMac,
      networks: texts([...link.joins, ...link.gatewaySide]),
      peer: PORTS.trtor(link.gatewayRouter),
      options: textMap({ gateway_mtu: args.gatewayMtu }),
    },
    parent: listedIn("Logical_Router", foreign(args.gatewayRouter), "ports"),
  };
  return [routerPort(args, link, { peer: name }), gatewayPort];
}

function routerName(args: GatewayPeerSpec): string {
  return args.routerName ?? namesOf(args.network).transitRouter;
}

/** Routes by source, so that only what comes from the network takes them. In both modes here: a change of mode is one transaction. */
function egressRoutes(args: GatewayPeerSpec, own: Link): DesiredRow[] {
  const management = args.managementAddresses.map(parseIp);
  return inOrder(args.subnets).map(parseSubnet).map((subnet) => {
    const prefix = formatPrefix(subnet);
    const nextHop = args.gatewayMode === "local" ? formatIp(ofFamily(management, subnet.family)!) : addressOf(own.gatewaySide, subnet);
    return staticRoute({ router: foreign(args.router), key: `${routerName(args)} src-ip ${prefix}`, prefix, nextHop, policy: "src-ip" });
  });
}

/** The way from the gateway router back into the network. */
function subnetRoutes(args: GatewayPeerSpec, own: Link): DesiredRow[] {
  return inOrder(args.subnets).map(parseSubnet).map((subnet) => {
    const prefix = formatPrefix(subnet);
    const outputPort = PORTS.rtotr(own.gatewayRouter);
    return staticRoute({ router: foreign(args.gatewayRouter), key: `${own.gatewayRouter} ${prefix}`, prefix, nextHop: addressOf(own.routerSide, subnet), outputPort });
  });
}

/**
 * Answers to a join address go to the node that has it. They also make northd resolve IPv6 next hops on other
 * nodes, which reroute policies need.
 */
function joinRoutes(args: GatewayPeerSpec, link: Link): DesiredRow[] {
  return link.joins.map((join) => {
    const prefix = formatIp(join);
    return staticRoute({ router: foreign(args.router), key: `${routerName(args)} ${prefix}`, prefix, nextHop: addressOf(link.gatewaySide, join) });
  });
}

function remotePort(args: GatewayPeerSpec, link: Link): DesiredRow[] {
  const port = routerPort(args, link, { chassis: link.chassis });
  if (!args.staticNeighbors) return [port];
  return [port, ...link.gatewaySide.map((gateway) => staticMacBinding(port.key, formatIp(gateway), link.gatewayMac))];
}

/** The links between a zone's transit router and gateway routers. */
export const gatewayPeer: RowKind<GatewayPeerSpec> = {
  name: "GatewayPeer",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: ["joinAddresses", "transitAddresses"],
  replaceOnChange: [],
};

import { defineKind } from "../../define";
import { formatIp } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import { PORTS } from "../naming";
import { REMOTE_ROUTER_PORTS, ROUTE_IMPORT } from "../requirements";
import { learningSwitch } from "../route-import";
import { foreign, local, rowSet } from "../rows";
import { type GatewayPeerSpec, schema } from "./args";
import { check } from "./check";
import { linksOf } from "./links";
import { addressIn, egressRoutes, joinRoutes, localPair, remotePort, subnetRoutes } from "./link-rows";

export type { GatewayPeerArgs, GatewayPeerSpec, PeerNodeArgs } from "./args";

function render(args: GatewayPeerSpec): Rendered {
  check(args);
  const router = foreign(args.router);
  const links = linksOf(args);
  const own = links.find((link) => link.node === args.node)!;
  const remote = links.filter((link) => link !== own);
  const rows = [
    ...localPair(args, router, own),
    ...egressRoutes(args, router, own),
    ...subnetRoutes(args, own),
    ...links.flatMap((link) => joinRoutes(args, router, link, addressIn(link.gatewaySide))),
    ...remote.flatMap((link) => remotePort(args, router, link)),
  ];
  return {
    set: {
      ...rowSet("OVN_Northbound", rows, args, [...(remote.length > 0 ? [REMOTE_ROUTER_PORTS] : []), ...(args.importsRoutes ? [ROUTE_IMPORT] : [])]),
      ...learningSwitch(args.gatewayRouter, args.importsRoutes),
    },
    primary: local("Logical_Router_Port", PORTS.trtor(own.gatewayRouter)),
    outputs: { joinAddresses: own.joins.map(formatIp), transitAddresses: own.gatewaySide.map(formatIp) },
  };
}

/** The links between a zone's transit router and gateway routers. */
export const gatewayPeer = defineKind({
  backend: "rows",
  name: "GatewayPeer",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: ["joinAddresses", "transitAddresses"],
});

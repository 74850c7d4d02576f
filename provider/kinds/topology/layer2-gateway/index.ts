import { defineKind } from "../../define";
import { formatIp } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import { REMOTE_ROUTER_PORTS, ROUTE_IMPORT } from "../requirements";
import { learningSwitch } from "../route-import";
import { GOES_WITH_ROUTER } from "../routing";
import { rowSet } from "../rows";
import { transitRouterNeeds } from "../transit-router";
import { type Layer2GatewaySpec, schema } from "./args";
import { check } from "./check";
import { gatewayTopologyRows } from "./gateway-topology";
import { transitTopologyRows } from "./transit-topology";
import { TRANSIT_ROUTER, type Zone, zoneOf } from "./zone";

export type { Layer2GatewayArgs, Layer2GatewayNodeArgs, Layer2GatewaySpec, SwitchPortKeysArgs } from "./args";
export { STAGES, type Topology, TOPOLOGIES, type UpgradeStage } from "./stage";

function render(args: Layer2GatewaySpec): Rendered {
  check(args);
  const zone = zoneOf(args);
  const transit = args.nodes[args.node]!.topology === "transit";
  const hasRouter = transit || zone.stage.upgrading;
  return {
    set: {
      ...rowSet("OVN_Northbound", transit ? transitTopologyRows(zone) : gatewayTopologyRows(zone), args, [
        ...(hasRouter ? needs(zone) : []),
        ...(args.importsRoutes ? [ROUTE_IMPORT] : []),
      ]),
      ...learningSwitch(args.gatewayRouter, args.importsRoutes),
    },
    ...(hasRouter && { primary: TRANSIT_ROUTER }),
    outputs: {
      gatewayMac: transit ? zone.gatewayMac : zone.own.gatewayMac,
      joinAddresses: zone.own.joins.map(formatIp),
      transitAddresses: zone.own.gatewaySide.map(formatIp),
    },
  };
}

function needs({ router, others }: Zone) {
  return [...transitRouterNeeds(router), ...(others.length > 0 ? [REMOTE_ROUTER_PORTS] : [])];
}

/** The kind of the part between a zone's layer-2 switch and its gateway router. */
export const layer2Gateway = defineKind({
  backend: "rows",
  name: "Layer2Gateway",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: ["gatewayMac", "joinAddresses", "transitAddresses"],
  fromMembers: { argument: "nodes", part: (nodes) => nodes },
  extent: {
    tables: [
      "Logical_Router",
      "Logical_Router_Port",
      "Logical_Router_Static_Route",
      "Logical_Router_Policy",
      "NAT",
      "BFD",
      "ACL",
      "Gateway_Chassis",
      "Logical_Switch_Port",
      "Static_MAC_Binding",
    ],
    carries: [GOES_WITH_ROUTER],
  },
});

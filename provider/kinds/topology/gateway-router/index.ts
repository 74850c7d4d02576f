import { defineKind } from "../../define";
import { ArgumentError } from "../../../kit/arguments/errors";
import { accepted } from "../../../kit/arguments/validate";
import { formatIp, formatPrefix, hostMasqueradeAddresses, hostPrefix, macOfIp, parseIp, parseSubnet } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import type { DesiredRow } from "../../../backends/rows/set";
import { inOrder } from "../fields";
import { staticMacBinding } from "../neighbors";
import { PORTS } from "../naming";
import { CT_COMMIT_ALL, DISABLE_GARP_RARP, ROUTE_IMPORT } from "../requirements";
import { type OutsideTaken, takenBy } from "../outside";
import { DEFAULT_ROUTE, judgePolicies, keysOf, routingRows, staticRoute } from "../routing";
import { datapathKeyClaims, rowSet, textMap } from "../rows";
import { sortedEntries } from "../../../kit/entries";
import { type GatewayRouterSpec, schema } from "./args";
import { check } from "./check";
import { externalRows, furtherExternalRows, macOf, SELF } from "./external-rows";
import { destinationSets, translationRows } from "./translation";

export type { ExternalArgs, FurtherExternalArgs, GatewayRouterArgs, GatewayRouterSpec, MasqueradeArgs, NeighborArgs, OutsideRouteArgs } from "./args";

function render(args: GatewayRouterSpec): Rendered {
  check(args);
  const rows = [
    routerRow(args),
    ...externalRows(args),
    ...sortedEntries(args.furtherExternals).flatMap(([key, further]) => furtherExternalRows(args, key, further)),
    ...defaultRoutes(args),
    ...neighborRoutes(args),
    ...destinationSets(args),
    ...translationRows(args),
    ...masqueradeRows(args),
    ...routingRows(SELF, args.name, args.routes, args.policies),
  ];
  return {
    set: rowSet("OVN_Northbound", rows, args, [
      ...(args.neighbors.disableAnnouncements ? [DISABLE_GARP_RARP] : []),
      ...(args.importRoutes ? [ROUTE_IMPORT] : []),
      ...(args.ctCommitAll ? [CT_COMMIT_ALL] : []),
    ]),
    primary: SELF,
    outputs: { externalMac: macOf(args.external) },
  };
}

function routerRow({ name, chassis, joinAddresses, neighbors, importRoutes, ctCommitAll }: GatewayRouterSpec): DesiredRow {
  const options = textMap({
    chassis,
    always_learn_from_arp_request: neighbors.alwaysLearnFromArpRequest,
    dynamic_neigh_routers: neighbors.dynamicNeighborRouters,
    mac_binding_age_threshold: neighbors.agingThreshold,
    lb_force_snat_ip: inOrder(joinAddresses).join(" ") || undefined,
    disable_garp_rarp: neighbors.disableAnnouncements || undefined,
    "ct-commit-all": ctCommitAll || undefined,
    "requested-tnl-key": importRoutes?.table,
    "dynamic-routing-vrf-name": importRoutes?.vrf,
  });
  return { table: SELF.table, key: SELF.key, columns: { name, options }, ...(importRoutes && { claims: datapathKeyClaims(importRoutes.table) }) };
}

/** Host routes over the routers outside: northd creates the flow that resolves a next hop only for static routes. */
function neighborRoutes({ name, importRoutes }: GatewayRouterSpec): DesiredRow[] {
  return inOrder(importRoutes?.neighbors ?? []).map((neighbor) =>
    staticRoute({
      router: SELF,
      key: `${name} neighbor ${neighbor}`,
      prefix: formatPrefix(hostPrefix(parseIp(neighbor))),
      nextHop: neighbor,
      outputPort: PORTS.rtoe(name),
    }),
  );
}

/** With an output port, so that a next hop outside of the port's subnets (a /32 host) counts too. */
function defaultRoutes({ name, external }: GatewayRouterSpec): DesiredRow[] {
  return ([4, 6] as const).flatMap((family) => {
    const nextHops = inOrder(external.nextHops).filter((nextHop) => parseIp(nextHop).family === family);
    const prefix = DEFAULT_ROUTE[family];
    const keys = keysOf(`${name} ${prefix}`, nextHops);
    return nextHops.map((nextHop, index) => staticRoute({ router: SELF, key: keys[index]!, prefix, nextHop, outputPort: PORTS.rtoe(name) }));
  });
}

/** The host's own masquerade addresses answer no ARP: they are bound by hand. */
function masqueradeRows({ name, masquerade }: GatewayRouterSpec): DesiredRow[] {
  if (!masquerade) return [];
  const port = PORTS.rtoe(name);
  return inOrder(masquerade.subnets).flatMap((text) => {
    const { host, nextHop } = hostMasqueradeAddresses(parseSubnet(text));
    return [
      staticRoute({ router: SELF, key: `${name} ${text}`, prefix: text, nextHop: formatIp(nextHop), outputPort: port }),
      ...[nextHop, host].map((ip) => staticMacBinding(port, formatIp(ip), macOfIp(ip))),
    ];
  });
}

/** A node's gateway router. */
export const gatewayRouter = defineKind({
  backend: "rows",
  name: "GatewayRouter",
  database: "OVN_Northbound",
  schema,
  judge: judgePolicies,
  render,
  outputs: ["externalMac"],
});

/** Addresses and MACs that a gateway router takes on physical networks. Empty for arguments that its check refuses. */
export function gatewayRouterTakes(args: object): readonly OutsideTaken[] {
  const { adopt: _adopt, ...own } = args as { readonly adopt?: unknown };
  try {
    return render(accepted(schema, own)).set.rows.flatMap(takenBy);
  } catch (error) {
    if (error instanceof ArgumentError) return [];
    throw error;
  }
}

import { type Family, type Ip, formatIp, formatPrefix, hostMasqueradeAddresses, hostPrefix, macOfIp, matchString, ofFamily, parseIp, parsePrefix, parseSubnet } from "../../address";
import type { Rendered, RowKind } from "../../kind";
import type { DesiredRow } from "../../rows/rowset";
import { inOrder, readPrefix } from "../fields";
import { staticMacBinding } from "../neighbors";
import { destinationSetName, PORTS } from "../naming";
import { DISABLE_GARP_RARP, ROUTE_IMPORT } from "../requirements";
import { uplinkOptions } from "../route-import";
import { keysOf, routingRows, snat, staticRoute } from "../routing";
import { datapathKeyClaims, listedIn, local, rowSet, textMap } from "../rows";
import { type GatewayRouterSpec, schema } from "./args";
import { check } from "./check";

export type { ExternalArgs, GatewayRouterArgs, GatewayRouterSpec, MasqueradeArgs, NeighborArgs } from "./args";

/** Keys say the role, so that a new name keeps the rows and what others put in them. */
const SELF = local("Logical_Router", "router");
const EXTERNAL_SWITCH = local("Logical_Switch", "external switch");

function render(args: GatewayRouterSpec): Rendered {
  check(args);
  const rows = [
    routerRow(args),
    externalPortRow(args),
    ...externalSwitchRows(args),
    ...defaultRoutes(args),
    ...destinationSets(args),
    ...translationRows(args),
    ...masqueradeRows(args),
    ...routingRows(SELF, args.name, args.routes, args.policies),
  ];
  return {
    set: rowSet("OVN_Northbound", rows, args, [...(args.neighbors.disableAnnouncements ? [DISABLE_GARP_RARP] : []), ...(args.importRoutes ? [ROUTE_IMPORT] : [])]),
    primary: SELF,
    outputs: { externalMac: externalMac(args) },
  };
}

function routerRow({ name, chassis, joinAddresses, neighbors, importRoutes }: GatewayRouterSpec): DesiredRow {
  const options = textMap({
    chassis,
    always_learn_from_arp_request: neighbors.alwaysLearnFromArpRequest,
    dynamic_neigh_routers: neighbors.dynamicNeighborRouters,
    mac_binding_age_threshold: neighbors.agingThreshold,
    lb_force_snat_ip: inOrder(joinAddresses).join(" ") || undefined,
    disable_garp_rarp: neighbors.disableAnnouncements || undefined,
    "requested-tnl-key": importRoutes?.table,
    "dynamic-routing-vrf-name": importRoutes?.vrf,
  });
  return { ...at(SELF), columns: { name, options }, ...(importRoutes && { claims: datapathKeyClaims(importRoutes.table) }) };
}

function at({ table, key }: { table: string; key: string }) {
  return { table, key };
}

function externalMac({ external }: GatewayRouterSpec): string {
  return external.mac ?? macOfIp(parsePrefix(external.addresses[0]!));
}

function externalPortRow(args: GatewayRouterSpec): DesiredRow {
  const name = PORTS.rtoe(args.name);
  const masquerade = args.masquerade?.addresses.map((address) => formatPrefix(hostPrefix(parseIp(address)))) ?? [];
  return {
    table: "Logical_Router_Port",
    key: name,
    columns: { name, mac: externalMac(args), networks: inOrder([...args.external.addresses, ...masquerade]), ...(args.importRoutes && { options: textMap(uplinkOptions(args.importRoutes)) }) },
    parent: listedIn("Logical_Router", SELF, "ports"),
  };
}

function externalSwitchRows(args: GatewayRouterSpec): DesiredRow[] {
  const { external, neighbors } = args;
  const routerPort = PORTS.etor(args.name);
  const parent = listedIn("Logical_Switch", EXTERNAL_SWITCH, "ports");
  return [
    { ...at(EXTERNAL_SWITCH), columns: { name: external.switchName } },
    {
      table: "Logical_Switch_Port",
      key: external.localnetPortName,
      columns: {
        name: external.localnetPortName,
        type: "localnet",
        addresses: ["unknown"],
        options: textMap({ network_name: external.networkName }),
        ...(external.vlan !== undefined && { tag: external.vlan }),
      },
      parent,
    },
    {
      table: "Logical_Switch_Port",
      key: routerPort,
      columns: {
        name: routerPort,
        type: "router",
        addresses: [externalMac(args)],
        options: textMap({
          "router-port": PORTS.rtoe(args.name),
          "nat-addresses": neighbors.announceAddresses ? "router" : undefined,
          "exclude-lb-vips-from-garp": neighbors.excludeLoadBalancerVips || undefined,
        }),
      },
      parent,
    },
  ];
}

const DEFAULT_ROUTE = { 4: "0.0.0.0/0", 6: "::/0" } as const;

/** With an output port, so that a next hop outside of the port's subnets (a /32 host) counts too. */
function defaultRoutes({ name, external }: GatewayRouterSpec): DesiredRow[] {
  return ([4, 6] as const).flatMap((family) => {
    const nextHops = inOrder(external.nextHops).filter((nextHop) => parseIp(nextHop).family === family);
    const prefix = DEFAULT_ROUTE[family];
    const keys = keysOf(`${name} ${prefix}`, nextHops);
    return nextHops.map((nextHop, index) => staticRoute({ router: SELF, key: keys[index]!, prefix, nextHop, outputPort: PORTS.rtoe(name) }));
  });
}

/** The source that a family's packets leave with. */
function sourceOf({ masquerade, external }: GatewayRouterSpec, { family }: Ip): string {
  const sources: readonly Ip[] = masquerade ? masquerade.addresses.map(parseIp) : external.addresses.map(parsePrefix);
  return formatIp(ofFamily(sources, family)!);
}

/** Families of the subnets that are translated, where only some destinations are. */
function chosenFamilies({ snatSubnets, snatDestinations }: GatewayRouterSpec): Family[] {
  return snatDestinations ? [...new Set(snatSubnets.map((text) => parseSubnet(text).family))].sort() : [];
}

/** Members of an address set change without a change of the translation, which would reset its connections. */
function destinationSets(args: GatewayRouterSpec): DesiredRow[] {
  return chosenFamilies(args).map((family) => ({
    table: "Address_Set",
    key: `${args.name} translated ip${family}`,
    columns: { name: destinationSetName(args.name, family), addresses: inOrder(args.snatDestinations!.filter((text) => readPrefix(text).family === family)) },
  }));
}

/** Behind a masquerade address the join addresses are translated too: the host must see none of them. */
function translationRows(args: GatewayRouterSpec): DesiredRow[] {
  const joins = args.masquerade ? inOrder(args.joinAddresses).map(parseIp).filter(({ family }) => ofFamily(args.masquerade!.addresses.map(parseIp), family)) : [];
  const match = (family: Family) => [
    ...(args.snatOutsideOnly ? [`outport == ${matchString(PORTS.rtoe(args.name))}`] : []),
    ...(args.snatDestinations ? [`ip${family}.dst == $${destinationSetName(args.name, family)}`] : []),
  ].join(" && ");
  const translation = (ip: Ip, logicalIp: string, condition = "") => snat({ router: SELF, key: `${args.name} snat ${logicalIp}`, externalIp: sourceOf(args, ip), logicalIp, match: condition });
  return [...joins.map((join) => translation(join, formatIp(join))), ...inOrder(args.snatSubnets).map((text) => translation(parseSubnet(text), text, match(parseSubnet(text).family)))];
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
export const gatewayRouter: RowKind<GatewayRouterSpec> = {
  name: "GatewayRouter",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: ["externalMac"],
};

import { type Ip, SWITCH_PORT_KEY, formatIp, formatPrefix, macOfIp, matchString, networkOf, ofFamily, parseIp, parsePrefix } from "../../address";
import type { Rendered, RowKind } from "../../kind";
import type { DesiredRow } from "../../rows/rowset";
import { inOrder } from "../fields";
import { PORTS } from "../naming";
import { CT_COMMIT_ALL } from "../requirements";
import { routingPolicy, routingRows, snat } from "../routing";
import { datapathKeyClaims, foreign, listedIn, local, rowSet, textMap } from "../rows";
import { RA_DEFAULTS, type TransitRouterSpec, schema } from "./args";
import { check } from "./check";

export type { GatewayArgs, ManagementArgs, RouterAdvertisementArgs, TransitRouterArgs, TransitRouterSpec } from "./args";

/** Above inter-node and egress policies, below the management port's. */
const NODE_ADDRESS_PRIORITY = 1004;

/** The key says the role, so that a new name keeps the router and what others put in it. */
const SELF = local("Logical_Router", "router");

function render(args: TransitRouterSpec): Rendered {
  check(args);
  const rows = [routerRow(args), portRow(args), ...gatewayChassisRows(args), switchPortRow(args), ...managementRows(args), ...routingRows(SELF, args.name, args.routes, args.policies)];
  return {
    set: rowSet("OVN_Northbound", rows, args, args.ctCommitAll ? [CT_COMMIT_ALL] : []),
    primary: SELF,
    outputs: { gatewayMac: gatewayMac(args) },
  };
}

function routerRow({ name, tunnelKey, ctCommitAll }: TransitRouterSpec): DesiredRow {
  const columns = {
    name,
    options: textMap({
      "requested-tnl-key": tunnelKey,
      always_learn_from_arp_request: tunnelKey === undefined ? false : undefined,
      "ct-commit-all": ctCommitAll || undefined,
    }),
  };
  return { table: SELF.table, key: SELF.key, columns, ...(tunnelKey !== undefined && { claims: datapathKeyClaims(tunnelKey) }) };
}

function portRow(args: TransitRouterSpec): DesiredRow {
  const name = PORTS.trtos(args.switchName);
  return {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: gatewayMac(args),
      networks: inOrder(args.gateway.addresses),
      options: textMap({ "requested-tnl-key": SWITCH_PORT_KEY, gateway_mtu: args.gatewayMtu }),
      ipv6_ra_configs: raConfigs(args),
    },
    parent: listedIn("Logical_Router", SELF, "ports"),
  };
}

function gatewayMac({ gateway }: TransitRouterSpec): string {
  return gateway.mac ?? macOfIp(parsePrefix(inOrder(gateway.addresses)[0]!));
}

function raConfigs({ gateway, routerAdvertisements = RA_DEFAULTS, mtu }: TransitRouterSpec) {
  if (!routerAdvertisements.enabled || !ofFamily(gateway.addresses.map(parsePrefix), 6)) return textMap({});
  return textMap({
    address_mode: routerAdvertisements.addressMode,
    send_periodic: routerAdvertisements.sendPeriodic,
    max_interval: routerAdvertisements.maxInterval,
    min_interval: routerAdvertisements.minInterval,
    router_preference: routerAdvertisements.preference,
    mtu,
  });
}

function gatewayChassisRows({ chassis, switchName }: TransitRouterSpec): DesiredRow[] {
  if (chassis === undefined) return [];
  const port = PORTS.trtos(switchName);
  const name = `${port}-${chassis}`;
  return [
    {
      table: "Gateway_Chassis",
      key: name,
      columns: { name, chassis_name: chassis, priority: 1 },
      parent: listedIn("Logical_Router_Port", local("Logical_Router_Port", port), "gateway_chassis"),
    },
  ];
}

function switchPortRow(args: TransitRouterSpec): DesiredRow {
  const name = PORTS.stotr(args.switchName);
  return {
    table: "Logical_Switch_Port",
    key: name,
    columns: {
      name,
      type: "router",
      addresses: ["router"],
      options: textMap({ "router-port": PORTS.trtos(args.switchName), "requested-tnl-key": args.switchPortTunnelKey }),
    },
    parent: listedIn("Logical_Switch", foreign(args.switch), "ports"),
  };
}

function managementRows(args: TransitRouterSpec): DesiredRow[] {
  const { management, name } = args;
  if (!management) return [];
  const addresses = inOrder(management.addresses).map(parseIp);
  const mac = management.mac ?? macOfIp(addresses[0]!);
  const port = PORTS.trtos(args.switchName);
  const subnets = args.gateway.addresses.map((address) => networkOf(parsePrefix(address)));
  const translations = inOrder(management.masqueradeAddresses).map((externalIp) => {
    const logicalIp = formatPrefix(ofFamily(subnets, parseIp(externalIp).family)!);
    return snat({ router: SELF, key: `${name} snat ${logicalIp} to management`, externalIp, logicalIp, logicalPort: port, match: `eth.dst == ${mac}` });
  });
  return [...translations, ...inOrder(management.hostAddresses).map((address) => nodeAddressPolicy(args, parseIp(address), addresses))];
}

/** The comment at the end of the match names the network: that is how ovn-kubernetes finds its policies again. */
function nodeAddressPolicy({ name, switchName }: TransitRouterSpec, host: Ip, management: readonly Ip[]): DesiredRow {
  const address = formatIp(host);
  const match = `inport == ${matchString(PORTS.trtos(switchName))} && ip${host.family}.dst == ${address} /* ${switchName} */`;
  const nextHops = [formatIp(ofFamily(management, host.family)!)];
  return routingPolicy({ router: SELF, key: `${name} ${NODE_ADDRESS_PRIORITY} ${address}`, priority: NODE_ADDRESS_PRIORITY, match, action: "reroute", nextHops });
}

/** One zone's part of a transit router. */
export const transitRouter: RowKind<TransitRouterSpec> = {
  name: "TransitRouter",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: ["gatewayMac"],
  replaceOnChange: [],
};

import { defineKind } from "../../define";
import { SWITCH_PORT_KEY, macOfIp, ofFamily, parsePrefix } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import type { DesiredRow, MapValue, Requirement } from "../../../backends/rows/set";
import { inOrder } from "../fields";
import { PORTS } from "../naming";
import { CT_COMMIT_ALL } from "../requirements";
import { managementPolicies } from "../management";
import { judgePolicies, routingRows } from "../routing";
import { datapathKeyClaims, foreign, listedIn, local, rowSet, textMap } from "../rows";
import { RA_DEFAULTS, type TransitRouterSpec, schema } from "./args";
import { check } from "./check";

export type { GatewayArgs, ManagementArgs, RouterAdvertisementArgs, TransitRouterArgs, TransitRouterSpec } from "./args";

/** The key is the role, so that a new name keeps the router and foreign rows in it. */
const SELF = local("Logical_Router", "router");

function render(args: TransitRouterSpec): Rendered {
  check(args);
  const rows = transitRouterRows(args);
  return { set: rowSet("OVN_Northbound", rows, args, transitRouterNeeds(args)), primary: SELF, outputs: { gatewayMac: gatewayMac(args) } };
}

/** Additional parts of the link to the switch, while a network moves from one topology to the other. */
export interface LinkExtras {
  /** Further addresses of the router's port. */
  readonly networks?: readonly string[];
  /** Further options of the switch's port. */
  readonly switchPortOptions?: Readonly<Record<string, string>>;
}

export function transitRouterRows(args: TransitRouterSpec, extras: LinkExtras = {}): DesiredRow[] {
  return [
    transitRouterRow(args),
    portRow(args, extras),
    ...gatewayChassisRows(args),
    switchPortRow(args, extras),
    ...managementRows(args),
    ...routingRows(SELF, args.name, args.routes, args.policies),
  ];
}

export function transitRouterNeeds({ ctCommitAll }: TransitRouterSpec): Requirement[] {
  return ctCommitAll ? [CT_COMMIT_ALL] : [];
}

/** The router without its ports. */
export function transitRouterRow({ name, tunnelKey, ctCommitAll }: TransitRouterSpec): DesiredRow {
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

function portRow(args: TransitRouterSpec, { networks = [] }: LinkExtras): DesiredRow {
  const name = PORTS.trtos(args.switchName);
  return {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: gatewayMac(args),
      networks: inOrder([...args.gateway.addresses, ...networks]),
      options: textMap({ "requested-tnl-key": SWITCH_PORT_KEY, gateway_mtu: args.gatewayMtu }),
      ipv6_ra_configs: advertisements(args),
    },
    parent: listedIn("Logical_Router", SELF, "ports"),
  };
}

export function gatewayMac({ gateway }: Pick<TransitRouterSpec, "gateway">): string {
  return gateway.mac ?? macOfIp(parsePrefix(inOrder(gateway.addresses)[0]!));
}

/** `ipv6_ra_configs` of a network's default gateway, whichever router it is. */
export function advertisements({
  gateway,
  routerAdvertisements = RA_DEFAULTS,
  mtu,
}: Pick<TransitRouterSpec, "gateway" | "routerAdvertisements" | "mtu">): MapValue {
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

function switchPortRow(args: TransitRouterSpec, { switchPortOptions }: LinkExtras): DesiredRow {
  const name = PORTS.stotr(args.switchName);
  return {
    table: "Logical_Switch_Port",
    key: name,
    columns: {
      name,
      type: "router",
      addresses: ["router"],
      options: textMap({ "router-port": PORTS.trtos(args.switchName), "requested-tnl-key": args.switchPortTunnelKey, ...switchPortOptions }),
    },
    parent: listedIn("Logical_Switch", foreign(args.switch), "ports"),
  };
}

function managementRows(args: TransitRouterSpec): DesiredRow[] {
  return managementPolicies(args, { reference: SELF, name: args.name, ports: [PORTS.trtos(args.switchName)] });
}

/** One zone's part of a transit router. */
export const transitRouter = defineKind({
  backend: "rows",
  name: "TransitRouter",
  database: "OVN_Northbound",
  schema,
  judge: judgePolicies,
  render,
  outputs: ["gatewayMac"],
});

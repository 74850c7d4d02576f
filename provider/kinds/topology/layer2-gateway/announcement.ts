import { formatIp, ofFamily } from "../../../kit/address";
import type { DesiredRow, Reference } from "../../../backends/rows/set";
import { staticRoute } from "../routing";
import { foreign, listedIn, local } from "../rows";
import type { Zone } from "./zone";

/** An address of the block for documentation (RFC 5737). No packet is sent there: the route is never used, as its next hop never answers. */
const NOWHERE = "192.0.2.254/32";

/**
 * Lets a router request an unused address by BFD every 0.8 s: the broadcast has the gateway's address and MAC, from which workloads update their
 * neighbor entry (RFC 826). OVN has no other row for this, and none for IPv6.
 */
export function announcement({ args, gateways }: Zone, router: Reference, routerName: string, port: string): DesiredRow[] {
  const { announceTo } = args;
  if (announceTo === undefined || !ofFamily(gateways, 4)) return [];
  const probe = local("BFD", `${port} ${announceTo}`);
  const route = staticRoute({ router, key: `${routerName} announcement`, prefix: NOWHERE, nextHop: announceTo, outputPort: port });
  return [
    { table: probe.table, key: probe.key, columns: { logical_port: port, dst_ip: announceTo } },
    { ...route, columns: { ...route.columns, bfd: probe } },
  ];
}

/** Above the rules of the network. */
const SHIELD_PRIORITY = 1100;

/** Keeps the announcements of other zones' gateway routers, which have the same gateway address and other MACs, from the zone's workloads. */
export function shield({ args, gateways, own }: Zone): DesiredRow[] {
  const gateway = ofFamily(gateways, 4);
  if (!gateway) return [];
  const match = `arp.op == 1 && arp.spa == ${formatIp(gateway)} && arp.sha != ${own.gatewayMac}`;
  return [
    {
      table: "ACL",
      key: `${args.switchName} other gateways`,
      columns: { direction: "to-lport", priority: SHIELD_PRIORITY, action: "drop", match },
      parent: listedIn("Logical_Switch", foreign(args.switch), "acls"),
    },
  ];
}

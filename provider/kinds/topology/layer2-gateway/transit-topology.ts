import { formatIp, formatPrefix, lastUsableJoinAddress, ofFamily, parseIp, parseSubnet } from "../../../kit/address";
import type { DesiredRow } from "../../../backends/rows/set";
import { inOrder } from "../fields";
import { addressIn, egressRoutes, joinRoutes, localPair, remotePort, subnetRoutes } from "../gateway-peer/link-rows";
import { PORTS } from "../naming";
import { listedIn, textMap } from "../rows";
import { type LinkExtras, transitRouterRows } from "../transit-router";
import { announcement } from "./announcement";
import { remoteSwitchPort, switchPort } from "./switch-ports";
import { type NodeLink, TRANSIT_ROUTER, UPGRADE_PORT_KEY, type Zone, extraPorts } from "./zone";

/** The transit router is on the switch and is the default gateway; its links lead to the gateway routers of all nodes. */
export function transitTopologyRows(zone: Zone): DesiredRow[] {
  const { args, stage, own, others, router, peer } = zone;
  return [
    ...transitRouterRows(router, extras(zone)),
    ...localPair(peer, TRANSIT_ROUTER, own),
    ...egressRoutes(peer, TRANSIT_ROUTER, own),
    ...subnetRoutes(peer, own),
    ...joinRoutes(peer, TRANSIT_ROUTER, own, addressIn(own.gatewaySide)),
    // All zones together: a transit router that does not know another zone drops the answers from it.
    ...others.flatMap((link) => remoteRows(zone, link)),
    ...(stage.intermediate ? [...upgradePort(zone), ...others.map((link) => remoteSwitchPort(zone, link, stage.announced ? "mac" : "addresses"))] : []),
    ...(stage.announced && announces(zone) ? announcement(zone, TRANSIT_ROUTER, router.name, PORTS.trtos(args.switchName)) : []),
  ];
}

/** Rows of another node's link. */
function remoteRows({ peer, stage: { byJoin } }: Zone, link: NodeLink): DesiredRow[] {
  // A join address as its own next hop is reached over the upgrade port: no match is longer.
  const wayTo = byJoin ? formatIp : addressIn(link.gatewaySide);
  return [...remotePort(peer, TRANSIT_ROUTER, link), ...joinRoutes(peer, TRANSIT_ROUTER, link, wayTo)];
}

/** One zone's announcement reaches the workloads of all zones. */
function announces({ args, own }: Zone): boolean {
  const ids = Object.values(args.nodes).map(({ id }) => id);
  return args.nodes[own.node]!.id === Math.min(...ids);
}

function extras({ args, stage }: Zone): LinkExtras {
  const joins6 = args.joinSubnets.filter((subnet) => parseSubnet(subnet).family === 6);
  return {
    // In the mixed network two ports would answer for this address.
    networks: stage.intermediate ? masqueradeNetworks(args) : [],
    // Gateway routers on the switch announced the join subnet to workloads as on-link, without a time limit.
    switchPortOptions: stage.upgrading && joins6.length > 0 ? { arp_proxy: joins6.join(" ") } : {},
  };
}

function masqueradeNetworks({ management, masqueradeSubnets }: Zone["args"]): string[] {
  const subnets = masqueradeSubnets.map(parseSubnet);
  return (management?.masqueradeAddresses ?? []).map(parseIp).map((address) => {
    const { length } = ofFamily(subnets, address.family)!;
    return formatPrefix({ ...address, length });
  });
}

/**
 * Replaces the node's gateway router on the switch, with its MAC and port key, so that nothing changes for other zones and for workloads that
 * still use the MAC. Its address in the join subnets only lets next hops in them have a port.
 */
function upgradePort(zone: Zone): DesiredRow[] {
  const { args, own } = zone;
  const { upgradeOnRouter: name, upgradeOnSwitch } = extraPorts(args.switchName);
  const port: DesiredRow = {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: own.gatewayMac,
      networks: inOrder(args.joinSubnets).map((subnet) => formatPrefix(lastUsableJoinAddress(parseSubnet(subnet)))),
      options: textMap({ "requested-tnl-key": UPGRADE_PORT_KEY }),
    },
    parent: listedIn("Logical_Router", TRANSIT_ROUTER, "ports"),
  };
  return [port, switchPort(zone, upgradeOnSwitch, name, own.switchPortKey)];
}

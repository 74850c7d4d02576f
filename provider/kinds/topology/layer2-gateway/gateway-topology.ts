import { type Prefix, formatIp, formatPrefix, ofFamily, parseIp, parseSubnet } from "../../../kit/address";
import type { DesiredRow } from "../../../backends/rows/set";
import { inOrder } from "../fields";
import { addressIn, egressRoutes, joinRoutes, localPair, remotePort, subnetRoutes } from "../gateway-peer/link-rows";
import { texts } from "../gateway-peer/links";
import { managementPolicies } from "../management";
import { PORTS } from "../naming";
import { insideOptions } from "../route-import";
import { GOES_WITH_ROUTER, routingPolicy, staticRoute } from "../routing";
import { foreign, listedIn, textMap } from "../rows";
import { advertisements, transitRouterRow } from "../transit-router";
import { announcement, shield } from "./announcement";
import { remoteSwitchPort, switchPort } from "./switch-ports";
import { TRANSIT_ROUTER, type Zone, extraPorts } from "./zone";

/** An unused address: the port must have one, and exists only for its MAC. */
const ALIAS_NETWORK = "169.254.255.1/32";

/** The gateway router is on the switch and is the default gateway; other nodes' gateway routers are remote ports of the switch. */
export function gatewayTopologyRows(zone: Zone): DesiredRow[] {
  const { args, stage, own, others } = zone;
  const router = foreign(args.gatewayRouter);
  const ports = [PORTS.rtos(args.switchName), ...(stage.upgrading ? [extraPorts(args.switchName).aliasOnRouter] : [])];
  return [
    routerPort(zone),
    switchPort(zone, PORTS.stor(args.switchName), PORTS.rtos(args.switchName), own.switchPortKey),
    ...others.map((link) => remoteSwitchPort(zone, link, "addresses")),
    ...(args.gatewayMode === "local" ? [...hostRoutes(zone), ...hostSubnetPolicies(zone)] : []),
    ...managementPolicies(args, { reference: router, name: own.gatewayRouter, ports }),
    ...(stage.upgrading ? [...alias(zone), ...idleTransitRouter(zone)] : []),
    ...(stage.shielded ? shield(zone) : []),
    ...(stage.announced ? announcement(zone, router, own.gatewayRouter, PORTS.rtos(args.switchName)) : []),
  ];
}

function routerPort({ args, router, own, gateways }: Zone): DesiredRow {
  const name = PORTS.rtos(args.switchName);
  return {
    table: "Logical_Router_Port",
    key: name,
    columns: {
      name,
      mac: own.gatewayMac,
      networks: texts([...gateways, ...own.joins]),
      options: textMap({ gateway_mtu: args.gatewayMtu, ...insideOptions(args.importsRoutes) }),
      ipv6_ra_configs: advertisements(router),
    },
    parent: listedIn("Logical_Router", foreign(args.gatewayRouter), "ports"),
  };
}

/** Everything of the network leaves through the host. */
function hostRoutes({ args, own }: Zone): DesiredRow[] {
  return inOrder(args.subnets)
    .map(parseSubnet)
    .map((subnet) => {
      const prefix = formatPrefix(subnet);
      return staticRoute({
        router: foreign(args.gatewayRouter),
        key: `${own.gatewayRouter} src-ip ${prefix}`,
        prefix,
        nextHop: hostFor(args, subnet),
        policy: "src-ip",
      });
    });
}

/** Below egress policies, as in ovn-kubernetes (UDNHostCIDRPolicyPriority). */
const HOST_SUBNET_PRIORITY = 99;

/**
 * So does what is for a subnet that the gateway router is in itself: that subnet's route is longer than the one to the host.
 * But for answers to what came in by a load balancer of the router: only the router can undo the translation of these.
 */
function hostSubnetPolicies({ args, own }: Zone): DesiredRow[] {
  const outside = inOrder(args.hostSubnets).map(parseSubnet);
  return inOrder(args.subnets)
    .map(parseSubnet)
    .flatMap((subnet) =>
      outside
        .filter(({ family }) => family === subnet.family)
        .map((host) => {
          const [from, to] = [formatPrefix(subnet), formatPrefix(host)];
          return routingPolicy({
            router: foreign(args.gatewayRouter),
            key: `${own.gatewayRouter} ${HOST_SUBNET_PRIORITY} ${from} ${to}`,
            priority: HOST_SUBNET_PRIORITY,
            match: `(!ct.trk || !ct.rpl) && ip${subnet.family}.src == ${from} && ip${subnet.family}.dst == ${to}`,
            action: "reroute",
            nextHops: [hostFor(args, subnet)],
          });
        }),
    );
}

/** The management port's address of a family. */
function hostFor({ management }: Zone["args"], { family }: Prefix): string {
  return formatIp(ofFamily(management!.addresses.map(parseIp), family)!);
}

/**
 * A second port with the MAC, so also with the link-local address, of the transit router's gateway: workloads that have
 * learned it, from a router of this zone on the way back or from one of another zone, reach their gateway router.
 */
function alias(zone: Zone): DesiredRow[] {
  const { args, gatewayMac } = zone;
  const { aliasOnRouter: name, aliasOnSwitch } = extraPorts(args.switchName);
  const port: DesiredRow = {
    table: "Logical_Router_Port",
    key: name,
    columns: { name, mac: gatewayMac, networks: [ALIAS_NETWORK], ...(args.importsRoutes && { options: textMap(insideOptions(true)) }) },
    parent: listedIn("Logical_Router", foreign(args.gatewayRouter), "ports"),
  };
  return [port, switchPort(zone, aliasOnSwitch, name, args.ownPortKeys.alias)];
}

/**
 * The transit router with its links to all gateway routers, but not on the switch, so that no packet comes to it. Its flows
 * are on the chassis before they are needed: the node's move then writes few rows, and takes little time; and policies
 * of others can be on the router before packets are. The way back into the network does nothing as long as the subnet
 * is on a port of the gateway router. Neighbours behind the links come with the node's move, a transaction later: of what comes
 * together with its router, ovn-controller (25.03) mostly makes no flows.
 */
function idleTransitRouter({ router, peer, own, others }: Zone): DesiredRow[] {
  return [
    { ...transitRouterRow(router), carries: GOES_WITH_ROUTER },
    ...localPair(peer, TRANSIT_ROUTER, own, []),
    ...egressRoutes({ ...peer, gatewayMode: "shared" }, TRANSIT_ROUTER, own),
    ...subnetRoutes(peer, own),
    ...joinRoutes(peer, TRANSIT_ROUTER, own, addressIn(own.gatewaySide)),
    ...others.flatMap((link) => remotePort({ ...peer, staticNeighbors: false }, TRANSIT_ROUTER, link)),
  ];
}

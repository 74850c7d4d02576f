import { defineKind } from "../../define";
import { formatIp, macOfIp, matchString, ofFamily, parseIp } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import type { DesiredRow } from "../../../backends/rows/set";
import { inOrder } from "../fields";
import { staticMacBinding } from "../neighbors";
import { routingPolicy } from "../routing";
import { foreign, listedIn, local, rowSet, textMap } from "../rows";
import { sortedEntries } from "../../../kit/entries";
import { type NodeLocalGatewaySpec, type NodeLocalNodeSpec, schema } from "./gateway-args";
import { defaultRouteRows } from "./default-route";
import { check } from "./gateway-check";
import { LOCAL_PORTS } from "./ports";
import { localMacs, localSubnets, texts } from "./subnets";

/** As ovn-kubernetes: below them are hybrid overlay (1002), no-reroute (102) and egress addresses (100). */
const HOST_REPLIES = 1005;
const NODE_ADDRESS = 1004;
const INTER_NODE = 1003;
const FIRST_CHASSIS_PRIORITY = 100;

/** Keys say the role, so that a new name keeps the rows and what refers to them. */
const SWITCH = local("Logical_Switch", "switch");
const PORT = local("Logical_Router_Port", "gateway port");

function render(args: NodeLocalGatewaySpec): Rendered {
  check(args);
  const rows = [
    ...portRows(args),
    ...switchRows(args),
    ...defaultRouteRows(args),
    ...sortedEntries(args.nodes).flatMap(([node, spec]) => nodeRows(args, node, spec)),
  ];
  return { set: rowSet("OVN_Northbound", rows, args), primary: PORT };
}

function portRows(args: NodeLocalGatewaySpec): DesiredRow[] {
  const subnets = localSubnets(args.subnets);
  const macs = localMacs(subnets);
  const name = LOCAL_PORTS.rtos(args.switchName);
  // A priority is never negative (ovn-nb(5), Gateway_Chassis).
  const first = Math.max(FIRST_CHASSIS_PRIORITY, args.chassis.length - 1);
  return [
    {
      ...PORT,
      columns: { name, mac: macs.gatewayPort, networks: texts(subnets.map(({ gatewayPort }) => gatewayPort)) },
      parent: listedIn("Logical_Router", foreign(args.router), "ports"),
    },
    ...args.chassis.map(
      (chassis, index): DesiredRow => ({
        table: "Gateway_Chassis",
        key: chassis,
        columns: { name: `${name}_${chassis}`, chassis_name: chassis, priority: first - index },
        parent: listedIn("Logical_Router_Port", PORT, "gateway_chassis"),
      }),
    ),
    // Only the chassis of the port could ask for the host's MAC, and would learn that of its own host.
    ...subnets.map(({ nextHop }) => staticMacBinding(name, formatIp(nextHop), macs.nextHop)),
  ];
}

function switchRows({ switchName, networkName }: NodeLocalGatewaySpec): DesiredRow[] {
  const port = (key: string, name: string, columns: DesiredRow["columns"]): DesiredRow => ({
    table: "Logical_Switch_Port",
    key,
    columns: { name, ...columns },
    parent: listedIn("Logical_Switch", SWITCH, "ports"),
  });
  return [
    { ...SWITCH, columns: { name: switchName } },
    port("localnet port", LOCAL_PORTS.lnet(switchName), { type: "localnet", addresses: ["unknown"], options: textMap({ network_name: networkName }) }),
    port("router port", LOCAL_PORTS.stor(switchName), {
      type: "router",
      addresses: ["router"],
      options: textMap({ "router-port": LOCAL_PORTS.rtos(switchName), "nat-addresses": "router" }),
    }),
  ];
}

/** Every row of a node has a key that begins with the node's name, whole: it is found again by that, not by what its match holds. */
function nodeRows(args: NodeLocalGatewaySpec, node: string, spec: NodeLocalNodeSpec): DesiredRow[] {
  const rows = [
    ...translations(args, node, spec),
    ...nodeAddressPolicies(args, node, spec),
    ...hostReplyPolicies(args, node, spec),
    ...interNodePolicies(args, node, spec),
  ];
  return rows.map((row) => ({ ...row, columns: { ...row.columns, external_ids: textMap({ "pulumi-ovn:node": node }) } }));
}

function managementIps({ management }: NodeLocalNodeSpec) {
  return inOrder(management.addresses).map(parseIp);
}

/**
 * Translations. With MAC and port, a translation happens where the port is bound, on the node itself. (ovn-nb(5), NAT external_mac)
 *
 * The MAC is the node-local address's, not the management port's as in ovn-kubernetes: if the router's port to the workloads' switch is a
 * gateway port too, northd sends that MAC to the router, and the management port gets packets only while ovn-controller prefers its flow.
 */
function translations(args: NodeLocalGatewaySpec, node: string, spec: NodeLocalNodeSpec): DesiredRow[] {
  const own = managementIps(spec);
  const addresses = inOrder(spec.addresses).map(parseIp);
  const translatable = addresses.filter(({ family }) => ofFamily(own, family));
  return translatable.map((external) => ({
    table: "NAT",
    key: `${node} dnat_and_snat ip${external.family}`,
    columns: {
      type: "dnat_and_snat",
      external_ip: formatIp(external),
      logical_ip: formatIp(ofFamily(own, external.family)!),
      external_mac: macOfIp(addresses[0]!),
      logical_port: spec.management.port ?? `k8s-${node}`,
      gateway_port: PORT,
    },
    parent: listedIn("Logical_Router", foreign(args.router), "nat"),
  }));
}

function policy(args: NodeLocalGatewaySpec, key: string, priority: number, match: string, nextHop: string): DesiredRow {
  return routingPolicy({ router: foreign(args.router), key, priority, match, action: "reroute", nextHops: [nextHop] });
}

/** Packets that workloads of the node send to it go through the management port: they keep their source, and do not reach other nodes. */
function nodeAddressPolicies(args: NodeLocalGatewaySpec, node: string, spec: NodeLocalNodeSpec): DesiredRow[] {
  return inOrder(spec.hostAddresses)
    .map(parseIp)
    .map((host) => {
      const match = `inport == ${matchString(spec.routerPort)} && ip${host.family}.dst == ${formatIp(host)} /* ${node} */`;
      const nextHop = formatIp(ofFamily(managementIps(spec), host.family)!);
      return policy(args, `${node} ${NODE_ADDRESS} ${formatIp(host)}`, NODE_ADDRESS, match, nextHop);
    });
}

/**
 * Packets that the host sends to a virtual address, and that a load balancer sends back to the host, must not arrive
 * with the host's own source address: the host would drop them. They leave through the gateway port, with source
 * translation.
 */
function hostReplyPolicies(args: NodeLocalGatewaySpec, node: string, spec: NodeLocalNodeSpec): DesiredRow[] {
  return withNextHop(args, inOrder(spec.hostAddresses).map(parseIp)).map(([host, nextHop]) => {
    const own = formatIp(ofFamily(managementIps(spec), host.family)!);
    const match = `ip${host.family}.src == ${own} && ip${host.family}.dst == ${formatIp(host)} /* ${node} */`;
    return policy(args, `${node} ${HOST_REPLIES} ${formatIp(host)}`, HOST_REPLIES, match, nextHop);
  });
}

function interNodePolicies(args: NodeLocalGatewaySpec, node: string, spec: NodeLocalNodeSpec): DesiredRow[] {
  if (args.gatewayMode !== "local") return [];
  return withNextHop(args, managementIps(spec)).map(([own, nextHop]) => {
    const inside = inOrder(args.clusterSubnets).filter((text) => text.includes(":") === (own.family === 6));
    const elsewhere = inside.map((text) => `ip${own.family}.dst != ${text}`);
    const match = [`ip${own.family}.src == ${formatIp(own)}`, ...elsewhere].join(" && ");
    return policy(args, `${node} ${INTER_NODE} ip${own.family}`, INTER_NODE, `${match} /* inter-${node} */`, nextHop);
  });
}

/** Addresses of families that there is a node-local subnet of, with the host's address in it. */
function withNextHop<T extends { readonly family: 4 | 6 }>(args: NodeLocalGatewaySpec, addresses: readonly T[]): [T, string][] {
  const nextHops = localSubnets(args.subnets).map(({ nextHop }) => nextHop);
  return addresses.flatMap((address): [T, string][] => {
    const nextHop = ofFamily(nextHops, address.family);
    return nextHop ? [[address, formatIp(nextHop)]] : [];
  });
}

/** The way from a router to the hosts themselves. */
export const nodeLocalGateway = defineKind({
  backend: "rows",
  name: "NodeLocalGateway",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: [],
});

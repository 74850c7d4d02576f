import { formatIp, parseIp } from "../../../kit/address";
import type { ProgramClaim } from "../claims";
import { propertyPath } from "../../../kit/arguments/failures";
import { inOrder } from "../fields";
import { extraPorts } from "../layer2-gateway/zone";
import { destinationSetName, PORTS } from "../naming";
import { outsideClaims } from "./outside-claims";
import type { ResolvedNetwork } from "./resolve";

/** Returns the values that a network uses exclusively, and its values for hosts that it shares with other networks. */
export function networkClaims(network: ResolvedNetwork): ProgramClaim[] {
  return [...nameClaims(network), ...keyClaims(network), ...outsideClaims(network), ...masqueradeClaims(network), ...chassisClaims(network)];
}

/** Keys that are known with the rest of the network. */
function keyClaims({ spec: { tunnelKeys } }: ResolvedNetwork): ProgramClaim[] {
  if (!tunnelKeys) return [];
  const claim = (role: "switch" | "router", holder: string): ProgramClaim => {
    const what = `tunnel key ${tunnelKeys[role]}`;
    return { key: what, what, holder, path: `tunnelKeys${tunnelKeys.paths[role]}` };
  };
  return [claim("switch", "the switch"), claim("router", "the transit router")];
}

/** Names of switches, routers and ports: unique in a database, or looked up as if they were. */
export function nameClaims({ spec, names, nodes, workloads, management }: ResolvedNetwork): ProgramClaim[] {
  const named = (table: string, name: string, holder: string, path: string, group?: string): ProgramClaim => ({
    key: `${table} ${name}`,
    what: `the name ${name} of a ${table}`,
    holder,
    path,
    ...(group !== undefined && { group }),
  });
  const whole = (table: string, name: string, holder: string) => named(table, name, holder, "name", "name");
  return [
    whole("Logical_Switch", names.switch, "the switch"),
    whole("Logical_Router", names.transitRouter, "the transit router"),
    ...switchPorts(names.switch).map((port) => whole("Logical_Switch_Port", port, "the switch")),
    ...nodes.flatMap(({ name }) => {
      const of = (what: string) => `the ${what} of node "${name}"`;
      // A network of the same name claims all of these again: one failure is enough.
      const own = (table: string, port: string, what: string) => named(table, port, of(what), propertyPath(["nodes", name]), "name");
      return [
        own("Logical_Router", names.gatewayRouter(name), "gateway router"),
        own("Logical_Switch", names.externalSwitch(name), "external switch"),
        own("Logical_Switch_Port", PORTS.etor(names.gatewayRouter(name)), "gateway router"),
        own("Logical_Switch_Port", PORTS.storRemote(names.switch, name), "gateway router"),
        ...(management ? [own("Logical_Switch_Port", names.managementPort(name), "management port")] : []),
      ];
    }),
    ...(spec.advertised ? destinationSets(nodes.map(({ name }) => [name, destinationSetName(names.gatewayRouter(name), 4)])) : []),
    ...(spec.advertised?.importRoutes ? [importClaim(spec.advertised.importRoutes.table)] : []),
    ...workloads.map(({ name, portName }) =>
      named(
        "Logical_Switch_Port",
        portName,
        `workload "${name}"`,
        propertyPath(["workloads", name, ...(spec.workloads[name]!.portName === undefined ? [] : ["portName"])]),
      ),
    ),
  ];
}

/** Nodes of one network are in zones of their own, so their sets may have one name; those of two networks may not. */
function destinationSets(named: readonly (readonly [node: string, name: string])[]): ProgramClaim[] {
  const byName = new Map(named.map(([node, name]) => [name, node]));
  return [...byName].map(([name, node]) => ({
    key: `Address_Set ${name}`,
    what: `the name ${name} of an Address_Set`,
    holder: `the gateway router of node "${node}"`,
    path: propertyPath(["nodes", node]),
    group: "name",
  }));
}

/** Networks that meet in a zone have gateway routers on one host there, and each table is the key of one router. */
function importClaim(table: number): ProgramClaim {
  return { key: `routing table ${table}`, what: `routing table ${table} of the hosts`, holder: "importRoutes", path: "advertised.importRoutes.table" };
}

/** Ports of the switch itself, in any topology and stage. */
export function switchPorts(name: string): string[] {
  const { upgradeOnSwitch, aliasOnSwitch } = extraPorts(name);
  return [PORTS.stotr(name), PORTS.stor(name), upgradeOnSwitch, aliasOnSwitch];
}

/** All networks of a host have one masquerade subnet. */
export function masqueradeClaims({ masquerade }: ResolvedNetwork): ProgramClaim[] {
  const addresses = [...(masquerade?.gateways ?? []), ...(masquerade?.managements ?? [])].map(formatIp);
  return addresses.map((address) => ({
    key: `masquerade ${address}`,
    what: `masquerade address ${address}`,
    holder: "the network id",
    path: "networkId",
    group: "masquerade",
  }));
}

/** Chassis belong to all networks of their hosts, which must say the same of them. */
export function chassisClaims({ nodes }: ResolvedNetwork): ProgramClaim[] {
  return nodes.flatMap(({ name: node, zone, chassis, additionalChassis, spec }) => {
    const own = { chassis, addresses: spec.tunnelAddresses, path: ["nodes", node] };
    const further = additionalChassis.map(([name, { tunnelAddresses }]) => ({
      chassis: name,
      addresses: tunnelAddresses,
      path: ["nodes", node, "additionalChassis", name],
    }));
    return [own, ...further].flatMap(({ chassis: name, addresses, path }): ProgramClaim[] => {
      const holder = `node "${node}"`;
      const tunnels = propertyPath([...path, "tunnelAddresses"]);
      return [
        { key: `zone of chassis ${name}`, what: `the zone of chassis "${name}"`, holder, path: propertyPath(path), says: `"${zone}"` },
        ...(addresses.length === 0
          ? []
          : [
              {
                key: `tunnels of chassis ${name}`,
                what: `the tunnel of chassis "${name}"`,
                holder,
                path: tunnels,
                says: `${spec.encapsulation} ${inOrder(addresses).join(" and ")}`,
                group: `tunnels ${name}`,
              },
            ]),
        ...addresses.map((address) => ({
          key: `tunnel ${spec.encapsulation} ${formatIp(parseIp(address))}`,
          what: `the chassis with ${spec.encapsulation} address ${address}`,
          holder,
          path: tunnels,
          says: `"${name}"`,
          group: `tunnels ${name}`,
        })),
      ];
    });
  });
}

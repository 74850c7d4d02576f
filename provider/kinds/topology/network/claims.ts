import { formatIp, macOfIp, parseIp, parsePrefix } from "../../../kit/address";
import type { Alike, ProgramClaim } from "../claims";
import { propertyPath } from "../../../kit/arguments/failures";
import { inOrder } from "../fields";
import { extraPorts } from "../layer2-gateway/zone";
import { destinationSetName, PORTS } from "../naming";
import { sortedEntries } from "../../../kit/entries";
import type { ResolvedNetwork, ResolvedNode } from "./resolve";

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

/** Addresses and MACs on the networks outside: several networks' gateway routers are on one wire. */
export function outsideClaims({ spec, names, nodes }: ResolvedNetwork): ProgramClaim[] {
  return nodes.flatMap((node) => [
    localnetClaim(names, node),
    // Gateway routers that share their host's addresses share them with each other.
    ...routerClaims(node, spec.masquerade && { says: ownOf(node) }),
    ...othersOutside(node),
    ...furtherClaims(names, node, routerOf(node)),
  ]);
}

const routerOf = ({ name }: ResolvedNode): string => `the gateway router of node "${name}"`;
const ownOf = ({ chassis }: ResolvedNode): string => `chassis "${chassis}"'s own`;

function localnetClaim(names: ResolvedNetwork["names"], { name, spec: { external } }: ResolvedNode): ProgramClaim {
  const port = names.localnetPort(external.bridge, name);
  return {
    key: `Logical_Switch_Port ${port}`,
    what: `the name ${port} of a Logical_Switch_Port`,
    holder: `the external switch of node "${name}"`,
    path: propertyPath(["nodes", name]),
    group: "name",
  };
}

/** Addresses and MAC of a node's gateway router. */
function routerClaims(node: ResolvedNode, shared: Pick<ProgramClaim, "says"> | undefined | false): ProgramClaim[] {
  const {
    name,
    spec: { external },
  } = node;
  const mac = macOutside(node);
  const common = { holder: routerOf(node), group: name, alike: outsideAlike("external"), ...shared };
  return [
    ...external.addresses.map((text, index) => addressClaim(node, formatIp(parsePrefix(text)), ["external", "addresses", index], common)),
    { key: outsideKey(external, mac), what: `external MAC ${mac}`, path: propertyPath(["nodes", name, "external", "mac"]), ...common },
  ];
}

/** Addresses of others that no gateway router may have: next hops and hosts. */
function othersOutside(node: ResolvedNode): ProgramClaim[] {
  const {
    name,
    spec: { external, hostAddresses },
  } = node;
  return [
    ...external.nextHops.map((address, index) =>
      addressClaim(node, address, ["external", "nextHops", index], { holder: `a next hop of node "${name}"`, says: "" }),
    ),
    ...hostAddresses.map((address, index) =>
      addressClaim(node, address, ["hostAddresses", index], { holder: `the host of node "${name}"`, says: ownOf(node) }),
    ),
  ];
}

function addressClaim(
  { name, spec: { external } }: ResolvedNode,
  address: string,
  path: readonly PropertyKey[],
  claim: Omit<ProgramClaim, "key" | "what" | "path">,
): ProgramClaim {
  return { key: outsideKey(external, address), what: `external address ${address}`, path: propertyPath(["nodes", name, ...path]), ...claim };
}

/** Networks made by one loop share the addresses of all nodes, or of none. */
function outsideAlike(key: string): Alike {
  return { key, remedy: "give the gateway routers of each network addresses of their own, or another networkName or vlan outside" };
}

/** The same of further networks outside, where gateway routers have addresses of their own always. */
function furtherClaims(names: ResolvedNetwork["names"], { name, spec }: ResolvedNode, holder: string): ProgramClaim[] {
  return sortedEntries(spec.furtherExternals).flatMap(([key, { networkName = key, vlan, mac, addresses, routes }]): ProgramClaim[] => {
    const at = (...path: PropertyKey[]) => propertyPath(["nodes", name, "furtherExternals", key, ...path]);
    const [group, alike] = [`${name} ${key}`, outsideAlike(`furtherExternals ${key}`)];
    const outside = (address: string) => outsideKey({ networkName, vlan }, address);
    const named = (table: string, text: string): ProgramClaim => ({
      key: `${table} ${text}`,
      what: `the name ${text} of a ${table}`,
      holder: `the external switch "${key}" of node "${name}"`,
      path: at(),
      group: "name",
    });
    const own = macOf({ mac, addresses });
    return [
      named("Logical_Switch", names.furtherExternalSwitch(key, name)),
      named("Logical_Switch_Port", names.furtherLocalnetPort(key, name)),
      named("Logical_Switch_Port", PORTS.furtherEtor(key, names.gatewayRouter(name))),
      ...addresses
        .map((text) => formatIp(parsePrefix(text)))
        .map((address, index) => ({ key: outside(address), what: `external address ${address}`, holder, path: at("addresses", index), group, alike })),
      ...sortedEntries(routes).flatMap(([route, { nextHops }]) =>
        nextHops.map((address, index) => ({
          key: outside(address),
          what: `external address ${address}`,
          holder: `a next hop of node "${name}"`,
          path: at("routes", route, "nextHops", index),
          says: "",
        })),
      ),
      { key: outside(own), what: `external MAC ${own}`, holder, path: at("mac"), group, alike },
    ];
  });
}

/** Key of a network outside. Equal arguments mean the same wire. */
export function outsideKey({ networkName, vlan }: { readonly networkName: string; readonly vlan?: number | undefined }, address: string): string {
  return JSON.stringify(["outside", networkName, vlan ?? 0, address]);
}

/** The MAC of a node's gateway router outside. */
export function macOutside({ spec: { external } }: ResolvedNode): string {
  return macOf(external);
}

function macOf({ mac, addresses }: { readonly mac?: string | undefined; readonly addresses: readonly string[] }): string {
  return mac ?? macOfIp(parsePrefix(addresses[0] ?? "0.0.0.0/0"));
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

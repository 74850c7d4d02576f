import { formatIp, formatPrefix, hostPrefix, macOfIp, parseIp, parsePrefix } from "../../../kit/address";
import type { DesiredRow } from "../../../backends/rows/set";
import { propertyPath } from "../../../kit/arguments/failures";
import { inOrder, readPrefix } from "../fields";
import { PORTS } from "../naming";
import { outsideClaims } from "../outside";
import { insideOptions, uplinkOptions } from "../route-import";
import { keysOf, staticRoute } from "../routing";
import { listedIn, local, textMap } from "../rows";
import { sortedEntries } from "../../../kit/entries";
import type { FurtherExternalSpec, GatewayRouterSpec } from "./args";

/** Keys say the role, so that a new name keeps the rows and what others put in them. */
export const SELF = local("Logical_Router", "router");

/** A network outside, and the router's port in it. */
interface Outside {
  readonly external: Pick<FurtherExternalSpec, "switchName" | "localnetPortName" | "vlan" | "addresses" | "mac">;
  readonly networkName: string;
  /** Path of its arguments. */
  readonly path: readonly PropertyKey[];
  /** Whether the addresses are also those of the host. */
  readonly shared?: boolean;
  /** Key of the switch. */
  readonly role: string;
  readonly routerPort: string;
  readonly switchPort: string;
  /** Further addresses of the router's port. */
  readonly networks?: readonly string[];
  readonly portOptions: Readonly<Record<string, string | number | boolean | undefined>>;
  /** How the switch's port announces the router. */
  readonly announcement: Readonly<Record<string, string | boolean | undefined>>;
}

export function macOf({ mac, addresses }: Pick<FurtherExternalSpec, "mac" | "addresses">): string {
  return mac ?? macOfIp(parsePrefix(addresses[0]!));
}

/** The first network outside: announced is all that the router translates to. */
export function externalRows(args: GatewayRouterSpec): DesiredRow[] {
  const { name, external, neighbors } = args;
  return outsideRows({
    external,
    networkName: external.networkName,
    path: ["external"],
    shared: args.masquerade !== undefined,
    role: "external switch",
    routerPort: PORTS.rtoe(name),
    switchPort: PORTS.etor(name),
    portOptions: args.importRoutes ? uplinkOptions(args.importRoutes) : {},
    networks: args.masquerade?.addresses.map((address) => formatPrefix(hostPrefix(parseIp(address)))) ?? [],
    announcement: {
      "nat-addresses": neighbors.announceAddresses ? "router" : undefined,
      "exclude-lb-vips-from-garp": neighbors.excludeLoadBalancerVips || undefined,
    },
  });
}

/** Rows of a further external network. Only the port's own addresses are announced, because "router" would announce those of other networks here. */
export function furtherExternalRows({ name, neighbors, importRoutes }: GatewayRouterSpec, key: string, further: FurtherExternalSpec): DesiredRow[] {
  const [routerPort, mac] = [PORTS.furtherRtoe(key, name), macOf(further)];
  const own = [mac, ...inOrder(further.addresses).map((address) => formatIp(readPrefix(address)))].join(" ");
  return [
    ...outsideRows({
      external: further,
      networkName: further.networkName ?? key,
      path: ["furtherExternals", key],
      role: `external switch ${key}`,
      routerPort,
      switchPort: PORTS.furtherEtor(key, name),
      // Learned routes lead over the first network.
      portOptions: { gateway_mtu: further.mtu, ...insideOptions(importRoutes !== undefined) },
      announcement: { "nat-addresses": neighbors.announceAddresses ? own : undefined },
    }),
    ...sortedEntries(further.routes).flatMap(([routeName, { prefix, nextHops }]) => {
      const hops = inOrder(nextHops);
      const keys = keysOf(`${name} ${key} ${routeName}`, hops);
      return hops.map((nextHop, index) => staticRoute({ router: SELF, key: keys[index]!, prefix, nextHop, outputPort: routerPort }));
    }),
  ];
}

function outsideRows({
  external,
  networkName,
  path,
  shared = false,
  role,
  routerPort,
  switchPort,
  networks = [],
  portOptions,
  announcement,
}: Outside): DesiredRow[] {
  const { switchName, localnetPortName, vlan, addresses } = external;
  const self = local("Logical_Switch", role);
  const parent = listedIn("Logical_Switch", self, "ports");
  const mac = macOf(external);
  const options = textMap(portOptions);
  const claimed = [
    ...addresses.map((address, index) => ({ value: formatIp(readPrefix(address)), path: propertyPath([...path, "addresses", index]) })),
    { value: mac, path: propertyPath([...path, "mac"]) },
  ];
  return [
    {
      table: "Logical_Router_Port",
      key: routerPort,
      columns: { name: routerPort, mac, networks: inOrder([...addresses, ...networks]), ...(Object.keys(options.map).length > 0 && { options }) },
      parent: listedIn("Logical_Router", SELF, "ports"),
      ...outsideClaims({ networkName, vlan }, claimed, shared ? "shared" : "own"),
    },
    { table: self.table, key: self.key, columns: { name: switchName } },
    {
      table: "Logical_Switch_Port",
      key: localnetPortName,
      columns: {
        name: localnetPortName,
        type: "localnet",
        addresses: ["unknown"],
        options: textMap({ network_name: networkName }),
        ...(vlan !== undefined && { tag: vlan }),
      },
      parent,
    },
    {
      table: "Logical_Switch_Port",
      key: switchPort,
      columns: { name: switchPort, type: "router", addresses: [mac], options: textMap({ "router-port": routerPort, ...announcement }) },
      parent,
    },
  ];
}

import { contains, formatPrefix, macOfIp, networkOf, parseIp, parsePrefix } from "@pulumi-ovn/provider";
import { inOrder, type Properties } from "@pulumi-ovn/provider/tools";
import { entryOf, given, listOf, numberOf, textOf } from "../cells";
import type { Database, Row } from "../database";
import type { Recognizer } from "./recognizer";

const flag = (row: Row, key: string): boolean | undefined => {
  const text = entryOf(row, "other_config", key);
  return text === undefined ? undefined : text === "true";
};

/** Switches with a subnet of their own. */
export const layer2Switches: Recognizer = ({ name: zone, database }) =>
  database.table("Logical_Switch").flatMap((row) => {
    const subnets = subnetsOf(database, row);
    if (subnets.length === 0) return [];
    const tunnelKey = numberOf(entryOf(row, "other_config", "requested-tnl-key"));
    const interconnect = entryOf(row, "other_config", "interconn-ts") !== undefined;
    const multicast = given({
      snoop: flag(row, "mcast_snoop") === false ? false : undefined,
      querier: flag(row, "mcast_querier") === true ? true : undefined,
      floodUnregistered: flag(row, "mcast_flood_unregistered") === false ? false : undefined,
    });
    const args: Properties = {
      zone,
      name: textOf(row, "name"),
      subnets,
      ...given({
        tunnelKey,
        interconnect: interconnect === (tunnelKey !== undefined) ? undefined : interconnect,
        multicast: Object.keys(multicast).length === 0 ? undefined : multicast,
      }),
    };
    return [
      {
        kind: "Layer2Switch",
        row,
        variants: () => [
          ...managementPorts(database, row).flatMap((port) => [
            { ...args, managementPort: port },
            { ...args, managementPort: port, aclFromManagement: false },
          ]),
          args,
        ],
      },
    ];
  });

/** The IPv6 prefix is kept without its length: the router on the switch has it. */
function subnetsOf(database: Database, row: Row): string[] {
  const ipv6 = entryOf(row, "other_config", "ipv6_prefix");
  try {
    const prefix = ipv6 === undefined ? undefined : parseIp(ipv6);
    const routers = gatewayAddresses(database, row).map(parsePrefix);
    const link = prefix && routers.find((address) => address.family === 6 && contains({ ...address, ...networkOf(address) }, prefix));
    return [entryOf(row, "other_config", "subnet"), prefix && formatPrefix({ ...prefix, length: link?.length ?? 64 })].filter((text) => text !== undefined);
  } catch {
    return [];
  }
}

function gatewayAddresses(database: Database, row: Row): string[] {
  const ports = database.inside(row, "ports").map((port) => database.named("Logical_Router_Port", entryOf(port, "options", "router-port")));
  return ports.flatMap((port) => listOf(port, "networks"));
}

/** Ports that may be the host's: named as ovn-kubernetes names them, or let through by an ACL of their own. */
function managementPorts(database: Database, row: Row): Properties[] {
  const matches = new Set(database.inside(row, "acls").map((acl) => textOf(acl, "match")));
  return database.inside(row, "ports").flatMap((port) => {
    const name = textOf(port, "name") ?? "";
    const [mac = "", ...addresses] = listOf(port, "addresses")[0]?.split(" ") ?? [];
    if (addresses.length === 0 || textOf(port, "type") !== undefined) return [];
    if (!name.startsWith("k8s-") && !addresses.some((ip) => matches.has(`ip4.src==${ip}`) || matches.has(`ip6.src==${ip}`))) return [];
    return [
      {
        name,
        addresses,
        ...given({ mac: derivedMac(addresses) === mac ? undefined : mac, tunnelKey: numberOf(entryOf(port, "options", "requested-tnl-key")) }),
      },
    ];
  });
}

/** MAC that derives from a list of addresses; undefined for other texts. */
export function derivedMac(addresses: readonly string[]): string | undefined {
  try {
    const [first] = inOrder(addresses);
    return first === undefined ? undefined : macOfIp(first.includes("/") ? parsePrefix(first) : parseIp(first));
  } catch {
    return undefined;
  }
}

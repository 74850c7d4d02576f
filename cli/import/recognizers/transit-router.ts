import { PORTS } from "@pulumi-ovn/provider";
import { type Properties, RA_DEFAULTS } from "@pulumi-ovn/provider/tools";
import { entryOf, given, listOf, numberOf, textOf } from "../cells";
import type { Database, Row } from "../database";
import { derivedMac } from "./layer2-switch";
import type { Recognizer } from "./recognizer";

/** Routers on a switch, by the names of the two ports between them. */
export const transitRouters: Recognizer = ({ name: zone, database }) =>
  database.table("Logical_Switch").flatMap((layer2Switch) => {
    const switchName = textOf(layer2Switch, "name") ?? "";
    const switchPort = database.named("Logical_Switch_Port", PORTS.stotr(switchName));
    const port = database.named("Logical_Router_Port", PORTS.trtos(switchName));
    const router = port && database.parents(port.uuid)[0]?.row;
    if (!switchPort || !port || !router) return [];
    const addresses = listOf(port, "networks");
    const mac = textOf(port, "mac");
    const chassis = database.inside(port, "gateway_chassis").map((row) => textOf(row, "chassis_name"));
    const args: Properties = {
      zone,
      name: textOf(router, "name"),
      switch: layer2Switch.uuid,
      switchName,
      gateway: { addresses, ...given({ mac: derivedMac(addresses) === mac ? undefined : mac }) },
      ...given({
        tunnelKey: numberOf(entryOf(router, "options", "requested-tnl-key")),
        chassis: chassis.length === 1 ? chassis[0] : undefined,
        mtu: numberOf(entryOf(port, "ipv6_ra_configs", "mtu")),
        gatewayMtu: numberOf(entryOf(port, "options", "gateway_mtu")),
        switchPortTunnelKey: numberOf(entryOf(switchPort, "options", "requested-tnl-key")),
        ctCommitAll: entryOf(router, "options", "ct-commit-all") === "true" ? true : undefined,
        routerAdvertisements: advertisements(port, addresses),
      }),
    };
    const variants = () => {
      const management = managementOf(database, router, layer2Switch, switchName);
      return [...(management ? [{ ...args, management }] : []), args];
    };
    return [{ kind: "TransitRouter", row: router, variants }];
  });

function advertisements(port: Row, addresses: readonly string[]): Properties | undefined {
  if (!addresses.some((address) => address.includes(":"))) return undefined;
  if (entryOf(port, "ipv6_ra_configs", "address_mode") === undefined) return { enabled: false };
  const configured = {
    addressMode: entryOf(port, "ipv6_ra_configs", "address_mode"),
    sendPeriodic: entryOf(port, "ipv6_ra_configs", "send_periodic") === "true",
    maxInterval: numberOf(entryOf(port, "ipv6_ra_configs", "max_interval")),
    minInterval: numberOf(entryOf(port, "ipv6_ra_configs", "min_interval")),
    preference: entryOf(port, "ipv6_ra_configs", "router_preference"),
  };
  const other = Object.entries(configured).filter(([name, value]) => value !== undefined && value !== RA_DEFAULTS[name as keyof typeof configured]);
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** Data of the management port from its rows: its MAC in the translations, its addresses in the policies or on its port. */
function managementOf(database: Database, router: Row, layer2Switch: Row, switchName: string): Properties | undefined {
  const port = PORTS.trtos(switchName);
  const translations = database.inside(router, "nat").filter((nat) => textOf(nat, "logical_port") === port && textOf(nat, "match")?.startsWith("eth.dst == "));
  const policies = database.inside(router, "policies").flatMap((policy) => {
    const host = new RegExp(`^inport == "[^"]*" && ip[46]\\.dst == (\\S+) /\\* `).exec(textOf(policy, "match") ?? "")?.[1];
    return policy.columns.priority === 1004 && host !== undefined ? [{ host, nextHops: listOf(policy, "nexthops") }] : [];
  });
  const mac = textOf(translations[0], "match")?.slice("eth.dst == ".length);
  const ofPort = database.inside(layer2Switch, "ports").map((row) => listOf(row, "addresses")[0]?.split(" ") ?? []);
  const addresses = ofPort.find(([first]) => first === mac)?.slice(1) ?? [...new Set(policies.flatMap(({ nextHops }) => nextHops))];
  if (addresses.length === 0) return undefined;
  return {
    addresses,
    ...given({
      mac: mac === undefined || mac === derivedMac(addresses) ? undefined : mac,
      masqueradeAddresses: translations.length === 0 ? undefined : translations.map((nat) => textOf(nat, "external_ip") ?? "").sort(),
      snatPorts: textOf(translations[0], "external_port_range"),
      hostAddresses: policies.length === 0 ? undefined : policies.map(({ host }) => host).sort(),
    }),
  };
}

import { type Family, type Ip, formatIp, matchString, ofFamily, parseIp, parsePrefix, parseSubnet } from "../../../kit/address";
import type { DesiredRow } from "../../../backends/rows/set";
import { inOrder, readPrefix } from "../fields";
import { destinationSetName, PORTS } from "../naming";
import { snat } from "../routing";
import { sortedEntries } from "../../../kit/entries";
import type { GatewayRouterSpec } from "./args";
import { SELF } from "./external-rows";

/** A way out, and what leaves by it. */
interface WayOut {
  /** Source addresses; only one of each family is used. */
  readonly sources: readonly Ip[];
  /** Only what leaves by this port is translated; the rest of the router's packets otherwise. */
  readonly port?: string;
  /** Ends the rows' keys. */
  readonly suffix?: string;
  readonly priority?: number;
}

/** Above egress addresses, which have no answer outside of the first external network. */
const FURTHER_PRIORITY = 2;

/** Families of the subnets that are translated, where only some destinations are. */
function chosenFamilies({ snatSubnets, snatDestinations }: GatewayRouterSpec): Family[] {
  return snatDestinations ? [...new Set(snatSubnets.map((text) => parseSubnet(text).family))].sort() : [];
}

/** Elements of an address set change without a change of the translation, which would reset its connections. */
export function destinationSets(args: GatewayRouterSpec): DesiredRow[] {
  return chosenFamilies(args).map((family) => ({
    table: "Address_Set",
    key: `${args.name} translated ip${family}`,
    columns: { name: destinationSetName(args.name, family), addresses: inOrder(args.snatDestinations!.filter((text) => readPrefix(text).family === family)) },
  }));
}

export function translationRows(args: GatewayRouterSpec): DesiredRow[] {
  const { name, external, masquerade, snatOutsideOnly, furtherExternals } = args;
  const sources = masquerade ? masquerade.addresses.map(parseIp) : external.addresses.map(parsePrefix);
  return [
    ...rowsFor(args, { sources, ...(snatOutsideOnly && { port: PORTS.rtoe(name) }) }),
    ...sortedEntries(furtherExternals).flatMap(([key, { addresses }]) =>
      rowsFor(args, { sources: addresses.map(parsePrefix), port: PORTS.furtherRtoe(key, name), suffix: ` by ${key}`, priority: FURTHER_PRIORITY }),
    ),
  ];
}

/** With a masquerade address, the join addresses are also translated if they leave through the first network outside: the host must not see them. */
function rowsFor(args: GatewayRouterSpec, { sources, port, suffix = "", priority }: WayOut): DesiredRow[] {
  const leaving = port === undefined ? [] : [`outport == ${matchString(port)}`];
  const chosen = ({ family }: Ip) => (args.snatDestinations ? [`ip${family}.dst == $${destinationSetName(args.name, family)}`] : []);
  const translation = (text: string, conditions: readonly string[]): DesiredRow[] => {
    const source = ofFamily(sources, readPrefix(text).family);
    if (!source) return [];
    return [
      snat({
        router: SELF,
        key: `${args.name} snat ${text}${suffix}`,
        externalIp: formatIp(source),
        logicalIp: text,
        match: conditions.join(" && "),
        ports: args.snatPorts,
        ...(priority !== undefined && { priority }),
      }),
    ];
  };
  return [
    ...(args.masquerade ? inOrder(args.joinAddresses) : []).flatMap((join) => translation(join, priority === undefined ? [] : leaving)),
    ...inOrder(args.snatSubnets).flatMap((subnet) => translation(subnet, [...leaving, ...chosen(readPrefix(subnet))])),
  ];
}

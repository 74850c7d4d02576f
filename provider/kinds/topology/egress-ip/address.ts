import { defineKind } from "../../define";
import { z } from "zod";
import { type Family, formatIp, linkLocalOfMac, macOfIp, matchString, parseIp, parseSubnet } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import type { DesiredRow } from "../../../backends/rows/set";
import { Failures } from "../../../kit/arguments/failures";
import { common, inOrder, ip, ips, mac, mappedName, name, packetMark, rowReference, schemaOf, subnetPerFamily, vlan } from "../fields";
import { PORTS } from "../naming";
import { outsideClaims } from "../outside";
import { routingPolicy, snat } from "../routing";
import { type TopologyArgs, foreign, listedIn, local, rowSet, textMap } from "../rows";

/**
 * One egress address on one node: NAT of the workloads on its gateway router, and rows that announce the address. `EgressIPPolicy` also moves
 * addresses without breaking connections.
 */
export interface EgressAddressArgs extends TopologyArgs {
  /** The node's gateway router: UUID or name. */
  gatewayRouter: string;
  /** Name of the gateway router, for the names of ports and keys. */
  gatewayRouterName: string;
  /** The name in the chassis's `ovn-bridge-mappings`. Default: "physnet". */
  networkName?: string;
  /** VLAN of the physical network, 1 to 4094. Default: untagged. */
  vlan?: number;
  /** The node's external switch: UUID or name (`externalSwitchName` of `GatewayRouter`'s arguments). */
  externalSwitch: string;
  /** The egress address. */
  address: string;
  /** Addresses of the workloads that leave with it, of its family, in any order. */
  workloads: string[];
  /**
   * Translates by packet mark: policies 95 and one NAT row, as in ovn-kubernetes. 1 to
   * 4294967295. Default: none, one NAT row for each workload. (ovn-nb(5), NAT match, needs OVN 24.09)
   */
  packetMark?: number;
  /** Translates only packets that leave by the external port. Needed with `snatOutsideOnly` of `GatewayRouter`. Default: false. */
  outsideOnly?: boolean;
  /** Subnets of the network, required with `packetMark`: what the NAT row is for. */
  subnets?: string[];
  /** Announces the address: IPv4 by `nat-addresses`, IPv6 by its own MAC and port. Disable it for BGP. Default: true. */
  announce?: boolean;
  /** MAC of an announced IPv6 address, the same on every node. Default: derived from the address. */
  mac?: string;
}

const schema = schemaOf<EgressAddressArgs>()(
  z.strictObject({
    ...common,
    gatewayRouter: rowReference,
    gatewayRouterName: name,
    networkName: mappedName.default("physnet"),
    vlan: vlan.optional(),
    externalSwitch: rowReference,
    address: ip,
    workloads: ips,
    packetMark: packetMark.optional(),
    outsideOnly: z.boolean().default(false),
    subnets: subnetPerFamily.default([]),
    announce: z.boolean().default(true),
    mac: mac.optional(),
  }),
);
type Spec = z.output<typeof schema>;

/** Below every policy of ovn-kubernetes: only unmarked packets get the mark. */
const MARK_PRIORITY = 95;

function render(args: Spec): Rendered {
  check(args);
  const translations = [
    ...(args.packetMark === undefined || args.outsideOnly ? byWorkload(args) : []),
    ...(args.packetMark === undefined ? [] : byMark(args, args.packetMark)),
  ];
  const [first, ...further] = translations as [DesiredRow, ...DesiredRow[]];
  const reserved = { ...first, ...outsideClaims(args, [{ value: args.address, path: "address" }]) };
  return { set: rowSet("OVN_Northbound", [reserved, ...further, ...announcement(args)], args), primary: local(first.table, first.key) };
}

function check({ address, workloads, packetMark, subnets, mac }: Spec): void {
  const failures = new Failures();
  const { family } = parseIp(address);
  if (workloads.length === 0) failures.add("workloads", "required", "needs at least one workload address");
  workloads.forEach((text, index) => {
    if (parseIp(text).family !== family) failures.add(`workloads[${index}]`, "family", `${text} can't leave with the IPv${family} address ${address}`);
    else if (text === address) failures.add(`workloads[${index}]`, "duplicate", `${text} is the egress address itself`);
  });
  if (packetMark === 0) failures.add("packetMark", "out-of-range", "0 means that a packet has no mark");
  if (packetMark !== undefined && subnetOf(subnets, family) === undefined) failures.add("subnets", "required", `needs an IPv${family} subnet with packetMark`);
  if (mac !== undefined && family === 4) failures.add("mac", "value", "has no meaning for an IPv4 address: it is announced with the gateway router's MAC");
  failures.throwIfAny();
}

function subnetOf(subnets: readonly string[], family: Family): string | undefined {
  return subnets.find((subnet) => parseSubnet(subnet).family === family);
}

/** OVN prefers a translation with a match, however short its prefix is, to one without; among those the priority counts. */
const OUTSIDE_PRIORITY = 1;

/** Returns the conditions of a translation. */
function conditionOf({ outsideOnly, gatewayRouterName }: Spec, mark?: number): { match?: string; priority?: number } {
  const terms = [...(outsideOnly ? [`outport == ${matchString(PORTS.rtoe(gatewayRouterName))}`] : []), ...(mark === undefined ? [] : [`pkt.mark == ${mark}`])];
  return { ...(terms.length > 0 && { match: terms.join(" && ") }), ...(outsideOnly && { priority: OUTSIDE_PRIORITY }) };
}

/** A translation of one address precedes that of the whole network, because OVN's priority is the prefix length. */
function byWorkload(args: Spec): DesiredRow[] {
  const { gatewayRouterName, address } = args;
  return inOrder(args.workloads).map((logicalIp) =>
    snat({
      router: foreign(args.gatewayRouter),
      key: `${gatewayRouterName} egress ${address} ${logicalIp}`,
      externalIp: address,
      logicalIp,
      ...conditionOf(args),
    }),
  );
}

function byMark(args: Spec, mark: number): DesiredRow[] {
  const { gatewayRouterName, address } = args;
  const router = foreign(args.gatewayRouter);
  const { family } = parseIp(address);
  const logicalIp = subnetOf(args.subnets, family)!;
  const marks = inOrder(args.workloads).map((workload) =>
    routingPolicy({
      router,
      key: `${gatewayRouterName} egress ${address} ${workload}`,
      priority: MARK_PRIORITY,
      // A mark set on the transit router is lost in the tunnel, so it is set here, for local workloads too.
      match: `ip${family}.src == ${workload} && pkt.mark == 0`,
      action: "allow",
      packetMark: mark,
    }),
  );
  return [snat({ router, key: `${gatewayRouterName} egress ${address}`, externalIp: address, logicalIp, ...conditionOf(args, mark) }), ...marks];
}

/**
 * The port owns the MAC; `arp_proxy` answers solicitations of the address with it, ahead of the answer that the
 * gateway router would give with its own; `nat-addresses` without an address makes OVN send RARP for the MAC.
 */
function announcement(args: Spec): DesiredRow[] {
  const address = parseIp(args.address);
  if (!args.announce || address.family === 4) return [];
  const macAddress = args.mac ?? macOfIp(address);
  const [port, peer] = [`rtoe-${args.gatewayRouterName}-${args.address}`, `etor-${args.gatewayRouterName}-${args.address}`];
  return [
    {
      table: "Logical_Router_Port",
      key: port,
      columns: { name: port, mac: macAddress, networks: [`${formatIp(linkLocalOfMac(macAddress))}/64`] },
      parent: listedIn("Logical_Router", foreign(args.gatewayRouter), "ports"),
      ...outsideClaims(args, [{ value: macAddress, path: "mac" }]),
    },
    {
      table: "Logical_Switch_Port",
      key: peer,
      columns: {
        name: peer,
        type: "router",
        addresses: [macAddress],
        options: textMap({ "router-port": port, arp_proxy: `${macAddress} ${args.address}`, "nat-addresses": macAddress }),
      },
      parent: listedIn("Logical_Switch", foreign(args.externalSwitch), "ports"),
    },
  ];
}

/** One egress address on one node. */
export const egressAddress = defineKind({ backend: "rows", name: "EgressAddress", database: "OVN_Northbound", schema, render, outputs: [] });

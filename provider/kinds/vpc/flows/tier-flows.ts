import { inOrder } from "../../topology/fields";
import { sortedEntries } from "../../../kit/entries";
import { flow, ipMatch } from "./flow";
import { tierPatch } from "../names";
import type { Routing } from "./routing-flows";
import { TIER_TABLE } from "./tables";
import { allowed, IS_ANSWER, seen } from "./tracking";

/** OFPP_NONE: NORMAL looks up where to send a packet without a port to learn its source on (ovs-actions(7)). */
const FROM_NOWHERE = "load:0xffff->NXM_OF_IN_PORT[]";

/**
 * Only packets out of a tunnel have other values. With these fields, flows do not name tunnel ports, which may be
 * missing (ovs-fields(7), Tunnel Fields).
 */
const NOT_TUNNELED = ["tun_src=0.0.0.0", "tun_ipv6_src=::"];

/**
 * Switching of a tier's bridge, as ovs-ofctl's NORMAL does it. Tunnels are protected ports: a packet from a tunnel is
 * never sent to another tunnel, so the full mesh has no loop. It is not redirected either: its source host has done
 * that.
 */
export const SWITCHING_FLOWS: readonly string[] = [
  flow(TIER_TABLE.classifier, 100, NOT_TUNNELED, [`resubmit(,${TIER_TABLE.fromWorkload})`]),
  flow(TIER_TABLE.classifier, 0, [], [`resubmit(,${TIER_TABLE.fromTunnel})`]),
  flow(TIER_TABLE.fromTunnel, 0, [], ["NORMAL"]),
  flow(TIER_TABLE.fromWorkload, 0, [], ["NORMAL"]),
];

/** Destination of the BFD messages that ovs-vswitchd sends, its default (ovs-vswitchd.conf.db(5), bfd_local_dst_mac). */
export const BFD_MAC = "00:23:20:00:00:01";

/**
 * Tunnels with BFD. ovs-vswitchd sends and takes its own messages without these flows, and takes those to this MAC only; a workload
 * that sends such a message could end the session of another host.
 */
export const PROBED_FLOWS: readonly string[] = [flow(TIER_TABLE.classifier, 300, [`dl_dst=${BFD_MAC}`], ["drop"]), ...SWITCHING_FLOWS];

/** Flows that a tier's bridge needs so that packets of a logical router arrive. */
export function attachmentFlows(tier: string, { tiers, zone }: Routing): string[] {
  const { key, gatewayMac } = tiers[tier]!;
  // The patch port is in a VLAN that nothing else is in: NORMAL never floods to it.
  const fromRouter = flow(TIER_TABLE.classifier, 200, [`in_port=${tierPatch(key)}`], [FROM_NOWHERE, "NORMAL"]);
  if (zone === undefined) return [fromRouter];
  const { fromTunnel, fromWorkload, tracked } = TIER_TABLE;
  return [
    fromRouter,
    // Without redirects, packets to other tiers go to the virtual router.
    ...others(tier, tiers).map((cidr) => flow(fromWorkload, 90, [`dl_dst=${gatewayMac}`, ...ipMatch("dst", cidr)], [seen(zone), "NORMAL"])),
    ...others(tier, tiers).map((cidr) => flow(fromTunnel, 100, ipMatch("src", cidr), [`resubmit(,${tracked})`])),
    ...["ip", "ipv6"].flatMap((family) => [
      flow(tracked, 300, [family, `dl_src=${gatewayMac}`], [seen(zone), "NORMAL"]),
      flow(tracked, 200, [family, IS_ANSWER], ["NORMAL"]),
      // The sender's logical router has decided; the answer meets this one, which has to know the connection.
      flow(tracked, 100, [family], [allowed(zone), "NORMAL"]),
    ]),
  ];
}

/** Flows that enable the logical router: without them, packets go to the virtual router's MAC. */
export function redirectFlows(tier: string, { tiers, mac }: Routing): string[] {
  const { key, gatewayMac } = tiers[tier]!;
  return others(tier, tiers).map((cidr) =>
    flow(TIER_TABLE.fromWorkload, 100, [`dl_dst=${gatewayMac}`, ...ipMatch("dst", cidr)], [`mod_dl_dst:${mac}`, `output:${tierPatch(key)}`]),
  );
}

function others(tier: string, tiers: Routing["tiers"]): string[] {
  return sortedEntries(tiers).flatMap(([name, { cidrs }]) => (name === tier ? [] : inOrder(cidrs)));
}

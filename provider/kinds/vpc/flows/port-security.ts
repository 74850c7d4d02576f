import { formatIp, linkLocalOfMac } from "../../../kit/address";
import { inOrder } from "../../topology/fields";
import { flow, ipMatch, isSixth } from "./flow";
import { INCOMPLETE_ICMP6 } from "./fragments";
import { TIER_TABLE } from "./tables";

/** A workload's port, and what it may send as. */
export interface SecuredPort {
  /** OpenFlow port number. */
  readonly number: number;
  readonly mac: string;
  readonly addresses: readonly string[];
}

const [NO_MAC, NO_IP, NO_IPV6] = ["00:00:00:00:00:00", "0.0.0.0", "::"];

/** ICMPv6 types (IANA). */
const [MLD_REPORT, ROUTER_SOLICITATION, ROUTER_ADVERTISEMENT, SOLICITATION, ADVERTISEMENT, REDIRECT, MLD_V2_REPORT] = [131, 133, 134, 135, 136, 137, 143];

const toSource = [`resubmit(,${TIER_TABLE.securedSource})`];
const passes = [`resubmit(,${TIER_TABLE.fromWorkload})`];

/**
 * Pure. Port security on a tier's bridge, as in ovn-nb(5) (Logical_Switch_Port, port_security): packets from a
 * workload's port must have its MAC and one of its addresses. ARP (RFC 826) and neighbor discovery (RFC 4861) must
 * contain only these. Also allowed: the link-local address of the MAC, if the workload has IPv6; DHCP, and probes for
 * the workload's own address, from the unspecified address. Router advertisements are not allowed.
 */
export function portSecurityFlows(ports: readonly SecuredPort[]): string[] {
  if (ports.length === 0) return [];
  const { securedDiscovery, securedSource } = TIER_TABLE;
  return [
    ...ports.flatMap(portFlows),
    // A message with an option twice has no target here; a receiver may take the first one.
    flow(securedDiscovery, 300, ["icmp6", `icmp_type=${SOLICITATION}`, "icmp_code=0", `nd_target=${NO_IPV6}`], ["drop"]),
    // Neighbour discovery is never fragmented (RFC 6980): options of a later fragment would not be judged.
    ...[ROUTER_SOLICITATION, ROUTER_ADVERTISEMENT, SOLICITATION, ADVERTISEMENT, REDIRECT].map((type) =>
      flow(securedDiscovery, 300, ["icmp6", "nw_frag=first", `icmp_type=${type}`], ["drop"]),
    ),
    ...INCOMPLETE_ICMP6.map((match) => flow(securedDiscovery, 300, match, ["drop"])),
    ...[ROUTER_ADVERTISEMENT, SOLICITATION, ADVERTISEMENT, REDIRECT].map((type) => flow(securedDiscovery, 100, ["icmp6", `icmp_type=${type}`], ["drop"])),
    flow(securedDiscovery, 0, [], toSource),
    ...["ip", "ipv6", "arp", "rarp"].map((protocol) => flow(securedSource, 100, [protocol], ["drop"])),
    flow(securedSource, 0, [], ["drop"]),
  ];
}

function portFlows({ number, mac, addresses }: SecuredPort): string[] {
  const { classifier, securedDiscovery, securedSource } = TIER_TABLE;
  const port = `in_port=${number}`;
  const own = [port, `dl_src=${mac}`];
  const sorted = inOrder(addresses);
  const fourth = sorted.filter((address) => !isSixth(address));
  const sixth = sorted.filter(isSixth);
  // No argument gives it a second time: `ips` refuses link-local addresses.
  if (sixth.length > 0) sixth.push(formatIp(linkLocalOfMac(mac)));
  const from = (match: readonly string[]) => flow(securedSource, 200, [...own, ...match], passes);
  const discovery = (type: number, match: readonly string[]) =>
    flow(securedDiscovery, 200, [port, "icmp6", `icmp_type=${type}`, "icmp_code=0", ...match], toSource);
  return [
    flow(classifier, 150, [port], [`resubmit(,${securedDiscovery})`]),
    ...[mac, NO_MAC].map((source) => discovery(SOLICITATION, [`nd_sll=${source}`])),
    ...sixth.flatMap((target) => [mac, NO_MAC].map((at) => discovery(ADVERTISEMENT, [`nd_target=${target}`, `nd_tll=${at}`]))),
    ...[...fourth, ...sixth].map((address) => from(ipMatch("src", address))),
    ...fourth.flatMap((address) => [
      from(["arp", `arp_sha=${mac}`, `arp_spa=${address}`]),
      from(["arp", "arp_op=1", `arp_sha=${mac}`, `arp_spa=${NO_IP}`, `arp_tpa=${address}`]),
    ]),
    ...(fourth.length === 0 ? [] : [from(["udp", `nw_src=${NO_IP}`, "nw_dst=255.255.255.255", "tp_src=68", "tp_dst=67"])]),
    ...sixth.map((target) => from(["icmp6", `ipv6_src=${NO_IPV6}`, `icmp_type=${SOLICITATION}`, "icmp_code=0", `nd_target=${target}`])),
    ...(sixth.length === 0 ? [] : [MLD_REPORT, MLD_V2_REPORT].map((type) => from(["icmp6", `ipv6_src=${NO_IPV6}`, `icmp_type=${type}`]))),
    // Protocols without an address: a machine that has moved announces itself by RARP, with its own MAC in the packet.
    from(["rarp", `arp_sha=${mac}`]),
    flow(securedSource, 50, own, passes),
  ];
}

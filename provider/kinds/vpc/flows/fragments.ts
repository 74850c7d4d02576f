/**
 * Matches of first fragments that end before the ports or the type that rules are about, which Open vSwitch reads as zeros (RFC 1858,
 * RFC 7112). No whole header is dropped with them: IANA reserves port 0, and type 0 of ICMPv6. IPv6 packets whose extension headers
 * do not end have protocol 0.
 */
export const INCOMPLETE: readonly (readonly string[])[] = [
  ...["tcp", "tcp6", "udp", "udp6", "sctp", "sctp6"].map((protocol) => [protocol, "nw_frag=first", "tp_src=0", "tp_dst=0"]),
  ["icmp6", "nw_frag=first", "icmp_type=0", "icmp_code=0"],
  ["ipv6", "nw_proto=0"],
];

/** Fragments that may hide a neighbor discovery message. */
export const INCOMPLETE_ICMP6: readonly (readonly string[])[] = INCOMPLETE.filter(([protocol]) => protocol === "icmp6" || protocol === "ipv6");

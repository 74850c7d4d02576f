/**
 * How a symbol can be compared (ovn-sb(5), Logical_Flow match): ordinal ones with every operator, Boolean ones for (in)equality,
 * nominal ones for equality, `!` around them taken into account.
 */
type Level = "ordinal" | "Boolean" | "nominal";

export interface MatchSymbol {
  readonly name: string;
  /** In bits; 0 for text. */
  readonly width: number;
  readonly level: Level;
  /** An abbreviation of a condition, such as `tcp` of `ip.proto == 6`. */
  readonly isPredicate: boolean;
}

/** Fields by width. The last three lines are new in OVN 25.09 and 26.03. */
const FIELDS: Readonly<Record<number, string>> = {
  128: "xxreg0 xxreg1 ct_label ip6.src ip6.dst nd.target",
  96: "ct_label.obs_unused",
  64: "xreg0 xreg1 xreg2 xreg3 xreg4",
  48: "eth.src eth.dst arp.sha arp.tha rarp.sha rarp.tha nd.sll nd.tll ct_label.ecmp_reply_eth",
  32: "reg0 reg1 reg2 reg3 reg4 reg5 reg6 reg7 reg8 reg9 flags ct_mark ct_state pkt.mark ip4.src ip4.dst arp.spa arp.tpa rarp.spa rarp.tpa ct_label.label ct_label.obs_point_id",
  20: "ip6.label",
  16: "tcp.src tcp.dst udp.src udp.dst sctp.src sctp.dst vlan.tci ct_mark.ecmp_reply_port ct_label.acl_id ct_label.tun_if_id",
  12: "tcp.flags vlan.vid",
  8: "ct_mark.obs_collector_id ct_label.nf_id",
  4: "flags.network_id",
  3: "vlan.pcp",
  2: "ip.frag ct_mark.obs_stage",
  1:
    "eth.mcast ct.trk ct.new ct.est ct.rel ct.rpl ct.inv ct.snat ct.dnat " +
    "ct_mark.blocked ct_mark.natted ct_mark.skip_snat ct_mark.force_snat ct_mark.allow_established ct_label.nf ct_label.tun_if " +
    "flags.loopback flags.force_snat_for_dnat flags.force_snat_for_lb flags.skip_snat_for_lb flags.use_snat_zone flags.localnet flags.icmp_snat " +
    "flags.tunnel_rx flags.from_ctrl flags.unsnat_new flags.unsnat_not_tracked flags.igmp_loopback flags.pkt_sampled",
};

/** Fields that OpenFlow can't mask, by width; those of width 0 are text. */
const NOMINAL_FIELDS: Readonly<Record<number, string>> = {
  16: "eth.type arp.op rarp.op",
  8: "ip.proto ip.ttl icmp4.type icmp4.code icmp6.type icmp6.code",
  6: "ip.dscp",
  2: "ip.ecn",
  0: "inport outport",
};

const BOOLEAN_PREDICATES =
  "eth.bcast eth.mcastv6 vlan.present ip4.src_mcast ip4.mcast ip6.mcast ip6.mcast_rsvd ip6.mcast_all_nodes ip6.mcast_all_rtrs ip6.mcast_sol_node " +
  "ip6.mcast_flood ip.is_frag ip.later_frag ip.first_frag";

const NOMINAL_PREDICATES = "ip ip4 ip6 icmp icmp4 icmp6 igmp arp rarp nd nd_ns nd_ns_mcast nd_na nd_rs nd_ra mldv1 mldv2 tcp udp sctp";

/** Fields that only actions can set. OVN parses them in a match, and crashes when it translates it (25.03). */
export const WRITE_ONLY: ReadonlySet<string> = new Set(["icmp4.frag_mtu", "icmp6.frag_mtu"]);

function fields(level: Level, byWidth: Readonly<Record<number, string>>): MatchSymbol[] {
  return Object.entries(byWidth).flatMap(([width, names]) => names.split(" ").map((name) => ({ name, width: Number(width), level, isPredicate: false })));
}

const predicates = (level: Level, names: string): MatchSymbol[] => names.split(" ").map((name) => ({ name, width: 1, level, isPredicate: true }));

/** The symbols of OVN 25.03 to 26.03, by name. */
export const symbols: ReadonlyMap<string, MatchSymbol> = new Map(
  [
    ...fields("ordinal", FIELDS),
    ...fields("nominal", NOMINAL_FIELDS),
    ...predicates("Boolean", BOOLEAN_PREDICATES),
    ...predicates("nominal", NOMINAL_PREDICATES),
  ].map((symbol) => [symbol.name, symbol]),
);

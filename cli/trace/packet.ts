import type { Headers } from "./datapath";

/** The packet that is asked about; its addresses and protocol stay the same on its way. */
export interface Packet {
  readonly family: 4 | 6;
  readonly source: string;
  readonly destination: string;
  /** "tcp", "udp", "sctp", "icmp", "icmpv6", or an IP protocol number. */
  readonly protocol: string;
  /** Destination port, of tcp, udp and sctp. */
  readonly port: number | undefined;
  /** True for the reply to a packet: `port` is its source port, and an echo is answered. Default: false. */
  readonly reply?: boolean;
}

/** Tunnel from which a packet arrives. */
export interface Tunnel {
  readonly from: string;
  readonly to: string;
  readonly key: number;
}

/** Source port from the range that systems choose from. No rule matches it. */
const SOURCE_PORT = 49_152;

/** IANA numbers of ICMP and ICMPv6 echo requests, which ping sends. */
const ECHO = { icmp: "icmp,icmp_type=8,icmp_code=0", icmpv6: "icmp6,icmpv6_type=128,icmpv6_code=0" } as const;
const ECHO_REPLY = { icmp: "icmp,icmp_type=0,icmp_code=0", icmpv6: "icmp6,icmpv6_type=129,icmpv6_code=0" } as const;

/** Pure. The packet in the syntax of ovs-ofctl(8), as it comes into a bridge. Every part was checked before. */
export function flowOf(
  { family, source, destination, protocol, port, reply = false }: Packet,
  inPort: string,
  { source: from, destination: to, ttl }: Headers,
  tunnel: Tunnel | undefined,
): string {
  const ip = family === 4 ? { any: "ip", src: "nw_src", dst: "nw_dst", suffix: "" } : { any: "ipv6", src: "ipv6_src", dst: "ipv6_dst", suffix: "6" };
  const header =
    protocol === "icmp" || protocol === "icmpv6"
      ? (reply ? ECHO_REPLY : ECHO)[protocol]
      : port === undefined
        ? `${ip.any},nw_proto=${protocol}`
        : `${protocol}${ip.suffix},${protocol}_src=${reply ? port : SOURCE_PORT},${protocol}_dst=${reply ? SOURCE_PORT : port}`;
  return [
    // Without quotes "7" is a number and "local" the bridge's own port.
    `in_port=${JSON.stringify(inPort)}`,
    ...(tunnel === undefined ? [] : tunnelFields(tunnel)),
    `dl_src=${from}`,
    `dl_dst=${to}`,
    header,
    `${ip.src}=${source}`,
    `${ip.dst}=${destination}`,
    `nw_ttl=${ttl}`,
    "nw_frag=no",
  ].join(",");
}

/** As people read it: `tcp port 443`. */
export function described({ protocol, port }: Packet): string {
  if (port !== undefined) return `${protocol} port ${port}`;
  return /^\d/.test(protocol) ? `protocol ${protocol}` : protocol;
}

function tunnelFields({ from, to, key }: Tunnel): string[] {
  const prefix = from.includes(":") ? "tun_ipv6_" : "tun_";
  return [`${prefix}src=${from}`, `${prefix}dst=${to}`, `tun_id=${key}`];
}

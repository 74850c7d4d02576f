import { execFileSync } from "node:child_process";
import { matchTwins, parseFlow } from "@pulumi-ovn/provider/testing";
import { programEnvironment } from "@pulumi-ovn/sandbox/testing";
import { binaries } from "@pulumi-ovn/sandbox";

const PROTOCOLS = ["ip", "ip4", "ipv4", "ip6", "ipv6", "arp", "rarp", "mpls", "mplsm", "icmp", "icmp6", "tcp", "tcp6", "udp", "udp6", "sctp", "sctp6"];
const [MAC, IPV4, IPV6] = ["00:00:00:00:00:0", "10.0.0.", "fd00::"];

/** Names of fields, each with two values. */
const FIELDS = Object.entries({
  [MAC]: ["dl_src", "dl_dst", "eth_src", "eth_dst", "arp_sha", "arp_tha", "nd_sll", "nd_tll"],
  [IPV4]: ["nw_src", "nw_dst", "ip_src", "ip_dst", "arp_spa", "arp_tpa"],
  [IPV6]: ["ipv6_src", "ipv6_dst", "nd_target"],
  "0x080": ["dl_type", "eth_type"],
  "": [
    "nw_proto",
    "ip_proto",
    "arp_op",
    "nw_ttl",
    "nw_ecn",
    "ip_ecn",
    "ip_dscp",
    "tp_src",
    "tp_dst",
    "tcp_src",
    "tcp_dst",
    "udp_src",
    "udp_dst",
    "sctp_src",
    "sctp_dst",
    "icmp_type",
    "icmp_code",
    "icmpv6_type",
    "icmpv6_code",
    "ipv6_label",
    "mpls_label",
    "mpls_tc",
    "tcp_flags",
    "dl_vlan",
    "dl_vlan_pcp",
    "vlan_pcp",
    "in_port",
    "in_port_oxm",
    "tun_id",
    "tunnel_id",
    "metadata",
    "pkt_mark",
    "ct_zone",
    "ct_mark",
    "reg0",
    "reg0[0..3]",
    "reg0[2..5]",
    "reg0[4..7]",
    "NXM_NX_REG0[1..2]",
    "reg1",
    "reg2",
    "reg3",
    "reg4",
    "xreg0",
    "xreg0[0..31]",
    "xreg0[32..63]",
    "xreg1",
    "xreg2",
    "xxreg0",
    "xxreg0[64..127]",
    "xxreg1",
  ],
  "0x100": ["vlan_vid", "vlan_tci"],
  "nw_tos=": ["4", "8"],
  "dl_vlan=": ["0xffff", "65535"],
  "vlan_vid=0x": ["0", "5"],
  "vlan_vid=": ["0/0x1000", "7/0xff"],
  "vlan_vid=0x1000/": ["0x1000", "0x1000"],
}).flatMap(([begin, names]) =>
  begin.includes("=") ? [names.map((value) => begin + value)] : names.map((name) => [1, 2].map((value) => `${name}=${begin}${value}`)),
);

/** Protocols without which ovs-ofctl drops fields. */
const CONTEXTS = ["", "tcp,", "icmp6,", "arp,"];

test("ovs-ofctl reads two different fields equally in either order", async () => {
  const terms = [...PROTOCOLS.map((name) => [name, name]), ...FIELDS];
  const pairs = CONTEXTS.flatMap((context) =>
    terms.flatMap(([one], index) => terms.slice(index + 1).map(([, other]) => [`${context}${one},${other}`, `${other},${context}${one}`] as const)),
  );
  const single = pairs.filter(([text]) => matchTwins(parseFlow(`${text} actions=drop`)!) === undefined);
  const found = await binaries();
  const said = execFileSync("ovs-ofctl", ["-O", "OpenFlow14", "--verbose=off", "parse-flows", "-"], {
    input: single
      .flat()
      .map((text) => `${text},actions=drop\n`)
      .join(""),
    env: { ...process.env, ...programEnvironment(found) },
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  // A match that OpenFlow can't have is printed with an error instead of it.
  const rules = said.split("\n").flatMap((line) => (line.startsWith("OFPT_FLOW_MOD") ? [line.replace(/\(xid=\w+\)/, "")] : []));
  expect(rules).toHaveLength(2 * single.length);
  expect(single.filter((_, index) => rules[2 * index] !== rules[2 * index + 1])).toEqual([]);
});

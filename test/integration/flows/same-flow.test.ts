import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArgumentError, bridgeFlows } from "@pulumi-ovn/provider";
import { Switches } from "../../support/switches";

const switches = Switches.of({ name: "same-flow", hosts: 1, workloads: [] });

/** Ways to name a protocol, and parts of a match that go with each of them. */
const GROUPS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    [""],
    [
      "",
      "dl_src=0a:00:00:00:00:0b",
      "eth_src=0A:00:00:00:00:0B",
      "eth_src=0a:00:00:00:00:0b/ff:ff:ff:ff:ff:ff",
      "metadata=*",
      "dl_dst=01:02:00:00:00:00/01:00:00:00:00:00",
      "eth_dst=01:00:00:00:00:00/01:00:00:00:00:00",
      "dl_vlan=5",
      "dl_vlan=0x5",
      "vlan_vid=0x1005",
      "vlan_vid=4101/0x1fff",
      "vlan_tci=0x1005/0x1fff",
      "vlan_tci=0x1005",
      "vlan_tci=0x1005/0xffff",
      "dl_vlan_pcp=3",
      "vlan_pcp=3",
      "vlan_tci=0x7000/0xf000",
      "dl_vlan=5,dl_vlan_pcp=3",
      "vlan_vid=0x1005,vlan_pcp=3",
      "vlan_tci=0x7005",
      "vlan_vid=0x1000/0x1000",
      "vlan_tci=0x1000/0x1000",
      "dl_vlan=0xffff",
      "dl_vlan=65535",
      "vlan_tci=0",
      "vlan_vid=0",
      "vlan_tci=0/0x1fff",
      "vlan_tci=0/0x1000",
      "vlan_vid=0/0x1000",
      "vlan_tci=5/0x1fff",
      "vlan_vid=5",
      "reg0=5",
      "reg0=0x5/0xffffffff",
      "reg0[]=5",
      "reg0[0..31]=05",
      "reg0=0/0",
      "reg0[0..3]=5",
      "reg0=0x15/0xf",
      "reg0[0..3]=5,reg0[4..7]=1",
      "reg0=0x15/0xff",
      "reg1=5",
      "xreg0[0..31]=5",
      "xreg0[32..63]=5",
      "xxreg0[96..127]=5",
      "NXM_NX_REG0[]=5",
      "metadata=5",
      "metadata=0x5/0xffffffffffffffff",
      "metadata[0..7]=5",
      "tun_id=7",
      "tunnel_id=0x7",
      "pkt_mark=1",
      "in_port=p1",
      'in_port="p1"',
      "in_port=p2",
      "in_port=LOCAL",
      "dl_type=0x88cc",
      "eth_type=35020",
    ],
  ],
  [
    ["tcp", "ip,nw_proto=6", "dl_type=0x800,ip_proto=6", "eth_type=2048,nw_proto=0x6", "ipv4,ip_proto=6", "ip4,nw_proto=06"],
    [
      "",
      "tp_src=80",
      "tcp_src=80",
      "tp_src=0x50",
      "tcp_src=0120",
      "tcp_src=80/0xffff",
      "tp_src=0x5f/0xfff0",
      "tcp_src=0x50/0xfff0",
      "tcp_src=0/0",
      "tp_dst=80",
      "tcp_dst=80",
      "nw_src=10.0.0.1",
      "ip_src=10.0.0.1/32",
      "nw_src=10.0.0.1/24",
      "ip_src=10.0.0.0/255.255.255.0",
      "nw_src=10.0.0.0/0",
      "ip_src=*",
      "ip_dst=10.0.0.1",
      "nw_tos=4",
      "ip_dscp=1",
      "nw_ecn=1",
      "ip_ecn=1",
      "nw_ttl=5",
      "nw_frag=later",
      "ip_frag=later",
      "tcp_flags=+syn",
      "tcp_flags=0x2/0x2",
      "tcp_flags=+syn-ack",
      "tcp_flags=-ack+syn",
      "ct_state=+trk+new",
      "ct_state=+new+trk",
      "ct_state=0x21/0x21",
      "ct_mark=1",
      "ct_mark=0x1/0xffffffff",
    ],
  ],
  [
    ["tcp6", "ipv6,nw_proto=6", "ip6,ip_proto=6"],
    ["", "tp_dst=80", "tcp_dst=80"],
  ],
  [
    ["udp", "ip,nw_proto=17"],
    ["tp_dst=80", "udp_dst=80"],
  ],
  [
    ["sctp", "ip,nw_proto=132"],
    ["tp_dst=80", "sctp_dst=0x50"],
  ],
  [
    ["icmp", "ip,nw_proto=1"],
    ["icmp_type=8", "tp_src=8", "icmp_code=0", "tp_dst=0"],
  ],
  [
    ["icmp6", "ipv6,nw_proto=58", "dl_type=0x86dd,ip_proto=58"],
    [
      "icmp_type=135",
      "icmpv6_type=135",
      "tp_src=135",
      "icmpv6_type=135,icmpv6_code=0",
      "tp_src=135,tp_dst=0",
      "icmp_type=135,icmp_code=0,nd_target=fd00::1",
      "icmpv6_type=135,icmpv6_code=0,nd_target=fd00:0::1/128",
      "ipv6_src=fd00::1/64",
      "ipv6_src=FD00:0::/64",
      "ipv6_src=fd00::/ffff:ffff:ffff:ffff::",
      "ipv6_dst=fd00::/64",
      "ipv6_label=5",
      "ipv6_label=0x5/0xfffff",
    ],
  ],
  [
    ["arp", "dl_type=0x806", "eth_type=0x0806"],
    ["arp_op=1", "nw_proto=1", "arp_spa=10.0.0.1", "nw_src=10.0.0.1", "arp_sha=00:00:00:00:00:01", "arp_sha=0:0:0:0:0:1"],
  ],
  [
    ["mpls", "dl_type=0x8847"],
    ["mpls_label=5", "mpls_tc=1", "mpls_label=0x5"],
  ],
];

const LARGEST_PRIORITY = 0xffff;

test("refuses exactly the pairs of flows that the switch stores as one", async () => {
  await switches.bridge("node1", "br0", "p1", "p2");
  const matches = GROUPS.map(([protocols, terms]) => protocols.flatMap((protocol) => terms.map((term) => [protocol, term].filter(Boolean).join())));
  // Within a group, and each group with some of the others.
  const pairs = [...matches, matches.flatMap((list) => list.slice(0, 2))].flatMap((list) =>
    list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other] as const)),
  );
  const flows = pairs.flatMap((pair, at) =>
    pair.map((match) => [`table=${Math.floor(at / LARGEST_PRIORITY)}`, `priority=${at % LARGEST_PRIORITY}`, match, "actions=drop"].filter(Boolean).join()),
  );
  expect(new Set(flows).size).toBe(flows.length);
  const refused = refusedOf(flows);
  const folder = mkdtempSync(join(tmpdir(), "same-flow-"));
  try {
    writeFileSync(join(folder, "flows"), flows.join("\n"));
    await switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "add-flows", "br0", join(folder, "flows"));
  } finally {
    rmSync(folder, { recursive: true });
  }
  const counts = new Map<number, number>();
  for (const flow of await switches.flows("node1", "br0")) {
    const [, table = "0"] = /\btable=(\d+)/.exec(flow) ?? [];
    const [, priority = "32768"] = /\bpriority=(\d+)/.exec(flow) ?? [];
    const at = Number(table) * LARGEST_PRIORITY + Number(priority);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const wrong = pairs.flatMap((pair, at) => {
    const isOne = counts.get(at) === 1;
    return isOne === refused.has(2 * at + 1) ? [] : [`${pair.join(" | ")}: ${counts.get(at)} in the switch`];
  });
  expect([wrong.length, wrong.slice(0, 20)]).toEqual([0, []]);
  expect(refused.size).toBeGreaterThan(500);
});

/** Positions of flows that are refused, each because of the one before. */
function refusedOf(flows: string[]): ReadonlySet<number> {
  try {
    bridgeFlows.judge!({ host: "node1", bridges: [{ bridge: "br0", flows }] });
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return new Set(
      error.failures.map(({ path, message }) => {
        const [, at] = /^bridges\[0\]\.flows\[(\d+)\]$/.exec(path)!;
        expect(message).toContain(`bridges[0].flows[${Number(at) - 1}] is the same flow in the switch`);
        return Number(at);
      }),
    );
  }
  return new Set();
}

import { dumpedFlows, matchTwins, paired, parseFlow, switchWords } from "@pulumi-ovn/provider/testing";

const words = (...flows: string[]) => switchWords({ bridge: "br0", flows }).flows;

describe("the switch's spelling of flows", () => {
  it.each([
    [
      "table=3,priority=7,ip,nw_dst=10.0.0.0/24,in_port=p1,actions=dec_ttl,output:p2",
      "table=  3 priority=    7 in_port=p1,ip,nw_dst=10.0.0.0/24",
      "dec_ttl,output:p2",
    ],
    [
      "ip,reg0=1000,actions=mod_dl_src:00:00:00:00:00:01,mod_dl_dst:00:00:00:00:00:02,load:16->NXM_NX_REG0[],load:0->NXM_NX_REG1[],resubmit(,4)",
      "table=  0 priority=32768 ip,reg0=0x3e8",
      "set_field:00:00:00:00:00:01->eth_src,set_field:00:00:00:00:00:02->eth_dst,load:0x10->NXM_NX_REG0[],load:0->NXM_NX_REG1[],resubmit(,4)",
    ],
    [
      "reg15=4294967295,tcp6,tp_dst=0x50/0xfffc,reg1=0,actions=load:0xffffffff->NXM_NX_REG15[],goto_table:9",
      "table=  0 priority=32768 reg15=0xffffffff,reg1=0,tcp6,tp_dst=0x50/0xfffc",
      "load:0xffffffff->NXM_NX_REG15[],goto_table:9",
    ],
    ["priority=0,actions=drop", "table=  0 priority=    0", "drop"],
    ["in_port=reg0p,actions=output:myreg0", "table=  0 priority=32768 in_port=reg0p", "output:myreg0"],
  ])("%s", (text, rule, actions) => expect(words(text)).toEqual([{ rule, actions }]));

  it.each([
    "priority=0x5,actions=drop",
    "priority=05,actions=drop",
    "table=name,actions=drop",
    "tcp,tcp_dst=80,actions=drop",
    "tcp,tp_dst=0x50,actions=drop",
    "tcp,tp_dst=80/0xff,actions=drop",
    "in_port=1,actions=drop",
    "in_port=LOCAL,actions=drop",
    'in_port="p1",actions=drop',
    "in_port=p-1,actions=drop",
    "dl_dst=00:00:00:00:00:0A,actions=drop",
    "reg0=05,actions=drop",
    "arp,arp_op=1,actions=drop",
    "actions=output:1",
    "actions=output:local",
    "actions=output:NXM_NX_REG0[]",
    "actions=output:reg0",
    "actions=output:reg15",
    "actions=output:xreg1",
    "actions=output:xxreg1",
    'actions=output:"p1"',
    "actions=p1",
    "actions=in_port",
    "actions=ct(commit)",
    "actions=load:05->NXM_NX_REG0[]",
    "actions=load:0x5->NXM_OF_IN_PORT[]",
    "actions=resubmit(,04)",
    "actions=set_field:10.0.0.1->ip_dst",
    "actions=learn(mod_dl_src:00:00:00:00:00:01)",
    "actions=",
  ])("are unknown for %s, and for a list with it", (text) => expect(words("ip,actions=drop", text)).toBeUndefined());

  it("is unknown if two flows have one match and priority", () => {
    expect(words("reg0=16,actions=drop", "reg0=0x10,actions=drop")).toBeUndefined();
    expect(words("reg0=16,actions=drop", "reg1=16,actions=drop")).toHaveLength(2);
  });
});

describe("a dump", () => {
  it("contains flows with and without cookie, table, priority and match", () => {
    const lines = [
      " cookie=0xa, table=3, priority=7,tcp,in_port=p1,tp_dst=80 actions=dec_ttl,output:p2",
      " priority=0 actions=drop",
      " cookie=0xf, actions=NORMAL",
      " table=2, arp actions=learn(table=1,actions=drop)",
      "",
    ];
    expect(dumpedFlows(lines.join("\n"), "0xa")).toEqual([
      {
        cookie: "0xa",
        rule: "table=  3 priority=    7 in_port=p1,tcp,tp_dst=80",
        printed: "table=3,priority=7,tcp,in_port=p1,tp_dst=80",
        actions: "dec_ttl,output:p2",
      },
      { cookie: "0x0", rule: "table=  0 priority=    0", printed: "table=0,priority=0", actions: "drop" },
      { cookie: "0xf", rule: "table=  0 priority=32768", printed: "table=0,priority=32768", actions: "NORMAL" },
      { cookie: "0x0", rule: "table=  2 priority=32768 arp", printed: "table=2,priority=32768,arp", actions: "learn(table=1,actions=drop)" },
    ]);
  });

  it.each([
    "table=9, idle_timeout=500, ip actions=drop",
    "table=9, reset_counts priority=5,ip actions=drop",
    "send_flow_rem actions=drop",
    "hard_timeout=8, send_flow_rem importance=4, udp actions=drop",
    'in_port="p-1" actions=drop',
    "table=name, ip actions=drop",
    "arp,arp_op=1 actions=drop",
    "importance=4, actions=drop",
  ])("has no certain result if a flow of the cookie is %s; foreign flows do not count", (text) => {
    expect(dumpedFlows(`cookie=0xa, ${text}\n`, "0xa")).toBeUndefined();
    expect(dumpedFlows(`cookie=0xab, ${text}\n`, "0xa")).toBeDefined();
  });
});

test("sorts flows of a dump: equal, changed actions, foreign, missing, surplus", () => {
  const dump = dumpedFlows(
    [
      " cookie=0xa, ip actions=drop",
      " cookie=0xa, priority=5,ip,in_port=p1 actions=drop",
      " table=1, ip actions=drop",
      " cookie=0xa, table=2, udp actions=drop",
      " cookie=0xf, table=3, udp actions=drop",
    ].join("\n"),
    "0xa",
  )!;
  const wanted = words("ip,actions=drop", "priority=5,in_port=p1,ip,actions=NORMAL", "table=1,ip,actions=drop", "table=4,ip,actions=drop")!;
  const flow = (rule: string, actions: string, cookie: string) => ({ rule, actions, cookie, extra: "" });
  expect(paired(wanted, dump, "0xa")).toEqual({
    difference: {
      wanted: [
        {
          flow: flow("table=0,priority=5,ip,in_port=p1", "NORMAL", "0xa"),
          own: flow("table=0,priority=5,ip,in_port=p1", "drop", "0xa"),
          foreign: undefined,
          index: 1,
        },
        { flow: flow("table=1,priority=32768,ip", "drop", "0x0"), own: undefined, foreign: flow("table=1,priority=32768,ip", "drop", "0x0"), index: 2 },
      ],
      surplus: [flow("table=2,priority=32768,udp", "drop", "0xa")],
    },
    missing: [3],
  });
});

test("leaves flows with unusual actions to ovs-ofctl, and ignores foreign ones", () => {
  const dump = (cookie: string) => dumpedFlows(` cookie=${cookie}, ip actions=output:NXM_NX_REG1[]`, "0xa")!;
  expect(paired(words("ip,actions=drop")!, dump("0xa"), "0xa")).toBeUndefined();
  expect(paired(words("ip,actions=drop")!, dump("0xf"), "0xa")?.difference.wanted).toHaveLength(1);
  expect(paired(words("arp,actions=drop")!, dump("0xa"), "0xa")).toBeUndefined();
  expect(paired(words("arp,actions=drop")!, dump("0xf"), "0xa")).toMatchObject({ difference: { surplus: [] }, missing: [0] });
});

test.each([
  ["tp_dst=80,tcp,in_port=p1,nw_src=10.0.0.1,nw_dst=10.0.0.2", undefined],
  ["table=1,priority=2,reg0=1,reg1=1,reg10=1", undefined],
  ["", undefined],
  ["tcp,tcp_dst=80,ip_src=10.0.0.1,eth_src=00:00:00:00:00:01", undefined],
  ['in_port="tcp,udp,in_port=x",tcp', undefined],
  ["dl_type=0x800,nw_proto=6,tp_dst=80", undefined],
  ["tcp,ipv6,tp_dst=80", ["ipv6", "tcp"]],
  ["sctp6,nw_ttl=3,icmp", ["icmp", "sctp6"]],
  ["arp,ip", ["arp", "ip"]],
  ["rarp,ip", ["ip", "rarp"]],
  ["eth_type=0x86dd,ip", ["eth_type", "ip"]],
  ["in_port=p2,in_port=p1", ["in_port", "in_port"]],
  ['in_port="p,2",in_port=p1', ["in_port", "in_port"]],
  ["ip,nw_dst=10.0.0.2,reg0=1,nw_dst=10.0.0.1", ["nw_dst", "nw_dst"]],
  ["ip,nw_dst=10.0.0.2,ip_dst=10.0.0.1", ["ip_dst", "nw_dst"]],
  ["tcp,tp_dst=80,tcp_dst=81", ["tcp_dst", "tp_dst"]],
  ["dl_src=00:00:00:00:00:02,eth_src=00:00:00:00:00:01", ["dl_src", "eth_src"]],
  [
    "tcp,nw_src=10.0.0.0/24,nw_dst=10.0.1.0/24,tp_src=1,tp_dst=2,tcp_flags=+syn,nw_ttl=3,nw_tos=8,nw_ecn=1,nw_frag=no,metadata=1,tun_id=2,dl_vlan=5,dl_vlan_pcp=3,ct_state=+trk,ct_nw_src=10.0.0.1,ct_tp_src=1",
    undefined,
  ],
  ["ip,nw_proto=89", undefined],
  ["ipv6,nw_proto=89", undefined],
  ["icmp,icmp_type=8,icmp_code=0", undefined],
  ["icmp6,icmp_type=135,nd_target=fe80::1,nd_sll=00:00:00:00:00:01", undefined],
  ["arp,arp_op=1,arp_tpa=10.0.0.1,arp_spa=10.0.0.2,arp_sha=00:00:00:00:00:01,dl_src=00:00:00:00:00:01", undefined],
  ["vlan_tci=0x1000/0x1000", undefined],
  ["vlan_vid=0x1005,vlan_pcp=3", undefined],
  ["reg0[0..3]=1,reg0[4..7]=2,reg0[8]=1,xreg1=1,xxreg1=1,xreg4=1", undefined],
  ["packet_type=(0,0),dl_src=00:00:00:00:00:01", undefined],
  ["tcp,ip6,tp_dst=53", ["ip6", "tcp"]],
  ["ip4,udp", ["ip4", "udp"]],
  ["ipv4,arp", ["arp", "ipv4"]],
  ["mplsm,mpls", ["mpls", "mplsm"]],
  ["tcp,nw_proto=17", ["nw_proto", "tcp"]],
  ["tcp,nw_proto:17", ["nw_proto", "tcp"]],
  ["nw_proto=17,icmp6", ["icmp6", "nw_proto"]],
  ["ip,nw_proto=6,ip_proto(17)", ["ip_proto", "nw_proto"]],
  ["arp,arp_op=1,nw_proto=2", ["arp_op", "nw_proto"]],
  ["arp,nw_src=1.1.1.1,arp_spa=2.2.2.2", ["arp_spa", "nw_src"]],
  ["arp,nw_dst=1.1.1.1,arp_tpa=2.2.2.2", ["arp_tpa", "nw_dst"]],
  ["icmp,icmp_type=8,tp_src=3", ["icmp_type", "tp_src"]],
  ["icmp6,icmpv6_code=8,tp_dst=3", ["icmpv6_code", "tp_dst"]],
  ["icmp6,nd_sll=00:00:00:00:00:01,arp_sha=00:00:00:00:00:02", ["arp_sha", "nd_sll"]],
  ["nd_tll=00:00:00:00:00:01,arp_tha=00:00:00:00:00:02", ["arp_tha", "nd_tll"]],
  ["tun_id=1,tunnel_id=2", ["tun_id", "tunnel_id"]],
  ["in_port=1,in_port_oxm=2", ["in_port", "in_port_oxm"]],
  ["ip,nw_tos=8,ip_dscp=4", ["ip_dscp", "nw_tos"]],
  ["ip,nw_ecn=1,ip_ecn=2", ["ip_ecn", "nw_ecn"]],
  ["ip,nw_frag=yes,ip_frag=no", ["ip_frag", "nw_frag"]],
  ["eth,packet_type=(1,0x800)", ["eth", "packet_type"]],
  ["vlan_vid=0x1005,dl_vlan=7", ["dl_vlan", "vlan_vid"]],
  ["vlan_tci=0x1005,dl_vlan=7", ["dl_vlan", "vlan_tci"]],
  ["vlan_tci=0x1005,vlan_pcp=1", ["vlan_pcp", "vlan_tci"]],
  ["dl_vlan_pcp=2,vlan_pcp=1", ["dl_vlan_pcp", "vlan_pcp"]],
  ["dl_vlan=5,dl_vlan=6", ["dl_vlan", "dl_vlan"]],
  ["reg0=1,reg0[0..3]=2", ["reg0", "reg0[0..3]"]],
  ["reg0[3..5]=1,reg0[0..3]=2", ["reg0[0..3]", "reg0[3..5]"]],
  ["reg0[3]=1,reg0[]=2", ["reg0[3]", "reg0[]"]],
  ["reg3=1,NXM_NX_REG3[7]=1", ["NXM_NX_REG3[7]", "reg3"]],
  ["xreg0[0..31]=1,reg0=1", undefined],
  ["xreg0[0..31]=1,reg1=1", ["reg1", "xreg0[0..31]"]],
  ["xxreg1=1,reg7=1", ["reg7", "xxreg1"]],
  ["xxreg1[64..127]=1,xreg3=1,reg4[0]=1", ["reg4[0]", "xxreg1[64..127]"]],
])("the last of the fields %j wins: %j", (fields, twins) => expect(matchTwins(parseFlow(`${fields} actions=drop`)!)).toEqual(twins));

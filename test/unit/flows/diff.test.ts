import { bundleOf } from "@pulumi-ovn/provider/agent";
import {
  canonicalOf,
  differenceFor,
  differenceOf,
  forParsing,
  inOrderOfChange,
  isPlain,
  PortNumbers,
  type PrintedFlow,
  writtenFlow,
} from "@pulumi-ovn/provider/testing";

const flow = (rule: string, actions: string, cookie = "0xa"): PrintedFlow => ({ rule, cookie, extra: "", actions });

describe("output of ovs-ofctl diff-flows", () => {
  it.each([
    ["-table=7 priority=5,ip cookie=0xfff actions=drop", flow("table=7 priority=5,ip", "drop", "0xfff")],
    ["- cookie=0x5 actions=drop", flow("", "drop", "0x5")],
    ["-table=4  cookie=0x5 actions=output:99", flow("table=4", "output:99", "0x5")],
    ["-table=9 in_port=ANY actions=NORMAL", flow("table=9 in_port=ANY", "NORMAL", "0x0")],
    ["- actions=drop", flow("", "drop", "0x0")],
    ['-in_port="a b" actions=output:"c d"', flow('in_port="a b"', 'output:"c d"', "0x0")],
    ["-ip actions=learn(table=1,actions=drop)", flow("ip", "learn(table=1,actions=drop)", "0x0")],
    ["-table=1  cookie=0x3 idle_timeout=5 importance=3 actions=drop", { ...flow("table=1", "drop", "0x3"), extra: "idle_timeout=5 importance=3" }],
    ["-arp cookie=0x3 send_flow_rem actions=drop", { ...flow("arp", "drop", "0x3"), extra: "send_flow_rem" }],
    ["-priority=0 actions=", flow("priority=0", "", "0x0")],
  ])("%s", (line, expected) => {
    expect(differenceOf(`${line}\n`)).toEqual({ live: [expected], wanted: [] });
    expect(differenceOf(`+${line.slice(1)}\n`)).toEqual({ live: [], wanted: [expected] });
  });

  it("may contain other lines", () => expect(differenceOf("\nwarning\n+arp actions=drop\n")).toEqual({ live: [], wanted: [flow("arp", "drop", "0x0")] }));

  it("is used in a bundle unchanged, with the resource's cookie", () => {
    expect(writtenFlow(flow("table=7 priority=5,ip", "drop", "0xfff"), "0xa")).toBe("table=7 priority=5,ip cookie=0xa actions=drop");
    expect(writtenFlow(flow("", "drop"), "0xa")).toBe("cookie=0xa actions=drop");
  });
});

describe("names of ports", () => {
  const numbers = new PortNumbers();
  it.each([
    ['priority=1,in_port="p-2",ip', "priority=1,in_port=60000,ip"],
    ['output:p1,output:"p-2",resubmit("p-2",3),resubmit:p1,enqueue:p1:3', "output:60001,output:60000,resubmit(60000,3),resubmit:60001,enqueue:60001:3"],
    ["output(port=p1,max_len=50),write_actions(output:p1)", "output(port=60001,max_len=50),write_actions(output:60001)"],
    ['bundle(eth_src,0,hrw,ofport,members:p1,"p-2",7)', "bundle(eth_src,0,hrw,ofport,members:60001,60000,7)"],
    ["set_field:p1->in_port,sample(probability=1,sampling_port=p1)", "set_field:60001->in_port,sample(probability=1,sampling_port=60001)"],
    ["clone(output:p1),learn(table=1,in_port=p1,output:NXM_OF_IN_PORT[])", "clone(output:60001),learn(table=1,in_port=60001,output:NXM_OF_IN_PORT[])"],
    [
      "resubmit(,3),output:5,output:LOCAL,in_port=LOCAL,output:reg0[],output:NXM_NX_REG0[0..15]",
      "resubmit(,3),output:5,output:LOCAL,in_port=LOCAL,output:reg0[],output:NXM_NX_REG0[0..15]",
    ],
    [
      "set_field:00:00:00:00:00:01->eth_src,move:NXM_NX_REG0[]->NXM_NX_REG1[],ct(commit,zone=5),drop,NORMAL",
      "set_field:00:00:00:00:00:01->eth_src,move:NXM_NX_REG0[]->NXM_NX_REG1[],ct(commit,zone=5),drop,NORMAL",
    ],
    ["tun_src=1.2.3.4,tp_src=5", "tun_src=1.2.3.4,tp_src=5"],
  ])("%s", (text, expected) => expect(numbers.in(text)).toBe(expected));

  it("are equal in matches and actions", () => {
    expect(forParsing([flow("in_port=p1", "output:p1"), flow("", "drop")], new PortNumbers())).toEqual([
      "in_port=60000 cookie=0x1 actions=output:60000",
      "cookie=0x1 actions=drop",
    ]);
  });
});

describe("a flow that the switch prints in the same words", () => {
  it.each([
    ["table=3 priority=7,ip,in_port=p1,nw_dst=10.0.0.0/24", 'dec_ttl,set_field:00:00:00:00:00:01->eth_src,output:"p-2"'],
    ["", "drop"],
    ["table=3", "NORMAL"],
    ["priority=9,tcp6,ipv6_src=fd00::/64,tp_dst=0x50/0xfffc,ct_state=+trk+new", "load:0x1->NXM_NX_REG0[],load:0->NXM_NX_REG1[],resubmit(,4)"],
    ["udp,tp_src=1,reg0=0x1/0xff,metadata=0x5,dl_src=00:00:00:00:00:01,dl_dst=00:00:00:00:00:02", "goto_table:7"],
  ])("%s %s", (rule, actions) => expect(isPlain(flow(rule, actions))).toBe(true));

  it.each([
    ["tp_dst=80", "drop"],
    ["ip,tp_dst=80", "drop"],
    ["tcp,ipv6_src=fd00::/64", "drop"],
    ["nw_src=10.0.0.1", "drop"],
    ["arp,nw_src=10.0.0.1", "drop"],
    ["icmp,tp_src=8", "drop"],
    ["arp,arp_spa=10.0.0.1", "drop"],
    ["ip", "mod_dl_src:00:00:00:00:00:01,output:p1"],
    ["ip", "drop,enqueue:p1:3"],
    ["ip", "set_field:10.0.0.1->ip_src"],
    ["ip", "load:0x1->NXM_OF_ETH_SRC[]"],
    ["ip", "load:1->NXM_NX_REG0[]"],
    ["ip", "output:NXM_OF_IN_PORT[]"],
    ["ip", ""],
  ])("is not one of %s %s", (rule, actions) => expect(isPlain(flow(rule, actions))).toBe(false));
});

it("output of ovs-ofctl parse-flows is read in its order", () => {
  const printed = `usable protocols: OXM,OpenFlow11
chosen protocol: OXM-OpenFlow13
OFPT_FLOW_MOD (OF1.3) (xid=0x1): ADD priority=4 cookie:0x5 actions=drop
OFPT_FLOW_MOD (OF1.4) (xid=0x2): ADD table:2 ip cookie:0x5 idle:3 actions=output:1
OFPT_FLOW_MOD (OF1.3) (xid=0x3): ADD cookie:0x9 actions=drop
OFPT_FLOW_MOD (OF1.3) (xid=0x4): ADD table:3 cookie:0x9 actions=
`;
  expect(canonicalOf(printed)).toEqual([
    { rule: "priority=4", actions: "drop" },
    { rule: "table=2 ip", actions: "output:1" },
    { rule: "", actions: "drop" },
    { rule: "table=3", actions: "" },
  ]);
});

describe("a difference of flows", () => {
  const canonical = (...actions: string[]) => actions.map((text) => ({ rule: "", actions: text }));
  const same = (actions: string) => actions.replace("p1", "60000");

  it("does not contain other spellings of one flow", () => {
    const live = [flow("ip", "set_field:M->eth_src,output:p1")];
    const wanted = [flow("ip", "mod_dl_src:M,output:p1")];
    expect(differenceFor("0xa", { live, wanted }, canonical("set_field:M->eth_src,output:60000"), same)).toEqual({ wanted: [], surplus: [] });
    expect(differenceFor("0xa", { live, wanted }, canonical("set_field:N->eth_src,output:60000"), same)).toEqual({
      wanted: [{ flow: wanted[0], own: live[0], foreign: undefined }],
      surplus: [],
    });
    const expiring = [{ ...live[0]!, extra: "idle_timeout=5" }];
    expect(differenceFor("0xa", { live: expiring, wanted }, canonical("set_field:M->eth_src,output:60000"), same).wanted).toHaveLength(1);
  });

  it("contains a flow of another cookie with the same match and priority, and no other foreign flows", () => {
    const live = [flow("ip", "drop", "0xf"), flow("arp", "drop", "0xf"), flow("udp", "drop"), flow("tcp", "drop", "0x0")];
    const wanted = [flow("ip", "drop"), flow("icmp", "drop")];
    expect(differenceFor("0xa", { live, wanted }, canonical("drop", "drop"), same)).toEqual({
      wanted: [
        { flow: wanted[0], own: undefined, foreign: live[0] },
        { flow: wanted[1], own: undefined, foreign: undefined },
      ],
      surplus: [live[2]],
    });
  });

  it("becomes one bundle: deletions by cookie, then additions", () => {
    const difference = {
      wanted: [{ flow: flow("table=2 ip", "drop"), own: flow("table=2 ip", "NORMAL"), foreign: undefined }],
      surplus: [flow("table=1 priority=4,udp", "drop"), flow("", "drop")],
    };
    expect(bundleOf("0xa", difference)).toEqual([
      "delete_strict table=1 priority=4,udp cookie=0xa/-1",
      "delete_strict cookie=0xa/-1",
      "add table=2 ip cookie=0xa actions=drop",
    ]);
  });

  it("begins with bridges that only lose flows, the last bridge first", () => {
    const gains = { wanted: [{ flow: flow("ip", "drop"), own: undefined, foreign: undefined }], surplus: [flow("arp", "drop")] };
    const loses = { wanted: [], surplus: [flow("arp", "drop")] };
    const order = inOrderOfChange(
      [
        ["a", loses],
        ["b", gains],
        ["c", loses],
        ["d", gains],
      ].map(([bridge, difference]) => ({ bridge, difference }) as { bridge: string; difference: typeof gains }),
    );
    expect(order.map(({ bridge }) => bridge)).toEqual(["c", "a", "b", "d"]);
  });
});

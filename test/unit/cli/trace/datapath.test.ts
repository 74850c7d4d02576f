import { emissions, type Headers } from "@pulumi-ovn/cli/testing";

const before: Headers = { source: "0a:00:00:00:00:01", destination: "0a:58:00:00:00:01", ttl: 64 };
const sent = (text: string) => emissions(text, before).sent.map(({ to, headers }) => [to, headers]);

/** As Open vSwitch 3.5 prints them. */
const PUSH =
  "tnl_push(tnl_port(gre_sys),header(size=42,type=3,eth(dst=12:b1:4e:8f:24:4c,src=3a:80:41:a8:76:45,dl_type=0x0800),ipv4(src=198.18.0.1,dst=198.18.0.2,proto=47,tos=0,ttl=64,frag=0x4000),gre((flags=0x2000,proto=0x6558),key=0x3ea)),out_port(br-phy)),phy0";

it.each([
  ["nothing", "drop", []],
  ["a port", "app2", [[{ port: "app2" }, before]]],
  ["a port with a quoted name", '"1tap"', [[{ port: "1tap" }, before]]],
  ["conntrack before it", "ct(commit,zone=59641),app2", [[{ port: "app2" }, before]]],
  ["only conntrack", "ct(zone=59641),recirc(0x3)", []],
  ["a tunnel of the userspace datapath, and not the underlay", PUSH, [[{ remote: "198.18.0.2", key: 1002 }, before]]],
  [
    "Geneve",
    PUSH.replace("gre((flags=0x2000,proto=0x6558),key=0x3ea)", "udp(src=0,dst=6081,csum=0x0),geneve(vni=0x3e9)"),
    [[{ remote: "198.18.0.2", key: 1001 }, before]],
  ],
  [
    "VXLAN over IPv6",
    "tnl_push(tnl_port(vxlan_sys_4789),header(size=70,type=4,eth(dst=1,src=2,dl_type=0x86dd),ipv6(src=fd00::1,dst=fd00::2,label=0,proto=17,tclass=0x0,hlimit=64),udp(src=0,dst=4789,csum=0x0),vxlan(flags=0x8000000,vni=0x3eb)),out_port(br-phy)),phy0",
    [[{ remote: "fd00::2", key: 1003 }, before]],
  ],
  [
    "a tunnel of the kernel's datapath",
    "set(tunnel(tun_id=0x3ea,src=198.18.0.1,dst=198.18.0.2,ttl=64,tp_dst=6081,flags(df|csum|key))),genev_sys_6081",
    [[{ remote: "198.18.0.2", key: 1002 }, before]],
  ],
  [
    "two of them, and a port",
    "set(tunnel(tun_id=0x1,src=a,dst=b,ttl=64,flags(key))),gre_sys,set(tunnel(tun_id=0x1,src=a,dst=c,ttl=64,flags(key))),gre_sys,tap1",
    [
      [{ remote: "b", key: 1 }, before],
      [{ remote: "c", key: 1 }, before],
      [{ port: "tap1" }, before],
    ],
  ],
  ["a tunnel device that nothing was set for", "gre_sys", []],
  ["headers, in part", "set(eth(dst=0a:00:00:00:00:09)),tap1", [[{ port: "tap1" }, { ...before, destination: "0a:00:00:00:00:09" }]]],
  [
    "headers, and the TTL",
    "set(eth(src=0e:00:00:00:00:02,dst=0a:00:00:00:00:09)),set(ipv4(ttl=63)),tap1",
    [[{ port: "tap1" }, { source: "0e:00:00:00:00:02", destination: "0a:00:00:00:00:09", ttl: 63 }]],
  ],
  [
    "with masks, and IPv6",
    "set(ipv6(hlimit=63/0xff)),set(eth(src=0e:00:00:00:00:02/ff:ff:ff:ff:ff:ff)),tap1",
    [[{ port: "tap1" }, { ...before, source: "0e:00:00:00:00:02", ttl: 63 }]],
  ],
  [
    "a port before the change",
    "tap1,set(eth(dst=0a:00:00:00:00:09)),tap2",
    [
      [{ port: "tap1" }, before],
      [{ port: "tap2" }, { ...before, destination: "0a:00:00:00:00:09" }],
    ],
  ],
  [
    "flooding",
    `br-t1001,clone(${PUSH}),clone(${PUSH.replaceAll("198.18.0.2", "198.18.0.3")}),${PUSH.replaceAll("198.18.0.2", "198.18.0.4")}`,
    [[{ port: "br-t1001" }, before], ...["2", "3", "4"].map((n) => [{ remote: `198.18.0.${n}`, key: 1002 }, before])],
  ],
  [
    "a change in a clone stays there",
    "clone(set(eth(dst=0a:00:00:00:00:09)),tap1),tap2",
    [
      [{ port: "tap1" }, { ...before, destination: "0a:00:00:00:00:09" }],
      [{ port: "tap2" }, before],
    ],
  ],
  [
    "what becomes of a small packet where the length decides",
    "check_pkt_len(size=1400,gt(userspace(pid=0,controller(reason=1,dont_send=1))),le(set(ipv4(ttl=63)),local,set(eth(dst=0a:00:00:00:00:77)),tap1,a.b-c))",
    [
      [{ port: "local" }, { ...before, ttl: 63 }],
      [{ port: "tap1" }, { ...before, ttl: 63, destination: "0a:00:00:00:00:77" }],
      [{ port: "a.b-c" }, { ...before, ttl: 63, destination: "0a:00:00:00:00:77" }],
    ],
  ],
  ["a large packet's way, which a trace's does not go", "check_pkt_len(size=1400,gt(tap1),le(drop))", []],
  [
    "samples for a collector",
    "sample(sample=0.2%,actions(userspace(pid=0,flow_sample(probability=100,collector_set_id=1,obs_domain_id=0)))),100",
    [[{ port: "100" }, before]],
  ],
  ["what is not a port, with nothing in its parentheses", "pop_nsh(),pop_eth,meter(0)", []],
  ["what is not a port", "ct_clear,pop_vlan,push_vlan(vid=5,pcp=0),userspace(pid=0,controller(reason=1))", []],
])("%s", (_, text, expected) => {
  expect(sent(text)).toEqual(expected);
});

it("has the headers after the decision by length", () => {
  expect(emissions("check_pkt_len(size=1400,gt(set(ipv4(ttl=1))),le(set(ipv4(ttl=63)),ct(zone=1),recirc(0x3)))", before).headers).toEqual({
    ...before,
    ttl: 63,
  });
});

it("has the headers after conntrack", () => {
  expect(emissions("set(eth(src=0e:00:00:00:00:02,dst=0a:00:00:00:00:09)),set(ipv4(ttl=63)),ct(zone=1),recirc(0x3)", before).headers).toEqual({
    source: "0e:00:00:00:00:02",
    destination: "0a:00:00:00:00:09",
    ttl: 63,
  });
});

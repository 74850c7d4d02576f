import { attachmentFlows, redirectFlows, type Routing, routingFlows, SWITCHING_FLOWS } from "@pulumi-ovn/provider/testing";

const MAC = "0e:00:00:00:00:01";
const ROUTING: Routing = {
  mac: MAC,
  tiers: {
    web: { key: 7, cidrs: ["10.1.1.0/24", "fd01:1::/64"], gatewayMac: "0a:58:0a:01:01:01", acl: "default_allow" },
    db: { key: 8, cidrs: ["10.1.2.0/24"], gatewayMac: "0a:58:0a:01:02:01", acl: "default_deny" },
  },
  workloads: {
    w1: { tier: "web", mac: "0a:00:00:00:01:01", addresses: ["fd01:1::11", "10.1.1.11"] },
    d2: { tier: "db", mac: "0a:00:00:00:02:02", addresses: ["10.1.2.12"] },
  },
  acls: {},
  zone: undefined,
};

test("a logical router: admission by tier and source, TTL, routes of both families, ACLs, output, and packets for the virtual router", () => {
  expect(routingFlows(ROUTING)).toEqual([
    `table=0,priority=100,in_port=pr8,dl_dst=${MAC},ip,nw_src=10.1.2.0/24,actions=resubmit(,1)`,
    `table=0,priority=50,in_port=pr8,dl_dst=${MAC},actions=resubmit(,7)`,
    `table=0,priority=100,in_port=pr7,dl_dst=${MAC},ip,nw_src=10.1.1.0/24,actions=resubmit(,1)`,
    `table=0,priority=100,in_port=pr7,dl_dst=${MAC},ipv6,ipv6_src=fd01:1::/64,actions=resubmit(,1)`,
    `table=0,priority=50,in_port=pr7,dl_dst=${MAC},actions=resubmit(,7)`,
    ...["tcp", "tcp6", "udp", "udp6", "sctp", "sctp6"].map((protocol) => `table=0,priority=200,${protocol},nw_frag=first,tp_src=0,tp_dst=0,actions=drop`),
    "table=0,priority=200,icmp6,nw_frag=first,icmp_type=0,icmp_code=0,actions=drop",
    "table=0,priority=200,ipv6,nw_proto=0,actions=drop",
    "table=0,priority=0,actions=drop",
    "table=1,priority=200,ip,nw_ttl=0,actions=resubmit(,7)",
    "table=1,priority=200,ip,nw_ttl=1,actions=resubmit(,7)",
    "table=1,priority=200,ipv6,nw_ttl=0,actions=resubmit(,7)",
    "table=1,priority=200,ipv6,nw_ttl=1,actions=resubmit(,7)",
    `table=1,priority=100,ip,nw_dst=10.1.2.12,actions=dec_ttl,mod_dl_src:${MAC},mod_dl_dst:0a:00:00:00:02:02,load:8->NXM_NX_REG0[],resubmit(,4)`,
    `table=1,priority=100,ip,nw_dst=10.1.1.11,actions=dec_ttl,mod_dl_src:${MAC},mod_dl_dst:0a:00:00:00:01:01,load:7->NXM_NX_REG0[],resubmit(,4)`,
    `table=1,priority=100,ipv6,ipv6_dst=fd01:1::11,actions=dec_ttl,mod_dl_src:${MAC},mod_dl_dst:0a:00:00:00:01:01,load:7->NXM_NX_REG0[],resubmit(,4)`,
    "table=1,priority=0,actions=resubmit(,7)",
    "table=4,priority=0,in_port=pr8,actions=drop",
    "table=5,priority=0,reg0=8,actions=drop",
    "table=4,priority=0,in_port=pr7,actions=resubmit(,5)",
    "table=5,priority=0,reg0=7,actions=resubmit(,6)",
    "table=6,priority=100,ip,reg0=8,actions=output:pr8",
    "table=6,priority=100,ipv6,reg0=8,actions=output:pr8",
    "table=6,priority=100,ip,reg0=7,actions=output:pr7",
    "table=6,priority=100,ipv6,reg0=7,actions=output:pr7",
    "table=7,priority=100,in_port=pr8,actions=mod_dl_dst:0a:58:0a:01:02:01,in_port",
    "table=7,priority=100,in_port=pr7,actions=mod_dl_dst:0a:58:0a:01:01:01,in_port",
  ]);
});

test("stateful: answers precede rules, allowed connections are marked, unknown answers are for the virtual router, and all else is equal", () => {
  const stateful = routingFlows({ ...ROUTING, zone: 9 });
  expect(stateful.filter((flow) => !routingFlows(ROUTING).includes(flow))).toEqual([
    `table=1,priority=100,ip,nw_dst=10.1.2.12,actions=dec_ttl,mod_dl_src:${MAC},mod_dl_dst:0a:00:00:00:02:02,load:8->NXM_NX_REG0[],resubmit(,2)`,
    `table=1,priority=100,ip,nw_dst=10.1.1.11,actions=dec_ttl,mod_dl_src:${MAC},mod_dl_dst:0a:00:00:00:01:01,load:7->NXM_NX_REG0[],resubmit(,2)`,
    `table=1,priority=100,ipv6,ipv6_dst=fd01:1::11,actions=dec_ttl,mod_dl_src:${MAC},mod_dl_dst:0a:00:00:00:01:01,load:7->NXM_NX_REG0[],resubmit(,2)`,
    "table=2,priority=100,ip,actions=ct(table=3,zone=9)",
    "table=2,priority=100,ipv6,actions=ct(table=3,zone=9)",
    "table=3,priority=300,ct_state=+inv+trk,ip,actions=drop",
    "table=3,priority=300,ct_state=+inv+trk,ipv6,actions=drop",
    ...["est+rpl", "rel"].flatMap((state) =>
      ["ip", "ipv6"].map((family) => `table=3,priority=200,ct_state=+${state}+trk,ct_mark=0x1,${family},actions=load:0x1->NXM_OF_ETH_SRC[44],resubmit(,6)`),
    ),
    ...["est+rpl", "rel"].flatMap((state) => ["ip", "ipv6"].map((family) => `table=3,priority=100,ct_state=+${state}+trk,${family},actions=resubmit(,7)`)),
    "table=3,priority=0,actions=resubmit(,4)",
    ...[8, 7].flatMap((key) =>
      ["ip", "ipv6"].map((family) => `table=6,priority=200,${family},dl_src=10:00:00:00:00:00/10:00:00:00:00:00,reg0=${key},actions=output:pr${key}`),
    ),
    ...[8, 7].flatMap((key) =>
      ["ip", "ipv6"].map((family) => `table=6,priority=100,${family},reg0=${key},actions=ct(commit,zone=9,exec(load:0x1->NXM_NX_CT_MARK[])),output:pr${key}`),
    ),
    ...["ip", "ipv6"].map((family) => `table=7,priority=100,in_port=pr8,${family},actions=ct(commit,zone=9),mod_dl_dst:0a:58:0a:01:02:01,in_port`),
    ...["ip", "ipv6"].map((family) => `table=7,priority=100,in_port=pr7,${family},actions=ct(commit,zone=9),mod_dl_dst:0a:58:0a:01:01:01,in_port`),
  ]);
});

test("a tier's bridge switches; only workloads' packets reach redirects", () => {
  expect(SWITCHING_FLOWS).toEqual([
    "table=0,priority=100,tun_src=0.0.0.0,tun_ipv6_src=::,actions=resubmit(,2)",
    "table=0,priority=0,actions=resubmit(,1)",
    "table=1,priority=0,actions=NORMAL",
    "table=2,priority=0,actions=NORMAL",
  ]);
});

test("the patch port: its packets are switched without learning; stateful bridges know which connections other hosts have allowed", () => {
  expect(attachmentFlows("db", ROUTING)).toEqual(["table=0,priority=200,in_port=pt8,actions=load:0xffff->NXM_OF_IN_PORT[],NORMAL"]);
  expect(attachmentFlows("db", { ...ROUTING, zone: 9 })).toEqual([
    "table=0,priority=200,in_port=pt8,actions=load:0xffff->NXM_OF_IN_PORT[],NORMAL",
    "table=2,priority=90,dl_dst=0a:58:0a:01:02:01,ip,nw_dst=10.1.1.0/24,actions=ct(commit,zone=9),NORMAL",
    "table=2,priority=90,dl_dst=0a:58:0a:01:02:01,ipv6,ipv6_dst=fd01:1::/64,actions=ct(commit,zone=9),NORMAL",
    "table=1,priority=100,ip,nw_src=10.1.1.0/24,actions=resubmit(,12)",
    "table=1,priority=100,ipv6,ipv6_src=fd01:1::/64,actions=resubmit(,12)",
    ...["ip", "ipv6"].flatMap((family) => [
      `table=12,priority=300,${family},dl_src=0a:58:0a:01:02:01,actions=ct(commit,zone=9),NORMAL`,
      `table=12,priority=200,${family},dl_src=10:00:00:00:00:00/10:00:00:00:00:00,actions=NORMAL`,
      `table=12,priority=100,${family},actions=ct(commit,zone=9,exec(load:0x1->NXM_NX_CT_MARK[])),NORMAL`,
    ]),
  ]);
});

test("redirects: to the gateway's MAC and another tier, one for each of its subnets", () => {
  expect(redirectFlows("db", ROUTING)).toEqual([
    `table=2,priority=100,dl_dst=0a:58:0a:01:02:01,ip,nw_dst=10.1.1.0/24,actions=mod_dl_dst:${MAC},output:pt8`,
    `table=2,priority=100,dl_dst=0a:58:0a:01:02:01,ipv6,ipv6_dst=fd01:1::/64,actions=mod_dl_dst:${MAC},output:pt8`,
  ]);
  expect(redirectFlows("web", ROUTING)).toEqual([`table=2,priority=100,dl_dst=0a:58:0a:01:01:01,ip,nw_dst=10.1.2.0/24,actions=mod_dl_dst:${MAC},output:pt7`]);
});

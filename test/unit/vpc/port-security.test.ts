import { portNumbers, portSecurityFlows } from "@pulumi-ovn/provider/testing";
import { securedNumbers } from "@pulumi-ovn/provider/tools";
import { meetingPorts } from "./meeting-ports";

const MAC = "0a:00:00:00:01:01";
const LINK_LOCAL = "fe80::800:ff:fe00:101";
const flows = (...addresses: string[]) => portSecurityFlows([{ number: 40000, mac: MAC, addresses }]);

/** Without what all ports have in common. */
const ofPort = (...addresses: string[]) => flows(...addresses).filter((flow) => flow.includes("in_port="));

const ETHERNET = [
  `table=11,priority=200,in_port=40000,dl_src=${MAC},rarp,arp_sha=${MAC},actions=resubmit(,2)`,
  `table=11,priority=50,in_port=40000,dl_src=${MAC},actions=resubmit(,2)`,
];
const FIRST = [
  "table=0,priority=150,in_port=40000,actions=resubmit(,10)",
  `table=10,priority=200,in_port=40000,icmp6,icmp_type=135,icmp_code=0,nd_sll=${MAC},actions=resubmit(,11)`,
  "table=10,priority=200,in_port=40000,icmp6,icmp_type=135,icmp_code=0,nd_sll=00:00:00:00:00:00,actions=resubmit(,11)",
];
const of4 = (address: string) => [
  `table=11,priority=200,in_port=40000,dl_src=${MAC},arp,arp_sha=${MAC},arp_spa=${address},actions=resubmit(,2)`,
  `table=11,priority=200,in_port=40000,dl_src=${MAC},arp,arp_op=1,arp_sha=${MAC},arp_spa=0.0.0.0,arp_tpa=${address},actions=resubmit(,2)`,
];
const DHCP = `table=11,priority=200,in_port=40000,dl_src=${MAC},udp,nw_src=0.0.0.0,nw_dst=255.255.255.255,tp_src=68,tp_dst=67,actions=resubmit(,2)`;
const source = (match: string) => `table=11,priority=200,in_port=40000,dl_src=${MAC},${match},actions=resubmit(,2)`;

test("only IPv4: its addresses, ARP about them, DHCP; no IPv6", () => {
  expect(ofPort("10.1.1.11", "10.1.1.12")).toEqual([
    ...FIRST,
    source("ip,nw_src=10.1.1.11"),
    source("ip,nw_src=10.1.1.12"),
    ...of4("10.1.1.11"),
    ...of4("10.1.1.12"),
    DHCP,
    ...ETHERNET,
  ]);
});

test("only IPv6: its address and the link-local one of its MAC, neighbour discovery about them, probes and memberships; no IPv4, no ARP", () => {
  const targets = ["fd01:1::11", LINK_LOCAL];
  expect(ofPort("fd01:1::11")).toEqual([
    ...FIRST,
    ...targets.flatMap((target) =>
      [MAC, "00:00:00:00:00:00"].map(
        (at) => `table=10,priority=200,in_port=40000,icmp6,icmp_type=136,icmp_code=0,nd_target=${target},nd_tll=${at},actions=resubmit(,11)`,
      ),
    ),
    ...targets.map((address) => source(`ipv6,ipv6_src=${address}`)),
    ...targets.map((target) => source(`icmp6,ipv6_src=::,icmp_type=135,icmp_code=0,nd_target=${target}`)),
    source("icmp6,ipv6_src=::,icmp_type=131"),
    source("icmp6,ipv6_src=::,icmp_type=143"),
    ...ETHERNET,
  ]);
});

test("all ports: no workload is a router, packets about other addresses and unknown packets are dropped", () => {
  expect(flows("10.1.1.11").filter((flow) => !flow.includes("in_port="))).toEqual([
    "table=10,priority=300,icmp6,icmp_type=135,icmp_code=0,nd_target=::,actions=drop",
    ...[133, 134, 135, 136, 137].map((type) => `table=10,priority=300,icmp6,nw_frag=first,icmp_type=${type},actions=drop`),
    "table=10,priority=300,icmp6,nw_frag=first,icmp_type=0,icmp_code=0,actions=drop",
    "table=10,priority=300,ipv6,nw_proto=0,actions=drop",
    ...[134, 135, 136, 137].map((type) => `table=10,priority=100,icmp6,icmp_type=${type},actions=drop`),
    "table=10,priority=0,actions=resubmit(,11)",
    ...["ip", "ipv6", "arp", "rarp"].map((protocol) => `table=11,priority=100,${protocol},actions=drop`),
    "table=11,priority=0,actions=drop",
  ]);
  expect(portSecurityFlows([])).toEqual([]);
});

describe("port numbers", () => {
  it("derive from the name only, between the switch's own numbers and those of comparisons", () => {
    const names = Array.from({ length: 500 }, (_, index) => `tap${index}`);
    const all = portNumbers(names);
    expect(new Set(all.values()).size).toBe(500);
    expect([...all.values()].filter((number) => number < 32_768 || number >= 60_000)).toEqual([]);
    expect(portNumbers(names.toReversed())).toEqual(all);
    expect(portNumbers(["tap7"]).get("tap7")).toBe(all.get("tap7"));
  });

  it("of two colliding names: the second one is the next number", () => {
    const [first, second] = meetingPorts();
    const alone = portNumbers([first]).get(first)!;
    expect([...portNumbers([second, first])]).toEqual([
      [first, alone],
      [second, alone + 1],
    ]);
  });

  it("of two colliding names on bridges of two tiers are equal: a new port changes none of another bridge", () => {
    const [first, second] = meetingPorts();
    const alone = portNumbers([first]).get(first);
    const numbers = (ports: Record<string, string>) => Object.fromEntries(securedNumbers({ ports, portSecurity: { [first]: {}, [second]: {} } }));
    expect(numbers({ [first]: "db", [second]: "web" })).toEqual({ [first]: alone, [second]: alone });
    expect(numbers({ [first]: "web", [second]: "web" })).toEqual({ [first]: alone, [second]: alone! + 1 });
  });
});

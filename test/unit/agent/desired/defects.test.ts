import { deviceName } from "@pulumi-ovn/provider/testing";
import { desired } from "@pulumi-ovn/agent";
import { exposureOf } from "../../../support/agent-input";
import {
  BRIDGE,
  ELSEWHERE,
  EXT,
  GATEWAY,
  PREPARED,
  HERE,
  ROUTER_MAC,
  TENANT,
  balancer,
  bound,
  gatewayPort,
  joined,
  lines,
  localnet,
  port,
  problems,
  routes,
  snapshot,
  stateOf,
  ALL,
} from "./snapshots";

// Defects of the reference agent (ovn-bgp-agent) that the desired state decides, with their numbers at Launchpad.
const FIP = '0a:00:00:00:00:f1 198.51.100.5 is_chassis_resident("vm")';
const nat = (chassis: string, ...natAddresses: string[]) => [
  EXT,
  ...gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, chassis, { switch: { natAddresses } }),
  ...TENANT,
];
/** The same rows as the agent of the other chassis sees them. */
const onH2 = (ports: Parameters<typeof snapshot>[0]) => snapshot(ports, { ...ALL, chassis: ["h1", "h2"] }, { chassis: { name: "h2", uuid: ELSEWHERE } });
const onH1 = (ports: Parameters<typeof snapshot>[0]) => snapshot(ports, { ...ALL, chassis: ["h1", "h2"] });

test("at most one chassis announces an address, wherever port and gateway are (2049902)", () => {
  for (const gateway of [HERE, ELSEWHERE])
    for (const chassis of [HERE, ELSEWHERE, null])
      for (const entries of [[FIP], [`${ROUTER_MAC} 198.51.100.6 is_chassis_resident("cr-router1-ext")`]]) {
        const ports = [
          ...nat(gateway, ...entries),
          bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5", { chassis }),
          bound("p", "ext", "0a:00:00:00:00:09 198.51.100.9", { chassis }),
        ];
        const [one, other] = [routes(onH1(ports)), routes(onH2(ports))];
        expect(one.filter((route) => other.includes(route))).toEqual([]);
      }
});

test("the desired state contains no part of a removed address, and all announced addresses (2096736)", () => {
  const ports = [EXT, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9 198.51.100.10")];
  expect(routes(snapshot(ports, ALL))).toEqual(["198.51.100.9/32 br-ex", "198.51.100.10/32 br-ex"]);
  expect(routes(snapshot([EXT, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.10")], ALL))).toEqual(["198.51.100.10/32 br-ex"]);
  expect(stateOf(snapshot([EXT], ALL))).toEqual(PREPARED);
});

test("during a live migration, only the chassis of the bound workload announces the floating IP (2082085)", () => {
  const vm = bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5");
  // The target is an additional chassis until the switch-over; then the row's chassis changes, and its flows follow.
  const states = [vm, { ...vm, chassis: ELSEWHERE, up: false }, { ...vm, chassis: ELSEWHERE }];
  const fip = "198.51.100.5/32 br-ex";
  expect(states.map((state) => [onH1, onH2].map((on) => routes(on([...nat("another", FIP), state])).includes(fip)))).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
});

test("the gateway announces a floating IP without a MAC of its own; its workload's chassis does when it has one (2073403)", () => {
  const vm = bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5", { chassis: ELSEWHERE });
  const before = [...nat(HERE, `${ROUTER_MAC} 198.51.100.5 is_chassis_resident("cr-router1-ext")`), vm];
  const after = [...nat(HERE, FIP), vm];
  const fip = "198.51.100.5/32 br-ex";
  expect([before, after].map((ports) => [onH1, onH2].map((on) => routes(on(ports)).includes(fip)))).toEqual([
    [true, false],
    [false, true],
  ]);
});

test("the gateway announces floating IPs of a router that is not distributed (2056477)", () => {
  expect(routes(onH1(nat(HERE, `${ROUTER_MAC} 198.51.100.5 198.51.100.6 is_chassis_resident("cr-router1-ext")`)))).toEqual(
    expect.arrayContaining(["198.51.100.5/32 br-ex", "198.51.100.6/32 br-ex"]),
  );
});

test("devices of two bridges and any VLAN have different, valid and stable interface names (2054599)", () => {
  const bridges = ["br-provider-1", "br-provider-2", "br-provider-10", "br-ex"];
  const names = bridges.flatMap((bridge) => [1, 10, 100, 1000, 4094].map((tag) => deviceName(bridge, tag)));
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.length > 15)).toEqual([]);
  expect(deviceName("br-provider-1", 4094)).toBe("bgp4094-d40fcb9");
});

test("VLAN devices answer for addresses, too (2088558)", () => {
  const { state } = desired(snapshot([localnet("ln-vlan", "ext", "physnet", 100), ...GATEWAY], ALL));
  expect(state.devices).toEqual([deviceName("br-ex", 100)]);
  expect([state.neighbors, state.proxies, state.addresses].map((list) => [...new Set(list.map(({ device }) => device))])).toEqual([
    state.devices,
    state.devices,
    state.devices,
  ]);
});

test("a proxy has one address when added and when removed, and stays while any object of its network needs it", () => {
  const provider = (mac: string) => bound("vm", "ext", mac);
  const proxies = (...ports: ReturnType<typeof provider>[]) => desired(snapshot([EXT, ...ports], ALL)).state.proxies;
  const ROUTER_AWAY = gatewayPort("router1", "ext", `${ROUTER_MAC} 2001:db8::2/64`, ELSEWHERE);
  expect(proxies(...GATEWAY)).toEqual([{ device: "br-ex", address: "2001:db8::" }]);
  expect(proxies(...GATEWAY, provider("0a:00:00:00:00:09 2001:db8::9"))).toEqual([{ device: "br-ex", address: "2001:db8::" }]);
  expect(proxies(...ROUTER_AWAY, provider("0a:00:00:00:00:09 2001:db8::9"))).toEqual([{ device: "br-ex", address: "2001:db8::" }]);
  expect(proxies(...ROUTER_AWAY)).toEqual([]);
});

test("nothing is announced while a patch port has no number, because the packets would end at the bridge (2080258)", () => {
  const early = snapshot([EXT, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9")], ALL, { bridges: { physnet: { ...BRIDGE, patches: {} } } });
  expect(stateOf(early)).toEqual(PREPARED.filter((line) => !line.startsWith("flow")));
  expect(problems(early)).toEqual(["OVN_AGENT_NO_PATCH ext"]);
});

test("every form of gateway has a neighbour, in both families (2068699)", () => {
  const { neighbors } = desired(
    snapshot([EXT, ...joined("router2", "ext", `${ROUTER_MAC} 198.51.100.3/24 2001:db8::3/64`, { type: "l3gateway", router: { chassis: HERE } })], {
      tenantNetworks: "subnet",
    }),
  ).state;
  expect(neighbors).toEqual([
    { device: "br-ex", address: "198.51.100.3", mac: ROUTER_MAC },
    { device: "br-ex", address: "2001:db8::3", mac: ROUTER_MAC },
  ]);
});

test("every address of a router's port counts, and any number of provider subnets", () => {
  const two = joined("router1", "tenant2", "0a:00:00:00:01:03 10.2.0.1/24 10.3.0.1/24 2001:db8:2::1/64 fe80::1/64");
  expect(routes(snapshot([EXT, ...GATEWAY, ...two], { tenantNetworks: "subnet" })).slice(0, 2)).toEqual([
    "10.2.0.0/24 via 198.51.100.2 br-ex",
    "10.3.0.0/24 via 198.51.100.2 br-ex",
  ]);
  const second = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24 203.0.113.2/24`, HERE);
  expect(routes(snapshot([EXT, ...second], ALL))).toEqual(["198.51.100.2/32 br-ex", "203.0.113.2/32 br-ex"]);
});

test("only the router whose gateway is on this chassis announces a tenant network; the reference's condition was always true", () => {
  const ports = [
    EXT,
    ...gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, ELSEWHERE),
    ...TENANT,
    bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5"),
  ];
  expect(routes(snapshot(ports, ALL))).toEqual([]);
});

test("two localnet ports and two networks of one bridge share the bridge's objects", () => {
  const both = snapshot(
    [EXT, bound("a", "ext", "0a:00:00:00:00:09 198.51.100.9"), localnet("ln-vlan", "ext2", "physnet"), bound("b", "ext2", "0a:00:00:00:00:0a 198.51.100.10")],
    ALL,
  );
  const { devices, addresses, flows } = desired(both).state;
  expect([devices, addresses.length]).toEqual([["br-ex"], 2]);
  expect(flows).toEqual([
    {
      bridge: "br-ex",
      flows: ["7", "8"].flatMap((patch) => [
        `priority=910,in_port=${patch},dl_src=0a:00:00:00:00:ee,actions=drop`,
        ...["ip", "ipv6"].map((protocol) => `priority=900,${protocol},in_port=${patch},actions=set_field:0a:00:00:00:00:ee->eth_dst,NORMAL`),
      ]),
    },
  ]);
});

test("rows of unknown form are ignored", () => {
  const odd = [
    port("x", "ext", { chassis: HERE, up: true, mac: ["", "router", "0a:00:00:00:00:01 999.1.1.1 ::ffff:1.2.3.4 x/y"] }),
    bound("y", "ext", "0a:00:00:00:00:02 198.51.100.9"),
    port("r", "router1", { type: "chassisredirect", chassis: HERE }),
    port("s", "router1", { type: "l3gateway", chassis: HERE, options: { peer: "none" } }),
  ];
  expect(lines(desired(snapshot([EXT, ...odd], ALL)).state).filter((line) => line.startsWith("route"))).toEqual(["route 198.51.100.9/32 dev br-ex table 1200"]);
});

test("a gateway's address that a load balancer also has keeps its neighbour; a network of one address has no routers to answer for", () => {
  const shared = snapshot(
    [EXT, ...GATEWAY, ...TENANT],
    { floatingIPs: true, loadBalancers: true },
    { loadBalancers: [balancer("lb", ["router1"], { "198.51.100.2:80": "10.1.0.5:80" })] },
  );
  expect(desired(shared).state.neighbors.map(({ address }) => address)).toEqual(["198.51.100.2", "2001:db8::2"]);
  expect(routes(shared)).toEqual(["198.51.100.2/32 br-ex", "2001:db8::2/128 br-ex"]);
  expect(desired(snapshot([EXT, bound("vm", "ext", "unknown", { externalIds: { "neutron:cidrs": "2001:db8::9/128" } })], ALL)).state.proxies).toEqual([]);
});

test("the names of two exposures decide which is first, not their order in the database", () => {
  const [one, other] = [exposureOf({ asNumber: 64513 }), exposureOf({ asNumber: 64514 })];
  for (const exposures of [
    { a: one, b: other },
    { b: other, a: one },
  ]) {
    expect(problems(snapshot([], exposures))).toEqual(["OVN_AGENT_EXPOSURES_DIFFER b"]);
    expect(stateOf(snapshot([], exposures))).toContain("bgp 64513 - table 1200");
  }
});

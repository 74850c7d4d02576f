import { desired } from "@pulumi-ovn/agent";
import type { AgentExposure } from "@pulumi-ovn/provider/agent";
import { deviceName } from "@pulumi-ovn/provider/testing";
import { exposureOf } from "../../../support/agent-input";
import {
  ALL,
  BASE,
  BRIDGE,
  EXT,
  GATEWAY,
  HERE,
  ROUTER_MAC,
  TENANT,
  balancer,
  bound,
  gatewayPort,
  joined,
  localnet,
  problems,
  routes,
  snapshot,
  stateOf,
} from "./snapshots";

const SCOPED = joined("router1", "tenant2", "0a:00:00:00:01:03 10.2.0.1/24 2001:db8:2::1/64", {
  switch: { externalIds: { "neutron:subnet_pool_addr_scope4": "scope-a", "neutron:subnet_pool_addr_scope6": "scope-b", team: "red" } },
});
const PRIVATE = joined("router1", "tenant3", "0a:00:00:00:01:04 10.3.0.1/24 fd00:3::1/64", {
  router: { externalIds: { "neutron:subnet_pool_addr_scope4": "scope-b" } },
});
const PORTS = [EXT, ...GATEWAY, ...TENANT, ...SCOPED, ...PRIVATE];
const OWN = ["198.51.100.2/32 br-ex", "2001:db8::2/128 br-ex"];
const tenants = (asked: object, ports = PORTS) =>
  routes(snapshot(ports, { tenantNetworks: "subnet", ...asked }))
    .filter((route) => !OWN.includes(route))
    .map((route) => route.split(" ")[0]);

test.each([
  ["all", {}, ["10.1.0.0/24", "10.2.0.0/24", "10.3.0.0/24", "2001:db8:1::/64", "2001:db8:2::/64", "fd00:3::/64"]],
  ["only global addresses", { tenantAddresses: "global" }, ["2001:db8:1::/64", "2001:db8:2::/64"]],
  ["an address scope, by family, on either end of the router's port", { addressScopes: ["scope-b"] }, ["10.3.0.0/24", "2001:db8:2::/64"]],
  ["several scopes", { addressScopes: ["scope-a", "scope-b"] }, ["10.2.0.0/24", "10.3.0.0/24", "2001:db8:2::/64"]],
  ["networks by name", { select: { networks: ["tenant1"], ports: [], labels: {} } }, ["10.1.0.0/24", "2001:db8:1::/64"]],
  ["networks by the router's port", { select: { networks: [], ports: ["router1-tenant3"], labels: {} } }, ["10.3.0.0/24", "fd00:3::/64"]],
  ["networks by the switch's port", { select: { networks: [], ports: ["tenant3-router1"], labels: {} } }, ["10.3.0.0/24", "fd00:3::/64"]],
  ["networks by labels", { select: { networks: [], ports: [], labels: { team: "red" } } }, ["10.2.0.0/24", "2001:db8:2::/64"]],
  ["networks by labels that none has", { select: { networks: [], ports: [], labels: { team: "red", floor: "2" } } }, []],
  ["all but some", { exclude: { networks: ["tenant1"], ports: ["router1-tenant3"], labels: {} } }, ["10.2.0.0/24", "2001:db8:2::/64"]],
  [
    "all but those with a label",
    { exclude: { networks: [], ports: [], labels: { team: "red" } } },
    ["10.1.0.0/24", "10.3.0.0/24", "2001:db8:1::/64", "fd00:3::/64"],
  ],
  [
    "excluded beats selected",
    { select: { networks: ["tenant1", "tenant2"], ports: [], labels: {} }, exclude: { networks: ["tenant2"], ports: [], labels: {} } },
    ["10.1.0.0/24", "2001:db8:1::/64"],
  ],
  ["nothing behind a gateway that is excluded", { exclude: { networks: [], ports: ["router1-ext"], labels: {} } }, []],
])("tenant networks: %s", (_title, asked, expected) => {
  expect(tenants(asked)).toEqual(expected);
  // Single addresses follow the same rule.
  const vms = ["1", "2", "3"].map((n) => bound(`vm${n}`, `tenant${n}`, `0a:00:00:00:00:0${n} 10.${n}.0.5 ${n === "3" ? "fd00:3::5" : `2001:db8:${n}::5`}`));
  const hosts = tenants({ ...asked, tenantNetworks: "host" }, [...PORTS, ...vms]);
  expect(hosts).toEqual(expected.map((subnet) => subnet.replace("0/24", "5/32").replace("::/64", "::5/128")));
});

test("single workloads are selected and excluded by name and label", () => {
  const vms = ["a", "b"].map((name, index) => bound(name, "tenant1", `0a:00:00:00:00:0${index} 10.1.0.${5 + index}`, { externalIds: { name } }));
  const hosts = (asked: object) => tenants({ tenantNetworks: "host", ...asked }, [...PORTS, ...vms]);
  expect(hosts({ select: { networks: [], ports: ["a"], labels: {} } })).toEqual(["10.1.0.5/32"]);
  expect(hosts({ select: { networks: ["tenant1"], ports: [], labels: {} }, exclude: { networks: [], ports: ["a"], labels: {} } })).toEqual(["10.1.0.6/32"]);
  expect(hosts({ exclude: { networks: [], ports: [], labels: { name: "b" } } })).toEqual(["10.1.0.5/32"]);
});

test("provider ports are selected by network, port and label", () => {
  const vms = [bound("a", "ext", "0a:00:00:00:00:01 198.51.100.11", { externalIds: { team: "red" } }), bound("b", "ext2", "0a:00:00:00:00:02 203.0.113.12")];
  const ports = [EXT, localnet("ln-vlan", "ext2", "physnet", 5), ...vms];
  const announced = (asked: object) => routes(snapshot(ports, { providerPorts: true, ...asked })).map((route) => route.split(" ")[0]);
  expect(announced({})).toEqual(["198.51.100.11/32", "203.0.113.12/32"]);
  expect(announced({ select: { networks: ["ext2"], ports: [], labels: {} } })).toEqual(["203.0.113.12/32"]);
  expect(announced({ select: { networks: [], ports: [], labels: { team: "red" } } })).toEqual(["198.51.100.11/32"]);
  expect(announced({ exclude: { networks: ["ext2"], ports: [], labels: {} } })).toEqual(["198.51.100.11/32"]);
  expect(announced({ providerPorts: false, floatingIPs: true })).toEqual([]);
});

describe("gateways that a host answers for", () => {
  const vms = [bound("a", "ext", "0a:00:00:00:00:01 2001:db8::11"), bound("b", "ext2", "0a:00:00:00:00:02 2001:db8:5::12")];
  const ports = [EXT, ...GATEWAY, ...TENANT, localnet("ln-vlan", "ext2", "physnet", 5), ...vms];
  const proxiesOf = (...asked: object[]) =>
    stateOf(snapshot(ports, Object.fromEntries(asked.map((one, index) => [`e${index}`, exposureOf(one)])))).filter((line) => line.startsWith("proxy"));
  const [vlan, anycast] = [deviceName("br-ex", 5), "proxy 2001:db8:: dev br-ex"];
  const none = { networks: [], ports: [], labels: {} };

  test("are the exposure's, on each device of an announced address", () => {
    expect(proxiesOf({ providerPorts: true })).toEqual([anycast]);
    expect(proxiesOf({ providerPorts: true, gateways: ["fe80::1", "2001:db8:5::1"] })).toEqual([
      `proxy 2001:db8:5::1 dev ${vlan}`,
      `proxy fe80::1 dev ${vlan}`,
      "proxy 2001:db8:5::1 dev br-ex",
      anycast,
      "proxy fe80::1 dev br-ex",
    ]);
    expect(proxiesOf({ providerPorts: true, gateways: ["2001:db8:5::1"], select: { ...none, ports: ["b"] } })).toEqual([`proxy 2001:db8:5::1 dev ${vlan}`]);
    // Routers have gateways, too.
    for (const asked of [{ tenantNetworks: "subnet" }, { floatingIPs: true }])
      expect(proxiesOf({ ...asked, gateways: ["2001:db8:5::1"] })).toEqual(["proxy 2001:db8:5::1 dev br-ex", anycast]);
  });

  test("exclude routers' own addresses, and are not for devices with IPv4 only", () => {
    expect(proxiesOf({ providerPorts: true, gateways: ["2001:db8::2", "2001:db8::1"], exclude: { ...none, networks: ["ext2"] } })).toEqual([
      anycast,
      "proxy 2001:db8::1 dev br-ex",
    ]);
    expect(proxiesOf({ tenantNetworks: "subnet", gateways: ["2001:db8::2"] })).toEqual([anycast]);
    const four = snapshot([EXT, bound("v4", "ext", "0a:00:00:00:00:03 198.51.100.11")], { providerPorts: true, gateways: ["2001:db8:5::1"] });
    expect(stateOf(four).filter((line) => line.startsWith("proxy"))).toEqual([]);
  });

  test("are those of every exposure that announces an address", () => {
    const one = { providerPorts: true, select: { ...none, networks: ["ext2"] }, exclude: { ...none, networks: ["ext"] } };
    expect(proxiesOf({ ...one, gateways: ["fe80::1"] }, { ...one, gateways: ["fe80::2", "fe80::1"] }, one)).toEqual([
      `proxy fe80::1 dev ${vlan}`,
      `proxy fe80::2 dev ${vlan}`,
    ]);
  });
});

test("floating IPs and load balancers ignore a selection, but not an exclusion by network, router's port or workload", () => {
  const nat = ['0a:00:00:00:00:f1 198.51.100.5 is_chassis_resident("vm")', `${ROUTER_MAC} 198.51.100.6 is_chassis_resident("cr-router1-ext")`];
  const ports = [
    EXT,
    ...gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, HERE, { switch: { natAddresses: nat } }),
    ...TENANT,
    bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5"),
  ];
  const announced = (asked: object) =>
    routes(
      snapshot(ports, { floatingIPs: true, loadBalancers: true, ...asked }, { loadBalancers: [balancer("lb", ["router1"], { "198.51.100.60": "10.1.0.5" })] }),
    ).map((route) => route.split("/")[0]);
  const every = ["198.51.100.2", "198.51.100.5", "198.51.100.6", "198.51.100.60"];
  expect(announced({ select: { networks: ["none"], ports: [], labels: {} } })).toEqual(every);
  expect(announced({ exclude: { networks: ["ext"], ports: [], labels: {} } })).toEqual([]);
  expect(announced({ exclude: { networks: [], ports: ["router1-ext"], labels: {} } })).toEqual([]);
  expect(announced({ exclude: { networks: [], ports: ["vm"], labels: {} } })).toEqual(every.filter((address) => address !== "198.51.100.5"));
});

test("an exposure without any kind results in the base state only", () => {
  expect(stateOf(snapshot([...PORTS, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9")], {}))).toEqual(BASE);
  expect(routes(snapshot([...PORTS, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9")], { loadBalancers: true }))).toEqual([]);
});

describe("several exposures", () => {
  const announced = (exposures: Record<string, string>) => routes(snapshot([...PORTS, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9")], exposures));

  test("announce everything that any of them selects, once", () => {
    const one = exposureOf({ tenantNetworks: "subnet", select: { networks: ["tenant1"], ports: [], labels: {} } });
    expect(announced({ one, other: exposureOf({ providerPorts: true }), third: one, h2: exposureOf({ chassis: ["h2"], tenantNetworks: "subnet" }) })).toEqual([
      "10.1.0.0/24 via 198.51.100.2 br-ex",
      "198.51.100.2/32 br-ex",
      "198.51.100.9/32 br-ex",
      "2001:db8::2/128 br-ex",
      "2001:db8:1::/64 via 2001:db8::2 br-ex",
    ]);
  });

  test.each([
    ["no JSON", "{", "it is not JSON"],
    ["another version", exposureOf().replace('"version":1', '"version":2'), "needs a newer release"],
    ["a field of another type", exposureOf().replace("64513", '"64513"'), "asNumber: "],
  ])("%s is a problem, and other exposures continue", (_title, text, message) => {
    const setting = snapshot([EXT, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9")], { broken: text, good: exposureOf({ providerPorts: true }) });
    expect(routes(setting)).toEqual(["198.51.100.9/32 br-ex"]);
    expect(desired(setting).problems).toEqual([{ code: "OVN_AGENT_EXPOSURE", subject: "broken", message: expect.stringContaining(message) as string }]);
  });

  test.each([
    ["AS number", { asNumber: 64514 }],
    ["routing table", { table: 1300 }],
    ["router id", { routerIds: { h1: "192.0.2.2" } }],
  ])("another %s than an earlier exposure's is a problem, and the earlier one continues", (_title, more) => {
    const setting = snapshot([EXT, bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9")], {
      a: exposureOf({ routerIds: { h1: "192.0.2.1" } }),
      b: exposureOf({ providerPorts: true, ...more }),
      c: exposureOf({ providerPorts: true }),
    });
    expect(stateOf(setting)).toContain("bgp 64513 192.0.2.1 table 1200");
    expect(routes(setting)).toEqual(["198.51.100.9/32 br-ex"]);
    expect(problems(setting)).toEqual(["OVN_AGENT_EXPOSURES_DIFFER b"]);
  });

  test("share a chassis's router id, whichever exposure has it", () => {
    expect(stateOf(snapshot([], { a: exposureOf(), b: exposureOf({ routerIds: { h1: "192.0.2.1", h2: "192.0.2.2" } }) }))).toContain(
      "bgp 64513 192.0.2.1 table 1200",
    );
  });

  test("result in an empty state if none names the chassis", () => {
    expect(stateOf(snapshot(PORTS, { a: exposureOf({ chassis: ["h2"], providerPorts: true }) }))).toEqual([]);
    expect(stateOf(snapshot(PORTS, {}, { exposures: {} }))).toEqual([]);
  });
});

describe("networks without a usable path", () => {
  const vm = bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9");
  test("are reported if the chassis has no bridge for the network, or not yet", () => {
    expect(problems(snapshot([EXT, vm], { providerPorts: true }, { bridges: {} }))).toEqual(["OVN_AGENT_NOT_MAPPED ext"]);
    expect(problems(snapshot([EXT, vm], { providerPorts: true }, { bridges: { physnet: { ...BRIDGE, mac: null } } }))).toEqual(["OVN_AGENT_NO_BRIDGE ext"]);
    // ip would take what follows "#" for a comment, and so another device.
    for (const name of ["br#1", 'br"1', "br'1", "br\\", "tcp:br", "-br", "br 1", ""])
      expect([name, problems(snapshot([EXT, vm], { providerPorts: true }, { bridges: { physnet: { ...BRIDGE, name } } }))]).toEqual([
        name,
        ["OVN_AGENT_BRIDGE_NAME ext"],
      ]);
    expect(problems(snapshot([EXT, vm], { providerPorts: true }, { bridges: { physnet: { ...BRIDGE, name: "br-ex_1.100@a+" } } }))).toEqual([]);
  });

  test("are not reported if nothing is to be announced", () => {
    for (const asked of [{ floatingIPs: true }, { providerPorts: true, exclude: { networks: ["ext"], ports: [], labels: {} } }])
      expect(problems(snapshot([EXT, vm, ...(asked.floatingIPs ? [] : GATEWAY)], asked, { bridges: {} }))).toEqual([]);
  });

  test("use the localnet port whose physical network has a bridge on the host", () => {
    expect(routes(snapshot([localnet("a", "ext", "elsewhere"), EXT, vm], { providerPorts: true }))).toEqual(["198.51.100.9/32 br-ex"]);
  });

  test("have a link-local IPv6 next hop on each link, but no IPv4 next hop, without a gateway address of the family", () => {
    const six = gatewayPort("router1", "ext", `${ROUTER_MAC} 2001:db8::2/64`, HERE);
    const four = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, HERE);
    expect(routes(snapshot([EXT, ...six, ...TENANT], { tenantNetworks: "subnet" }))).toEqual([
      "2001:db8::2/128 br-ex",
      "2001:db8:1::/64 via 2001:db8::2 br-ex",
    ]);
    expect(problems(snapshot([EXT, ...six, ...TENANT], { tenantNetworks: "subnet" }))).toEqual(["OVN_AGENT_NO_NEXT_HOP tenant1"]);
    const state = stateOf(snapshot([EXT, ...four, ...TENANT], { tenantNetworks: "subnet" }));
    expect(state).toContain("route 2001:db8:1::/64 via fe80::800:ff:fe00:101 dev br-ex table 1200");
    expect(state).toContain(`neighbor fe80::800:ff:fe00:101 ${ROUTER_MAC} dev br-ex`);
  });
});

test("a selection also applies to the routers' own addresses: next hops, and those of selected networks", () => {
  const other = gatewayPort("router2", "ext", "0a:00:00:00:05:01 198.51.100.3/24", HERE);
  const announced = (asked: object) => routes(snapshot([...PORTS, ...other], asked)).map((route) => route.split(" ")[0]);
  const select = (...networks: string[]) => ({ networks, ports: [], labels: {} });
  expect(announced({ tenantNetworks: "subnet", select: select("tenant3") })).toEqual(["10.3.0.0/24", "198.51.100.2/32", "2001:db8::2/128", "fd00:3::/64"]);
  expect(announced({ providerPorts: true, select: select("tenant3") })).toEqual([]);
  expect(announced({ providerPorts: true, select: select("ext") })).toEqual(["198.51.100.2/32", "198.51.100.3/32", "2001:db8::2/128"]);
  expect(announced({ floatingIPs: true, select: select("tenant3") })).toEqual(["198.51.100.2/32", "198.51.100.3/32", "2001:db8::2/128"]);
});

test.each([
  ["a router id with a second line of commands", { routerIds: { h1: "10.0.0.1\nneighbor 203.0.113.9 remote-as 666" } }, "routerIds.h1"],
  ["a table of the kernel's own", { table: 254 }, "table"],
  ["a table beyond those of FRR", { table: 65_536 }, "table"],
])("an exposure with %s is left out", (_, asked, path) => {
  const { state, problems: found } = desired(snapshot(PORTS, asked as object));
  expect([state.bgp, found.map(({ code }) => code)]).toEqual([null, ["OVN_AGENT_EXPOSURE"]]);
  expect(found[0]!.message).toContain(`${path}: `);
});

test("a host is prepared only for networks that an exposure may announce from", () => {
  const all = [EXT, localnet("ln-vlan", "vlan", "physnet", 7), localnet("ln-far", "far", "elsewhere")];
  const only = (networks: string[]) => ({ networks, ports: [], labels: {} });
  const devices = (asked: Partial<AgentExposure>) => {
    const from = snapshot(all, asked);
    expect(problems(from)).toEqual([]);
    return desired(from).state.devices;
  };
  const vlan = deviceName("br-ex", 7);
  expect(devices({ providerPorts: true })).toEqual([vlan, "br-ex"]);
  expect(devices({ tenantNetworks: "subnet" })).toEqual([vlan, "br-ex"]);
  expect(devices({ providerPorts: true, select: only(["ext"]) })).toEqual(["br-ex"]);
  expect(devices({ floatingIPs: true, select: only(["ext"]) })).toEqual([vlan, "br-ex"]);
  expect(devices({ ...ALL, exclude: only(["vlan"]) })).toEqual(["br-ex"]);
  expect(devices({})).toEqual([]);
});

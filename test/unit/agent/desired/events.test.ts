import type { AgentExposure, PortBinding } from "@pulumi-ovn/provider/agent";
import { exposureOf } from "../../../support/agent-input";
import {
  BASE,
  LINK,
  PREPARED,
  ELSEWHERE,
  EXT,
  GATEWAY,
  HERE,
  ROUTER_MAC,
  TENANT,
  appears,
  balancer,
  bound,
  gatewayPort,
  joined,
  localnet,
  port,
  problems,
  routes,
  snapshot,
  stateOf,
  ALL,
} from "./snapshots";

// The events of the seed's watcher, by name: the state before, the state after, and what is between them.
const at = (ports: readonly PortBinding[], asked: Partial<AgentExposure>, more?: Parameters<typeof snapshot>[2]) => snapshot([EXT, ...ports], asked, more);

const OWN_ROUTES = ["route 198.51.100.2/32 dev br-ex table 1200", "route 2001:db8::2/128 dev br-ex table 1200"];
const GATEWAY_LINES = [
  ...OWN_ROUTES,
  `neighbor 198.51.100.2 ${ROUTER_MAC} dev br-ex`,
  `neighbor 2001:db8::2 ${ROUTER_MAC} dev br-ex`,
  "proxy 2001:db8:: dev br-ex",
];

describe("PortBindingChassisCreatedEvent and PortBindingChassisDeletedEvent", () => {
  const VM = "0a:00:00:00:00:09 198.51.100.9 2001:db8::9";
  const VM_ROUTES = ["route 198.51.100.9/32 dev br-ex table 1200", "route 2001:db8::9/128 dev br-ex table 1200"];

  test.each(["", "virtual"])('a port of type "%s" on a provider network: a route to each address, on the bridge', (type) => {
    const there = bound("vm", "ext", VM, { type });
    for (const before of [port("vm", "ext", { type, mac: [VM] }), { ...there, up: false }, { ...there, chassis: ELSEWHERE }]) {
      expect(appears(at([before], ALL), at([there], ALL))).toEqual([...VM_ROUTES]);
    }
    expect(stateOf(at([], ALL))).toEqual(PREPARED);
  });

  test("a gateway port of a distributed router has its addresses with permanent neighbours, and a proxy for the IPv6 network's routers", () => {
    const away = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24 2001:db8::2/64`, ELSEWHERE);
    expect(appears(at(away, ALL), at(GATEWAY, ALL))).toEqual(GATEWAY_LINES);
  });

  test("a gateway router's port has the same objects", () => {
    const gateway = (chassis: string | null) =>
      joined("router2", "ext", `${ROUTER_MAC} 198.51.100.2/24 2001:db8::2/64`, { type: "l3gateway", router: { chassis }, switch: { chassis } });
    expect(appears(at(gateway(null), ALL), at(gateway(HERE), ALL))).toEqual(GATEWAY_LINES);
    expect(stateOf(at(gateway(ELSEWHERE), ALL))).toEqual(PREPARED);
  });

  test("a port without addresses has those from Neutron, and the proxies of their networks", () => {
    const ids = { "neutron:cidrs": "198.51.100.9/24 2001:db8::9/64" };
    const there = bound("vm", "ext", "unknown", { externalIds: ids });
    expect(appears(at([], ALL), at([there], ALL))).toEqual([...VM_ROUTES, "proxy 2001:db8:: dev br-ex"]);
    expect(routes(at([bound("vm", "ext", VM, { externalIds: { "neutron:cidrs": "198.51.100.77/24" } })], ALL))).toEqual([
      "198.51.100.9/32 br-ex",
      "2001:db8::9/128 br-ex",
    ]);
  });

  test("ports of other types, and of networks without a localnet port, announce nothing", () => {
    for (const type of ["localport", "remote", "external", "vtep"]) expect(routes(at([bound("vm", "ext", VM, { type })], ALL))).toEqual([]);
    const island = at([bound("vm", "island", VM)], ALL);
    expect([routes(island), problems(island)]).toEqual([[], []]);
  });
});

describe("FIPSetEvent and FIPUnsetEvent", () => {
  const nat = (...natAddresses: string[]) => [
    ...gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, ELSEWHERE, { switch: { natAddresses } }),
    ...TENANT,
  ];
  const vm = bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5");
  const FIP = '0a:00:00:00:00:f1 198.51.100.5 is_chassis_resident("vm")';

  test("announces a floating IP of a workload on this chassis", () => {
    expect(appears(at([...nat(), vm], ALL), at([...nat(FIP), vm], ALL))).toEqual(["route 198.51.100.5/32 dev br-ex table 1200"]);
  });

  test("removes one of several floating IPs, and keeps the others", () => {
    const two = '0a:00:00:00:00:f1 198.51.100.5 198.51.100.6 is_chassis_resident("vm")';
    expect(appears(at([...nat(FIP), vm], ALL), at([...nat(two), vm], ALL))).toEqual(["route 198.51.100.6/32 dev br-ex table 1200"]);
  });

  test("removes it with its workload: unbound, moved, or deleted", () => {
    for (const gone of [[], [{ ...vm, chassis: null }], [{ ...vm, chassis: ELSEWHERE }], [{ ...vm, up: false }]])
      expect(stateOf(at([...nat(FIP), ...gone], ALL))).toEqual(PREPARED);
  });

  test("announces a centralized floating IP from the router's gateway, also if the entry does not name it", () => {
    const central = (entry: string, chassis: string) =>
      at(gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, chassis, { switch: { natAddresses: [entry] } }), ALL);
    for (const entry of [`${ROUTER_MAC} 198.51.100.6 198.51.100.7 is_chassis_resident("cr-router1-ext")`, `${ROUTER_MAC} 198.51.100.6 198.51.100.7`]) {
      expect(routes(central(entry, HERE))).toEqual(["198.51.100.2/32 br-ex", "198.51.100.6/32 br-ex", "198.51.100.7/32 br-ex"]);
      expect(routes(central(entry, ELSEWHERE))).toEqual([]);
    }
  });

  test("announces those of a gateway router from the router's chassis", () => {
    const gateway = (chassis: string) =>
      at(
        joined("router2", "ext", `${ROUTER_MAC} 198.51.100.3/24`, {
          type: "l3gateway",
          router: { chassis },
          switch: { chassis, natAddresses: [`${ROUTER_MAC} 198.51.100.3`, `${ROUTER_MAC} 198.51.100.7`] },
        }),
        { floatingIPs: true },
      );
    expect(routes(gateway(HERE))).toEqual(["198.51.100.3/32 br-ex", "198.51.100.7/32 br-ex"]);
    expect(routes(gateway(ELSEWHERE))).toEqual([]);
  });

  test("announces none of a router without a gateway, or of an invalid text", () => {
    const plain = joined("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, { switch: { natAddresses: [`${ROUTER_MAC} 198.51.100.6`] } });
    expect(routes(at(plain, ALL))).toEqual([]);
    expect(
      routes(
        at(
          [...nat("router", `${ROUTER_MAC}`, `${ROUTER_MAC} 198.51.100.5 is_chassis_resident(vm)`, `${ROUTER_MAC} 1.2.3.4.5 is_chassis_resident("vm")`), vm],
          ALL,
        ),
      ),
    ).toEqual([]);
  });

  test("ignores NAT on a network without a localnet port", () => {
    const inside = joined("router1", "inside", `${ROUTER_MAC} 198.51.100.2/24`, { switch: { natAddresses: [FIP] } });
    const setting = at([...inside, vm], ALL);
    expect([routes(setting), problems(setting)]).toEqual([[], []]);
  });

  test("accepts a port name with quotes", () => {
    const quoted = { ...vm, name: 'v"m' };
    expect(routes(at([...nat('0a:00:00:00:00:f1 198.51.100.5 is_chassis_resident("v\\"m")'), quoted], ALL))).toEqual(["198.51.100.5/32 br-ex"]);
  });
});

describe("SubnetRouterAttachedEvent and SubnetRouterDetachedEvent", () => {
  test("routes each subnet of a network behind a gateway on this chassis through the gateway's address of its family", () => {
    const asked = { tenantNetworks: "subnet" } as const;
    expect(appears(at(GATEWAY, asked), at([...GATEWAY, ...TENANT], asked))).toEqual([
      "route 10.1.0.0/24 via 198.51.100.2 dev br-ex table 1200",
      "route 2001:db8:1::/64 via 2001:db8::2 dev br-ex table 1200",
    ]);
  });

  test("does not route a network behind a gateway on another chassis, or behind a second router", () => {
    const away = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, ELSEWHERE);
    expect(stateOf(at([...away, ...TENANT], { tenantNetworks: "subnet" }))).toEqual(PREPARED);
    const [own, other] = joined("router1", "router9", "0a:00:00:00:09:01 169.254.9.1/30");
    expect(routes(at([...GATEWAY, own!, other!], { tenantNetworks: "subnet" }))).toEqual(["198.51.100.2/32 br-ex", "2001:db8::2/128 br-ex"]);
  });
});

describe("TenantPortCreatedEvent and TenantPortDeletedEvent", () => {
  const asked = { tenantNetworks: "host" } as const;
  const before = [...GATEWAY, ...TENANT];
  const vm = bound("vm", "tenant1", "0a:00:00:00:00:05 10.1.0.5 2001:db8:1::5", { chassis: ELSEWHERE });
  const added = ["route 10.1.0.5/32 via 198.51.100.2 dev br-ex table 1200", "route 2001:db8:1::5/128 via 2001:db8::2 dev br-ex table 1200"];

  test("routes a workload's addresses through the gateway on this chassis, whatever chassis the workload is on", () => {
    expect(appears(at(before, asked), at([...before, vm], asked))).toEqual(added);
    expect(appears(at([...before, { ...vm, chassis: null }], asked), at([...before, vm], asked))).toEqual(added);
    expect(appears(at([...before, { ...vm, up: false }], asked), at([...before, { ...vm, type: "virtual" }], asked))).toEqual(added);
  });

  test("uses the addresses from Neutron of a port that may use any address", () => {
    const unknown = { ...vm, mac: ["unknown"], externalIds: { "neutron:cidrs": "10.1.0.5/24 2001:db8:1::5/64" } };
    expect(appears(at(before, asked), at([...before, unknown], asked))).toEqual(added);
  });

  test("does not treat OVN's own port on each chassis as a workload", () => {
    expect(appears(at(before, asked), at([...before, { ...vm, type: "localport" }], asked))).toEqual([]);
  });

  test("does not route addresses outside of the router's subnets, or the router's own ports", () => {
    expect(routes(at([...before, bound("vm", "tenant1", "0a:00:00:00:00:05 10.9.0.5")], asked))).toEqual(["198.51.100.2/32 br-ex", "2001:db8::2/128 br-ex"]);
  });
});

describe("OVNLBMemberUpdateEvent", () => {
  const asked = { loadBalancers: true } as const;
  const setting = (
    datapaths: string[],
    vips: Record<string, string> = { "198.51.100.60:80": "10.1.0.5:80", "[2001:db8::60]:80": "[2001:db8:1::5]:80" },
    gateway = GATEWAY,
  ) => at([...gateway, ...TENANT], asked, { loadBalancers: datapaths.length > 0 ? [balancer("lb", datapaths, vips)] : [] });
  const added = ["route 198.51.100.60/32 dev br-ex table 1200", "route 2001:db8::60/128 dev br-ex table 1200", "proxy 2001:db8:: dev br-ex"];

  test("create: announces VIPs on the provider network once a member is behind the router", () => {
    expect(appears(setting([]), setting(["router1"]))).toEqual(added);
    expect(appears(setting(["ext"]), setting(["ext", "tenant1"]))).toEqual(added);
  });

  test("requires the router among the load balancer's datapaths if the release reports routers", () => {
    const of = (datapaths: string[]) =>
      at([...GATEWAY, ...TENANT], asked, { loadBalancers: [balancer("lb", datapaths, { "198.51.100.60:80": "10.1.0.5:80" }, true)] });
    expect(stateOf(of(["tenant1"]))).toEqual(PREPARED);
    expect(routes(of(["tenant1", "router1"]))).toEqual(["198.51.100.60/32 br-ex"]);
  });

  test("delete: withdraws without the member's datapath, the last backend, or the load balancer", () => {
    for (const gone of [setting([]), setting(["ext"]), setting(["router1"], { "198.51.100.60:80": "" })]) expect(stateOf(gone)).toEqual(PREPARED);
  });

  test("announces only from the gateway's chassis, and only VIPs on the provider network", () => {
    expect(stateOf(setting(["router1"], undefined, gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, ELSEWHERE)))).toEqual(PREPARED);
    expect(stateOf(setting(["router1"], { "10.96.0.1:443": "10.1.0.5:443", "10.1.0.99": "10.1.0.5" }))).toEqual(PREPARED);
  });

  test("routes a VIP in a tenant network with announced hosts through the gateway", () => {
    const tenant = at([...GATEWAY, ...TENANT], ALL, { loadBalancers: [balancer("lb", ["router1"], { "10.1.0.99:80": "10.1.0.5:80", "10.1.0.98:80": "" })] });
    expect(routes(tenant)).toContain("10.1.0.99/32 via 198.51.100.2 br-ex");
    expect(routes(tenant)).toHaveLength(3);
    // Load balancers that are not selected have no routes.
    expect(routes({ ...tenant, exposures: { blue: exposureOf({ ...ALL, loadBalancers: false }) } })).toHaveLength(2);
  });

  test("distinguishes VIPs from floating IPs, which the database lists together", () => {
    const nat = { natAddresses: [`${ROUTER_MAC} 198.51.100.6 198.51.100.60 198.51.100.61 is_chassis_resident("cr-router1-ext")`] };
    const ports = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, HERE, { switch: nat });
    const balancers = { loadBalancers: [balancer("lb", ["router1"], { "198.51.100.60:80": "10.1.0.5:80", "198.51.100.61:80": "" })] };
    expect(routes(at(ports, { floatingIPs: true }, balancers))).toEqual(["198.51.100.2/32 br-ex", "198.51.100.6/32 br-ex"]);
    expect(routes(at(ports, { loadBalancers: true }, balancers))).toEqual(["198.51.100.60/32 br-ex"]);
    expect(routes(at(ports, { floatingIPs: true, loadBalancers: true }, balancers))).toEqual([
      "198.51.100.2/32 br-ex",
      "198.51.100.6/32 br-ex",
      "198.51.100.60/32 br-ex",
    ]);
  });
});

describe("ChassisCreateEvent", () => {
  const vm = bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9");

  test("announces the ports of a chassis that is registered, also again with another row", () => {
    const without = at([vm], ALL, { chassis: { name: "h1", uuid: null } });
    expect(appears(without, at([vm], ALL))).toEqual(["route 198.51.100.9/32 dev br-ex table 1200"]);
    expect(problems(without)).toEqual(["OVN_AGENT_NO_CHASSIS h1"]);
    expect(routes(at([vm], ALL, { chassis: { name: "h1", uuid: "another row" } }))).toEqual([]);
    expect(routes(at([{ ...vm, chassis: "another row" }], ALL, { chassis: { name: "h1", uuid: "another row" } }))).toEqual(["198.51.100.9/32 br-ex"]);
  });

  test("ignores ports without a chassis while the chassis is not registered", () => {
    expect(stateOf(at([{ ...vm, chassis: null }], ALL, { chassis: { name: "h1", uuid: null } }))).toEqual(PREPARED);
  });

  test("reports a host without a name, also without an exposure for it", () => {
    expect(problems(snapshot([], { blue: exposureOf({ chassis: ["h2"] }) }, { chassis: { name: "", uuid: null } }))).toEqual(["OVN_AGENT_NO_CHASSIS "]);
  });
});

describe("LocalnetCreateDeleteEvent", () => {
  const vm = bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9");
  const tenant = snapshot([vm, ...GATEWAY, ...TENANT], { providerPorts: true });

  test("announces a network that gets a localnet port, through the bridge", () => {
    expect(stateOf(tenant)).toEqual(BASE);
    expect(appears(tenant, { ...tenant, ports: [EXT, ...tenant.ports] })).toEqual([
      ...LINK.slice(0, 3),
      OWN_ROUTES[0],
      "route 198.51.100.9/32 dev br-ex table 1200",
      OWN_ROUTES[1],
      ...GATEWAY_LINES.slice(2),
      ...LINK.slice(3),
    ]);
  });

  test("uses an internal port in the VLAN if the localnet port has a tag", () => {
    const name = "bgp100-3634738";
    expect(appears(snapshot([vm], { providerPorts: true }), snapshot([vm, localnet("ln-vlan", "ext", "physnet", 100)], { providerPorts: true }))).toEqual([
      `port ${name} of br-ex tag 100 mac 0a:00:00:00:00:ee`,
      `device ${name}`,
      `address 169.254.1.100/32 dev ${name}`,
      `address fd53:d91e:400:7f17::1:64/128 dev ${name}`,
      `route 198.51.100.9/32 dev ${name} table 1200`,
      "flow br-ex priority=910,in_port=8,dl_vlan=100,dl_src=0a:00:00:00:00:ee,actions=drop",
      "flow br-ex priority=900,ip,in_port=8,dl_vlan=100,actions=set_field:0a:00:00:00:00:ee->eth_dst,NORMAL",
      "flow br-ex priority=900,ipv6,in_port=8,dl_vlan=100,actions=set_field:0a:00:00:00:00:ee->eth_dst,NORMAL",
    ]);
  });
});

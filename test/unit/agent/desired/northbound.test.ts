import { natConditions } from "@pulumi-ovn/agent/testing";
import { concernOf, type FloatingIP, type PortBinding, type Snapshot } from "@pulumi-ovn/provider/agent";
import { ELSEWHERE, EXT, HERE, ROUTER_MAC, TENANT, appears, bound, gatewayPort, joined, localnet, problems, routes, snapshot, stateOf } from "./snapshots";

const MAC = `${ROUTER_MAC} 198.51.100.2/24 2001:db8::2/64`;
const gateway = (chassis: string, more: Parameters<typeof gatewayPort>[4] = {}) => [...gatewayPort("router1", "ext", MAC, chassis, more), ...TENANT];
const vm = bound("vm", "tenant1", "0a:00:00:00:00:05 2001:db8:1::5");
const fip = (address: string, port: string | null = null, router = "router1"): FloatingIP => ({ router: `nb-${router}`, address, port });
const at = (rows: readonly PortBinding[], floatingIPs: FloatingIP[], asked: object = { floatingIPs: true }, natPorts = ["ext-router1"]): Snapshot =>
  snapshot([EXT, ...rows], asked, { northbound: { floatingIPs, natPorts } });
const sixth = (from: Snapshot) => routes(from).filter((route) => /^2001:db8::[f0-9]{2,}\//.test(route));

describe("IPv6 floating IPs, which only the Northbound database contains", () => {
  test("are on their workload's chassis if distributed, with a proxy for the network's routers, and the exposure's gateways", () => {
    const rows = [...gateway(ELSEWHERE), vm];
    expect(appears(at(rows, []), at(rows, [fip("2001:db8::21", "vm")])).filter((line) => /^(?:route|proxy)/.test(line))).toEqual([
      "route 2001:db8::21/128 dev br-ex table 1200",
      "proxy 2001:db8:: dev br-ex",
    ]);
    expect(stateOf(at(rows, [fip("2001:db8::21", "vm")], { floatingIPs: true, gateways: ["2001:db8::1"] }))).toContain("proxy 2001:db8::1 dev br-ex");
  });

  test("are removed with their workload (unbound, moved, not up, or deleted), and not announced by the gateway", () => {
    for (const gone of [[], [{ ...vm, chassis: null }], [{ ...vm, chassis: ELSEWHERE }], [{ ...vm, up: false }]])
      expect(sixth(at([...gateway(HERE), ...gone], [fip("2001:db8::21", "vm")]))).toEqual([]);
  });

  test("are on the gateway's chassis if centralized, and all of a gateway router, which distributes none", () => {
    const central = [fip("2001:db8::22")];
    expect(sixth(at(gateway(HERE), central))).toEqual(["2001:db8::22/128 br-ex"]);
    expect(sixth(at(gateway(ELSEWHERE), central))).toEqual([]);
    const own = (chassis: string) =>
      at(
        [...joined("router1", "ext", MAC, { type: "l3gateway", router: { chassis }, switch: { chassis } }), { ...vm, chassis: ELSEWHERE }],
        [fip("2001:db8::22"), fip("2001:db8::23", "vm")],
      );
    expect(sixth(own(HERE))).toEqual(["2001:db8::22/128 br-ex", "2001:db8::23/128 br-ex"]);
    expect(sixth(own(ELSEWHERE))).toEqual([]);
  });

  test("need a switch's port with nat-addresses, as for IPv4, and an exposure with floating IPs; other routers' are ignored", () => {
    const central = [fip("2001:db8::22"), fip("2001:db8::24", null, "router2")];
    expect(sixth(at(gateway(HERE), central, { floatingIPs: true }, []))).toEqual([]);
    expect(sixth(at(gateway(HERE), central, { providerPorts: true }))).toEqual([]);
    expect(sixth(at(gateway(HERE), central))).toEqual(["2001:db8::22/128 br-ex"]);
  });

  test("are excluded by network, by either end of the router's port, and by workload", () => {
    const rows = [...gateway(HERE), { ...vm, externalIds: { tier: "internal" } }];
    const all = [fip("2001:db8::21", "vm"), fip("2001:db8::22")];
    const without = (exclude: object) => sixth(at(rows, all, { floatingIPs: true, exclude: { networks: [], ports: [], labels: {}, ...exclude } }));
    for (const exclude of [{ networks: ["ext"] }, { ports: ["ext-router1"] }, { ports: ["router1-ext"] }]) expect(without(exclude)).toEqual([]);
    for (const exclude of [{ ports: ["vm"] }, { labels: { tier: "internal" } }]) expect(without(exclude)).toEqual(["2001:db8::22/128 br-ex"]);
  });

  test("outside of the gateway port's networks use the only port, or the port whose network contains them", () => {
    const routed = [fip("2001:db8:99::1")];
    expect(routes(at(gateway(HERE), routed))).toContain("2001:db8:99::1/128 br-ex");
    const both = [...gateway(HERE), localnet("ln-vlan", "ext2", "physnet", 7), ...gatewayPort("router1", "ext2", "0a:00:00:00:07:01 2001:db8:7::2/64", HERE)];
    const natPorts = ["ext-router1", "ext2-router1"];
    expect(routes(at(both, routed, { floatingIPs: true }, natPorts))).not.toContain("2001:db8:99::1/128 br-ex");
    const second = routes(at(both, [fip("2001:db8:7::21")], { floatingIPs: true }, natPorts)).filter((route) => route.startsWith("2001:db8:7::21"));
    expect(second).toEqual([expect.stringMatching(/^2001:db8:7::21\/128 bgp7-/) as string]);
  });

  test("are ignored without a localnet port, with an invalid address, and with an unknown port or router", () => {
    const inside = snapshot(
      [...joined("router1", "inside", MAC), vm],
      { floatingIPs: true },
      { northbound: { floatingIPs: [fip("2001:db8::21", "vm")], natPorts: ["inside-router1"] } },
    );
    expect([routes(inside), problems(inside)]).toEqual([[], []]);
    expect(sixth(at([...gateway(HERE), vm], [fip("2001:db8::zz", "vm"), fip("2001:db8::21", "none"), fip("2001:db8::22", null, "router9")]))).toEqual([]);
  });

  test("keep the neighbour of an address that is also the router's", () => {
    expect(stateOf(at(gateway(HERE), [fip("2001:db8::2")])).filter((line) => line.includes("2001:db8::2"))).toEqual([
      "route 2001:db8::2/128 dev br-ex table 1200",
      `neighbor 2001:db8::2 ${ROUTER_MAC} dev br-ex`,
    ]);
  });
});

describe("conditions for the Northbound database", () => {
  const wantedOf = (from: Parameters<typeof natConditions>[0]) => natConditions(from, concernOf(from));
  const NONE = { Logical_Router: [false], Logical_Switch_Port: [false], NAT: [false] };
  const is = (column: string, value: unknown) => [column, "==", value];

  test("select routers with a port on a provider network, and the switch's port to each", () => {
    expect(wantedOf(at([...gateway(ELSEWHERE), vm], []))).toEqual({
      Logical_Router: [is("_uuid", ["uuid", "nb-router1"])],
      Logical_Switch_Port: [is("name", "ext-router1")],
      NAT: [true],
    });
  });

  test("select gateway routers only on this chassis", () => {
    const own = (chassis: string) => wantedOf(at(joined("router1", "ext", MAC, { type: "l3gateway", router: { chassis }, switch: { chassis } }), []));
    expect(own(ELSEWHERE)).toEqual(NONE);
    expect(own(HERE).Logical_Router).toEqual([is("_uuid", ["uuid", "nb-router1"])]);
  });

  test("select nothing without floating IPs in the exposure, or without a router on a provider network", () => {
    expect(wantedOf(at(gateway(HERE), [], { providerPorts: true, loadBalancers: true, tenantNetworks: "host" }))).toEqual(NONE);
    expect(wantedOf(at([...TENANT, vm], []))).toEqual(NONE);
    expect(wantedOf(at(gateway(HERE), [], { floatingIPs: true, chassis: ["h2"] }))).toEqual(NONE);
  });
});

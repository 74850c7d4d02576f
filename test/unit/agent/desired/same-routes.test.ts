/** Changes are detected by object identity: unchanged routes are the same objects. */
import { type HostState, desired } from "@pulumi-ovn/agent";
import { exposureOf } from "../../../support/agent-input";
import { BRIDGE, ELSEWHERE, EXT, GATEWAY, ROUTER_MAC, TENANT, bound, gatewayPort, localnet, snapshot } from "./snapshots";

const workload = (n: number) => bound(`vm${n}`, "ext", `0a:00:00:00:00:09 198.51.100.${n} 2001:db8::${n}`);
const ports = [EXT, ...GATEWAY, ...TENANT, workload(10), workload(11), bound("member", "tenant1", "0a:00:00:00:00:05 10.1.0.5")];
const asked = { providerPorts: true, tenantNetworks: "host" as const };
const routes = (...of: Parameters<typeof snapshot>): HostState["routes"] => desired(snapshot(...of)).state.routes;
const shared = (one: HostState["routes"], other: HostState["routes"]) => one.filter((route) => other.includes(route)).map(({ destination }) => destination);

test("an unchanged route is the same object in the state of another snapshot", () => {
  const before = routes(ports, asked);
  expect(before.map(({ destination }) => destination)).toEqual([
    "10.1.0.5/32",
    "198.51.100.2/32",
    "198.51.100.10/32",
    "198.51.100.11/32",
    "2001:db8::2/128",
    "2001:db8::10/128",
    "2001:db8::11/128",
  ]);
  const after = routes([...structuredClone(ports).filter(({ name }) => name !== "vm11"), workload(12)], asked);
  expect(shared(after, before)).toEqual(["10.1.0.5/32", "198.51.100.2/32", "198.51.100.10/32", "2001:db8::2/128", "2001:db8::10/128"]);
  expect(after.map(({ destination }) => destination)).toContain("2001:db8::12/128");
});

test("a route with another table, device, next hop or length is another object", () => {
  const before = routes(ports, asked);
  const table = routes(ports, { blue: exposureOf({ ...asked, table: 1201 }) });
  expect([shared(table, before), new Set(table.map((route) => route.table))]).toEqual([[], new Set([1201])]);
  const device = routes([localnet("ln", "ext", "physnet", 7), ...ports.slice(1)], asked, { bridges: { physnet: BRIDGE } });
  expect([shared(device, before), new Set(device.map((route) => route.device)).size]).toEqual([[], 1]);
  const moved = routes(
    ports.map((port) => ({ ...port, mac: port.mac.map((text) => text.replace("198.51.100.2/24", "198.51.100.3/24")) })),
    asked,
  );
  expect(moved.find(({ destination }) => destination === "10.1.0.5/32")).toMatchObject({ via: "198.51.100.3" });
  expect(routes(ports, asked).find(({ destination }) => destination === "10.1.0.5/32")).toMatchObject({ via: "198.51.100.2" });
  const [whole] = routes([EXT, ...GATEWAY, ...TENANT], { tenantNetworks: "subnet" });
  expect(whole).toMatchObject({ destination: "10.1.0.0/24" });
  const direct = routes([EXT, bound("vm", "ext", "0a:00:00:00:00:09 10.1.0.5")], { providerPorts: true });
  expect(direct).toEqual([{ table: 1200, destination: "10.1.0.5/32", device: "br-ex", via: null }]);
});

test("a workload with another network, chassis, link or address has no route of an earlier snapshot", () => {
  const first = desired(snapshot(ports, asked)).state;
  const [vm] = ports.filter(({ name }) => name === "vm10");
  const others = ports.filter((port) => port !== vm);
  for (const change of [{ chassis: null }, { up: false }, { mac: [] }, { datapath: "dp-none", network: "none" }])
    expect([change, routes([...others, { ...vm!, ...change }], asked).map(({ destination }) => destination)]).toEqual([
      change,
      first.routes.map(({ destination }) => destination).filter((text) => !text.includes("::10/") && !text.includes(".10/")),
    ]);
  // The same row, in another subnet of the router's.
  const proxies = (length: number) =>
    desired(
      snapshot([EXT, vm!, ...gatewayPort("router1", "ext", `${ROUTER_MAC} 2001:db8::2/${length}`, ELSEWHERE)], { providerPorts: true }),
    ).state.proxies.map(({ address }) => address);
  expect([proxies(64), proxies(124), proxies(64)]).toEqual([["2001:db8::"], [], ["2001:db8::"]]);
  // The same row, of another chassis.
  expect(desired(snapshot(ports, asked, { chassis: { name: "h1", uuid: "another" } })).state.routes).toEqual([]);
  expect(desired(snapshot(ports, asked, { bridges: {} })).state.routes).toEqual([]);
  expect(desired(snapshot(ports, asked)).state).toEqual(first);
});

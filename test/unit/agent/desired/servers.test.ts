import { EXT, GATEWAY, TENANT, bound, joined, problems, routes, snapshot } from "./world";
import { desired } from "@pulumi-ovn/agent";

const ROWS = [EXT, ...GATEWAY, ...TENANT, bound("vm", "ext", "0a:00:00:00:00:05 198.51.100.9"), bound("member", "tenant1", "0a:00:00:00:00:06 10.1.0.5")];
const from = (servers: string[], how: "subnet" | "host" = "subnet") => snapshot(ROWS, { providerPorts: true, tenantNetworks: how }, { servers });
const through = (servers: string[], how?: "subnet" | "host") => routes(from(servers, how)).filter((route) => route.includes(" via ")).map((route) => route.split(" ")[0]);

test("a tenant network around a server of the databases is not announced, which a problem says", () => {
  expect([through(["192.0.2.1"]), problems(from(["192.0.2.1"]))]).toEqual([["10.1.0.0/24", "2001:db8:1::/64"], []]);
  expect([through(["10.1.0.77"]), problems(from(["10.1.0.77"]))]).toEqual([["2001:db8:1::/64"], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
  expect(desired(from(["10.1.0.77"])).problems[0]!.message).toBe('10.1.0.0/24 of tenant network "tenant1" is not announced: a server of OVN\'s databases is at 10.1.0.77, and the host would lose its way there');
  expect(through(["10.1.0.77", "2001:db8:1::77"])).toEqual([]);
  expect(desired(from(["10.1.0.77", "2001:db8:1::77"])).problems.map(({ message }) => message.split(" ")[0])).toEqual(["10.1.0.0/24"]);
});

test("by single addresses all but the server's own", () => {
  expect([through(["10.1.0.77"], "host"), problems(from(["10.1.0.77"], "host"))]).toEqual([["10.1.0.5/32"], []]);
  expect([through(["10.1.0.5"], "host"), problems(from(["10.1.0.5"], "host"))]).toEqual([[], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
});

test("one that is not announced because of a server still has its addresses: another tenant network with some of them is not announced, either", () => {
  const both = [...ROWS, ...joined("router1", "tenant2", "0a:00:00:00:02:02 10.1.0.129/25")];
  const world = (exclude: string[]) => snapshot(both, { tenantNetworks: "subnet", exclude: { networks: exclude, ports: [], labels: {} } }, { servers: ["10.1.0.77"] });
  const announced = (exclude: string[]) => routes(world(exclude)).filter((route) => route.startsWith("10."));
  expect([announced([]), problems(world([]))]).toEqual([[], ["OVN_AGENT_OVERLAP tenant1 and tenant2"]]);
  expect([announced(["tenant2"]), problems(world(["tenant2"]))]).toEqual([[], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
  expect([announced(["tenant1"]), problems(world(["tenant1"]))]).toEqual([["10.1.0.128/25 via 198.51.100.2 br-ex"], []]);
});

test("on a provider network the operator gives the addresses", () => {
  expect([routes(from(["198.51.100.9"])).includes("198.51.100.9/32 br-ex"), problems(from(["198.51.100.9"]))]).toEqual([true, []]);
});

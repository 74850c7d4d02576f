import fc from "fast-check";
import { EXT, GATEWAY, TENANT, bound, joined, problems, routes, snapshot } from "./snapshots";
import { desired } from "@pulumi-ovn/agent";

const ROWS = [EXT, ...GATEWAY, ...TENANT, bound("vm", "ext", "0a:00:00:00:00:05 198.51.100.9"), bound("member", "tenant1", "0a:00:00:00:00:06 10.1.0.5")];
const from = (servers: string[], how: "subnet" | "host" = "subnet") => snapshot(ROWS, { providerPorts: true, tenantNetworks: how }, { servers });
const through = (servers: string[], how?: "subnet" | "host") =>
  routes(from(servers, how))
    .filter((route) => route.includes(" via "))
    .map((route) => route.split(" ")[0]);

test("a tenant network around a server of the databases is not announced, which a problem reports", () => {
  expect([through(["192.0.2.1"]), problems(from(["192.0.2.1"]))]).toEqual([["10.1.0.0/24", "2001:db8:1::/64"], []]);
  expect([through(["10.1.0.77"]), problems(from(["10.1.0.77"]))]).toEqual([["2001:db8:1::/64"], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
  expect(desired(from(["10.1.0.77"])).problems[0]!.message).toBe(
    '10.1.0.0/24 of tenant network "tenant1" is not announced: a server of OVN\'s databases is at 10.1.0.77, and the host would lose its way there',
  );
  expect(through(["10.1.0.77", "2001:db8:1::77"])).toEqual([]);
  expect(desired(from(["10.1.0.77", "2001:db8:1::77"])).problems.map(({ message }) => message.split(" ")[0])).toEqual(["10.1.0.0/24"]);
});

test("by single addresses all but the server's own", () => {
  expect([through(["10.1.0.77"], "host"), problems(from(["10.1.0.77"], "host"))]).toEqual([["10.1.0.5/32"], []]);
  expect([through(["10.1.0.5"], "host"), problems(from(["10.1.0.5"], "host"))]).toEqual([[], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
});

test("one that is not announced because of a server still has its addresses: another tenant network with some of them is not announced, either", () => {
  const both = [...ROWS, ...joined("router1", "tenant2", "0a:00:00:00:02:02 10.1.0.129/25")];
  const setting = (exclude: string[]) =>
    snapshot(both, { tenantNetworks: "subnet", exclude: { networks: exclude, ports: [], labels: {} } }, { servers: ["10.1.0.77"] });
  const announced = (exclude: string[]) => routes(setting(exclude)).filter((route) => route.startsWith("10."));
  expect([announced([]), problems(setting([]))]).toEqual([[], ["OVN_AGENT_OVERLAP tenant1 and tenant2"]]);
  expect([announced(["tenant2"]), problems(setting(["tenant2"]))]).toEqual([[], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
  expect([announced(["tenant1"]), problems(setting(["tenant1"]))]).toEqual([["10.1.0.128/25 via 198.51.100.2 br-ex"], []]);
});

test("on a provider network the operator gives the addresses", () => {
  expect([routes(from(["198.51.100.9"])).includes("198.51.100.9/32 br-ex"), problems(from(["198.51.100.9"]))]).toEqual([true, []]);
});

describe("other chassis' tunnels", () => {
  const beside = (tunnels: string[], how: "subnet" | "host" = "subnet") => snapshot(ROWS, { providerPorts: true, tenantNetworks: how }, { tunnels });
  const all = (from: ReturnType<typeof snapshot>) => routes(from).map((route) => route.split(" ")[0]);

  test("a tenant network around one is not announced, the rest is", () => {
    expect([all(beside(["198.18.0.2"])), problems(beside(["198.18.0.2"]))]).toEqual([all(beside([])), []]);
    expect([all(beside(["198.18.0.2", "10.1.0.77"])), problems(beside(["10.1.0.77"]))]).toEqual([
      all(beside([])).filter((one) => one !== "10.1.0.0/24"),
      ["OVN_AGENT_HOST_NETWORK tenant1"],
    ]);
    expect(desired(beside(["10.1.0.77"])).problems[0]!.message).toBe(
      '10.1.0.0/24 of tenant network "tenant1" is not announced: another chassis has its tunnels at 10.1.0.77, and the host would lose its way there',
    );
    expect([all(beside(["10.1.0.5"], "host")).includes("10.1.0.5/32"), all(beside(["10.1.0.6"], "host")).includes("10.1.0.5/32")]).toEqual([false, true]);
  });

  test("nor is an address of a provider network: a workload that has it would get all packets of the chassis", () => {
    const from = beside(["198.51.100.9"]);
    expect([all(from).includes("198.51.100.9/32"), all(beside(["198.51.100.10"])).includes("198.51.100.9/32"), problems(from)]).toEqual([
      false,
      true,
      ["OVN_AGENT_HOST_NETWORK ext"],
    ]);
    expect(desired(from).problems[0]!.message).toBe(
      '198.51.100.9/32 of network "ext" is not announced: another chassis has its tunnels at 198.51.100.9, and the host would lose its way there',
    );
  });

  test("a router's own address that is one is not a next hop, either", () => {
    expect(all(beside(["198.51.100.2"]))).toEqual(expect.not.arrayContaining(["198.51.100.2/32", "10.1.0.0/24"]));
  });

  test("a chassis's own among them are not in its way, and the next one behind these is", () => {
    const own = (tunnels: string[]) => snapshot(ROWS, { tenantNetworks: "subnet" }, { tunnels, ownTunnels: new Set(["10.1.0.77", "10.1.0.78"]) });
    expect([problems(own(["10.1.0.78", "10.1.0.77"])), all(own(["10.1.0.78", "10.1.0.77"])).includes("10.1.0.0/24")]).toEqual([[], true]);
    expect(desired(own(["10.1.0.79", "10.1.0.78", "10.1.0.77"])).problems.map(({ message }) => message)).toEqual([
      '10.1.0.0/24 of tenant network "tenant1" is not announced: another chassis has its tunnels at 10.1.0.79, and the host would lose its way there',
    ]);
    // Addresses behind the network are not in it.
    expect(problems(own(["10.1.0.77", "10.1.1.0"]))).toEqual([]);
  });

  test("as the one who compares each with each", () => {
    const octet = fc.integer({ min: 0, max: 7 }).map((last) => `10.1.${last >> 2}.${last & 3}`);
    const network = fc.integer({ min: 0, max: 4 }).map((bits) => ({ text: `10.1.0.0/${32 - bits}`, size: 2 ** bits }));
    fc.assert(
      fc.property(fc.array(octet, { maxLength: 5 }), network, (tunnels, { text, size }) => {
        const rows = [EXT, ...GATEWAY, ...joined("router1", "tenant1", `0a:00:00:00:01:02 ${text}`)];
        const met = tunnels.some((tunnel) => {
          const [, , third, last] = tunnel.split(".").map(Number);
          return third! * 256 + last! < size;
        });
        expect(all(snapshot(rows, { tenantNetworks: "subnet" }, { tunnels: ["192.0.2.1", ...tunnels, "2001:db8::1"] })).includes(text)).toBe(!met);
      }),
    );
  });
});

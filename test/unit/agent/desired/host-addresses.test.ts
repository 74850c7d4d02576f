import fc from "fast-check";
import { EXT, GATEWAY, TENANT, bound, joined, problems, routes, snapshot } from "./snapshots";
import { desired } from "@pulumi-ovn/agent";

const ROWS = [EXT, ...GATEWAY, ...TENANT, bound("vm", "ext", "0a:00:00:00:00:05 198.51.100.9"), bound("member", "tenant1", "0a:00:00:00:00:06 10.1.0.5")];
const from = (servers: string[], how: "subnet" | "host" = "subnet") => snapshot(ROWS, { providerPorts: true, tenantNetworks: how }, { servers });
const through = (servers: string[], how?: "subnet" | "host") =>
  routes(from(servers, how))
    .filter((route) => route.includes(" via "))
    .map((route) => route.split(" ")[0]);

test("a tenant network that contains a database server is not announced, and reported as a problem", () => {
  expect([through(["192.0.2.1"]), problems(from(["192.0.2.1"]))]).toEqual([["10.1.0.0/24", "2001:db8:1::/64"], []]);
  expect([through(["10.1.0.77"]), problems(from(["10.1.0.77"]))]).toEqual([["2001:db8:1::/64"], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
  expect(desired(from(["10.1.0.77"])).problems[0]!.message).toBe(
    '10.1.0.0/24 of tenant network "tenant1" is not announced: a server of OVN\'s databases is at 10.1.0.77, and the host would lose its way there',
  );
  expect(through(["10.1.0.77", "2001:db8:1::77"])).toEqual([]);
  expect(desired(from(["10.1.0.77", "2001:db8:1::77"])).problems.map(({ message }) => message.split(" ")[0])).toEqual(["10.1.0.0/24"]);
});

test("single addresses are announced, except the server's", () => {
  expect([through(["10.1.0.77"], "host"), problems(from(["10.1.0.77"], "host"))]).toEqual([["10.1.0.5/32"], []]);
  expect([through(["10.1.0.5"], "host"), problems(from(["10.1.0.5"], "host"))]).toEqual([[], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
});

test("a network that is not announced because of a server still conflicts with other tenant networks", () => {
  const both = [...ROWS, ...joined("router1", "tenant2", "0a:00:00:00:02:02 10.1.0.129/25")];
  const setting = (exclude: string[]) =>
    snapshot(both, { tenantNetworks: "subnet", exclude: { networks: exclude, ports: [], labels: {} } }, { servers: ["10.1.0.77"] });
  const announced = (exclude: string[]) => routes(setting(exclude)).filter((route) => route.startsWith("10."));
  expect([announced([]), problems(setting([]))]).toEqual([[], ["OVN_AGENT_OVERLAP tenant1 and tenant2"]]);
  expect([announced(["tenant2"]), problems(setting(["tenant2"]))]).toEqual([[], ["OVN_AGENT_HOST_NETWORK tenant1"]]);
  expect([announced(["tenant1"]), problems(setting(["tenant1"]))]).toEqual([["10.1.0.128/25 via 198.51.100.2 br-ex"], []]);
});

test("a provider network's addresses are announced even if a server has them", () => {
  expect([routes(from(["198.51.100.9"])).includes("198.51.100.9/32 br-ex"), problems(from(["198.51.100.9"]))]).toEqual([true, []]);
});

describe("other chassis' tunnels", () => {
  const withTunnels = (tunnels: string[], how: "subnet" | "host" = "subnet") => snapshot(ROWS, { providerPorts: true, tenantNetworks: how }, { tunnels });
  const all = (from: ReturnType<typeof snapshot>) => routes(from).map((route) => route.split(" ")[0]);

  test("withhold a tenant network that contains one, and no other route", () => {
    expect([all(withTunnels(["198.18.0.2"])), problems(withTunnels(["198.18.0.2"]))]).toEqual([all(withTunnels([])), []]);
    expect([all(withTunnels(["198.18.0.2", "10.1.0.77"])), problems(withTunnels(["10.1.0.77"]))]).toEqual([
      all(withTunnels([])).filter((one) => one !== "10.1.0.0/24"),
      ["OVN_AGENT_HOST_NETWORK tenant1"],
    ]);
    expect(desired(withTunnels(["10.1.0.77"])).problems[0]!.message).toBe(
      '10.1.0.0/24 of tenant network "tenant1" is not announced: another chassis has its tunnels at 10.1.0.77, and the host would lose its way there',
    );
    expect([all(withTunnels(["10.1.0.5"], "host")).includes("10.1.0.5/32"), all(withTunnels(["10.1.0.6"], "host")).includes("10.1.0.5/32")]).toEqual([
      false,
      true,
    ]);
  });

  test("withhold an address of a provider network: its workload would receive all packets of the chassis", () => {
    const from = withTunnels(["198.51.100.9"]);
    expect([all(from).includes("198.51.100.9/32"), all(withTunnels(["198.51.100.10"])).includes("198.51.100.9/32"), problems(from)]).toEqual([
      false,
      true,
      ["OVN_AGENT_HOST_NETWORK ext"],
    ]);
    expect(desired(from).problems[0]!.message).toBe(
      '198.51.100.9/32 of network "ext" is not announced: another chassis has its tunnels at 198.51.100.9, and the host would lose its way there',
    );
  });

  test("withhold a router's equal address as a next hop", () => {
    expect(all(withTunnels(["198.51.100.2"]))).toEqual(expect.not.arrayContaining(["198.51.100.2/32", "10.1.0.0/24"]));
  });

  test("do not count if they are the chassis's own; the next one counts", () => {
    const own = (tunnels: string[]) => snapshot(ROWS, { tenantNetworks: "subnet" }, { tunnels, ownTunnels: new Set(["10.1.0.77", "10.1.0.78"]) });
    expect([problems(own(["10.1.0.78", "10.1.0.77"])), all(own(["10.1.0.78", "10.1.0.77"])).includes("10.1.0.0/24")]).toEqual([[], true]);
    expect(desired(own(["10.1.0.79", "10.1.0.78", "10.1.0.77"])).problems.map(({ message }) => message)).toEqual([
      '10.1.0.0/24 of tenant network "tenant1" is not announced: another chassis has its tunnels at 10.1.0.79, and the host would lose its way there',
    ]);
    // Addresses behind the network are not in it.
    expect(problems(own(["10.1.0.77", "10.1.1.0"]))).toEqual([]);
  });

  test("give the same result as a comparison of each pair", () => {
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

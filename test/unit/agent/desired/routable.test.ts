import { EXT, HERE, ROUTER_MAC, bound, gatewayPort, joined, problems, routes, snapshot } from "./snapshots";

const GATEWAY = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24 2001:db8::2/64`, HERE);
const MAC = "0a:00:00:00:00:05";

test.each([
  ["0.0.0.1/8"],
  ["127.0.0.1/8"],
  ["127.1.0.1/24"],
  ["169.254.169.1/24"],
  ["168.0.0.1/8", true],
  ["169.0.0.1/8"],
  ["224.0.0.5/24"],
  ["239.1.2.1/16"],
  ["::1/64"],
  ["fe80::1/64", true],
  ["ff02::1/64"],
  // Two of them would be a default route.
  ["1.0.0.1/7"],
  ["128.0.0.1/1"],
  ["2001:db8::1/31"],
  ["8000::1/1"],
  ["10.0.0.1/8", true],
  ["2001:db9::1/32", true],
  ["240.0.0.1/24", true],
])("a tenant network %s", (address, fine = false) => {
  const from = snapshot([EXT, ...GATEWAY, ...joined("router1", "tenant1", `${MAC} ${address}`)], { tenantNetworks: "subnet" });
  const tenants = routes(from).filter((route) => route.includes(" via "));
  // Link-local addresses are every link's own, and not looked at.
  expect([tenants.length, problems(from)]).toEqual(fine ? [address.startsWith("fe80") ? 0 : 1, []] : [0, ["OVN_AGENT_NOT_ROUTABLE tenant1"]]);
});

test("unroutable single addresses on a provider network are omitted, the others are announced, and one problem names the network", () => {
  const nat = [`${ROUTER_MAC} 127.0.0.53 198.51.100.7 is_chassis_resident("cr-router1-ext")`];
  const rows = [
    ...gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24`, HERE, { switch: { natAddresses: nat } }),
    bound("vm", "ext", `${MAC} 169.254.169.254 0.0.0.0 255.255.255.255 198.51.100.9 :: ff02::1`),
  ];
  const from = snapshot([EXT, ...rows], { providerPorts: true, floatingIPs: true });
  expect([routes(from), problems(from)]).toEqual([["198.51.100.2/32 br-ex", "198.51.100.7/32 br-ex", "198.51.100.9/32 br-ex"], ["OVN_AGENT_NOT_ROUTABLE ext"]]);
});

import { transitRouter } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const SWITCH = "blue_ovn_layer2_switch";
const base = {
  zone: "node1",
  name: "blue_transit_router",
  tunnelKey: 16_715_780,
  switch: SWITCH,
  switchName: SWITCH,
  gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"] },
  chassis: "h1",
  gatewayMtu: 1400,
};
const management = { addresses: ["203.203.0.2", "2010:100:200::2"] };

describe("the transit router of a zone", () => {
  test("has its rows", () => {
    expect(rowsOf(transitRouter, base)).toEqual({
      "Logical_Router router": {
        name: "blue_transit_router",
        options: { "requested-tnl-key": "16715780" },
        claims: ["Logical_Switch other_config:requested-tnl-key=16715780", "Logical_Router options:requested-tnl-key=16715780"],
      },
      [`Logical_Router_Port trtos-${SWITCH}`]: {
        name: `trtos-${SWITCH}`,
        mac: "0a:58:cb:cb:00:01",
        networks: ["203.203.0.1/16", "2010:100:200::1/60"],
        options: { "requested-tnl-key": "1", gateway_mtu: "1400" },
        ipv6_ra_configs: {
          address_mode: "dhcpv6_stateful",
          send_periodic: "true",
          max_interval: "900",
          min_interval: "300",
          router_preference: "LOW",
          mtu: "1400",
        },
        in: "Logical_Router <router> ports",
      },
      [`Gateway_Chassis trtos-${SWITCH}-h1`]: {
        name: `trtos-${SWITCH}-h1`,
        chassis_name: "h1",
        priority: 1,
        in: `Logical_Router_Port <trtos-${SWITCH}> gateway_chassis`,
      },
      [`Logical_Switch_Port stotr-${SWITCH}`]: {
        name: `stotr-${SWITCH}`,
        type: "router",
        addresses: ["router"],
        options: { "router-port": `trtos-${SWITCH}` },
        in: `Logical_Switch ${SWITCH} ports`,
      },
    });
  });

  test("has no router advertisements with IPv4 only, and a MAC from the IPv6 address with IPv6 only", () => {
    const port = (addresses: string[], extra = {}) =>
      rowsOf(transitRouter, { ...base, ...extra, gateway: { addresses } })[`Logical_Router_Port trtos-${SWITCH}`];
    expect(port(["203.203.0.1/16"])).toMatchObject({ mac: "0a:58:cb:cb:00:01", ipv6_ra_configs: {} });
    expect(port(["2010:100:200::1/60"])).toMatchObject({ mac: "0a:58:d7:eb:90:5e", ipv6_ra_configs: { router_preference: "LOW" } });
    expect(port(["2010:100:200::1/60"], { routerAdvertisements: { enabled: false } })).toMatchObject({ ipv6_ra_configs: {} });
    expect(
      port(["2010:100:200::1/60"], { mtu: 1300, routerAdvertisements: { preference: "HIGH", maxInterval: 4, minInterval: 3, addressMode: "slaac" } }),
    ).toMatchObject({
      ipv6_ra_configs: { address_mode: "slaac", send_periodic: "true", max_interval: "4", min_interval: "3", router_preference: "HIGH", mtu: "1300" },
    });
  });

  test("does not depend on the order of the gateway's addresses", () => {
    const addresses = [...base.gateway.addresses].reverse();
    expect(rendered(transitRouter, { ...base, gateway: { addresses } })).toEqual(rendered(transitRouter, base));
  });

  test("may have a given MAC, a UUID of the switch, and a key of the switch's port", () => {
    const uuid = "0B0D4B50-7F1F-4C6F-9B9D-0A5D1F6F3C11";
    const rows = rowsOf(transitRouter, { ...base, switch: uuid, switchPortTunnelKey: 1, gateway: { ...base.gateway, mac: "0a:58:00:00:00:01" } });
    expect(rows[`Logical_Router_Port trtos-${SWITCH}`]).toMatchObject({ mac: "0a:58:00:00:00:01" });
    expect(rows[`Logical_Switch_Port stotr-${SWITCH}`]).toMatchObject({
      options: { "router-port": `trtos-${SWITCH}`, "requested-tnl-key": "1" },
      in: `Logical_Switch ${uuid.toLowerCase()} ports`,
    });
    expect(rendered(transitRouter, { ...base, gateway: { ...base.gateway, mac: "0a:58:00:00:00:01" } }).outputs).toEqual({ gatewayMac: "0a:58:00:00:00:01" });
  });

  test("has no key in a single zone, and does not learn from others", () => {
    const rows = rowsOf(transitRouter, { ...base, tunnelKey: undefined, chassis: undefined });
    expect(rows["Logical_Router router"]).toEqual({ name: "blue_transit_router", options: { always_learn_from_arp_request: "false" } });
    expect(Object.keys(rows).filter((key) => key.startsWith("Gateway_Chassis"))).toEqual([]);
  });

  test("needs OVN 25.03 for ct-commit-all", () => {
    const { set } = rendered(transitRouter, { ...base, ctCommitAll: true });
    expect(set.requires).toEqual([{ feature: "router option ct-commit-all", schema: "7.11.0", release: "25.03" }]);
    expect(rowsOf(transitRouter, { ...base, ctCommitAll: true })["Logical_Router router"]).toMatchObject({ options: { "ct-commit-all": "true" } });
    expect(rendered(transitRouter, base).set).not.toHaveProperty("requires");
  });

  test("has policies for services behind the management port, like those for the node's addresses", () => {
    const args = (services: string[]) => ({ ...base, management: { ...management, hostAddresses: ["172.18.0.3"], services } });
    const without = Object.keys(rowsOf(transitRouter, args([])));
    const rows = Object.entries(rowsOf(transitRouter, args(["fd10:96::/112", "10.96.0.10", "10.64.0.0/10"]))).filter(([key]) => !without.includes(key));
    const policy = (dst: string, nextHop: string) => ({
      priority: 1004,
      match: `inport == "trtos-blue_ovn_layer2_switch" && ${dst} /* blue_ovn_layer2_switch */`,
      action: "reroute",
      nexthops: [nextHop],
    });
    expect(Object.fromEntries(rows)).toMatchObject({
      "Logical_Router_Policy blue_transit_router 1004 10.96.0.10": policy("ip4.dst == 10.96.0.10", "203.203.0.2"),
      "Logical_Router_Policy blue_transit_router 1004 10.64.0.0/10": policy("ip4.dst == 10.64.0.0/10", "203.203.0.2"),
      "Logical_Router_Policy blue_transit_router 1004 fd10:96::/112": policy("ip6.dst == fd10:96::/112", "2010:100:200::2"),
    });
    expect(rows).toHaveLength(3);
  });

  test("translates to the management port, and has policies for the node's addresses", () => {
    const args = {
      ...base,
      management: { ...management, masqueradeAddresses: ["169.254.0.12", "fd69::c"], hostAddresses: ["fc00:f853:ccd:e793::3", "172.18.0.3"] },
    };
    const rows = rowsOf(transitRouter, args);
    const plain = rowsOf(transitRouter, base);
    expect(Object.fromEntries(Object.entries(rows).filter(([key]) => !(key in plain)))).toEqual({
      "NAT blue_transit_router snat 203.203.0.0/16 to management": {
        type: "snat",
        external_ip: "169.254.0.12",
        logical_ip: "203.203.0.0/16",
        logical_port: `trtos-${SWITCH}`,
        match: "eth.dst == 0a:58:cb:cb:00:02",
        options: { stateless: "false" },
        in: "Logical_Router <router> nat",
      },
      "NAT blue_transit_router snat 2010:100:200::/60 to management": {
        type: "snat",
        external_ip: "fd69::c",
        logical_ip: "2010:100:200::/60",
        logical_port: `trtos-${SWITCH}`,
        match: "eth.dst == 0a:58:cb:cb:00:02",
        options: { stateless: "false" },
        in: "Logical_Router <router> nat",
      },
      "Logical_Router_Policy blue_transit_router 1004 172.18.0.3": {
        priority: 1004,
        match: `inport == "trtos-${SWITCH}" && ip4.dst == 172.18.0.3 /* ${SWITCH} */`,
        action: "reroute",
        nexthops: ["203.203.0.2"],
        options: {},
        in: "Logical_Router <router> policies",
      },
      "Logical_Router_Policy blue_transit_router 1004 fc00:f853:ccd:e793::3": {
        priority: 1004,
        match: `inport == "trtos-${SWITCH}" && ip6.dst == fc00:f853:ccd:e793::3 /* ${SWITCH} */`,
        action: "reroute",
        nexthops: ["2010:100:200::2"],
        options: {},
        in: "Logical_Router <router> policies",
      },
    });
  });

  test("has given routes and policies, by name", () => {
    const rows = rowsOf(transitRouter, {
      ...base,
      routes: {
        dns: { prefix: "10.96.0.10", nextHop: "203.203.0.2" },
        back: { prefix: "10.0.0.0/8", nextHop: "203.203.0.9", policy: "src-ip", outputPort: `trtos-${SWITCH}` },
        away: { prefix: "::/0", nextHop: "fe80::1", outputPort: `trtos-${SWITCH}` },
      },
      policies: {
        egress: { priority: 100, match: "ip4.src == 203.203.0.17", action: "reroute", nextHops: ["100.88.0.9", "100.88.0.7"], packetMark: 50_000 },
        local: { priority: 102, match: "pkt.mark == 42", action: "allow" },
      },
    });
    expect(rows).toMatchObject({
      "Logical_Router_Static_Route blue_transit_router dns": { ip_prefix: "10.96.0.10", nexthop: "203.203.0.2", policy: "dst-ip" },
      "Logical_Router_Static_Route blue_transit_router back": {
        ip_prefix: "10.0.0.0/8",
        nexthop: "203.203.0.9",
        policy: "src-ip",
        output_port: `trtos-${SWITCH}`,
        in: "Logical_Router <router> static_routes",
      },
      "Logical_Router_Static_Route blue_transit_router away": { ip_prefix: "::/0", nexthop: "fe80::1", output_port: `trtos-${SWITCH}` },
      "Logical_Router_Policy blue_transit_router egress": { nexthops: ["100.88.0.9", "100.88.0.7"], options: { pkt_mark: "50000" } },
      "Logical_Router_Policy blue_transit_router local": { priority: 102, action: "allow", nexthops: [], options: {} },
    });
    expect(rows["Logical_Router_Static_Route blue_transit_router dns"]).not.toHaveProperty("output_port");
  });

  test.each([
    [{ gateway: { addresses: ["203.203.0.0/16"] } }, "gateway.addresses[0]: 203.203.0.0 is the first address of 203.203.0.0/16, which no host can have"],
    [
      { gateway: { addresses: ["203.203.0.1"] } },
      'gateway.addresses[0]: "203.203.0.1" has no prefix length: expected an address with one, such as 192.0.2.1/24',
    ],
    [{ gateway: { addresses: ["010.0.0.1/8"] } }, 'gateway.addresses[0]: "010.0.0.1" is not an IP address: leading zeros mean octal numbers to some programs'],
    [{ gateway: { addresses: ["203.203.0.1/16"] }, routerAdvertisements: {} }, "routerAdvertisements: need an IPv6 gateway address"],
    [{ routerAdvertisements: { maxInterval: 4, minInterval: 4 } }, "routerAdvertisements.minInterval: 4 is more than three quarters of maxInterval, 4"],
    [{ routerAdvertisements: { maxInterval: 1801 } }, "routerAdvertisements.maxInterval: maxInterval 1801 is out of range: 4 to 1800"],
    [{ routerAdvertisements: { maxInterval: 3, minInterval: 3 } }, "routerAdvertisements.maxInterval: maxInterval 3 is out of range: 4 to 1800"],
    [{ routerAdvertisements: { minInterval: 2 } }, "routerAdvertisements.minInterval: minInterval 2 is out of range: 3 to 1350"],
    [{ routerAdvertisements: { maxInterval: 1800, minInterval: 1351 } }, "routerAdvertisements.minInterval: minInterval 1351 is out of range: 3 to 1350"],
    [
      { externalIds: { team: "net", "pulumi-ovn:columns": "name" } },
      'externalIds["pulumi-ovn:columns"]: keys that begin with pulumi-ovn: are marks of this package',
    ],
    [{ mtu: 1279 }, "mtu: MTU 1279 is out of range: 1280 to 65535"],
    [{ management: { addresses: ["203.203.0.1"] } }, "management.addresses[0]: 203.203.0.1 is the gateway's address"],
    [{ management: { addresses: ["203.204.0.2"] } }, "management.addresses[0]: 203.204.0.2 is outside of 203.203.0.0/16 and 2010:100:200::/60"],
    [
      { management: { addresses: ["203.203.0.2"], services: ["fd10:96::/112"] } },
      "management.services[0]: fd10:96::/112 is IPv6, and the management port has no address of that family",
    ],
    [
      { chassis: undefined, management: { ...management, masqueradeAddresses: ["169.254.0.12"] } },
      "chassis: is required for source translation: OVN does it on the gateway chassis of the port",
    ],
    [
      { gateway: { addresses: ["203.203.0.1/16"] }, management: { addresses: ["203.203.0.2"], masqueradeAddresses: ["fd69::c"] } },
      "management.masqueradeAddresses[0]: fd69::c is of a family that the network does not have",
    ],
    [
      { management: { addresses: ["203.203.0.2"], hostAddresses: ["172.18.0.3", "fc00::3"] } },
      "management.hostAddresses[1]: fc00::3 is IPv6, and the management port has no address of that family",
    ],
    [{ routes: { a: { prefix: "10.0.0.0/8", nextHop: "fd97::1" } } }, "routes.a.nextHop: fd97::1 is IPv6, the prefix 10.0.0.0/8 is not"],
    [{ routes: { a: { prefix: "10.0.0.1/8", nextHop: "10.0.0.2" } } }, 'routes.a.prefix: "10.0.0.1/8" has host bits set: the subnet is 10.0.0.0/8'],
    [
      { routes: { a: { prefix: "::/0", nextHop: "fe80::1" } } },
      "routes.a.outputPort: is required with fe80::1: it is link-local, so every port has its subnet, and OVN would take one of them by chance",
    ],
    [
      { policies: { p: { priority: 1, match: "ip6", action: "reroute", nextHops: ["fd97::9", "fe80::1"] } } },
      "policies.p.nextHops[1]: fe80::1 can't be a policy's next hop: it is link-local, so every port has its subnet, and OVN would take one of them by chance",
    ],
    [{ policies: { p: { priority: 1, match: "ip4", action: "reroute" } } }, 'policies.p.nextHops: is required for "reroute"'],
    [{ policies: { p: { priority: 1, match: "ip4", action: "allow", nextHops: ["10.0.0.1"] } } }, 'policies.p.nextHops: has no meaning for "allow"'],
    [{ policies: { p: { priority: 32_768, match: "ip4", action: "allow" } } }, "policies.p.priority: priority 32768 is out of range: 0 to 32767"],
  ])("%j is refused", (change, complaint) => {
    expect(complaints(() => rendered(transitRouter, { ...base, ...change }))).toEqual([complaint]);
  });

  test("reports all errors together", () => {
    const args = {
      ...base,
      gateway: { addresses: ["203.203.0.1/16"] },
      management: { addresses: ["203.204.0.2"] },
      routerAdvertisements: {},
      routes: { a: { prefix: "::/0", nextHop: "10.0.0.1" } },
    };
    expect(complaints(() => rendered(transitRouter, args)).map((text) => text.split(":")[0])).toEqual([
      "routerAdvertisements",
      "management.addresses[0]",
      "routes.a.nextHop",
    ]);
  });
});

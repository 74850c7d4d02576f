import { gatewayRouter } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const GR = "GR_blue_node1";
const external = {
  switchName: "ext_blue_node1",
  localnetPortName: "br-ex_blue_node1",
  addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"],
  nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
};
const base = {
  zone: "node1",
  name: GR,
  chassis: "h1",
  external,
  joinAddresses: ["100.65.0.2", "fd99::2"],
  snatSubnets: ["203.203.0.0/16", "2010:100:200::/60"],
};

const route = (key: string, columns: object) => ({
  [`Logical_Router_Static_Route ${GR} ${key}`]: { policy: "dst-ip", ...columns, in: "Logical_Router <router> static_routes" },
});
const snat = (logical_ip: string, external_ip: string) => ({
  [`NAT ${GR} snat ${logical_ip}`]: { type: "snat", external_ip, logical_ip, match: "", options: { stateless: "false" }, in: "Logical_Router <router> nat" },
});

describe("a node's gateway router", () => {
  test("translates only external packets on a switch with other gateway routers, but join addresses always", () => {
    const masquerade = { subnets: ["169.254.0.0/17", "fd69::/112"], addresses: ["169.254.0.11", "fd69::b"] };
    const matches = Object.entries(rowsOf(gatewayRouter, { ...base, masquerade, snatOutsideOnly: true }) as Record<string, { match: string }>)
      .filter(([key]) => key.startsWith("NAT "))
      .map(([key, { match }]) => [key.split(" ").at(-1), match]);
    expect(matches).toEqual([
      ["100.65.0.2", ""],
      ["fd99::2", ""],
      ["203.203.0.0/16", `outport == "rtoe-${GR}"`],
      ["2010:100:200::/60", `outport == "rtoe-${GR}"`],
    ]);
  });

  test("translates packets of an advertised network to some destinations, by sets whose members may change", () => {
    const rows = rowsOf(gatewayRouter, { ...base, name: "GR_blue_node-1", snatDestinations: ["172.18.0.0/24", "172.18.7.1", "fc00:f853:ccd:e793::/64"] });
    const { "Address_Set GR_blue_node-1 translated ip4": four, "Address_Set GR_blue_node-1 translated ip6": six, ...rest } = rows;
    expect([four, six]).toEqual([
      { name: "GR_blue_node.1.translated_ip4", addresses: ["172.18.0.0/24", "172.18.7.1"] },
      { name: "GR_blue_node.1.translated_ip6", addresses: ["fc00:f853:ccd:e793::/64"] },
    ]);
    const usual = rowsOf(gatewayRouter, { ...base, name: "GR_blue_node-1" }) as Record<string, object>;
    for (const [family, subnet] of [
      [4, "203.203.0.0/16"],
      [6, "2010:100:200::/60"],
    ]) {
      const key = `NAT GR_blue_node-1 snat ${subnet}`;
      usual[key] = { ...usual[key], match: `ip${family}.dst == $GR_blue_node.1.translated_ip${family}` };
    }
    expect(rest).toEqual(usual);
  });

  test("requires both conditions on a switch with others, and does not translate a family without destinations", () => {
    const rows = rowsOf(gatewayRouter, { ...base, snatOutsideOnly: true, snatDestinations: ["172.18.0.0/24"] }) as Record<
      string,
      { match: string; addresses?: string[] }
    >;
    expect(rows[`NAT ${GR} snat 203.203.0.0/16`]!.match).toBe(`outport == "rtoe-${GR}" && ip4.dst == $${GR}.translated_ip4`);
    expect(rows[`Address_Set ${GR} translated ip6`]!.addresses).toEqual([]);
    const digit = rowsOf(gatewayRouter, { ...base, name: "7-gw", snatDestinations: ["172.18.0.0/24"] });
    expect(digit).toMatchObject({
      "Address_Set 7-gw translated ip4": { name: "_7.gw.translated_ip4" },
      "NAT 7-gw snat 203.203.0.0/16": { match: "ip4.dst == $_7.gw.translated_ip4" },
    });
    expect(
      Object.keys(rowsOf(gatewayRouter, { ...base, snatSubnets: ["203.203.0.0/16"], snatDestinations: [] })).filter((key) => key.startsWith("Address_Set")),
    ).toEqual([`Address_Set ${GR} translated ip4`]);
  });

  test("its rows", () => {
    expect(rowsOf(gatewayRouter, base)).toEqual({
      "Logical_Router router": {
        name: GR,
        options: {
          chassis: "h1",
          always_learn_from_arp_request: "false",
          dynamic_neigh_routers: "false",
          mac_binding_age_threshold: "300",
          lb_force_snat_ip: "100.65.0.2 fd99::2",
        },
      },
      [`Logical_Router_Port rtoe-${GR}`]: {
        name: `rtoe-${GR}`,
        mac: "0a:58:ac:12:00:0b",
        networks: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"],
        in: "Logical_Router <router> ports",
      },
      "Logical_Switch external switch": { name: "ext_blue_node1" },
      "Logical_Switch_Port br-ex_blue_node1": {
        name: "br-ex_blue_node1",
        type: "localnet",
        addresses: ["unknown"],
        options: { network_name: "physnet" },
        in: "Logical_Switch <external switch> ports",
      },
      [`Logical_Switch_Port etor-${GR}`]: {
        name: `etor-${GR}`,
        type: "router",
        addresses: ["0a:58:ac:12:00:0b"],
        options: { "router-port": `rtoe-${GR}`, "nat-addresses": "router", "exclude-lb-vips-from-garp": "true" },
        in: "Logical_Switch <external switch> ports",
      },
      ...route("0.0.0.0/0", { ip_prefix: "0.0.0.0/0", nexthop: "172.18.0.1", output_port: `rtoe-${GR}` }),
      ...route("::/0", { ip_prefix: "::/0", nexthop: "fc00:f853:ccd:e793::1", output_port: `rtoe-${GR}` }),
      ...snat("203.203.0.0/16", "172.18.0.11"),
      ...snat("2010:100:200::/60", "fc00:f853:ccd:e793::b"),
    });
  });

  test("behind masquerade addresses of its host", () => {
    const masquerade = { subnets: ["169.254.0.0/17", "fd69::/112"], addresses: ["169.254.0.11", "fd69::b"] };
    const rows = rowsOf(gatewayRouter, { ...base, masquerade });
    const plain = rowsOf(gatewayRouter, base);
    expect(rows[`Logical_Router_Port rtoe-${GR}`]).toMatchObject({
      networks: ["169.254.0.11/32", "172.18.0.11/24", "fc00:f853:ccd:e793::b/64", "fd69::b/128"],
    });
    expect(Object.fromEntries(Object.entries(rows).filter(([key]) => !(key in plain) || key.startsWith("NAT")))).toEqual({
      ...snat("100.65.0.2", "169.254.0.11"),
      ...snat("fd99::2", "fd69::b"),
      ...snat("203.203.0.0/16", "169.254.0.11"),
      ...snat("2010:100:200::/60", "fd69::b"),
      ...route("169.254.0.0/17", { ip_prefix: "169.254.0.0/17", nexthop: "169.254.0.4", output_port: `rtoe-${GR}` }),
      ...route("fd69::/112", { ip_prefix: "fd69::/112", nexthop: "fd69::4", output_port: `rtoe-${GR}` }),
      ...binding("169.254.0.4", "0a:58:a9:fe:00:04"),
      ...binding("169.254.0.2", "0a:58:a9:fe:00:02"),
      ...binding("fd69::4", "0a:58:1b:ac:71:41"),
      ...binding("fd69::2", "0a:58:e0:ff:1d:9b"),
    });
  });

  const binding = (ip: string, mac: string) => ({
    [`Static_MAC_Binding rtoe-${GR} ${ip}`]: { logical_port: `rtoe-${GR}`, ip, mac, override_dynamic_mac: true },
  });

  const storage = {
    switchName: "storage-ext_blue_node1",
    localnetPortName: "storage-localnet_blue_node1",
    addresses: ["fd50::b/64", "10.50.0.11/24"],
    mtu: 1400,
    routes: { disks: { prefix: "10.60.0.0/16", nextHops: ["10.50.0.1"] }, tapes: { prefix: "fd60::1", nextHops: ["fd50::2", "fd50::1"] } },
  };
  const port = `storage-rtoe-${GR}`;

  test("of a further external network has a switch, a port, routes, and translations of its packets", () => {
    const added = (more: object) => {
      const plain = rowsOf(gatewayRouter, { ...base, ...more });
      const rows = rowsOf(gatewayRouter, { ...base, ...more, furtherExternals: { storage } });
      expect(rows).toMatchObject(plain);
      return Object.fromEntries(Object.entries(rows).filter(([key]) => !(key in plain)));
    };
    const by = (logical_ip: string, external_ip: string, more = "") => ({
      [`NAT ${GR} snat ${logical_ip} by storage`]: {
        type: "snat",
        external_ip,
        logical_ip,
        match: `outport == "${port}"${more}`,
        priority: 2,
        options: { stateless: "false" },
        in: "Logical_Router <router> nat",
      },
    });
    expect(added({})).toEqual({
      [`Logical_Router_Port ${port}`]: {
        name: port,
        mac: "0a:58:d5:87:c2:bd",
        networks: ["10.50.0.11/24", "fd50::b/64"],
        options: { gateway_mtu: "1400" },
        in: "Logical_Router <router> ports",
      },
      "Logical_Switch external switch storage": { name: "storage-ext_blue_node1" },
      "Logical_Switch_Port storage-localnet_blue_node1": {
        name: "storage-localnet_blue_node1",
        type: "localnet",
        addresses: ["unknown"],
        options: { network_name: "storage" },
        in: "Logical_Switch <external switch storage> ports",
      },
      [`Logical_Switch_Port storage-etor-${GR}`]: {
        name: `storage-etor-${GR}`,
        type: "router",
        addresses: ["0a:58:d5:87:c2:bd"],
        options: { "router-port": port, "nat-addresses": "0a:58:d5:87:c2:bd 10.50.0.11 fd50::b" },
        in: "Logical_Switch <external switch storage> ports",
      },
      ...route("storage disks", { ip_prefix: "10.60.0.0/16", nexthop: "10.50.0.1", output_port: port }),
      ...route("storage tapes via fd50::1", { ip_prefix: "fd60::1", nexthop: "fd50::1", output_port: port }),
      ...route("storage tapes via fd50::2", { ip_prefix: "fd60::1", nexthop: "fd50::2", output_port: port }),
      ...by("203.203.0.0/16", "10.50.0.11"),
      ...by("2010:100:200::/60", "fd50::b"),
    });
    const masquerade = { subnets: ["169.254.0.0/17", "fd69::/112"], addresses: ["169.254.0.11", "fd69::b"] };
    expect(added({ masquerade })).toMatchObject({ ...by("100.65.0.2", "10.50.0.11"), ...by("fd99::2", "fd50::b") });
    expect(added({ snatDestinations: ["10.60.0.0/16"] })).toMatchObject(by("203.203.0.0/16", "10.50.0.11", ` && ip4.dst == $${GR}.translated_ip4`));
    expect(Object.keys(added({ snatSubnets: [] })).filter((key) => key.startsWith("NAT"))).toEqual([]);
    expect(added({ neighbors: { announceAddresses: false } })).toMatchObject({
      [`Logical_Switch_Port storage-etor-${GR}`]: { options: { "router-port": port } },
    });
    expect(added({ neighbors: { announceAddresses: false } })).not.toHaveProperty([`Logical_Switch_Port storage-etor-${GR}`, "options", "nat-addresses"]);
  });

  test("of a further network translates only one family if the network has no other; its external name, VLAN and MAC are options", () => {
    const rows = rowsOf(gatewayRouter, {
      ...base,
      furtherExternals: { storage: { ...storage, addresses: ["10.50.0.11/24"], mac: "0a:58:00:00:00:07", vlan: 9, networkName: "physnet", routes: {} } },
    });
    expect(Object.keys(rows).filter((key) => key.endsWith("by storage"))).toEqual([`NAT ${GR} snat 203.203.0.0/16 by storage`]);
    expect(rows["Logical_Switch_Port storage-localnet_blue_node1"]).toMatchObject({ options: { network_name: "physnet" }, tag: 9 });
    expect(rows[`Logical_Router_Port ${port}`]).toMatchObject({ mac: "0a:58:00:00:00:07" });
  });

  test("imports no routes over a further network, and has no default route that leaves the VRF", () => {
    const alone = { ...base, external: { ...external, nextHops: [] }, furtherExternals: { storage } };
    const ports = (rows: Record<string, unknown>) => [`rtoe-${GR}`, port].map((name) => (rows[`Logical_Router_Port ${name}`] as { options: object }).options);
    expect(ports(rowsOf(gatewayRouter, { ...alone, importRoutes: { table: 70, uplink: "uplink" } }))).toEqual([
      { "dynamic-routing-port-name": "uplink" },
      { "dynamic-routing-port-name": "none", gateway_mtu: "1400" },
    ]);
    const routes = { all: { prefix: "0.0.0.0/0", nextHops: ["10.50.0.1"] }, some: storage.routes.disks };
    expect(
      complaints(() =>
        rendered(gatewayRouter, {
          ...alone,
          furtherExternals: { storage: { ...storage, routes } },
          importRoutes: { table: 70, uplink: "uplink", vrf: "blue" },
        }),
      ),
    ).toEqual([
      "furtherExternals.storage.routes.all: packets would leave VRF blue by 10.50.0.1 where it has no route: with importRoutes.vrf the routing daemon has to learn a default route",
    ]);
  });

  test("may have further networks with a name of another network", () => {
    const furtherExternals = { storage: { ...storage, switchName: external.switchName }, tapes: { ...storage, addresses: ["10.51.0.11/24"], routes: {} } };
    expect(complaints(() => rendered(gatewayRouter, { ...base, furtherExternals }))).toEqual([
      "furtherExternals.storage.switchName: switch name ext_blue_node1 is already used by external",
      "furtherExternals.tapes.localnetPortName: port name storage-localnet_blue_node1 is already used by storage",
    ]);
  });

  test("translates, forces and routes nothing without arguments for it", () => {
    const rows = rowsOf(gatewayRouter, { zone: "z", name: "gr", chassis: "h1", external: { ...external, nextHops: [] } });
    expect(Object.keys(rows)).toEqual([
      "Logical_Router router",
      "Logical_Router_Port rtoe-gr",
      "Logical_Switch external switch",
      "Logical_Switch_Port br-ex_blue_node1",
      "Logical_Switch_Port etor-gr",
    ]);
    expect(rows["Logical_Router router"]).not.toHaveProperty("options.lb_force_snat_ip");
  });

  test("keeps the row of a changed next hop, and distinguishes several of a family", () => {
    const keys = (nextHops: string[]) =>
      Object.keys(rowsOf(gatewayRouter, { ...base, external: { ...external, nextHops } })).filter((key) => key.includes("/0"));
    expect(keys(["172.18.0.1"])).toEqual([`Logical_Router_Static_Route ${GR} 0.0.0.0/0`]);
    expect(keys(["172.18.0.2"])).toEqual([`Logical_Router_Static_Route ${GR} 0.0.0.0/0`]);
    expect(keys(["172.18.0.2", "172.18.0.1"])).toEqual([
      `Logical_Router_Static_Route ${GR} 0.0.0.0/0 via 172.18.0.1`,
      `Logical_Router_Static_Route ${GR} 0.0.0.0/0 via 172.18.0.2`,
    ]);
  });

  test("translates to the first address of each family, at any position of the list", () => {
    const addresses = ["fc00:f853:ccd:e793::b/64", "172.18.0.99/24", "172.18.0.11/24"];
    const rows = rowsOf(gatewayRouter, { ...base, external: { ...external, addresses, mac: "0a:58:00:00:00:01" } });
    expect(rows).toMatchObject({ ...snat("203.203.0.0/16", "172.18.0.99"), ...snat("2010:100:200::/60", "fc00:f853:ccd:e793::b") });
    expect(rows[`Logical_Switch_Port etor-${GR}`]).toMatchObject({ addresses: ["0a:58:00:00:00:01"] });
  });

  test("has VLAN, physical network, and announcements of its addresses", () => {
    const neighbors = {
      alwaysLearnFromArpRequest: true,
      dynamicNeighborRouters: true,
      agingThreshold: 0,
      announceAddresses: false,
      excludeLoadBalancerVips: false,
      disableAnnouncements: true,
    };
    const args = { ...base, external: { ...external, vlan: 100, networkName: "datacenter" }, neighbors };
    const rows = rowsOf(gatewayRouter, args);
    expect(rows["Logical_Switch_Port br-ex_blue_node1"]).toMatchObject({ tag: 100, options: { network_name: "datacenter" } });
    expect(rows["Logical_Router router"]).toMatchObject({
      options: { always_learn_from_arp_request: "true", dynamic_neigh_routers: "true", mac_binding_age_threshold: "0", disable_garp_rarp: "true" },
    });
    expect(rows[`Logical_Switch_Port etor-${GR}`]).toMatchObject({ options: { "router-port": `rtoe-${GR}` } });
    expect(rendered(gatewayRouter, args).set.requires).toEqual([{ feature: "router option disable_garp_rarp", schema: "7.18.0", release: "26.03" }]);
  });

  test("reaches the next hop of a /32 through the port; link-local next hops are in every subnet", () => {
    const args = { ...base, external: { ...external, addresses: ["10.0.0.5/32", "fc00::5/64"], nextHops: ["169.254.1.1", "fe80::1"] } };
    expect(Object.keys(rowsOf(gatewayRouter, args))).toContain(`Logical_Router_Static_Route ${GR} 0.0.0.0/0`);
  });

  test.each([
    [
      { external: { ...external, addresses: [] } },
      [
        "external.addresses: needs at least one address",
        "external.nextHops[0]: 172.18.0.1 is IPv4, and there is no external address of that family",
        "external.nextHops[1]: fc00:f853:ccd:e793::1 is IPv6, and there is no external address of that family",
        "snatSubnets[0]: 203.203.0.0/16 is IPv4, and the router has no external address of that family to translate to",
        "snatSubnets[1]: 2010:100:200::/60 is IPv6, and the router has no external address of that family to translate to",
      ],
    ],
    [
      { external: { ...external, addresses: ["172.18.0.255/24", external.addresses[1]!] } },
      ["external.addresses[0]: 172.18.0.255 is the broadcast address of 172.18.0.0/24, which no host can have"],
    ],
    [
      { external: { ...external, nextHops: ["172.19.0.1"] } },
      ["external.nextHops[0]: 172.19.0.1 is in none of the external subnets, so nothing would answer for it"],
    ],
    [{ external: { ...external, nextHops: ["172.18.0.11"] } }, ["external.nextHops[0]: 172.18.0.11 is the router's own address"]],
    [{ external: { ...external, vlan: 4_095 } }, ["external.vlan: VLAN 4095 is out of range: 1 to 4094"]],
    [{ external: { ...external, mac: "01:00:5e:00:00:01" } }, ['external.mac: "01:00:5e:00:00:01" is a group address, which no port can have']],
    [{ joinAddresses: ["100.65.0.2", "100.65.0.3"] }, ["joinAddresses[1]: 100.65.0.2 and 100.65.0.3: only one IPv4 entry is possible here"]],
    [
      { snatSubnets: ["203.203.0.0/16"], masquerade: { subnets: ["fd69::/112"], addresses: ["fd69::b"] } },
      ["snatSubnets[0]: 203.203.0.0/16 is IPv4, and the router has no masquerade address of that family to translate to"],
    ],
    [
      { snatSubnets: [], masquerade: { subnets: ["169.254.0.0/17"], addresses: ["169.255.0.11"] } },
      ["masquerade.addresses[0]: 169.255.0.11 is outside of 169.254.0.0/17"],
    ],
    [
      { snatSubnets: [], masquerade: { subnets: ["169.254.0.0/17", "fd69::/112"], addresses: ["169.254.0.11"] } },
      ["masquerade.subnets[1]: needs a masquerade address inside, IPv6"],
    ],
  ])("%j is refused", (change, expected) => {
    expect(complaints(() => rendered(gatewayRouter, { ...base, ...change }))).toEqual(expected);
  });
});

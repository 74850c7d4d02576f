import { expandLayer2Network, kinds, type Layer2NetworkArgs, type LooseNetworkArgs, needsOf, partialNetwork, partOf } from "@pulumi-ovn/provider";
import { rendered, rowsOf } from "./helpers";
import { dual, node } from "./networks";

const v4 = (args: Layer2NetworkArgs): Layer2NetworkArgs => ({
  ...args,
  subnets: ["203.203.0.0/16"],
  workloads: { vm1: { node: "node1", addresses: ["203.203.0.17"] } },
});
const v6 = (args: Layer2NetworkArgs): Layer2NetworkArgs => ({
  ...args,
  subnets: ["2010:100:200::/60"],
  nodes: Object.fromEntries(
    Object.entries(args.nodes).map(([name, { external, ...rest }]) => [
      name,
      { ...rest, external: { addresses: [external.addresses[1]!], nextHops: [external.nextHops![1]!] } },
    ]),
  ),
  workloads: { vm1: { node: "node1", addresses: ["2010:100:200::11"] } },
});

/** All rows of a zone, of every kind. */
function zoneRows(args: Layer2NetworkArgs, zone: string): Record<string, unknown> {
  const plan = expandLayer2Network(args).zones[zone]!;
  return {
    ...rowsOf(kinds.Layer2Switch, plan.switch),
    ...prefixed("GR", rowsOf(kinds.GatewayRouter, plan.gatewayRouter)),
    ...prefixed("TR", rowsOf(kinds.Layer2Gateway, plan.gateway)),
    ...(plan.workloads && rowsOf(kinds.WorkloadPorts, plan.workloads)),
    ...(plan.remoteChassis && rowsOf(kinds.RemoteChassis, plan.remoteChassis)),
  };
}

const prefixed = (prefix: string, rows: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(rows).map(([key, row]) => [key.replace("Logical_Router router", `Logical_Router ${prefix}`), row]));

describe("a layer-2 network of three nodes", () => {
  test("dual stack: the arguments of every resource of a zone", () => {
    expect(expandLayer2Network(dual).zones.node2).toEqual({
      node: "node2",
      switch: {
        zone: "node2",
        name: "blue_ovn_layer2_switch",
        subnets: ["203.203.0.0/16", "2010:100:200::/60"],
        interconnect: true,
        tunnelKey: 16_715_779,
      },
      gatewayRouter: {
        zone: "node2",
        name: "GR_blue_node2",
        chassis: "node2",
        external: {
          switchName: "ext_blue_node2",
          localnetPortName: "br-ex_blue_node2",
          networkName: "physnet",
          addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"],
          nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
        },
        joinAddresses: ["100.65.0.3", "fd99::3"],
        snatSubnets: ["203.203.0.0/16", "2010:100:200::/60"],
      },
      gateway: {
        zone: "node2",
        network: "blue",
        switch: "blue_ovn_layer2_switch",
        switchName: "blue_ovn_layer2_switch",
        gatewayRouter: "GR_blue_node2",
        node: "node2",
        nodes: { node1: { id: 2 }, node2: { id: 3 }, node3: { id: 4 } },
        subnets: ["203.203.0.0/16", "2010:100:200::/60"],
        transitSubnets: ["100.88.0.0/16", "fd97::/64"],
        joinSubnets: ["100.65.0.0/16", "fd99::/64"],
        gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"], mac: "0a:58:cb:cb:00:01" },
        mtu: 1400,
        gatewayMtu: 1400,
        ctCommitAll: false,
        gatewayMode: "shared",
        tunnelKey: 16_715_780,
      },
      workloads: {
        zone: "node2",
        switch: "blue_ovn_layer2_switch",
        ports: {
          vm1: {
            addresses: ["203.203.0.17", "2010:100:200::11"],
            mac: "0a:58:cb:cb:00:11",
            tunnelKey: 27,
            portSecurity: true,
            remote: true,
            chassis: ["node1"],
          },
          vm2: { addresses: ["203.203.0.18", "2010:100:200::12"], mac: "0a:58:cb:cb:00:12", tunnelKey: 28, portSecurity: true, chassis: ["node2"] },
        },
      },
      remoteChassis: {
        zone: "node2",
        chassis: {
          node1: { addresses: ["198.18.0.1"], encapsulation: "geneve", hostname: "node1" },
          node3: { addresses: ["198.18.0.3"], encapsulation: "geneve", hostname: "node3" },
        },
      },
    });
  });

  test("outputs for machines and operators", () => {
    const { zones, claims: _claims, members, ...facts } = expandLayer2Network(dual);
    expect(Object.keys(zones)).toEqual(["node1", "node2", "node3"]);
    expect(members).toEqual({
      nodes: { node1: { id: 2 }, node2: { id: 3 }, node3: { id: 4 } },
      chassis: Object.fromEntries(
        [1, 2, 3].map((n) => [`node${n}`, { zone: `node${n}`, addresses: [`198.18.0.${n}`], encapsulation: "geneve", hostname: `node${n}` }]),
      ),
      workloads: {
        vm1: { zone: "node1", chassis: "node1", addresses: ["203.203.0.17", "2010:100:200::11"], mac: "0a:58:cb:cb:00:11", tunnelKey: 27 },
        vm2: { zone: "node2", chassis: "node2", addresses: ["203.203.0.18", "2010:100:200::12"], mac: "0a:58:cb:cb:00:12", tunnelKey: 28 },
      },
    });
    expect(facts).toEqual({
      gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"], mac: "0a:58:cb:cb:00:01" },
      topologies: { node1: "transit", node2: "transit", node3: "transit" },
      upgrade: undefined,
      joinSubnets: ["100.65.0.0/16", "fd99::/64"],
      transitSubnets: ["100.88.0.0/16", "fd97::/64"],
      workloads: {
        vm1: { node: "node1", portName: "vm1", addresses: ["203.203.0.17/16", "2010:100:200::11/60"], mac: "0a:58:cb:cb:00:11", tunnelKey: 27 },
        vm2: { node: "node2", portName: "vm2", addresses: ["203.203.0.18/16", "2010:100:200::12/60"], mac: "0a:58:cb:cb:00:12", tunnelKey: 28 },
      },
    });
  });

  test.each([
    ["dual stack", dual, 38],
    ["IPv4", v4(dual), 29],
    ["IPv6", v6(dual), 28],
  ])("%s: every zone's rows pass the checks of their kinds", (_title, args, count) => {
    for (const zone of ["node1", "node2", "node3"]) expect(Object.keys(zoneRows(args, zone))).toHaveLength(count);
  });

  test.each([
    ["IPv4", v4(dual), /fd97|fd99|2010:|fc00:f853/],
    ["IPv6", v6(dual), /203\.203|100\.88|100\.65|172\.18/],
  ])("%s has no objects of the other family", (_title, args, other) => {
    const inside = Object.entries(zoneRows(args, "node1")).filter(([key]) => !/rtoe|etor|GR_blue_node1 (::|0\.0)/.test(key));
    expect(inside.filter(([key, row]) => other.test(key + JSON.stringify(row)))).toEqual([]);
  });

  test("equal keys in all zones: of the datapaths, of the links, of the workloads", () => {
    const keys = (zone: string) =>
      Object.fromEntries(
        Object.entries(zoneRows(dual, zone)).flatMap(([key, row]) => {
          const { options, other_config } = row as { options?: Record<string, string>; other_config?: Record<string, string> };
          const value = (options ?? other_config)?.["requested-tnl-key"];
          return value === undefined ? [] : [[key, value]];
        }),
      );
    const expected = {
      "Logical_Switch switch": "16715779",
      "Logical_Router TR": "16715780",
      "Logical_Router_Port trtos-blue_ovn_layer2_switch": "1",
      "Logical_Switch_Port stotr-blue_ovn_layer2_switch": "1",
      "Logical_Router_Port trtor-GR_blue_node1": "12",
      "Logical_Router_Port trtor-GR_blue_node2": "13",
      "Logical_Router_Port trtor-GR_blue_node3": "14",
      "Logical_Switch_Port vm1": "27",
      "Logical_Switch_Port vm2": "28",
    };
    for (const zone of ["node1", "node2", "node3"]) expect(keys(zone)).toEqual(expected);
  });

  test("a zone's rows for another node equal that node's gateway router", () => {
    const [one, two] = [zoneRows(dual, "node1"), zoneRows(dual, "node2")] as Record<string, Record<string, unknown>>[];
    const { mac, networks } = two!["Logical_Router_Port rtotr-GR_blue_node2"]!;
    expect(one!["Static_MAC_Binding trtor-GR_blue_node2 100.88.0.7"]!.mac).toBe(mac);
    expect(one!["Logical_Router_Static_Route blue_transit_router 100.65.0.3"]!.nexthop).toBe("100.88.0.7");
    expect(networks).toEqual(["100.65.0.3/16", "fd99::3/64", "100.88.0.7/31", "fd97::7/127"]);
    expect(two!["Logical_Router_Port trtor-GR_blue_node2"]!.mac).toBe(one!["Logical_Router_Port trtor-GR_blue_node2"]!.mac);
  });
});

describe("options of a network", () => {
  const everything: Layer2NetworkArgs = {
    ...dual,
    networkId: 6,
    management: {},
    masquerade: { hostFlows: true },
    gatewayMode: "local",
    externalIds: { "k8s.ovn.org/network": "blue" },
    nodes: { ...dual.nodes, node1: { ...node(1), hostAddresses: ["172.18.0.111"] } },
  };

  test("management port, masquerade addresses, local gateway mode", () => {
    const plan = expandLayer2Network(everything).zones.node1!;
    expect(plan.switch).toMatchObject({
      managementPort: { name: "k8s-blue_node1", addresses: ["203.203.0.2", "2010:100:200::2"], mac: "0a:58:cb:cb:00:02", tunnelKey: 2 },
      aclFromManagement: true,
    });
    expect(plan.gateway.management).toEqual({
      addresses: ["203.203.0.2", "2010:100:200::2"],
      mac: "0a:58:cb:cb:00:02",
      masqueradeAddresses: ["169.254.0.22", "fd69::16"],
      hostAddresses: ["172.18.0.111"],
    });
    expect(plan.gatewayRouter.masquerade).toEqual({ subnets: ["169.254.0.0/17", "fd69::/112"], addresses: ["169.254.0.21", "fd69::15"] });
    expect(plan.gateway).toMatchObject({ gatewayMode: "local", masqueradeSubnets: ["169.254.0.0/17", "fd69::/112"] });
    expect(expandLayer2Network(everything).zones.node2!.gateway.management!.hostAddresses).toEqual([]);
  });

  test("external_ids on every row with the column", () => {
    for (const [key, row] of Object.entries(zoneRows(everything, "node1"))) {
      const expected = /^(Static_MAC_Binding|Encap) /.test(key) ? undefined : { "k8s.ovn.org/network": "blue" };
      expect([key, (row as { external_ids?: unknown }).external_ids]).toEqual([key, expected]);
    }
  });

  test("an advertised network: translations for some destinations only, and drops for networks that it is isolated from", () => {
    const { zones } = expandLayer2Network({ ...dual, advertised: { translateTo: ["172.18.0.0/24"], isolateFrom: ["2010:200::/32", "203.204.0.0/16"] } });
    for (const { gatewayRouter } of Object.values(zones)) {
      expect(gatewayRouter.snatDestinations).toEqual(["172.18.0.0/24"]);
      expect(gatewayRouter.policies).toEqual({
        "isolated-from-203.204.0.0/16": { priority: 9000, match: "ip4.src == 203.203.0.0/16 && ip4.dst == 203.204.0.0/16", action: "drop" },
        "isolated-from-2010:200::/32": { priority: 9000, match: "ip6.src == 2010:100:200::/60 && ip6.dst == 2010:200::/32", action: "drop" },
      });
    }
    expect(Object.values(expandLayer2Network({ ...dual, advertised: {} }).zones)[0]!.gatewayRouter).toMatchObject({ snatDestinations: [] });
    expect(Object.values(expandLayer2Network({ ...dual, advertised: {} }).zones)[0]!.gatewayRouter).not.toHaveProperty("policies");
  });

  test("links of both families in a network of IPv4 only", () => {
    const { gatewayRouter, gateway } = expandLayer2Network({
      ...v4(dual),
      joinSubnets: ["100.65.0.0/16", "fd99::/64"],
      networkId: 7,
      masquerade: { hostFlows: true },
      management: {},
    }).zones["node1"]!;
    const router = rowsOf(kinds.GatewayRouter, gatewayRouter);
    const between = rowsOf(kinds.Layer2Gateway, gateway);
    expect(router["Logical_Router router"]).toMatchObject({ options: { lb_force_snat_ip: "100.65.0.2 fd99::2" } });
    expect(router["Logical_Router_Port rtoe-GR_blue_node1"]).toMatchObject({
      networks: ["169.254.0.23/32", "172.18.0.11/24", "fc00:f853:ccd:e793::b/64", "fd69::17/128"],
    });
    expect(Object.keys(router).filter((key) => key.startsWith("NAT "))).toEqual([
      "NAT GR_blue_node1 snat 100.65.0.2",
      "NAT GR_blue_node1 snat fd99::2",
      "NAT GR_blue_node1 snat 203.203.0.0/16",
    ]);
    expect(Object.keys(router).filter((key) => key.startsWith("Static_MAC_Binding "))).toHaveLength(4);
    expect(between["Logical_Router_Port rtotr-GR_blue_node1"]).toMatchObject({
      networks: ["100.65.0.2/16", "fd99::2/64", "100.88.0.5/31", "fd97::5/127"],
    });
    expect(Object.keys(between).filter((key) => key.startsWith("NAT "))).toHaveLength(1);
    expect(between["Logical_Router_Port trtos-blue_ovn_layer2_switch"]).toMatchObject({ networks: ["203.203.0.1/16"] });
  });

  test("source ports of every translation, and connection tracking of gateway routers", () => {
    const { gatewayRouter, gateway } = expandLayer2Network({
      ...dual,
      networkId: 7,
      masquerade: { hostFlows: true },
      management: {},
      snatPorts: "32768-60999",
      gatewayRouterCtCommitAll: true,
    }).zones["node1"]!;
    const rows = Object.entries({ ...rowsOf(kinds.GatewayRouter, gatewayRouter), ...rowsOf(kinds.Layer2Gateway, gateway) });
    const ports = rows.filter(([key]) => key.startsWith("NAT ")).map(([, row]) => (row as { external_port_range?: string }).external_port_range);
    expect(ports).toEqual(Array<string>(6).fill("32768-60999"));
    expect(rowsOf(kinds.GatewayRouter, gatewayRouter)["Logical_Router router"]).toMatchObject({ options: { "ct-commit-all": "true" } });
    expect(rowsOf(kinds.Layer2Gateway, gateway)["Logical_Router router"]).not.toHaveProperty("options.ct-commit-all");
  });

  test("given addresses, names and keys", () => {
    const plan = expandLayer2Network({
      name: "",
      subnets: ["10.1.0.0/24"],
      gatewayAddresses: ["10.1.0.254"],
      joinSubnets: ["100.64.0.0/16"],
      transitSubnets: ["100.99.0.0/16"],
      mtu: 8900,
      snat: false,
      management: { addresses: ["10.1.0.253"], mac: "0a:58:00:00:00:02", acl: false },
      multicast: { snoop: false },
      routerAdvertisements: { enabled: false },
      neighbors: { disableAnnouncements: true },
      ctCommitAll: true,
      nodes: {
        a: {
          id: 1,
          zone: "za",
          chassis: "ca",
          encapsulation: "geneve",
          external: { addresses: ["192.0.2.5/24"], mac: "0a:58:00:00:00:01", bridge: "breth0", networkName: "dc", vlan: 7 },
        },
      },
      workloads: { w: { node: "a", addresses: ["10.1.0.9"], mac: "0a:58:00:00:00:09", tunnelKey: 4_000, portName: "ns_w", portSecurity: false } },
    });
    expect(Object.keys(plan.zones)).toEqual(["za"]);
    const zone = plan.zones.za!;
    expect(zone).not.toHaveProperty("remoteChassis");
    expect(zone.switch).toMatchObject({
      name: "ovn_layer2_switch",
      multicast: { snoop: false, querier: false, floodUnregistered: true },
      aclFromManagement: false,
    });
    expect(zone.switch).not.toHaveProperty("tunnelKey");
    expect(zone.gateway).toMatchObject({ ctCommitAll: true, mtu: 8900, gateway: { addresses: ["10.1.0.254/24"], mac: "0a:58:0a:01:00:fe" } });
    expect(zone.gateway.routerAdvertisements).toMatchObject({ enabled: false });
    expect(zone.gatewayRouter).toMatchObject({
      name: "GR_a",
      chassis: "ca",
      external: { switchName: "ext_a", localnetPortName: "breth0_a", networkName: "dc", vlan: 7, mac: "0a:58:00:00:00:01", nextHops: [] },
      joinAddresses: ["100.64.0.1"],
      snatSubnets: [],
      neighbors: { disableAnnouncements: true },
    });
    expect(zone.gateway).toMatchObject({ network: "", nodes: { a: { id: 1, chassis: "ca" } }, transitSubnets: ["100.99.0.0/16"] });
    expect(zone.workloads!.ports).toEqual({
      ns_w: { addresses: ["10.1.0.9"], mac: "0a:58:00:00:00:09", tunnelKey: 4_000, portSecurity: false, chassis: ["ca"] },
    });
    expect(plan.workloads.w).toMatchObject({ portName: "ns_w", addresses: ["10.1.0.9/24"] });
  });

  test("no resource for workloads without any", () => {
    expect(expandLayer2Network({ ...dual, workloads: {} }).zones.node1).not.toHaveProperty("workloads");
  });

  test("a transit subnet without overlaps, equal in every zone", () => {
    const plan = expandLayer2Network({ ...dual, subnets: ["100.88.0.0/15", "fd97::/63"], workloads: {} });
    expect(plan.transitSubnets).toEqual(["100.90.0.0/16", "fd97:0:0:2::/64"]);
    for (const zone of Object.values(plan.zones)) expect(zone.gateway.transitSubnets).toEqual(plan.transitSubnets);
    const outside = { ...dual, nodes: { node1: { ...node(1), external: { addresses: ["100.88.7.5/24"] } } }, workloads: {} };
    expect(expandLayer2Network(outside).transitSubnets).toEqual(["100.89.0.0/16", "fd97::/64"]);
    const further = { ...dual, nodes: { node1: { ...node(1), furtherExternals: { storage: { addresses: ["100.88.7.5/24"] } } } }, workloads: {} };
    expect(expandLayer2Network(further).transitSubnets).toEqual(["100.89.0.0/16", "fd97::/64"]);
    expect(partOf.transitSubnets(partialNetwork(needsOf(further as unknown as LooseNetworkArgs).transitSubnets.network))).toEqual([
      "100.89.0.0/16",
      "fd97::/64",
    ]);
  });

  test("further external networks: routes may be wider than the network's own subnets, and include its default route", () => {
    const { addresses } = node(1).external;
    const route = (prefix: string) => ({ prefix, nextHops: ["10.50.0.1"] });
    const furtherExternals = {
      storage: {
        addresses: ["10.50.0.11/24"],
        vlan: 7,
        networkName: "physnet",
        mac: "0a:58:00:00:00:07",
        mtu: 9000,
        routes: { all: route("0.0.0.0/0"), wide: route("100.88.0.0/13") },
      },
    };
    const { node1 } = expandLayer2Network({ ...dual, nodes: { node1: { ...node(1), external: { addresses }, furtherExternals } }, workloads: {} }).zones;
    expect(node1!.gatewayRouter.furtherExternals).toEqual({
      storage: { ...furtherExternals.storage, switchName: "storage-ext_blue_node1", localnetPortName: "storage-localnet_blue_node1" },
    });
  });

  test("an external network of IPv4 only: no translations of IPv6", () => {
    const nodes = { ...dual.nodes, node1: { ...node(1), external: { addresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] } } };
    const { gatewayRouter } = expandLayer2Network({ ...dual, nodes }).zones.node1!;
    expect(gatewayRouter.snatSubnets).toEqual(["203.203.0.0/16"]);
    expect(rendered(kinds.GatewayRouter, gatewayRouter).set.rows).toHaveLength(7);
  });
});

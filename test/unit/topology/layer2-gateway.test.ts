import { expandLayer2Network, gatewayPeer, layer2Gateway, type Layer2NetworkArgs, type Topology, transitRouter, type UpgradeStage } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";
import { dual, node } from "./networks";

const SWITCH = "blue_ovn_layer2_switch";

/** "ttg": nodes 1 and 2 have the transit topology, node 3 the gateway topology. */
function network(topologies: string, upgrade?: UpgradeStage, change: Partial<Layer2NetworkArgs> = {}): Layer2NetworkArgs {
  const topology = (index: number): Topology => (topologies[index] === "t" ? "transit" : "gateway");
  const nodes = Object.fromEntries([1, 2, 3].map((n) => [`node${n}`, { ...node(n), topology: topology(n - 1) }]));
  return { ...dual, nodes, ...(upgrade && { upgrade }), ...change };
}

/** The rows between the switch and the gateway router of a zone. */
function rows(topologies: string, upgrade?: UpgradeStage, zone = "node1", change: Partial<Layer2NetworkArgs> = {}): Record<string, Record<string, unknown>> {
  return rowsOf(layer2Gateway, expandLayer2Network(network(topologies, upgrade, change)).zones[zone]!.gateway) as Record<string, Record<string, unknown>>;
}

const without = (all: Record<string, unknown>, base: Record<string, unknown>) => Object.fromEntries(Object.entries(all).filter(([key]) => !(key in base)));
const changedIn = (all: Record<string, unknown>, base: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([key, row]) => key in base && JSON.stringify(row) !== JSON.stringify(base[key])));

const RA = { address_mode: "dhcpv6_stateful", send_periodic: "true", max_interval: "900", min_interval: "300", router_preference: "LOW", mtu: "1400" };

const gatewayRows = {
  [`Logical_Router_Port rtos-${SWITCH}`]: {
    name: `rtos-${SWITCH}`,
    mac: "0a:58:64:41:00:02",
    networks: ["203.203.0.1/16", "2010:100:200::1/60", "100.65.0.2/16", "fd99::2/64"],
    options: { gateway_mtu: "1400" },
    ipv6_ra_configs: RA,
    in: "Logical_Router GR_blue_node1 ports",
  },
  [`Logical_Switch_Port stor-${SWITCH}`]: {
    name: `stor-${SWITCH}`,
    type: "router",
    addresses: ["router"],
    options: { "router-port": `rtos-${SWITCH}`, "requested-tnl-key": "32766" },
    in: `Logical_Switch ${SWITCH} ports`,
  },
  [`Logical_Switch_Port stor-${SWITCH}_node2`]: {
    name: `stor-${SWITCH}_node2`,
    type: "remote",
    addresses: ["0a:58:64:41:00:03 100.65.0.3/16 fd99::3/64"],
    options: { "requested-tnl-key": "32765", "requested-chassis": "node2" },
    in: `Logical_Switch ${SWITCH} ports`,
  },
  [`Logical_Switch_Port stor-${SWITCH}_node3`]: {
    name: `stor-${SWITCH}_node3`,
    type: "remote",
    addresses: ["0a:58:64:41:00:04 100.65.0.4/16 fd99::4/64"],
    options: { "requested-tnl-key": "32764", "requested-chassis": "node3" },
    in: `Logical_Switch ${SWITCH} ports`,
  },
};

describe("the gateway topology", () => {
  test("has the gateway router on the switch, and those of other nodes as remote ports", () => {
    expect(rows("ggg")).toEqual(gatewayRows);
  });

  test("has no transit router, and no reference to one", () => {
    const { zones } = expandLayer2Network(network("ggg"));
    expect(rendered(layer2Gateway, zones.node1!.gateway)).not.toHaveProperty("primary");
    expect(rendered(layer2Gateway, zones.node2!.gateway).outputs).toEqual({
      gatewayMac: "0a:58:64:41:00:03",
      joinAddresses: ["100.65.0.3", "fd99::3"],
      transitAddresses: ["100.88.0.7", "fd97::7"],
    });
  });

  test("translates only external packets while a gateway router is or may be on the switch", () => {
    const only = (topologies: string, upgrade?: UpgradeStage) =>
      Object.values(expandLayer2Network(network(topologies, upgrade)).zones).map(({ gatewayRouter }) => gatewayRouter.snatOutsideOnly);
    expect(only("ggg")).toEqual([true, true, true]);
    for (const [topologies, stage] of [
      ["ggg", "move"],
      ["tgt", "move"],
      ["ttt", "move"],
      ["ttt", "follow"],
      ["ttt", "announce"],
    ] as const)
      expect(only(topologies, stage)).toEqual([true, true, true]);
    for (const stage of ["settle", undefined] as const) expect(only("ttt", stage)).toEqual([undefined, undefined, undefined]);
  });

  test("has rows for management port, node addresses and local gateway mode on the gateway router", () => {
    const change = {
      networkId: 6,
      management: {},
      masquerade: { hostFlows: true },
      gatewayMode: "local" as const,
      nodes: { ...network("ggg").nodes, node1: { ...node(1), topology: "gateway" as const, hostAddresses: ["172.18.0.111"] } },
    };
    expect(without(rows("ggg", undefined, "node1", change), gatewayRows)).toEqual({
      "Logical_Router_Static_Route GR_blue_node1 src-ip 203.203.0.0/16": {
        ip_prefix: "203.203.0.0/16",
        nexthop: "203.203.0.2",
        policy: "src-ip",
        in: "Logical_Router GR_blue_node1 static_routes",
      },
      "Logical_Router_Static_Route GR_blue_node1 src-ip 2010:100:200::/60": {
        ip_prefix: "2010:100:200::/60",
        nexthop: "2010:100:200::2",
        policy: "src-ip",
        in: "Logical_Router GR_blue_node1 static_routes",
      },
      "NAT GR_blue_node1 snat 203.203.0.0/16 to management": {
        type: "snat",
        external_ip: "169.254.0.22",
        logical_ip: "203.203.0.0/16",
        logical_port: `rtos-${SWITCH}`,
        match: "eth.dst == 0a:58:cb:cb:00:02",
        options: { stateless: "false" },
        in: "Logical_Router GR_blue_node1 nat",
      },
      "NAT GR_blue_node1 snat 2010:100:200::/60 to management": expect.objectContaining({ external_ip: "fd69::16", logical_port: `rtos-${SWITCH}` }),
      "Logical_Router_Policy GR_blue_node1 1004 172.18.0.111": {
        priority: 1004,
        match: `inport == "rtos-${SWITCH}" && ip4.dst == 172.18.0.111 /* ${SWITCH} */`,
        action: "reroute",
        nexthops: ["203.203.0.2"],
        options: {},
        in: "Logical_Router GR_blue_node1 policies",
      },
      "Logical_Router_Policy GR_blue_node1 99 203.203.0.0/16 172.18.0.0/24": {
        priority: 99,
        match: "(!ct.trk || !ct.rpl) && ip4.src == 203.203.0.0/16 && ip4.dst == 172.18.0.0/24",
        action: "reroute",
        nexthops: ["203.203.0.2"],
        options: {},
        in: "Logical_Router GR_blue_node1 policies",
      },
      "Logical_Router_Policy GR_blue_node1 99 2010:100:200::/60 fc00:f853:ccd:e793::/64": {
        priority: 99,
        match: "(!ct.trk || !ct.rpl) && ip6.src == 2010:100:200::/60 && ip6.dst == fc00:f853:ccd:e793::/64",
        action: "reroute",
        nexthops: ["2010:100:200::2"],
        options: {},
        in: "Logical_Router GR_blue_node1 policies",
      },
    });
    // Workloads that know the other MAC come in by the other port.
    expect(rows("ggg", "move", "node1", change)["Logical_Router_Policy GR_blue_node1 1004 172.18.0.111"]!.match).toBe(
      `inport == {"rtos-${SWITCH}", "rtos-${SWITCH}-alias"} && ip4.dst == 172.18.0.111 /* ${SWITCH} */`,
    );
  });
});

describe("packets to the host's own subnets in local gateway mode", () => {
  const local = { management: {}, gatewayMode: "local" as const };
  const policies = (topologies: string, upgrade?: UpgradeStage, change: Partial<Layer2NetworkArgs> = local) =>
    Object.keys(rows(topologies, upgrade, "node1", change))
      .filter((key) => key.startsWith("Logical_Router_Policy"))
      .map((key) => key.replace("Logical_Router_Policy GR_blue_node1 ", ""));
  const BOTH = ["99 203.203.0.0/16 172.18.0.0/24", "99 2010:100:200::/60 fc00:f853:ccd:e793::/64"];
  const outside = (addresses: string[]) => ({
    ...local,
    nodes: { ...network("ggg").nodes, node1: { ...node(1), topology: "gateway" as const, external: { addresses } } },
  });

  test.each<[string, UpgradeStage | undefined]>([
    ["ggg", undefined],
    ["ggg", "move"],
    ["gtt", "move"],
    ["ggg", "shield"],
    ["ggg", "announce"],
  ])("are rerouted to the host in every stage of the gateway topology: %s, %s", (topologies, stage) => {
    expect(policies(topologies, stage)).toEqual(BOTH);
  });

  test.each<[string, UpgradeStage | undefined]>([
    ["tgg", "move"],
    ["ttt", "move"],
    ["ttt", "follow"],
    ["ttt", "announce"],
    ["ttt", "settle"],
    ["ttt", undefined],
  ])("need no policy with a transit router: %s, %s", (topologies, stage) => {
    expect(policies(topologies, stage)).toEqual([]);
  });

  test("leave through the gateway router as in shared gateway mode", () => {
    expect(policies("ggg", undefined, { management: {} })).toEqual([]);
    for (const topologies of ["ggg", "ttt"]) expect(expandLayer2Network(network(topologies)).zones.node1!.gateway).not.toHaveProperty("hostSubnets");
  });

  test("have one policy for each subnet; a single address is in none", () => {
    expect(policies("ggg", undefined, outside(["172.18.0.11/24", "172.18.0.99/24", "198.51.100.7/25"]))).toEqual([
      "99 203.203.0.0/16 172.18.0.0/24",
      "99 203.203.0.0/16 198.51.100.0/25",
    ]);
    expect(policies("ggg", undefined, outside(["172.18.0.11/32", "fc00::b/128"]))).toEqual([]);
  });
});

describe("the transit topology", () => {
  test("has the rows of TransitRouter and GatewayPeer", () => {
    const { gateway } = expandLayer2Network(network("ttt")).zones.node1!;
    const { subnets, joinSubnets, transitSubnets, nodes } = gateway;
    const common = { zone: "node1", gatewayMtu: 1400 };
    const router = rowsOf(transitRouter, {
      ...common,
      name: "blue_transit_router",
      tunnelKey: 16_715_780,
      switch: SWITCH,
      switchName: SWITCH,
      gateway: gateway.gateway,
      chassis: "node1",
      switchPortTunnelKey: 1,
    });
    const ids = Object.fromEntries(Object.entries(nodes).map(([name, { id }]) => [name, { id }]));
    const peer = rowsOf(gatewayPeer, {
      ...common,
      network: "blue",
      router: "blue_transit_router",
      gatewayRouter: "GR_blue_node1",
      node: "node1",
      nodes: ids,
      subnets,
      joinSubnets,
      transitSubnets,
    });
    const local = JSON.parse(JSON.stringify(peer).replaceAll("Logical_Router blue_transit_router", "Logical_Router <router>")) as object;
    expect(rows("ttt")).toEqual({ ...router, ...local });
  });

  test("does not depend on the order of nodes, subnets and addresses", () => {
    const { gateway } = expandLayer2Network(network("tgt", "move")).zones.node1!;
    const turned = {
      ...gateway,
      nodes: Object.fromEntries(Object.entries(gateway.nodes).reverse()),
      subnets: gateway.subnets.toReversed(),
      joinSubnets: gateway.joinSubnets.toReversed(),
      transitSubnets: gateway.transitSubnets.toReversed(),
      gateway: { ...gateway.gateway, addresses: gateway.gateway.addresses.toReversed() },
    };
    expect(rendered(layer2Gateway, turned)).toEqual(rendered(layer2Gateway, gateway));
  });
});

describe("the stages of an upgrade", () => {
  const remotePort = (n: number) => ({
    [`Logical_Router_Port trtor-GR_blue_node${n}`]: {
      name: `trtor-GR_blue_node${n}`,
      mac: `0a:58:64:58:00:0${2 * n + 2}`,
      networks: [`100.88.0.${2 * n + 2}/31`, `fd97::${2 * n + 2}/127`],
      options: { "requested-tnl-key": `${11 + n}`, "requested-chassis": `node${n}` },
      in: "Logical_Router <router> ports",
    },
  });
  const remote = (n: number) => ({
    ...remotePort(n),
    [`Static_MAC_Binding trtor-GR_blue_node${n} 100.88.0.${2 * n + 3}`]: {
      logical_port: `trtor-GR_blue_node${n}`,
      ip: `100.88.0.${2 * n + 3}`,
      mac: `0a:58:64:41:00:0${n + 1}`,
      override_dynamic_mac: true,
    },
    [`Static_MAC_Binding trtor-GR_blue_node${n} fd97::${2 * n + 3}`]: {
      logical_port: `trtor-GR_blue_node${n}`,
      ip: `fd97::${2 * n + 3}`,
      mac: `0a:58:64:41:00:0${n + 1}`,
      override_dynamic_mac: true,
    },
  });

  test("move, on an unmoved node: adds the alias and the idle transit router only", () => {
    expect(without(rows("ggg", "move"), gatewayRows)).toEqual({
      [`Logical_Router_Port rtos-${SWITCH}-alias`]: {
        name: `rtos-${SWITCH}-alias`,
        mac: "0a:58:cb:cb:00:01",
        networks: ["169.254.255.1/32"],
        in: "Logical_Router GR_blue_node1 ports",
      },
      [`Logical_Switch_Port stor-${SWITCH}-alias`]: {
        name: `stor-${SWITCH}-alias`,
        type: "router",
        addresses: ["router"],
        options: { "router-port": `rtos-${SWITCH}-alias`, "requested-tnl-key": "3" },
        in: `Logical_Switch ${SWITCH} ports`,
      },
      "Logical_Router router": {
        name: "blue_transit_router",
        options: { "requested-tnl-key": "16715780" },
        claims: ["Logical_Switch other_config:requested-tnl-key=16715780", "Logical_Router options:requested-tnl-key=16715780"],
      },
      "Logical_Router_Port trtor-GR_blue_node1": rows("ttt")["Logical_Router_Port trtor-GR_blue_node1"],
      // The join addresses are on the port to the switch still.
      "Logical_Router_Port rtotr-GR_blue_node1": { ...rows("ttt")["Logical_Router_Port rtotr-GR_blue_node1"], networks: ["100.88.0.5/31", "fd97::5/127"] },
      ...Object.fromEntries(
        [
          "blue_transit_router src-ip 203.203.0.0/16",
          "blue_transit_router src-ip 2010:100:200::/60",
          "GR_blue_node1 203.203.0.0/16",
          "GR_blue_node1 2010:100:200::/60",
          "blue_transit_router 100.65.0.2",
          "blue_transit_router fd99::2",
        ].map((key) => {
          const row = `Logical_Router_Static_Route ${key}`;
          return [row, rows("ttt")[row]];
        }),
      ),
      // Their neighbours come with the node's move: ovn-controller makes no flows for those that come with their router.
      ...remotePort(2),
      ...remotePort(3),
    });
    expect(changedIn(rows("ggg", "move"), gatewayRows)).toEqual({});
  });

  test("move, on a moved node: knows the neighbours behind the links", () => {
    expect(rows("tgg", "move")).toMatchObject({ ...remote(2), ...remote(3) });
  });

  test.each(["tgg", "tgt", "ttg", "ttt"])("move, on a moved node, of %s: has the transit topology and intermediate rows", (topologies) => {
    const transit = rows("ttt");
    const moved = rows(topologies, "move");
    expect(without(moved, transit)).toEqual({
      [`Logical_Router_Port trtos-${SWITCH}-upgrade`]: {
        name: `trtos-${SWITCH}-upgrade`,
        mac: "0a:58:64:41:00:02",
        networks: ["100.65.255.254/16", "fd99::ffff:ffff:ffff:fffe/64"],
        options: { "requested-tnl-key": "2" },
        in: "Logical_Router <router> ports",
      },
      [`Logical_Switch_Port stotr-${SWITCH}-upgrade`]: {
        name: `stotr-${SWITCH}-upgrade`,
        type: "router",
        addresses: ["router"],
        options: { "router-port": `trtos-${SWITCH}-upgrade`, "requested-tnl-key": "32766" },
        in: `Logical_Switch ${SWITCH} ports`,
      },
      [`Logical_Switch_Port stor-${SWITCH}_node2`]: gatewayRows[`Logical_Switch_Port stor-${SWITCH}_node2`],
      [`Logical_Switch_Port stor-${SWITCH}_node3`]: gatewayRows[`Logical_Switch_Port stor-${SWITCH}_node3`],
    });
    const { [`Logical_Router_Port trtos-${SWITCH}`]: port, ...hops } = changedIn(moved, transit);
    expect(port).toEqual({ ...transit[`Logical_Router_Port trtos-${SWITCH}`], ipv6_ra_configs: { ...RA, router_preference: "HIGH" } });
    expect(
      Object.entries(hops).map(([key, row]) => [key, (row as { nexthop?: string; options?: object }).nexthop ?? (row as { options: object }).options]),
    ).toEqual([
      [`Logical_Switch_Port stotr-${SWITCH}`, { "router-port": `trtos-${SWITCH}`, "requested-tnl-key": "1", arp_proxy: "fd99::/64" }],
      ...["100.65.0.3", "fd99::3", "100.65.0.4", "fd99::4"].map((join) => [`Logical_Router_Static_Route blue_transit_router ${join}`, join]),
    ]);
  });

  test("reroute policies may be deleted with an idle transit router, and not with one in use", () => {
    const carried = (topologies: string, upgrade?: UpgradeStage) =>
      rendered(layer2Gateway, expandLayer2Network(network(topologies, upgrade)).zones.node1!.gateway).set.rows.flatMap(({ table, carries }) =>
        carries ? [[table, carries]] : [],
      );
    expect(carried("ggg", "move")).toEqual([["Logical_Router", { table: "Logical_Router_Policy", key: "pulumi-ovn:goes-with-router", value: "true" }]]);
    for (const [topologies, stage] of [
      ["ggg", undefined],
      ["tgg", "move"],
      ["ttt", "follow"],
      ["ttt", undefined],
    ] as const)
      expect(carried(topologies, stage)).toEqual([]);
  });

  test("the move of a node changes the rows of its own zone, and those between switch and gateway router only", () => {
    const all = (topologies: string) => Object.entries(expandLayer2Network(network(topologies, "move")).zones);
    const [before, after] = [all("tgg"), all("ttg")];
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    before.forEach(([zone, plan], index) => {
      const now = after[index]![1];
      for (const part of ["switch", "gatewayRouter", "workloads", "remoteChassis"] as const)
        expect([zone, part, same(plan[part], now[part])]).toEqual([zone, part, true]);
      const moved = !same(rendered(layer2Gateway, plan.gateway).set, rendered(layer2Gateway, now.gateway).set);
      expect([zone, moved]).toEqual([zone, zone === "node2"]);
    });
  });

  test("rows that exist in both topologies keep all columns that other resources and zones use", () => {
    const [old, moved] = [rows("ggg", "move", "node2"), rows("gtg", "move", "node2")];
    const [port, upgraded] = [old[`Logical_Switch_Port stor-${SWITCH}`]!, moved[`Logical_Switch_Port stotr-${SWITCH}-upgrade`]!];
    expect((upgraded.options as Record<string, string>)["requested-tnl-key"]).toBe((port.options as Record<string, string>)["requested-tnl-key"]);
    expect(moved[`Logical_Router_Port trtos-${SWITCH}-upgrade`]!.mac).toBe(old[`Logical_Router_Port rtos-${SWITCH}`]!.mac);
    expect(moved["Logical_Router_Port rtotr-GR_blue_node2"]!.mac).toBe(old[`Logical_Router_Port rtos-${SWITCH}`]!.mac);
    expect(moved[`Logical_Router_Port trtos-${SWITCH}`]!.mac).toBe(old[`Logical_Router_Port rtos-${SWITCH}-alias`]!.mac);
    expect(moved["Logical_Router router"]).toEqual(old["Logical_Router router"]);
  });

  test("follow: changes next hops only", () => {
    const [move, follow] = [rows("ttt", "move"), rows("ttt", "follow")];
    expect([without(follow, move), without(move, follow)]).toEqual([{}, {}]);
    expect(Object.fromEntries(Object.entries(changedIn(follow, move)).map(([key, row]) => [key, (row as { nexthop: string }).nexthop]))).toStrictEqual({
      "Logical_Router_Static_Route blue_transit_router 100.65.0.3": "100.88.0.7",
      "Logical_Router_Static_Route blue_transit_router 100.65.0.4": "100.88.0.9",
      "Logical_Router_Static_Route blue_transit_router fd99::3": "fd97::7",
      "Logical_Router_Static_Route blue_transit_router fd99::4": "fd97::9",
    });
  });

  test("announce: one zone asks for an unused address; all advertise the router often, and answer no more for other nodes", () => {
    const [follow, announce] = [rows("ttt", "follow"), rows("ttt", "announce")];
    expect(without(announce, follow)).toEqual({
      [`BFD trtos-${SWITCH} 203.203.255.254`]: { logical_port: `trtos-${SWITCH}`, dst_ip: "203.203.255.254" },
      "Logical_Router_Static_Route blue_transit_router announcement": {
        ip_prefix: "192.0.2.254/32",
        nexthop: "203.203.255.254",
        policy: "dst-ip",
        output_port: `trtos-${SWITCH}`,
        bfd: `<trtos-${SWITCH} 203.203.255.254>`,
        in: "Logical_Router <router> static_routes",
      },
    });
    expect(without(rows("ttt", "announce", "node2"), rows("ttt", "follow", "node2"))).toEqual({});
    expect(changedIn(announce, follow)).toEqual({
      [`Logical_Router_Port trtos-${SWITCH}`]: expect.objectContaining({
        ipv6_ra_configs: { ...RA, router_preference: "HIGH", max_interval: "4", min_interval: "3" },
      }),
      [`Logical_Switch_Port stor-${SWITCH}_node2`]: expect.objectContaining({ addresses: ["0a:58:64:41:00:03"] }),
      [`Logical_Switch_Port stor-${SWITCH}_node3`]: expect.objectContaining({ addresses: ["0a:58:64:41:00:04"] }),
    });
  });

  test("settle: has no intermediate rows; answers for addresses that workloads remember", () => {
    const [transit, settle] = [rows("ttt"), rows("ttt", "settle")];
    expect([without(settle, transit), without(transit, settle)]).toEqual([{}, {}]);
    expect(changedIn(settle, transit)).toEqual({
      [`Logical_Router_Port trtos-${SWITCH}`]: expect.objectContaining({ ipv6_ra_configs: { ...RA, router_preference: "HIGH" } }),
      [`Logical_Switch_Port stotr-${SWITCH}`]: expect.objectContaining({
        options: { "router-port": `trtos-${SWITCH}`, "requested-tnl-key": "1", arp_proxy: "fd99::/64" },
      }),
    });
  });

  test("shield and announce, on the way to a network without aliases", () => {
    const [move, shield, announce] = [rows("ggg", "move", "node2"), rows("ggg", "shield", "node2"), rows("ggg", "announce", "node2")];
    expect(without(shield, move)).toEqual({
      [`ACL ${SWITCH} other gateways`]: {
        direction: "to-lport",
        priority: 1100,
        action: "drop",
        match: "arp.op == 1 && arp.spa == 203.203.0.1 && arp.sha != 0a:58:64:41:00:03",
        in: `Logical_Switch ${SWITCH} acls`,
      },
    });
    expect(without(announce, shield)).toEqual({
      [`BFD rtos-${SWITCH} 203.203.255.254`]: { logical_port: `rtos-${SWITCH}`, dst_ip: "203.203.255.254" },
      "Logical_Router_Static_Route GR_blue_node2 announcement": expect.objectContaining({
        bfd: `<rtos-${SWITCH} 203.203.255.254>`,
        in: "Logical_Router GR_blue_node2 static_routes",
      }),
    });
  });

  test("has no rows for IPv6 in a network of IPv4 only, and vice versa", () => {
    const change = (subnet: string) => ({ subnets: [subnet], workloads: {} });
    const [four, six] = [change("203.203.0.0/16"), change("2010:100:200::/60")];
    expect(rows("ttt", "move", "node1", four)[`Logical_Switch_Port stotr-${SWITCH}`]!.options).not.toHaveProperty("arp_proxy");
    expect(Object.keys(rows("ttt", "announce", "node1", six)).filter((key) => /^BFD|announcement/.test(key))).toEqual([]);
    expect(Object.keys(rows("ggg", "shield", "node1", six)).filter((key) => key.startsWith("ACL"))).toEqual([]);
    for (const [stage, topologies] of [
      ["move", "tgt"],
      ["follow", "ttt"],
      ["announce", "ttt"],
    ] as const) {
      expect(JSON.stringify(rows(topologies, stage, "node1", four))).not.toMatch(/fd9[79]|2010:/);
      expect(JSON.stringify(rows(topologies, stage, "node1", six))).not.toMatch(/100\.(65|88)|203\.203/);
    }
  });

  test("has masquerade addresses on the gateway's port while another port could answer for them", () => {
    const change = { networkId: 6, management: {}, masquerade: { hostFlows: true } };
    const networks = (topologies: string, upgrade?: UpgradeStage) =>
      rows(topologies, upgrade, "node1", change)[`Logical_Router_Port trtos-${SWITCH}`]!.networks;
    expect(networks("ttg", "move")).toEqual(["169.254.0.22/17", "203.203.0.1/16", "2010:100:200::1/60", "fd69::16/112"]);
    expect(networks("ttt", "settle")).toEqual(["203.203.0.1/16", "2010:100:200::1/60"]);
  });

  test("may have given keys, equal in every zone", () => {
    const nodes = Object.fromEntries(Object.entries(network("tgg").nodes).map(([name, args], index) => [name, { ...args, switchPortKey: 4 + index }]));
    const { zones } = expandLayer2Network(network("tgg", "move", { nodes }));
    const keys = Object.values(zones).map(({ gateway }) =>
      Object.entries(rowsOf(layer2Gateway, gateway) as Record<string, { options: Record<string, string> }>)
        .filter(([key]) => key.startsWith("Logical_Switch_Port sto") && !key.endsWith("-alias") && key !== `Logical_Switch_Port stotr-${SWITCH}`)
        .map(([, { options }]) => options["requested-tnl-key"]),
    );
    expect(keys.map((list) => list.sort())).toEqual([
      ["4", "5", "6"],
      ["4", "5", "6"],
      ["4", "5", "6"],
    ]);
  });
});

describe("refusals", () => {
  const base = expandLayer2Network(network("tgg", "move")).zones.node1!.gateway;
  test.each([
    [{ upgrade: undefined }, ['upgrade: must be "move" while nodes differ: node2, node3 have topology "gateway", node1 "transit"']],
    [{ upgrade: "follow" }, ['upgrade: can be "follow" only when every node has topology "transit", and node2, node3 have not']],
    [{ upgrade: "shield" }, ['upgrade: can be "shield" only when every node has topology "gateway", and node1 has not']],
    [
      { upgrade: "announce" },
      [
        'upgrade: can\'t be "announce" while nodes differ: node2, node3 have topology "gateway", node1 "transit"',
        'announceTo: is required for stage "announce"',
      ],
    ],
    [{ node: "node9" }, ['node: "node9" is not one of nodes: node1, node2, node3']],
    [{ nodes: { node1: { id: 2, switchPortKey: 3 } } }, ["nodes.node1.switchPortKey: port key 3 is already used by the switch"]],
    [{ nodes: { node1: { id: 2 }, node2: { id: 3, switchPortKey: 32_766 } } }, ["nodes.node2.switchPortKey: port key 32766 is already used by node1"]],
    [
      { gatewayMode: "local" },
      ['management.addresses: needs an IPv4 address for gateway mode "local"', 'management.addresses: needs an IPv6 address for gateway mode "local"'],
    ],
    [{ announceTo: "fd00::1" }, ["announceTo: fd00::1 is IPv6: only IPv4 gateways can be announced"]],
    [
      { management: { addresses: ["203.203.0.2"], masqueradeAddresses: ["169.254.0.22"] } },
      ["masqueradeSubnets: needs an IPv4 subnet in an upgrade, for the management port's masquerade address"],
    ],
    [{ joinSubnets: ["203.203.0.0/24", "fd99::/64"] }, ["joinSubnets[0]: subnet 203.203.0.0/16 overlaps join subnet 203.203.0.0/24"]],
  ])("%j", (change, expected) => {
    expect(complaints(() => rendered(layer2Gateway, { ...base, ...change }))).toEqual(expected);
  });
});

import { expandLayer2Network, gatewayPeer, gatewayRouter, layer2Gateway, type Layer2NetworkArgs, type UpgradeStage } from "@pulumi-ovn/provider";
import { complaints, failuresOf } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";
import { dual, node } from "./networks";

const IMPORT = { table: 1101, uplink: "uplink" };
const FEATURE = { feature: "route import (router option dynamic-routing)", schema: "7.11.0", release: "25.03" };
const ROUTER = { zone: "z", name: "GR", chassis: "h1", external: { switchName: "ext", localnetPortName: "ln", addresses: ["172.18.0.11/24"] } };
const ON = [{ table: "Logical_Router", row: { name: "GR_blue_node1" }, column: "options", part: { kind: "entry", key: "dynamic-routing", value: "true" } }];

const changed = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(after).filter(([key, row]) => JSON.stringify(row) !== JSON.stringify(before[key])));

describe("a gateway router that learns routes", () => {
  const usual = rowsOf(gatewayRouter, ROUTER) as Record<string, Record<string, object>>;
  const router = usual["Logical_Router router"]!;

  test("has the table as its key, and the host's interface as the name of its external port", () => {
    const { set } = rendered(gatewayRouter, { ...ROUTER, importRoutes: IMPORT });
    expect(changed(usual, rowsOf(gatewayRouter, { ...ROUTER, importRoutes: IMPORT }))).toEqual({
      "Logical_Router router": {
        ...router,
        options: { ...router["options"], "requested-tnl-key": "1101" },
        claims: ["Logical_Switch other_config:requested-tnl-key=1101", "Logical_Router options:requested-tnl-key=1101"],
      },
      "Logical_Router_Port rtoe-GR": { ...usual["Logical_Router_Port rtoe-GR"], options: { "dynamic-routing-port-name": "uplink" } },
    });
    // Internal ports are added later. They must not learn any routes before an option forbids it.
    expect(set).not.toHaveProperty("contributions");
    expect(set.requires).toEqual([FEATURE]);
    expect(rendered(gatewayRouter, ROUTER).set).not.toHaveProperty("requires");
  });

  test("may use a VRF device that ovn-controller creates", () => {
    const rows = rowsOf(gatewayRouter, { ...ROUTER, importRoutes: { ...IMPORT, vrf: "blue" } }) as Record<string, Record<string, object>>;
    expect(rows["Logical_Router router"]!["options"]).toEqual({ ...router["options"], "requested-tnl-key": "1101", "dynamic-routing-vrf-name": "blue" });
    expect(rows["Logical_Router_Port rtoe-GR"]!["options"]).toEqual({ "dynamic-routing-port-name": "uplink", "dynamic-routing-maintain-vrf": "true" });
  });

  test.each<[string, object, string[]]>([
    [
      "the kernel's table of compatibility",
      { table: 252 },
      ["importRoutes.table: table 252 is the kernel's own (compat): the routing daemon needs another one"],
    ],
    ["the kernel's default table", { table: 253 }, ["importRoutes.table: table 253 is the kernel's own (default): the routing daemon needs another one"]],
    ["the main table", { table: 254 }, ["importRoutes.table: table 254 is the kernel's own (main): the routing daemon needs another one"]],
    ["the local table", { table: 255 }, ["importRoutes.table: table 255 is the kernel's own (local): the routing daemon needs another one"]],
    ["no table", { table: undefined }, ["importRoutes.table: is required"]],
    ["table 0", { table: 0 }, ["importRoutes.table: tunnel key 0 is out of range: 1 to 16777215"]],
    ["a table that is not a datapath key", { table: 16_777_216 }, ["importRoutes.table: tunnel key 16777216 is out of range: 1 to 16777215"]],
    ["no interface", { uplink: undefined }, ["importRoutes.uplink: is required"]],
    [
      "a name that the list would cut at =",
      { uplink: "up=link" },
      ['importRoutes.uplink: name "up=link" can\'t have = or a colon: dynamic-routing-port-mapping has them between a name and its interface'],
    ],
    [
      "a name that the list would cut at a colon",
      { uplink: "up:link" },
      ['importRoutes.uplink: name "up:link" can\'t have = or a colon: dynamic-routing-port-mapping has them between a name and its interface'],
    ],
    [
      "a name that the list would cut at a comma",
      { uplink: "up,link" },
      ['importRoutes.uplink: name "up,link" can\'t have any of \\ , * $: names become part of OVN match expressions'],
    ],
    ["the name of no interface", { uplink: "none" }, ['importRoutes.uplink: "none" is the name by which ports inside learn nothing']],
    ["a long VRF", { vrf: "sixteen-letters!" }, ['importRoutes.vrf: name "sixteen-letters!" has 16 characters: interfaces and bridges have at most 15']],
    ["another argument", { vrfs: "blue" }, ['importRoutes.vrfs: there is no argument "vrfs"; did you mean "vrf"?']],
  ])("is refused with %s", (_title, change, expected) => {
    expect(complaints(() => rendered(gatewayRouter, { ...ROUTER, importRoutes: { ...IMPORT, ...change } }))).toEqual(expected);
  });

  test("accepts tables next to the kernel's own", () => {
    for (const table of [1, 251, 256, 16_777_215]) expect(() => rendered(gatewayRouter, { ...ROUTER, importRoutes: { table, uplink: "u" } })).not.toThrow();
  });

  test("has host routes to external routers that learned IPv6 routes use", () => {
    const dual = { ...ROUTER, external: { ...ROUTER.external, addresses: ["172.18.0.11/24", "fd18::b/64"] } };
    const neighbors = ["fe80::1", "fd18::1"];
    const route = (nextHop: string) => ({
      ip_prefix: `${nextHop}/128`,
      nexthop: nextHop,
      policy: "dst-ip",
      output_port: "rtoe-GR",
      in: "Logical_Router <router> static_routes",
    });
    expect(
      changed(rowsOf(gatewayRouter, { ...dual, importRoutes: IMPORT }), rowsOf(gatewayRouter, { ...dual, importRoutes: { ...IMPORT, neighbors } })),
    ).toEqual({
      "Logical_Router_Static_Route GR neighbor fd18::1": route("fd18::1"),
      "Logical_Router_Static_Route GR neighbor fe80::1": route("fe80::1"),
    });
  });

  test.each<[string, string, string]>([
    ["of IPv4", "172.18.0.1", "importRoutes.neighbors[0]: 172.18.0.1 is IPv4, for which OVN finds learned next hops by itself: expected IPv6"],
    ["elsewhere", "fd19::1", "importRoutes.neighbors[0]: fd19::1 is in none of the external subnets, so nothing would answer for it"],
    ["that is the router itself", "fd18::b", "importRoutes.neighbors[0]: fd18::b is the router's own address"],
    ["that is not a router", "ff02::1", "importRoutes.neighbors[0]: ff02::1 can't be a next hop: ff00::/8 is for multicast (RFC 4291 section 2.7)"],
  ])("is refused with an external router %s", (_title, neighbor, expected) => {
    const external = { ...ROUTER.external, addresses: ["172.18.0.11/24", "fd18::b/64"] };
    expect(complaints(() => rendered(gatewayRouter, { ...ROUTER, external, importRoutes: { ...IMPORT, neighbors: [neighbor] } }))).toEqual([expected]);
  });

  test("is refused with an external IPv6 router if it has IPv4 only", () => {
    expect(failuresOf(() => rendered(gatewayRouter, { ...ROUTER, importRoutes: { ...IMPORT, neighbors: ["fe80::1"] } }))).toEqual([
      { path: "importRoutes.neighbors[0]", code: "family", message: "fe80::1 is IPv6, and there is no external address of that family" },
    ]);
  });

  test("has no default route of its own in a VRF, and may have one without a VRF", () => {
    const external = { ...ROUTER.external, nextHops: ["172.18.0.1", "172.18.0.2"] };
    expect(failuresOf(() => rendered(gatewayRouter, { ...ROUTER, external, importRoutes: { ...IMPORT, vrf: "blue" } }))).toEqual([
      {
        path: "external.nextHops",
        code: "value",
        message:
          "packets would leave VRF blue by 172.18.0.1 and 172.18.0.2 where it has no route: with importRoutes.vrf the routing daemon has to learn a default route",
      },
    ]);
    expect(() => rendered(gatewayRouter, { ...ROUTER, external, importRoutes: IMPORT })).not.toThrow();
  });
});

describe("internal ports of such a router", () => {
  const peer = {
    zone: "node1",
    network: "blue",
    router: "blue_transit_router",
    gatewayRouter: "GR_blue_node1",
    node: "node1",
    nodes: { node1: { id: 2 } },
    subnets: ["203.203.0.0/16"],
    transitSubnets: ["100.88.0.0/16"],
    joinSubnets: ["100.65.0.0/16"],
  };

  test("of a peer learn nothing from the start of route import on", () => {
    const usual = rowsOf(gatewayPeer, peer) as Record<string, object>;
    const { set } = rendered(gatewayPeer, { ...peer, gatewayMtu: 1400, importsRoutes: true });
    expect(changed(usual, rowsOf(gatewayPeer, { ...peer, importsRoutes: true }))).toEqual({
      "Logical_Router_Port rtotr-GR_blue_node1": { ...usual["Logical_Router_Port rtotr-GR_blue_node1"], options: { "dynamic-routing-port-name": "none" } },
    });
    expect(set.contributions).toEqual(ON);
    expect(set.requires).toEqual([FEATURE]);
    expect(rendered(gatewayPeer, peer).set).not.toHaveProperty("contributions");
  });

  const network = (topology: "gateway" | "transit", upgrade: UpgradeStage | undefined, advertised: Layer2NetworkArgs["advertised"]): Layer2NetworkArgs => ({
    ...dual,
    nodes: { node1: { ...node(1), topology }, node2: { ...node(2), topology: upgrade === "move" ? "transit" : topology } },
    workloads: {},
    ...(upgrade && { upgrade }),
    advertised,
  });

  test.each<["gateway" | "transit", UpgradeStage | undefined, string[]]>([
    ["transit", undefined, ["rtotr-GR_blue_node1"]],
    ["gateway", undefined, ["rtos-blue_ovn_layer2_switch"]],
    ["gateway", "move", ["rtos-blue_ovn_layer2_switch", "rtos-blue_ovn_layer2_switch-alias", "rtotr-GR_blue_node1"]],
    ["transit", "move", ["rtotr-GR_blue_node1"]],
    ["transit", "settle", ["rtotr-GR_blue_node1"]],
  ])("of a network in topology %s, stage %s", (topology, upgrade, expected) => {
    const [plain, learning] = [{}, { importRoutes: IMPORT }].map((advertised) => expandLayer2Network(network(topology, upgrade, advertised)).zones["node1"]!);
    expect(learning!.gatewayRouter.importRoutes).toEqual(IMPORT);
    expect([learning!.gateway.importsRoutes, plain!.gateway.importsRoutes, plain!.gatewayRouter.importRoutes]).toEqual([true, undefined, undefined]);
    const usual = rowsOf(layer2Gateway, plain!.gateway);
    const rows = changed(usual, rowsOf(layer2Gateway, learning!.gateway)) as Record<string, { options: object; in: string }>;
    expect(Object.keys(rows).sort()).toEqual(expected.map((port) => `Logical_Router_Port ${port}`));
    for (const { options } of Object.values(rows)) expect(options).toMatchObject({ "dynamic-routing-port-name": "none" });
    // Every port of the router that this resource has.
    const inside = Object.entries(rowsOf(layer2Gateway, learning!.gateway) as Record<string, { in?: string }>).filter(
      ([, row]) => row.in === "Logical_Router GR_blue_node1 ports",
    );
    expect(inside.map(([key]) => key).sort()).toEqual(Object.keys(rows).sort());
    const { set } = rendered(layer2Gateway, learning!.gateway);
    expect(set.contributions).toEqual(ON);
    expect(set.requires).toContainEqual(FEATURE);
    expect(rendered(layer2Gateway, plain!.gateway).set).not.toHaveProperty("contributions");
  });
});

describe("external routers of a network with nodes on several links", () => {
  const on = (index: number, addresses: string[]) => ({ ...node(index), external: { addresses, nextHops: [] } });
  const args = (neighbors: string[]): Layer2NetworkArgs => ({
    ...dual,
    nodes: { node1: on(1, ["172.18.1.11/24", "fd18:1::b/64"]), node2: on(2, ["172.18.2.12/24", "fd18:2::c/64"]) },
    workloads: {},
    advertised: { importRoutes: { ...IMPORT, neighbors } },
  });

  test("belong to each node, and those with a link-local address to all nodes", () => {
    const { zones } = expandLayer2Network(args(["fd18:2::1", "fe80::1", "fd18:1::1"]));
    expect(["node1", "node2"].map((name) => zones[name]!.gatewayRouter.importRoutes)).toEqual([
      { ...IMPORT, neighbors: ["fe80::1", "fd18:1::1"] },
      { ...IMPORT, neighbors: ["fd18:2::1", "fe80::1"] },
    ]);
    expect(expandLayer2Network(args(["fd18:2::1"])).zones["node1"]!.gatewayRouter.importRoutes).toEqual(IMPORT);
  });

  test("are refused with the reason of a node that has addresses of their family", () => {
    const refusals = (nodes: string[][], neighbor: string) =>
      failuresOf(() =>
        expandLayer2Network({
          ...args([neighbor]),
          nodes: Object.fromEntries(nodes.map((addresses, index) => [`node${index + 1}`, on(index + 1, addresses)])),
        }),
      );
    const [v4, own, path] = [["172.18.1.11/24"], ["172.18.2.12/24", "2001:db8:1::5/64"], "advertised.importRoutes.neighbors[0]"];
    const elsewhere = { path, code: "next-hop", message: "2001:db8:2::1 is in none of the external subnets, so nothing would answer for it" };
    expect(refusals([v4, own], "2001:db8:2::1")).toEqual([elsewhere]);
    expect(refusals([own, ["172.18.1.11/24"]], "2001:db8:2::1")).toEqual([elsewhere]);
    expect(refusals([v4, own], "2001:db8:1::5")).toEqual([{ path, code: "duplicate", message: "2001:db8:1::5 is the router's own address" }]);
    expect(refusals([v4, ["172.18.2.12/24"]], "2001:db8:2::1")).toEqual([
      { path, code: "family", message: "2001:db8:2::1 is IPv6, and there is no external address of that family" },
    ]);
  });

  test("are refused if no node has them", () => {
    expect(failuresOf(() => expandLayer2Network(args(["fd18:1::1", "fd18:3::1"])))).toEqual([
      {
        path: "advertised.importRoutes.neighbors[1]",
        code: "next-hop",
        message: "fd18:3::1 is in none of the external subnets, so nothing would answer for it",
      },
    ]);
  });
});

describe("a network with route import", () => {
  const advertised = (importRoutes: object, change: object = {}) =>
    ({ ...dual, ...change, advertised: { importRoutes: { ...IMPORT, ...importRoutes } } }) as Layer2NetworkArgs;

  test.each<[string, Layer2NetworkArgs, string[]]>([
    [
      "with the switch's key as table",
      advertised({ table: 16_715_779 }, { tunnelKeys: [16_715_779, 16_715_780] }),
      ["advertised.importRoutes.table: table 16715779 would be the gateway routers' tunnel key, and is already used by the switch"],
    ],
    [
      "with the transit router's key as table",
      advertised({ table: 16_715_780 }, { tunnelKeys: [16_715_779, 16_715_780] }),
      ["advertised.importRoutes.table: table 16715780 would be the gateway routers' tunnel key, and is already used by the transit router"],
    ],
    [
      "with a table that VXLAN does not carry",
      advertised({ table: 4_096 }, { tunnelKeys: [1, 2], nodes: { node1: { ...node(1), encapsulation: "vxlan" } }, workloads: {} }),
      ["advertised.importRoutes.table: table 4096 would be the gateway routers' tunnel key, and does not fit in VXLAN: keys end at 4095 there"],
    ],
    [
      "with default gateways and a VRF",
      advertised(
        { vrf: "blue" },
        { nodes: { node1: node(1), node2: { id: 9, external: { addresses: ["172.18.0.12/24"], nextHops: ["172.18.0.1"] } } }, workloads: {} },
      ),
      [
        "nodes.node2.external.nextHops: packets would leave VRF blue by 172.18.0.1 where it has no route: with importRoutes.vrf the routing daemon has to learn a default route",
      ],
    ],
    [
      "with the main table",
      advertised({ table: 254 }),
      ["advertised.importRoutes.table: table 254 is the kernel's own (main): the routing daemon needs another one"],
    ],
  ])("%s", (_title, args, expected) => {
    const bare = {
      ...args,
      nodes: Object.fromEntries(
        Object.entries(args.nodes).map(([name, value]) => [name, name === "node2" ? value : { ...value, external: { ...value.external, nextHops: [] } }]),
      ),
    };
    expect(complaints(() => expandLayer2Network(bare))).toEqual(expected);
  });

  test("is accepted with VXLAN's largest table, and with one of its own", () => {
    expect(() =>
      expandLayer2Network(advertised({ table: 4_095 }, { tunnelKeys: [1, 2], nodes: { node1: { ...node(1), encapsulation: "vxlan" } }, workloads: {} })),
    ).not.toThrow();
    expect(() => expandLayer2Network(advertised({}))).not.toThrow();
  });
});

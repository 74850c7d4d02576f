import { expandNodeLocalAccess, nodeLocalBridge, nodeLocalGateway } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered } from "./helpers";

const host = (index: number, change: object = {}) => ({
  routerPort: `rtos-node${index}`,
  hostAddresses: [`172.18.0.11${index}`],
  management: { addresses: [`192.168.${index}.2`] },
  ...change,
});
const cluster = {
  subnets: ["169.254.0.0/29"],
  zones: { central: { router: "ovn_cluster_router", nodes: { a: host(1, { hostZone: "h1" }), "b-a": host(2, { hostZone: "h2", chassis: "chassis2" }) } } },
};

describe("the expansion of node-local access", () => {
  test("has a gateway and a bridge for each host in a zone of its own", () => {
    const plan = expandNodeLocalAccess({ zones: { z1: { router: "tr", nodes: { node1: host(1) } }, z2: { router: "tr", nodes: { node2: host(2) } } } });
    expect(plan.pool).toEqual({ owners: ["node1", "node2"], subnets: ["169.254.0.0/20", "fd99:1::/64"], fixed: {} });
    expect(Object.entries(plan.gateways).map(([zone, { chassis, nodes }]) => [zone, chassis, Object.keys(nodes)])).toEqual([
      ["z1", ["node1"], ["node1"]],
      ["z2", ["node2"], ["node2"]],
    ]);
    expect(Object.entries(plan.bridges).map(([node, { zone }]) => [node, zone])).toEqual([
      ["node1", "z1"],
      ["node2", "z2"],
    ]);
  });

  test("has one gateway for a cluster's zone, and a bridge on each host", () => {
    const plan = expandNodeLocalAccess(cluster);
    expect(Object.keys(plan.gateways)).toEqual(["central"]);
    expect(plan.gateways["central"]).toMatchObject({
      zone: "central",
      router: "ovn_cluster_router",
      chassis: ["a"],
      nodes: { a: { routerPort: "rtos-node1" }, "b-a": { routerPort: "rtos-node2" } },
    });
    expect(expandNodeLocalAccess({ ...cluster, zones: { central: { ...cluster.zones.central, gateway: "b-a" } } }).gateways["central"]!.chassis).toEqual([
      "chassis2",
    ]);
    expect(Object.values(plan.bridges).map(({ zone }) => zone)).toEqual(["h1", "h2"]);
  });

  test("has default routes in every zone, on request", () => {
    const routes = (change: object) => Object.values(expandNodeLocalAccess({ ...cluster, ...change }).gateways).map(({ defaultRoute }) => defaultRoute);
    expect([routes({}), routes({ defaultRoute: true })]).toEqual([[undefined], [true]]);
  });

  test("has arguments that every resource accepts", () => {
    const plan = expandNodeLocalAccess({
      ...cluster,
      bridge: "br-x",
      port: "x0",
      mtu: 1400,
      datapathType: "netdev",
      externalIds: { team: "net" },
      gatewayMode: "local",
      clusterSubnets: ["192.168.0.0/16"],
    });
    const nodes = Object.fromEntries(
      Object.entries(plan.gateways["central"]!.nodes).map(([node, own], index) => [node, { ...own, addresses: [`169.254.0.${3 + index}`] }]),
    );
    expect(rendered(nodeLocalGateway, { ...plan.gateways["central"], nodes }).set.rows).toHaveLength(3 + 3 + 2 * 4);
    const bridge = rendered(nodeLocalBridge, plan.bridges["b-a"]).set;
    expect(bridge.rows.map(({ columns }) => columns["name"])).toEqual(["br-x", "br-x", "br-x", "x0", "x0"]);
    expect(bridge.rows[0]!.columns["external_ids"]).toEqual({ map: { team: "net" } });
  });

  const zone = (change: object) => ({ ...cluster, zones: { central: { ...cluster.zones.central, ...change } } });
  test.each<[string, object]>([
    ["zones: needs at least one zone", { zones: {} }],
    ["zones.central.nodes: needs at least one node", zone({ nodes: {} })],
    ['zones.central.gateway: "b" is not one of the zone\'s nodes: a, b-a', zone({ gateway: "b" })],
    ['addresses.b: "b" is not one of the nodes: a, b-a', { ...cluster, addresses: { b: ["169.254.0.3"] } }],
    ['zones.z2.nodes.a: node a is already used by zone "central"', { zones: { ...cluster.zones, z2: { router: "r", nodes: { a: host(3) } } } }],
    ['zones.central.nodes.b: host of zone central is already used by node "a"', zone({ nodes: { a: host(1), b: host(2) } })],
    [
      "subnets[0]: 169.254.0.0/29 has addresses for 4 nodes, and there are 5: take a larger subnet",
      zone({ nodes: Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`n${index}`, host(index, { hostZone: `h${index}` })])) }),
    ],
    ["subnets[0]: subnet in usedSubnets 169.254.0.0/17 overlaps node-local subnet 169.254.0.0/29", { ...cluster, usedSubnets: ["169.254.0.0/17"] }],
    ["subnets[0]: 169.254.0.0/30 has no address left after the 2 that are set aside: take a larger subnet", { ...cluster, subnets: ["169.254.0.0/30"] }],
    ['zones.central.nodes["a\\"b"]: name "a\\"b" can\'t have quotes: names become part of OVN match expressions', zone({ nodes: { 'a"b': host(1) } })],
    ['bridge: name "br-node-local-01" has 16 characters: interfaces and bridges have at most 15', { ...cluster, bridge: "br-node-local-01" }],
  ])("%s", (complaint, args) => {
    expect(complaints(() => expandNodeLocalAccess(args as never))).toEqual([complaint]);
  });
});

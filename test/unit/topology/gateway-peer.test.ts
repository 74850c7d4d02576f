import fc from "fast-check";
import { gatewayPeer } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const TR = "blue_transit_router";
const base = {
  zone: "node1",
  network: "blue",
  router: TR,
  gatewayRouter: "GR_blue_node1",
  node: "node1",
  nodes: { node1: { id: 2, chassis: "h1" }, node2: { id: 3, chassis: "h2" }, node3: { id: 4, chassis: "h3" } },
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  transitSubnets: ["100.88.0.0/16", "fd97::/64"],
  joinSubnets: ["100.65.0.0/16", "fd99::/64"],
  gatewayMtu: 1400,
};

const route = (key: string, router: string, columns: object) => ({
  [`Logical_Router_Static_Route ${key}`]: { policy: "dst-ip", ...columns, in: `Logical_Router ${router} static_routes` },
});
const remote = (node: number, id: number, mac: string, gatewayMac: string) => {
  const port = `trtor-GR_blue_node${node}`;
  const binding = (ip: string) => ({ [`Static_MAC_Binding ${port} ${ip}`]: { logical_port: port, ip, mac: gatewayMac, override_dynamic_mac: true } });
  return {
    [`Logical_Router_Port ${port}`]: {
      name: port,
      mac,
      networks: [`100.88.0.${2 * id}/31`, `fd97::${2 * id}/127`],
      options: { "requested-tnl-key": `${10 + id}`, "requested-chassis": `h${node}` },
      in: `Logical_Router ${TR} ports`,
    },
    ...binding(`100.88.0.${2 * id + 1}`),
    ...binding(`fd97::${2 * id + 1}`),
  };
};
const join = (id: number) => ({
  ...route(`${TR} 100.65.0.${id}`, TR, { ip_prefix: `100.65.0.${id}`, nexthop: `100.88.0.${2 * id + 1}` }),
  ...route(`${TR} fd99::${id}`, TR, { ip_prefix: `fd99::${id}`, nexthop: `fd97::${2 * id + 1}` }),
});

describe("links between a transit router and the gateway routers", () => {
  test("have rows of the own node and of the others", () => {
    expect(rowsOf(gatewayPeer, base)).toEqual({
      "Logical_Router_Port trtor-GR_blue_node1": {
        name: "trtor-GR_blue_node1",
        mac: "0a:58:64:58:00:04",
        networks: ["100.88.0.4/31", "fd97::4/127"],
        peer: "rtotr-GR_blue_node1",
        options: { "requested-tnl-key": "12" },
        in: `Logical_Router ${TR} ports`,
      },
      "Logical_Router_Port rtotr-GR_blue_node1": {
        name: "rtotr-GR_blue_node1",
        mac: "0a:58:64:41:00:02",
        networks: ["100.65.0.2/16", "fd99::2/64", "100.88.0.5/31", "fd97::5/127"],
        peer: "trtor-GR_blue_node1",
        options: { gateway_mtu: "1400" },
        in: "Logical_Router GR_blue_node1 ports",
      },
      ...route(`${TR} src-ip 203.203.0.0/16`, TR, { ip_prefix: "203.203.0.0/16", nexthop: "100.88.0.5", policy: "src-ip" }),
      ...route(`${TR} src-ip 2010:100:200::/60`, TR, { ip_prefix: "2010:100:200::/60", nexthop: "fd97::5", policy: "src-ip" }),
      ...route("GR_blue_node1 203.203.0.0/16", "GR_blue_node1", { ip_prefix: "203.203.0.0/16", nexthop: "100.88.0.4", output_port: "rtotr-GR_blue_node1" }),
      ...route("GR_blue_node1 2010:100:200::/60", "GR_blue_node1", { ip_prefix: "2010:100:200::/60", nexthop: "fd97::4", output_port: "rtotr-GR_blue_node1" }),
      ...join(2),
      ...join(3),
      ...join(4),
      ...remote(2, 3, "0a:58:64:58:00:06", "0a:58:64:41:00:03"),
      ...remote(3, 4, "0a:58:64:58:00:08", "0a:58:64:41:00:04"),
    });
  });

  test("have MACs from IPv6 addresses without IPv4", () => {
    const args = { ...base, subnets: ["2010:100:200::/60"], transitSubnets: ["fd97::/64"], joinSubnets: ["fd99::/64"] };
    const rows = rowsOf(gatewayPeer, args);
    expect(rows["Logical_Router_Port trtor-GR_blue_node3"]).toMatchObject({ mac: "0a:58:31:e2:6c:9b", networks: ["fd97::8/127"] });
    expect(rows["Static_MAC_Binding trtor-GR_blue_node3 fd97::9"]).toMatchObject({ mac: "0a:58:29:37:8e:56" });
    expect(Object.keys(rows).filter((key) => key.includes("100.") || key.includes("203."))).toEqual([]);
  });

  test("have the same rows in local gateway mode, with the management port as next hop", () => {
    const local = rowsOf(gatewayPeer, { ...base, gatewayMode: "local", managementAddresses: ["203.203.0.2", "2010:100:200::2"] });
    expect(local).toEqual({
      ...rowsOf(gatewayPeer, base),
      ...route(`${TR} src-ip 203.203.0.0/16`, TR, { ip_prefix: "203.203.0.0/16", nexthop: "203.203.0.2", policy: "src-ip" }),
      ...route(`${TR} src-ip 2010:100:200::/60`, TR, { ip_prefix: "2010:100:200::/60", nexthop: "2010:100:200::2", policy: "src-ip" }),
    });
  });

  test("may be of the default network, with own names, UUIDs, and learned neighbours", () => {
    const uuid = "0b0d4b50-7f1f-4c6f-9b9d-0a5d1f6f3c11";
    const rows = rowsOf(gatewayPeer, {
      ...base,
      network: "",
      router: uuid,
      routerName: "tr",
      nodes: { node1: { id: 2, gatewayRouterName: "gr-one" }, node2: { id: 3 } },
      staticNeighbors: false,
      gatewayMtu: undefined,
    });
    expect(rows["Logical_Router_Port trtor-GR_node2"]).toMatchObject({
      options: { "requested-tnl-key": "13", "requested-chassis": "node2" },
      in: `Logical_Router ${uuid} ports`,
    });
    expect(rows["Logical_Router_Port rtotr-gr-one"]).toMatchObject({ peer: "trtor-gr-one", options: {} });
    expect(rows).toHaveProperty(["Logical_Router_Static_Route tr 100.65.0.3"]);
    expect(Object.keys(rows).filter((key) => key.startsWith("Static_MAC_Binding"))).toEqual([]);
  });

  test("need OVN 25.03 with more than one node", () => {
    expect(rendered(gatewayPeer, base).set.requires).toEqual([{ feature: "remote ports of a transit router", schema: "7.11.0", release: "25.03" }]);
    expect(rendered(gatewayPeer, { ...base, nodes: { node1: { id: 2 } } }).set).not.toHaveProperty("requires");
  });

  test("have outputs", () => {
    expect(rendered(gatewayPeer, base).outputs).toEqual({ joinAddresses: ["100.65.0.2", "fd99::2"], transitAddresses: ["100.88.0.5", "fd97::5"] });
  });

  const nodeMap = fc
    .uniqueArray(fc.integer({ min: 1, max: 32_757 }), { minLength: 2, maxLength: 8 })
    .map((ids) => ids.map((id): [string, { id: number }] => [`n${id}`, { id }]));

  test("do not depend on the order of nodes and subnets", () => {
    fc.assert(
      fc.property(nodeMap, (entries) => {
        const args = (list: typeof entries, turn: <T>(list: T[]) => T[]) => ({
          ...base,
          node: entries[0]![0],
          nodes: Object.fromEntries(list),
          subnets: turn(base.subnets),
          joinSubnets: turn(base.joinSubnets),
          transitSubnets: turn(base.transitSubnets),
        });
        expect(
          rendered(
            gatewayPeer,
            args([...entries].reverse(), (list) => list.toReversed()),
          ),
        ).toEqual(
          rendered(
            gatewayPeer,
            args(entries, (list) => list),
          ),
        );
      }),
      { numRuns: 30 },
    );
  });

  test("change only in rows of a node that is added or removed", () => {
    fc.assert(
      fc.property(nodeMap, fc.nat(), (entries, pick) => {
        const index = 1 + (pick % (entries.length - 1));
        const [name, { id }] = entries[index]!;
        const all = rowsOf(gatewayPeer, { ...base, node: entries[0]![0], nodes: Object.fromEntries(entries) });
        const without = rowsOf(gatewayPeer, { ...base, node: entries[0]![0], nodes: Object.fromEntries(entries.toSpliced(index, 1)) });
        const gone = Object.keys(all).filter((key) => !(key in without));
        expect({ ...without, ...Object.fromEntries(gone.map((key) => [key, all[key]])) }).toEqual(all);
        expect(gone.filter((key) => key.includes(`_${name}`))).toHaveLength(3);
        expect(gone.filter((key) => key.startsWith("Logical_Router_Static_Route")).map((key) => (all[key] as { ip_prefix: string }).ip_prefix)).toEqual([
          `100.65.${id >> 8}.${id & 255}`,
          `fd99::${id.toString(16)}`,
        ]);
        expect(gone).toHaveLength(5);
      }),
      { numRuns: 30 },
    );
  });

  test("have different port keys on a router", () => {
    fc.assert(
      fc.property(nodeMap, (entries) => {
        const rows = rowsOf(gatewayPeer, { ...base, node: entries[0]![0], nodes: Object.fromEntries(entries) });
        const keys = Object.entries(rows)
          .filter(([key]) => key.includes("trtor-") && key.startsWith("Logical_Router_Port"))
          .map(([, row]) => (row as { options: Record<string, string> }).options["requested-tnl-key"]);
        expect(new Set(keys).size).toBe(entries.length);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    [{ node: "node9" }, ['node: "node9" is not one of nodes: node1, node2, node3']],
    [{ nodes: { ...base.nodes, node4: { id: 3 } } }, ["nodes.node4.id: node id 3 is already used by node2"]],
    [{ nodes: { ...base.nodes, "node-4": { id: 0 } } }, ['nodes["node-4"].id: node id 0 is out of range: 1 to 32757']],
    [{ nodes: { ...base.nodes, node4: { id: 32_758 } } }, ["nodes.node4.id: node id 32758 is out of range: 1 to 32757"]],
    [{ nodes: { ...base.nodes, node4: { id: "5" as never } } }, ["nodes.node4.id: must be a number, not a text"]],
    [
      { nodes: { ...base.nodes, node4: { id: 1e300 } } },
      ["nodes.node4.id: must be a whole number", "nodes.node4.id: node id 1e+300 is out of range: 1 to 32757"],
    ],
    [{ nodes: { ...base.nodes, node4: { id: 1.5 } } }, ["nodes.node4.id: must be a whole number, not a fraction"]],
    [
      { joinSubnets: ["100.65.0.0/29", "fd99::/64"], nodes: { ...base.nodes, node4: { id: 6 } } },
      ["nodes.node4.id: node id 6 does not fit join subnet 100.65.0.0/29: ids from 1 to 5 do"],
    ],
    [{ transitSubnets: ["100.88.0.0/29", "fd97::/64"] }, ["nodes.node3.id: node id 4 does not fit transit subnet 100.88.0.0/29: ids from 1 to 3 do"]],
    [{ joinSubnets: ["203.203.128.0/17", "fd99::/64"] }, ["joinSubnets[0]: subnet 203.203.0.0/16 overlaps join subnet 203.203.128.0/17"]],
    [{ transitSubnets: ["100.64.0.0/10", "fd97::/64"] }, ["transitSubnets[0]: join subnet 100.65.0.0/16 overlaps transit subnet 100.64.0.0/10"]],
    [{ joinSubnets: ["fd99::/64"] }, ["joinSubnets: needs an IPv4 join subnet, as the network has IPv4"]],
    [{ subnets: ["203.203.0.0/16"], transitSubnets: ["100.88.0.0/16"] }, ["joinSubnets: has an IPv6 join subnet, and there is no IPv6 transit subnet"]],
    [
      { gatewayMode: "local" },
      ['managementAddresses: needs an IPv4 address for gateway mode "local"', 'managementAddresses: needs an IPv6 address for gateway mode "local"'],
    ],
    [
      { gatewayMode: "local", managementAddresses: ["203.204.0.2", "2010:100:200::2"] },
      ["managementAddresses[0]: 203.204.0.2 is outside of 203.203.0.0/16 and 2010:100:200::/60"],
    ],
    [{ gatewayMode: "both" }, ['gatewayMode: "both" is not one of "shared", "local"']],
  ])("%j is refused", (change, expected) => {
    expect(complaints(() => rendered(gatewayPeer, { ...base, ...change }))).toEqual(expected);
  });
});

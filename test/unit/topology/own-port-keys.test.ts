import fc from "fast-check";
import { expandLayer2Network, layer2Gateway, type Layer2NetworkArgs, layer2Switch } from "@pulumi-ovn/provider";
import { ownPortKeys } from "@pulumi-ovn/provider/testing";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";
import { dual, node } from "./networks";

const nodesWith = (...keys: (number | undefined)[]) => keys.map((switchPortKey, index) => ({ id: index + 2, switchPortKey }));

describe("keys of a switch's own ports", () => {
  test.each<[string, (number | undefined)[], [number, number, number]]>([
    ["no keys are given", [undefined, undefined], [1, 2, 3]],
    ["given keys are others", [4, 5, 9], [1, 2, 3]],
    ["a node has the first", [1], [9, 2, 3]],
    ["a node has the second", [2], [1, 9, 3]],
    ["nodes have all three", [1, 2, 3], [9, 8, 7]],
    ["nodes have all that are usual and some of those that are reserved", [1, 2, 3, 9, 7], [8, 6, 5]],
    ["nodes have all that are reserved", [1, 2, 3, 4, 5, 6, 7, 8, 9], [10, 32_767, 32_766]],
    ["nodes have these, too, and one has the last by its id", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 32_767, undefined, 32_765], [32_766, 32_764, 32_763]],
  ])("are in order if %s", (_title, keys, [router, management, alias]) => {
    expect(ownPortKeys(nodesWith(...keys))).toEqual({ router, management, alias });
  });

  test("belong to no node, in any order of nodes", () => {
    const key = fc.option(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 32_740, max: 32_767 })), { nil: undefined });
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 30 }), (keys) => {
        const nodes = nodesWith(...keys);
        const own = ownPortKeys(nodes);
        expect(ownPortKeys(nodes.toReversed())).toEqual(own);
        const all = Object.values(own);
        expect(new Set(all).size).toBe(3);
        const held = nodes.map(({ id, switchPortKey }) => switchPortKey ?? 32_768 - id);
        expect(all.filter((one) => held.includes(one))).toEqual([]);
      }),
    );
  });
});

/** As ovn-kubernetes numbers the gateway routers of its first nodes. */
const first = (topologies: string, more: Partial<Layer2NetworkArgs> = {}): Layer2NetworkArgs => ({
  ...dual,
  management: {},
  ...more,
  nodes: Object.fromEntries([1, 2, 3].map((n) => [`node${n}`, { ...node(n), switchPortKey: n, topology: topologies[n - 1] === "t" ? "transit" : "gateway" }])),
});

function switchKeys(args: Layer2NetworkArgs, zone = "node1"): Record<string, string> {
  const { switch: layer2, gateway } = expandLayer2Network(args).zones[zone]!;
  const rows = { ...rowsOf(layer2Switch, layer2), ...rowsOf(layer2Gateway, gateway) } as Record<string, { name?: string; options?: Record<string, string> }>;
  const ports = Object.entries(rows).filter(([key]) => key.startsWith("Logical_Switch_Port"));
  return Object.fromEntries(ports.map(([, { name, options }]) => [name!.replace("blue_ovn_layer2_switch", "SW"), options!["requested-tnl-key"]!]));
}

describe("a network whose workloads have the lowest port keys", () => {
  const pods = (...keys: number[]) => ({
    workloads: Object.fromEntries(keys.map((tunnelKey, index) => [`pod${index}`, { node: "node1", addresses: [`203.203.0.${20 + index}`], tunnelKey }])),
  });
  const keys = (...low: number[]) => switchKeys({ ...dual, management: {}, upgrade: "settle", ...pods(...low) });

  test.each<[string, number[], object]>([
    ["no low keys", [10, 500], { "k8s-blue_node1": "2", "stotr-SW": "1" }],
    ["the first ones", [1, 2, 3], { "k8s-blue_node1": "8", "stotr-SW": "9" }],
    ["one of them", [3], { "k8s-blue_node1": "8", "stotr-SW": "9" }],
    ["the last ones, too", [1, 9, 8], { "k8s-blue_node1": "6", "stotr-SW": "7" }],
    ["all of them", [1, 2, 3, 4, 5, 6, 7, 8, 9], { "k8s-blue_node1": "32767", "stotr-SW": "10" }],
  ])("%s: keeps them, and the switch's own ports have others", (_title, low, expected) => {
    const { workloads } = expandLayer2Network({ ...dual, management: {}, ...pods(...low) }).members;
    expect(Object.values(workloads!).map(({ tunnelKey }) => tunnelKey)).toEqual(low);
    expect(keys(...low)).toEqual(expected);
  });

  test("keeps them, and nodes keep theirs", () => {
    const more = { ...pods(3, 9) };
    expect(
      switchKeys({
        ...first("tgg", { upgrade: "move", ...more }),
        nodes: { ...first("tgg").nodes, node3: { ...node(3), switchPortKey: 4, topology: "gateway" } },
      }),
    ).toEqual({
      "k8s-blue_node1": "7",
      "stotr-SW": "8",
      "stotr-SW-upgrade": "1",
      "stor-SW_node2": "2",
      "stor-SW_node3": "4",
    });
  });
});

describe("a network whose gateway routers have the lowest port keys", () => {
  const own = { "k8s-blue_node1": "8" };
  const others = { "stor-SW_node2": "2", "stor-SW_node3": "3" };

  test.each<[string, string, Partial<Layer2NetworkArgs>, Record<string, string>]>([
    ["gateway topology", "ggg", {}, { ...own, "stor-SW": "1", ...others }],
    ["prepared", "ggg", { upgrade: "move" }, { ...own, "stor-SW": "1", "stor-SW-alias": "7", ...others }],
    ["moved", "tgg", { upgrade: "move" }, { ...own, "stotr-SW": "9", "stotr-SW-upgrade": "1", ...others }],
    ["all moved", "ttt", { upgrade: "follow" }, { ...own, "stotr-SW": "9", "stotr-SW-upgrade": "1", ...others }],
    ["settled", "ttt", { upgrade: "settle" }, { ...own, "stotr-SW": "9" }],
    ["transit topology", "ttt", {}, { ...own, "stotr-SW": "9" }],
  ])("%s: the switch's own ports have other keys, the same in every stage", (_title, topologies, more, expected) => {
    expect(switchKeys(first(topologies, more))).toEqual(expected);
  });

  test("passes this to the kind only if necessary", () => {
    expect(expandLayer2Network(first("ttt")).zones.node2!.gateway.ownPortKeys).toEqual({ router: 9, alias: 7 });
    expect(expandLayer2Network(dual).zones.node2!.gateway).not.toHaveProperty("ownPortKeys");
  });

  test("refuses workloads a key above the reserved ones", () => {
    const nodes = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`node${index + 1}`, { ...node(index + 1), switchPortKey: index + 1 }]));
    const workloads = {
      vm1: { node: "node1", addresses: ["203.203.0.17"], tunnelKey: 10 },
      vm2: { node: "node1", addresses: ["203.203.0.18"], tunnelKey: 32_766 },
    };
    expect(complaints(() => expandLayer2Network({ ...dual, nodes, workloads }))).toEqual([
      "workloads.vm1.tunnelKey: port key 10 is already used by the switch",
      "workloads.vm2.tunnelKey: port key 32766 is already used by the switch",
    ]);
  });

  test("the kind itself uses the usual keys or the given ones, and refuses nodes with one of them", () => {
    const { gateway } = expandLayer2Network(first("ggg", { upgrade: "move" })).zones.node1!;
    const { ownPortKeys: _, ...without } = gateway;
    expect(complaints(() => rendered(layer2Gateway, without))).toEqual([
      "nodes.node1.switchPortKey: port key 1 is already used by the switch",
      "nodes.node3.switchPortKey: port key 3 is already used by the switch",
    ]);
    expect(complaints(() => rendered(layer2Gateway, { ...gateway, ownPortKeys: { router: 6, alias: 6 } }))).toEqual([
      "ownPortKeys.alias: port key 6 is already used by the switch",
    ]);
  });
});

import { Layer2Network, type Layer2NetworkArgs } from "pulumi-ovn";
import { later, registeredBy } from "../../support/program";
import { dual } from "../topology/networks";

const [first, second] = [16_715_779, 16_715_780];
const make = (tunnelKeys: unknown, change: Partial<Layer2NetworkArgs> = {}) =>
  registeredBy(() => void new Layer2Network("blue", { ...dual, ...change, tunnelKeys } as Layer2NetworkArgs));
const vxlan = { nodes: Object.fromEntries(Object.entries(dual.nodes).map(([name, node]) => [name, { ...node, encapsulation: "vxlan" as const }])) };

/** Keys that the switches and routers of all zones request. */
async function keys(...args: Parameters<typeof make>): Promise<[switches: unknown[], routers: unknown[]]> {
  const resources = await make(...args);
  const of = (kind: string) => [...new Set(resources.filter((resource) => resource.kind === kind).map(({ inputs }) => inputs["tunnelKey"]))];
  return [of("Layer2Switch"), of("Layer2Gateway")];
}

/** The lines of the refusal; known keys are refused before anything is registered. */
async function refused(tunnelKeys: unknown, change: Partial<Layer2NetworkArgs> = {}): Promise<string[]> {
  let message = "";
  const resources = await registeredBy(() => {
    try {
      new Layer2Network("blue", { ...dual, ...change, tunnelKeys } as Layer2NetworkArgs);
    } catch (error) {
      ({ message } = error as Error);
    }
  });
  expect(resources.map(({ kind }) => kind)).toEqual(["Layer2Network"]);
  const [head, ...lines] = message.split("\n");
  expect(head).toBe('Layer2Network "blue" can\'t be made from these arguments:');
  return lines.map((line) => line.trim());
}

describe("a network's tunnel keys", () => {
  test.each<[string, unknown]>([
    ["by name", { switch: first, router: second }],
    ["an owner's of a pool", [first, second]],
    ["by name, each an output", { switch: later(first), router: later(second) }],
    ["by name, as an output", later({ switch: first, router: second })],
    ["an owner's of a pool, as an output", later([first, second])],
    ["an owner's of a pool, each an output", [later(first), later(second)]],
  ])("%s: the switch has the first, the transit router the second", async (_title, tunnelKeys) => {
    expect(await keys(tunnelKeys)).toEqual([[first], [second]]);
  });

  test("are accepted if VXLAN can carry them", async () => {
    expect(await keys([4_094, 4_095], vxlan)).toEqual([[4_094], [4_095]]);
    expect(await keys(later({ switch: 4_095, router: 7 }), vxlan)).toEqual([[4_095], [7]]);
  });

  test.each<[string, unknown, Partial<Layer2NetworkArgs>, string[]]>([
    [
      "beyond what VXLAN carries, of a pool",
      [first, second],
      vxlan,
      [
        "tunnelKeys[0]: tunnel key 16715779 does not fit in VXLAN: keys end at 4095 there [out-of-range]",
        "tunnelKeys[1]: tunnel key 16715780 does not fit in VXLAN: keys end at 4095 there [out-of-range]",
      ],
    ],
    [
      "beyond what VXLAN carries, by name, on one node",
      { switch: 4_095, router: 4_096 },
      { nodes: { ...dual.nodes, node3: vxlan.nodes["node3"]! } },
      ["tunnelKeys.router: tunnel key 4096 does not fit in VXLAN: keys end at 4095 there [out-of-range]"],
    ],
    ["that are one", { switch: 7, router: 7 }, {}, ["tunnelKeys.router: tunnel key 7 is already used by the switch [duplicate]"]],
    [
      "that are one in a list",
      [7, 7],
      {},
      ["tunnelKeys: needs two different keys, one for the switch and one for the transit router; got the same one twice [tunnel-keys]"],
    ],
    ["of which there is one", [7], {}, ["tunnelKeys: needs two different keys, one for the switch and one for the transit router; got 1 [tunnel-keys]"]],
    ["out of range", [7, 16_777_216], {}, ["tunnelKeys[1]: tunnel key 16777216 is out of range: 1 to 16777215 [out-of-range]"]],
    [
      "by a wrong name",
      { switch: 7, routr: 8 },
      {},
      ["tunnelKeys.router: is required [required]", 'tunnelKeys.routr: there is no argument "routr" [unknown-argument]'],
    ],
    ["that are missing", undefined, {}, ["tunnelKeys: is required [required]"]],
    [
      "and what else is wrong",
      [7, 7],
      { mtu: 5 },
      [
        "tunnelKeys: needs two different keys, one for the switch and one for the transit router; got the same one twice [tunnel-keys]",
        "mtu: MTU 5 is out of range: 1280 to 65535 [out-of-range]",
      ],
    ],
  ])("%s are refused before anything is registered", async (_title, tunnelKeys, change, expected) => {
    expect(await refused(tunnelKeys, change)).toEqual(expected);
  });

  test("are refused otherwise, also those of ports", async () => {
    const { node1, ...others } = vxlan.nodes;
    const network = {
      nodes: { ...others, node1: { ...node1!, id: 2_038 } },
      workloads: { vm1: { node: "node1", addresses: ["203.203.8.17"] }, vm2: { node: "node2", addresses: ["203.203.7.245"] } },
    };
    expect(await refused([5, 6], network)).toEqual([
      "workloads.vm1.tunnelKey: port key 2075 does not fit in VXLAN: port keys end at 2047 there [out-of-range]",
      "nodes.node1.id: port key 2048 does not fit in VXLAN: port keys end at 2047 there [out-of-range]",
    ]);
    expect(await refused([5, 6], { ...vxlan, upgrade: "move" })).toEqual(
      [1, 2, 3].map((n) => `nodes.node${n}.switchPortKey: port key ${32_767 - n} does not fit in VXLAN: port keys end at 2047 there [out-of-range]`),
    );
    const keyed = Object.fromEntries(Object.entries(vxlan.nodes).map(([name, node], index) => [name, { ...node, switchPortKey: 2_047 - index }]));
    expect(await keys([5, 6], { nodes: keyed, upgrade: "move" })).toEqual([[5], [6]]);
  });
});

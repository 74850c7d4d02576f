import { EgressIPPolicy, Layer2Network, type Layer2NetworkArgs, NodeLocalAccess, type NodeLocalAccessArgs } from "pulumi-ovn";
import { refusalOf, registeredBy } from "../../support/program";

type Change = Partial<Omit<Layer2NetworkArgs, "nodes">> & { readonly nodes?: object };

/** A network over two hosts that no other of another index meets. */
const network = (index: number, { nodes, ...change }: Change = {}): Layer2NetworkArgs => ({
  name: `net${index}`,
  subnets: [`10.${index}.0.0/16`],
  tunnelKeys: [16_715_779 + 2 * index, 16_715_780 + 2 * index],
  nodes: (nodes ??
    Object.fromEntries(
      ["a", "b"].map((name, place) => [
        name,
        { id: 1 + place, tunnelAddresses: [`198.18.0.${place}`], external: { addresses: [`172.18.${index}.${10 + place}/16`], nextHops: ["172.18.0.1"] } },
      ]),
    )) as never,
  workloads: { [`vm${index}`]: { node: "a", addresses: [`10.${index}.0.17`] } },
  ...change,
});
const node = (change: object, external: object = {}) => ({ id: 1, external: { addresses: ["172.18.2.10/16"], ...external }, ...change });

/** Change of a network over one node that is also in the network "storage". */
const storage = (index: number, address: string, further: object = {}): Change => ({
  nodes: {
    a: { ...node({ zone: "z" }, { addresses: [`172.18.${index}.10/16`] }), furtherExternals: { storage: { addresses: [`${address}/24`], ...further } } },
  },
  workloads: {},
});
const disks = { routes: { disks: { prefix: "10.60.0.0/16", nextHops: ["10.50.0.1"] } } };

/** The error text for a second network after the first one. Undefined if both are registered. */
async function refusalOfSecond(first: Change, second: Change): Promise<string | undefined> {
  const { text, made } = await refusalOf(() => {
    new Layer2Network("one", network(1, first));
    new Layer2Network("two", network(2, second));
  });
  expect(made.some(({ kind, name }) => kind !== "Layer2Network" && name.startsWith("two-"))).toBe(text === undefined);
  return text?.replace('Layer2Network "two" can\'t be made from these arguments:\n', "");
}

const masquerade = { masquerade: { hostFlows: true }, networkId: 7 };

it.each<[string, Change, Change, string | undefined]>([
  ["nothing in common", {}, {}, undefined],
  [
    "an external address of a node",
    {},
    { nodes: { a: node({}, { addresses: ["172.18.1.10/16"] }) } },
    '  nodes.a.external.addresses[0]: external address 172.18.1.10 is already used by the gateway router of node "a" of Layer2Network "one" [duplicate]',
  ],
  [
    "the keys of both datapaths, the other way round",
    { tunnelKeys: [5, 6] },
    { tunnelKeys: { switch: 6, router: 5 } },
    '  tunnelKeys.switch: tunnel key 6 is already used by the transit router of Layer2Network "one" [duplicate]\n' +
      '  tunnelKeys.router: tunnel key 5 is already used by the switch of Layer2Network "one" [duplicate]',
  ],
  ["a key in a zone that the other one is not in", { tunnelKeys: [5, 6] }, { tunnelKeys: [6, 7], nodes: { c: node({}) }, workloads: {} }, undefined],
  [
    "an external address of another node",
    {},
    { nodes: { a: node({}, { addresses: ["172.18.1.11/16"] }) } },
    '  nodes.a.external.addresses[0]: external address 172.18.1.11 is already used by the gateway router of node "b" of Layer2Network "one" [duplicate]',
  ],
  [
    "external addresses of all nodes",
    {},
    {
      nodes: Object.fromEntries(
        ["a", "b"].map((name, place) => [name, { id: 1 + place, external: { addresses: [`172.18.1.${10 + place}/16`], nextHops: ["172.18.0.1"] } }]),
      ),
    },
    '  nodes.a.external.addresses[0]: external address 172.18.1.10 is already used by the gateway router of node "a" of Layer2Network "one" (1 more node has the same conflict); ' +
      "give the gateway routers of each network addresses of their own, or another networkName or vlan outside [duplicate]",
  ],
  [
    "external addresses of all nodes, and the name of a workload",
    {},
    {
      nodes: Object.fromEntries(["a", "b"].map((name, place) => [name, node({ id: 1 + place }, { addresses: [`172.18.1.${10 + place}/16`] })])),
      workloads: { vm1: { node: "a", addresses: ["10.2.0.17"] } },
    },
    '  workloads.vm1: the name vm1 of a Logical_Switch_Port is already used by workload "vm1" of Layer2Network "one" [duplicate]\n' +
      '  nodes.a.external.addresses[0]: external address 172.18.1.10 is already used by the gateway router of node "a" of Layer2Network "one" (1 more node has the same conflict); ' +
      "give the gateway routers of each network addresses of their own, or another networkName or vlan outside [duplicate]",
  ],
  ["an external address on another VLAN", {}, { nodes: { a: node({}, { addresses: ["172.18.1.10/16"], vlan: 7 }) } }, undefined],
  ["an external address in other zones", {}, { nodes: { c: node({}, { addresses: ["172.18.1.10/16"] }) }, workloads: {} }, undefined],
  [
    "a next hop",
    {},
    { nodes: { a: node({}, { addresses: ["172.18.0.1/16"] }) } },
    '  nodes.a.external.addresses[0]: external address 172.18.0.1 is already used by a next hop of node "a" of Layer2Network "one" [duplicate]',
  ],
  [
    "a MAC outside",
    {},
    { nodes: { a: node({}, { mac: "0a:58:ac:12:01:0a" }) } },
    '  nodes.a.external.mac: external MAC 0a:58:ac:12:01:0a is already used by the gateway router of node "a" of Layer2Network "one" [duplicate]',
  ],
  [
    "an address in a further network outside",
    storage(1, "10.50.0.10"),
    storage(2, "10.50.0.10"),
    '  nodes.a.furtherExternals.storage.addresses[0]: external address 10.50.0.10 is already used by the gateway router of node "a" of Layer2Network "one" [duplicate]',
  ],
  [
    "a next hop in a further network outside",
    storage(1, "10.50.0.10", disks),
    storage(2, "10.50.0.1"),
    '  nodes.a.furtherExternals.storage.addresses[0]: external address 10.50.0.1 is already used by a next hop of node "a" of Layer2Network "one" [duplicate]',
  ],
  [
    "the MAC of a port in a further network outside",
    storage(1, "10.50.0.10"),
    storage(2, "10.50.0.12", { mac: "0a:58:0a:32:00:0a" }),
    '  nodes.a.furtherExternals.storage.mac: external MAC 0a:58:0a:32:00:0a is already used by the gateway router of node "a" of Layer2Network "one" [duplicate]',
  ],
  [
    "an address of a further network that is the other's first one",
    storage(1, "10.50.0.10"),
    { nodes: { a: node({ zone: "z" }, { addresses: ["10.50.0.10/24"], networkName: "storage" }) }, workloads: {} },
    '  nodes.a.external.addresses[0]: external address 10.50.0.10 is already used by the gateway router of node "a" of Layer2Network "one" [duplicate]',
  ],
  ["a further network outside and its router in common", storage(1, "10.50.0.10", disks), storage(2, "10.50.0.12", disks), undefined],
  [
    "a network id, with masquerade",
    masquerade,
    masquerade,
    '  networkId: masquerade address 169.254.0.23 is already used by the network id of Layer2Network "one" [duplicate]',
  ],
  [
    "the host's address, with masquerade and an id of its own",
    masquerade,
    { masquerade: { hostFlows: true }, networkId: 8, nodes: { a: node({}, { addresses: ["172.18.1.10/16"] }) } },
    undefined,
  ],
  [
    "the name of a workload",
    {},
    { workloads: { vm1: { node: "a", addresses: ["10.2.0.17"] } } },
    '  workloads.vm1: the name vm1 of a Logical_Switch_Port is already used by workload "vm1" of Layer2Network "one" [duplicate]',
  ],
  [
    "the name of a network, said once",
    {},
    { name: "net1" },
    '  name: the name net1_ovn_layer2_switch of a Logical_Switch is already used by the switch of Layer2Network "one" [duplicate]',
  ],
  [
    "a name that folds to another's",
    { name: "a-b" },
    { name: "a/b" },
    '  name: the name a.b_ovn_layer2_switch of a Logical_Switch is already used by the switch of Layer2Network "one" [duplicate]',
  ],
  [
    "the name of a node's gateway router",
    { name: "a", nodes: { b_c: node({ zone: "z" }, { addresses: ["172.18.1.10/16"] }) }, workloads: {} },
    { name: "a_b", nodes: { c: node({ zone: "z" }) }, workloads: {} },
    '  nodes.c: the name GR_a_b_c of a Logical_Router is already used by the gateway router of node "b_c" of Layer2Network "one" [duplicate]',
  ],
  [
    "a workload called as a management port",
    { management: {} },
    { workloads: { "k8s-net1_a": { node: "a", addresses: ["10.2.0.17"] } } },
    '  workloads["k8s-net1_a"]: the name k8s-net1_a of a Logical_Switch_Port is already used by the management port of node "a" of Layer2Network "one" [duplicate]',
  ],
  ["advertised, and nothing in common", { advertised: {} }, { advertised: {} }, undefined],
  [
    "a routing table that both learn from",
    { advertised: { importRoutes: { table: 1101, uplink: "one" } } },
    { advertised: { importRoutes: { table: 1101, uplink: "two" } } },
    '  advertised.importRoutes.table: routing table 1101 of the hosts is already used by importRoutes of Layer2Network "one" [duplicate]',
  ],
  [
    "routing tables of their own",
    { advertised: { importRoutes: { table: 1101, uplink: "uplink" } } },
    { advertised: { importRoutes: { table: 1102, uplink: "uplink" } } },
    undefined,
  ],
  [
    "one routing table on other hosts",
    { advertised: { importRoutes: { table: 1101, uplink: "uplink" } } },
    { advertised: { importRoutes: { table: 1101, uplink: "uplink" } }, nodes: { c: node({}) }, workloads: {} },
    undefined,
  ],
  [
    "the name of an address set, by what identifiers may have",
    { name: "a", advertised: {}, nodes: { "b_x-c": node({ zone: "z" }, { addresses: ["172.18.1.10/16"] }) }, workloads: {} },
    { name: "a_b", advertised: {}, nodes: { "x.c": node({ zone: "z" }) }, workloads: {} },
    '  nodes["x.c"]: the name GR_a_b_x.c.translated_ip4 of an Address_Set is already used by the gateway router of node "b_x-c" of Layer2Network "one" [duplicate]',
  ],
  [
    "a chassis with another tunnel",
    {},
    { nodes: { a: node({ tunnelAddresses: ["198.18.0.9"] }) } },
    '  nodes.a.tunnelAddresses: the tunnel of chassis "a" is geneve 198.18.0.9 here, and geneve 198.18.0.0 for node "a" of Layer2Network "one" [disagreement]',
  ],
])("two networks with %s", async (_what, first, second, expected) => {
  expect(await refusalOfSecond(first, second)).toBe(expected);
});

it("egress policies with a common address set name, and an egress address of a gateway router", async () => {
  const { text } = await refusalOf(() => {
    const one = new Layer2Network("one", network(1));
    new Layer2Network("two", network(2));
    new EgressIPPolicy("c", { network: one, addresses: { "172.18.2.11": "a" }, workloads: ["vm1"] });
  });
  expect(text!.split("\n").at(-1)).toBe(
    '  addresses["172.18.2.11"]: external address 172.18.2.11 is already used by the gateway router of node "b" of Layer2Network "two" [duplicate]',
  );
  await registeredBy(() => {
    const one = new Layer2Network("one", network(1, { workloads: { v: { node: "a", addresses: ["10.1.0.17"] }, w: { node: "a", addresses: ["10.1.0.18"] } } }));
    new EgressIPPolicy("a-b", { network: one, addresses: { "172.18.9.9": "a" }, workloads: ["v"] });
    expect(() => new EgressIPPolicy("a.b", { network: one, addresses: { "172.18.9.8": "a" }, workloads: ["w"] })).toThrow(
      'name: the name egress_a.b_... of an Address_Set is already used by policy name "a-b" of EgressIPPolicy "a-b" [duplicate]',
    );
  });
});

it("a further network whose switch has the name of another network's in the same zone", async () => {
  const at = (furtherExternals: object) => ({ zone: "z", furtherExternals });
  const first = { name: "a", nodes: { "x-ext_b": node(at({ x: { addresses: ["10.50.0.10/24"] } }), { addresses: ["172.18.1.10/16"] }) }, workloads: {} };
  const second = { name: "", nodes: { b: node(at({ "x-ext_a_x": { addresses: ["10.51.0.10/24"] } })) }, workloads: {} };
  expect(await refusalOfSecond(first, second)).toBe(
    '  nodes.b.furtherExternals["x-ext_a_x"]: the name x-ext_a_x-ext_b of a Logical_Switch is already used by the external switch "x" of node "x-ext_b" of Layer2Network "one" [duplicate]',
  );
});

it("names the first of a hundred nodes with shared outside addresses, and the number of the others", async () => {
  const many = (index: number) =>
    network(index, {
      nodes: Object.fromEntries(
        Array.from({ length: 100 }, (_, place) => [
          `n${place}`,
          {
            id: 1 + place,
            external: { addresses: [`172.18.9.${10 + place}/16`], nextHops: ["172.18.0.1"] },
            furtherExternals: { disks: { addresses: [`10.50.0.${10 + place}/24`] } },
          },
        ]),
      ),
      workloads: {},
    });
  expect((await refusalOfSecond(many(1), many(2)))!.split("\n").map((line) => line.replace(/;.*/, ""))).toEqual([
    '  nodes.n0.external.addresses[0]: external address 172.18.9.10 is already used by the gateway router of node "n0" of Layer2Network "one" (99 more nodes have the same conflict)',
    '  nodes.n0.furtherExternals.disks.addresses[0]: external address 10.50.0.10 is already used by the gateway router of node "n0" of Layer2Network "one" (99 more nodes have the same conflict)',
  ]);
});

it("names each network that shares outside addresses with a third one, and the number of nodes of each", async () => {
  const over = (index: number, addresses: Readonly<Record<string, string>>) =>
    network(index, {
      nodes: Object.fromEntries(
        Object.entries(addresses).map(([name, address], place) => [
          name,
          { id: 1 + place, external: { addresses: [`${address}/16`], nextHops: ["172.18.0.1"] } },
        ]),
      ),
      workloads: {},
    });
  const { text } = await refusalOf(() => {
    new Layer2Network("one", over(1, { a: "172.18.9.10", c: "172.18.9.12" }));
    new Layer2Network("two", over(2, { b: "172.18.9.11" }));
    new Layer2Network("three", over(3, { a: "172.18.9.10", b: "172.18.9.11", c: "172.18.9.12" }));
  });
  expect(text!.split("\n").map((line) => line.replace(/;.*/, ""))).toEqual([
    'Layer2Network "three" can\'t be made from these arguments:',
    '  nodes.a.external.addresses[0]: external address 172.18.9.10 is already used by the gateway router of node "a" of Layer2Network "one" (1 more node has the same conflict)',
    '  nodes.b.external.addresses[0]: external address 172.18.9.11 is already used by the gateway router of node "b" of Layer2Network "two" [duplicate]',
  ]);
});

describe("packet marks of egress policies of one network", () => {
  const policies = (...marks: object[]) => {
    const workloads = Object.fromEntries(marks.map((_, place) => [`v${place}`, { node: "a", addresses: [`10.1.0.${17 + place}`] }]));
    return refusalOf(() => {
      const one = new Layer2Network("one", network(1, { workloads }));
      marks.forEach(
        (own, place) => new EgressIPPolicy(`p${place}`, { network: one, addresses: { [`172.18.9.${place}`]: "a" }, workloads: [`v${place}`], ...own }),
      );
    });
  };

  it.each<[string, object[], string | undefined]>([
    ["answers of both have the default", [{}, { mark: 50 }], undefined],
    [
      "answers of the first one have the second one's mark",
      [{}, { mark: 42, replyMark: 43 }],
      '  mark: packet mark 42 is already used by answers (replyMark) of EgressIPPolicy "p0" [duplicate]',
    ],
    [
      "answers of the second one have the first one's mark",
      [{ mark: 50 }, { replyMark: 50 }],
      '  replyMark: packet mark 50 is already used by mark of EgressIPPolicy "p0" [duplicate]',
    ],
    ["answers of the second one have none", [{ mark: 50 }, { replyMark: 50, replies: false }], undefined],
  ])("%s", async (_what, marks, expected) => {
    expect((await policies(...marks)).text?.split("\n").at(-1)).toBe(expected);
  });

  it("are separate for each network", async () => {
    const { text } = await refusalOf(() => {
      const networks = [1, 2].map((index) => new Layer2Network(`n${index}`, network(index)));
      networks.forEach((own, place) => {
        const marks = place === 0 ? {} : { mark: 42, replyMark: 43 };
        new EgressIPPolicy(`p${place}`, { network: own, addresses: { [`172.18.9.${place}`]: "a" }, workloads: [`vm${1 + place}`], ...marks });
      });
    });
    expect(text).toBeUndefined();
  });
});

describe("two accesses to hosts", () => {
  const hosts = (...names: string[]): NodeLocalAccessArgs["zones"] =>
    Object.fromEntries(
      names.map((name) => [
        name,
        { router: `r-${name}`, nodes: { [name]: { routerPort: `p-${name}`, hostAddresses: ["172.18.0.3"], management: { addresses: ["10.9.0.2"] } } } },
      ]),
    );
  const own = { switchName: "two", networkName: "twonet", bridge: "br-two", port: "two0", subnets: ["169.254.64.0/20"] };
  const pool = { AddressPool: { addresses: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, []])) } };
  const refusalOfSecond = async (first: NodeLocalAccessArgs, second: NodeLocalAccessArgs) =>
    (
      await refusalOf(() => {
        new NodeLocalAccess("one", first);
        new NodeLocalAccess("two", second);
      }, pool)
    ).text
      ?.split("\n")
      .slice(1)
      .map((line) => line.trim());

  it("may share hosts or names, but not both", async () => {
    expect(await refusalOfSecond({ zones: hosts("a", "b") }, { zones: hosts("b", "c"), ...own })).toBeUndefined();
    expect(await refusalOfSecond({ zones: hosts("a", "b") }, { zones: hosts("c", "d") })).toBeUndefined();
  });

  it("are reported with all that they share on one host", async () => {
    const of = (holder: string) => `${holder} of NodeLocalAccess "one" [duplicate]`;
    expect(await refusalOfSecond({ zones: hosts("a", "b") }, { zones: hosts("b", "c") })).toEqual([
      `switchName: the name node_local_switch of a Logical_Switch is already used by ${of("the node-local switch")}`,
      `networkName: the entry locnet of ovn-bridge-mappings is already used by ${of("the bridge")}`,
      `bridge: the interface br-local is already used by ${of("the bridge")}`,
      `port: the interface ovn-k8s-gw0 is already used by ${of("the bridge's internal port")}`,
      `subnets[0]: node-local subnet 169.254.0.0/20 is already used by ${of("the bridge")}`,
      `subnets[1]: node-local subnet fd99:1::/64 is already used by ${of("the bridge")}`,
    ]);
  });

  it.each<[keyof typeof own, string, string]>([
    ["switchName", "node_local_switch", "the name node_local_switch of a Logical_Switch is already used by the node-local switch"],
    ["networkName", "locnet", "the entry locnet of ovn-bridge-mappings is already used by the bridge"],
    ["bridge", "ovn-k8s-gw0", "the interface ovn-k8s-gw0 is already used by the bridge's internal port"],
    ["port", "br-local", "the interface br-local is already used by the bridge"],
  ])("have each a %s", async (argument, value, expected) => {
    expect(await refusalOfSecond({ zones: hosts("a") }, { zones: hosts("a"), ...own, [argument]: value })).toEqual([
      `${argument}: ${expected} of NodeLocalAccess "one" [duplicate]`,
    ]);
  });

  it("may share a zone with different hosts, except for the switch", async () => {
    const zoned = (host: string) => {
      const [{ router, nodes }] = Object.values(hosts(host)) as [NodeLocalAccessArgs["zones"][string]];
      return { central: { router, nodes: Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, { ...node, hostZone: name }])) } };
    };
    expect(await refusalOfSecond({ zones: zoned("a") }, { zones: zoned("b"), switchName: "two" })).toBeUndefined();
    expect(await refusalOfSecond({ zones: zoned("a") }, { zones: zoned("b") })).toHaveLength(1);
    expect(await refusalOfSecond({ zones: zoned("a") }, { zones: zoned("a"), switchName: "two" })).toHaveLength(5);
  });

  it("may not have the name of a network's switch", async () => {
    const { text } = await refusalOf(() => {
      new Layer2Network("one", network(1));
      new NodeLocalAccess("two", { zones: hosts("a"), switchName: "net1_ovn_layer2_switch" });
    });
    expect(text!.split("\n").at(-1)).toBe(
      '  switchName: the name net1_ovn_layer2_switch of a Logical_Switch is already used by the switch of Layer2Network "one" [duplicate]',
    );
  });
});

import * as pulumi from "@pulumi/pulumi";
import { Layer2Network, type Layer2NetworkArgs } from "pulumi-ovn";
import { later, registeredBy } from "../../support/program";
import { dual } from "../topology/networks";

const unknown = pulumi.output(pulumi.unknown) as pulumi.Output<never>;
const plain: Layer2NetworkArgs = { ...dual, tunnelKeys: [5, 6] };
const withNode = (name: string, change: object): Layer2NetworkArgs => ({
  ...plain,
  nodes: { ...plain.nodes, [name]: { ...plain.nodes[name]!, ...change } } as never,
});
const make = (args: Layer2NetworkArgs, preview = false) => registeredBy(() => void new Layer2Network("blue", args), preview);

it("registers equal resources for outputs and for plain values", async () => {
  const outputs: Layer2NetworkArgs = {
    ...plain,
    name: later("blue"),
    subnets: [later(dual.subnets[0]!), dual.subnets[1]!],
    mtu: later(1400),
    nodes: Object.fromEntries(
      Object.entries(dual.nodes).map(([name, node]) => [
        name,
        { ...node, id: later(node.id), external: later(node.external), tunnelAddresses: later(node.tunnelAddresses!) },
      ]),
    ),
    workloads: { vm1: { ...dual.workloads!.vm1!, addresses: dual.workloads!.vm1!.addresses.map(later) }, vm2: later(dual.workloads!.vm2!) },
  };
  const expected = await make(plain);
  expect(expected).toHaveLength(18);
  expect(await make(outputs)).toEqual(expected);
});

/** Resources of whose arguments something is not known. */
async function unknownIn(args: Layer2NetworkArgs): Promise<string[]> {
  const all = await make(plain, true);
  const found = await make(args, true);
  expect(found.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  return found.filter(({ kind, inputs }) => kind !== "Propagation" && pulumi.containsUnknowns(inputs)).map(({ name }) => name);
}

const transit = { transitSubnets: ["100.88.0.0/16", "fd97::/64"] };

it.each<[string, Layer2NetworkArgs, string[]]>([
  [
    "a workload's MAC",
    { ...plain, workloads: { ...plain.workloads, vm1: { ...dual.workloads!.vm1!, mac: unknown } } },
    ["blue-members", "blue-workloads-node1", "blue-workloads-node2", "blue-workloads-node3"],
  ],
  [
    "a whole workload",
    { ...plain, workloads: { ...plain.workloads, vm1: unknown } },
    // It may have one of the port keys that the switch's own ports have otherwise.
    ["blue-members", ...["topology", "workloads"].flatMap((role) => [1, 2, 3].map((index) => `blue-${role}-node${index}`))],
  ],
  ["an address outside", { ...withNode("node1", { external: { addresses: [unknown] } }), ...transit }, ["blue-gateway-node1"]],
  [
    "an external address that transit subnets must not contain",
    withNode("node1", { external: { addresses: [unknown] } }),
    ["blue-gateway-node1", "blue-topology-node1", "blue-topology-node2", "blue-topology-node3"],
  ],
  ["a tunnel address", withNode("node1", { tunnelAddresses: [unknown] }), ["blue-chassis-node1", "blue-chassis-node2", "blue-chassis-node3", "blue-members"]],
  [
    "the number of tunnel addresses",
    withNode("node1", { tunnelAddresses: unknown }),
    ["blue-chassis-node1", "blue-chassis-node2", "blue-chassis-node3", "blue-members"],
  ],
  ["the MTU", { ...plain, mtu: unknown }, ["blue-topology-node1", "blue-topology-node2", "blue-topology-node3"]],
  ["multicast", { ...plain, multicast: { snoop: unknown } }, ["blue-switch-node1", "blue-switch-node2", "blue-switch-node3"]],
  ["a host address", { ...withNode("node2", { hostAddresses: [unknown] }), management: {}, ...transit }, ["blue-topology-node2"]],
  [
    "a host address that transit subnets must not contain",
    { ...withNode("node2", { hostAddresses: [unknown] }), management: {} },
    ["blue-topology-node1", "blue-topology-node2", "blue-topology-node3"],
  ],
  [
    "an address outside in local gateway mode",
    { ...withNode("node1", { external: { addresses: [unknown] } }), ...transit, management: {}, gatewayMode: "local" },
    ["blue-gateway-node1", "blue-topology-node1"],
  ],
  [
    "a gateway router's port key",
    { ...withNode("node1", { switchPortKey: unknown }), management: {} },
    ["blue-members", ...["switch", "topology"].flatMap((part) => [1, 2, 3].map((n) => `blue-${part}-node${n}`))],
  ],
])("leaves everything known in a preview that does not depend on %s", async (_what, args, expected) => {
  expect(await unknownIn(args)).toEqual(expected);
});

it("knows the names of zones if all else is unknown", async () => {
  const resources = await make({ ...plain, subnets: unknown }, true);
  expect(
    resources.filter(({ kind, inputs }) => kind !== "NetworkMembers" && inputs.owner !== undefined).map(({ inputs }) => inputs.zone ?? inputs.zones),
  ).not.toContain(undefined);
});

it("refuses outputs for names, immediately", async () => {
  const workloads = later(plain.workloads) as never;
  const nodes = {
    node1: later({}),
    node2: { ...plain.nodes.node2!, zone: later("b") },
    node3: { ...plain.nodes.node3!, additionalChassis: later({}) },
    node4: { id: 7, zone: "node3", external: { addresses: [] } },
  } as never;
  const resources = await registeredBy(() => {
    expect(() => new Layer2Network("blue", { ...plain, workloads, nodes })).toThrow(
      [
        'Layer2Network "blue" can\'t be made from these arguments:',
        ...["nodes.node1", "nodes.node2.zone", "nodes.node3.additionalChassis"].map(
          (path) => `  ${path}: can't be an output: which resources there are depends on it; values inside of it can [plain]`,
        ),
        "  nodes.node4.zone: zone node3 is already used by node3 [duplicate]",
        "  workloads: can't be an output: which resources there are depends on it; values inside of it can [plain]",
      ].join("\n"),
    );
    expect(() => new Layer2Network("green", { ...plain, nodes: later({}) as never })).toThrow("  nodes: can't be an output");
  });
  expect(resources.map(({ kind }) => kind)).toEqual(["Layer2Network", "Layer2Network"]);
});

it("hides rows of a list with a secret, and no others", async () => {
  const secret = pulumi.secret("0a:58:00:00:00:77") as unknown as pulumi.Output<string>;
  const resources = await make({ ...plain, workloads: { ...plain.workloads, vm1: { ...dual.workloads!.vm1!, mac: secret } } });
  const hidden = resources.filter(({ inputs }) => inputs.redact !== undefined);
  expect(hidden.map(({ name }) => name)).toEqual(["blue-members", "blue-workloads-node1", "blue-workloads-node2", "blue-workloads-node3"]);
  expect(hidden.map(({ inputs }) => inputs.redact)).toEqual([["workloads"], ...[1, 2, 3].map(() => expect.arrayContaining(["members"]))]);
});

import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";
import { advertisedNetworks } from "pulumi-ovn/testing";
import { blue, NODES } from "../../support/network";
import { registeredBy } from "../../support/program";

const NAMES = ["node1", "node2"];
const SUBNETS = ["203.203.0.0/16", "2010:100:200::/60"];
const made = (): ovn.Layer2Network =>
  new ovn.Layer2Network("blue", { ...blue(NAMES), tunnelKeys: { switch: 16_715_779, router: 16_715_780 }, waitFor: "none" });
const policyOf = (network: ovn.Layer2Network, name: string, mark: number, addresses: Record<string, string>): ovn.EgressIPPolicy =>
  new ovn.EgressIPPolicy(name, { network, workloads: [name === "web" ? "vm1" : "vm2"], addresses, mark, waitFor: "none", requireDefaultGateway: false });

/** Networks that the program's announcement receives. */
async function networksOf(networks: () => ovn.RouteAdvertisementArgs["networks"]): Promise<unknown> {
  const resources = await registeredBy(
    () => void new ovn.RouteAdvertisement("announcement", { cluster: "prod", name: "blue", networks: networks()!, advertisements: ["PodNetwork"] }),
  );
  return resources.find(({ kind }) => kind === "RouteAdvertisement")!.inputs["networks"];
}

test("a Layer2Network is announced with its subnets, on layer 2", async () => {
  expect(await networksOf(() => ({ blue: made() }))).toEqual({ blue: { topology: "layer2", subnets: SUBNETS } });
});

test("a Layer2Network is announced with its policies' addresses by node, and a VRF", async () => {
  const networks = await networksOf(() => {
    const network = made();
    const egressIPPolicies = [
      policyOf(network, "web", 1001, { "172.18.0.100": "node1", "172.18.0.101": "node2" }),
      policyOf(network, "db", 1002, { "172.18.0.102": "node2" }),
    ];
    return { blue: { network, egressIPPolicies, vrf: "blue" } };
  });
  expect(networks).toEqual({
    blue: { topology: "layer2", subnets: SUBNETS, vrf: "blue", egressIPs: { node1: ["172.18.0.100"], node2: ["172.18.0.101", "172.18.0.102"] } },
  });
});

test("described networks may be next to it, and stay unchanged", async () => {
  const red = { topology: "layer3" as const, nodeSubnets: { node1: ["10.128.0.0/24"] } };
  expect(await networksOf(() => ({ blue: { network: made(), egressIPPolicies: [] }, red }))).toEqual({ blue: { topology: "layer2", subnets: SUBNETS }, red });
});

test.each<[string, (network: ovn.Layer2Network) => object, object]>([
  [
    "of a resource next to a described network",
    () => ({ topology: "layer3", subnets: ["10.1.0.0/16"], network: undefined, egressIPPolicies: undefined, vrf: "blue" }),
    { topology: "layer3", subnets: ["10.1.0.0/16"], vrf: "blue" },
  ],
  [
    "of a described network next to a resource",
    (network) => ({ network, topology: undefined, nodeSubnets: undefined, egressIPs: undefined, egressIPPolicies: undefined, vrf: undefined }),
    { topology: "layer2", subnets: SUBNETS },
  ],
  ["of nothing", (network) => ({ network, mtu: undefined }), { topology: "layer2", subnets: SUBNETS }],
])("a key %s counts only with a value", async (_what, entry, expected) => {
  expect(await networksOf(() => ({ blue: entry(made()) }) as ovn.RouteAdvertisementArgs["networks"])).toEqual({ blue: expected });
});

test("the announcement depends on the network and the policies", async () => {
  let expected: unknown;
  let found: unknown;
  await registeredBy(() => {
    const network = made();
    const web = policyOf(network, "web", 1001, { "172.18.0.100": "node1" });
    [expected, found] = [
      [network, web],
      advertisedNetworks({ blue: { network, egressIPPolicies: [web] }, red: { topology: "layer2", subnets: ["10.1.0.0/16"] } }, "it").resources,
    ];
  });
  expect(found).toEqual(expected);
});

test("a policy's nodes determine the addresses' nodes", async () => {
  let addresses: unknown;
  await registeredBy(() => void ({ addresses } = policyOf(made(), "web", 1001, { "172.18.0.100": "node1" })));
  expect([addresses, Object.keys(NODES).slice(0, 2)]).toEqual([{ "172.18.0.100": "node1" }, NAMES]);
});

describe("typos", () => {
  const announced = (networks: ovn.RouteAdvertisementArgs["networks"]) =>
    void new ovn.RouteAdvertisement("announcement", { cluster: "prod", name: "blue", networks: networks!, advertisements: ["PodNetwork"] });
  /** Error that ends the program; earlier resources are registered nevertheless. */
  const refusal = async (networks: () => object) => {
    let message: unknown;
    const resources = await registeredBy(() => {
      try {
        announced(networks() as ovn.RouteAdvertisementArgs["networks"]);
      } catch (error) {
        ({ message } = error as Error);
      }
    });
    return [message, resources.filter(({ kind }) => kind === "RouteAdvertisement")];
  };
  const LAYER2 = { topology: "layer2" as const, subnets: SUBNETS };

  test.each<[string, () => object, string]>([
    [
      "next to a network",
      () => ({ blue: { network: made(), egressIPPolicy: [] } }),
      'networks.blue.egressIPPolicy: there is no argument "egressIPPolicy"; did you mean "egressIPPolicies"? [unknown-argument]',
    ],
    ["instead of one", () => ({ blue: { netwrk: made() } }), 'networks.blue.netwrk: there is no argument "netwrk"; did you mean "network"? [unknown-argument]'],
    [
      "of a described network",
      () => ({ red: { ...LAYER2, egresIPs: {} } }),
      'networks.red.egresIPs: there is no argument "egresIPs"; did you mean "egressIPs"? [unknown-argument]',
    ],
    ["that is near to nothing", () => ({ "red-1": { ...LAYER2, mtu: 1400 } }), 'networks["red-1"].mtu: there is no argument "mtu" [unknown-argument]'],
    [
      "of what only a described network has",
      () => ({ blue: { network: made(), topology: "layer2" } }),
      'networks.blue.topology: there is no argument "topology" [unknown-argument]',
    ],
    [
      "which leaves policies without a network",
      () => ({ blue: { egressIPPolicies: [] } }),
      "networks.blue.network: is required: a Layer2Network of the program [required]",
    ],
    [
      "of a network that has no value",
      () => ({ blue: { network: undefined, egressIPPolicies: [] } }),
      "networks.blue.network: is required: a Layer2Network of the program [required]",
    ],
    [
      "next to keys without a value",
      () => ({ red: { ...LAYER2, network: undefined, egresIPs: {} } }),
      'networks.red.egresIPs: there is no argument "egresIPs"; did you mean "egressIPs"? [unknown-argument]',
    ],
    [
      "that makes a text of the network",
      () => ({ blue: { network: "blue" } }),
      "networks.blue.network: is required: a Layer2Network of the program [required]",
    ],
  ])("%s is named in the program", async (_what, networks, text) => {
    expect(await refusal(networks)).toEqual([`RouteAdvertisement "announcement" can't be made from these arguments:\n  ${text}`, []]);
  });

  test("are named, and correct arguments are not", async () => {
    expect(await refusal(() => ({ ok: LAYER2, red: { topolgy: "layer2", subnet: SUBNETS } }))).toEqual([
      `RouteAdvertisement "announcement" can't be made from these arguments:
  networks.red.topolgy: there is no argument "topolgy"; did you mean "topology"? [unknown-argument]
  networks.red.subnet: there is no argument "subnet"; did you mean "subnets"? [unknown-argument]`,
      [],
    ]);
  });

  // Nothing here runs: `tsc --project test` fails unless its error is in the line of the typo, and in no other.
  void ((
    blue: ovn.Layer2Network,
    web: ovn.EgressIPPolicy,
    vrf: pulumi.Output<string>,
    described: Record<string, ovn.Layer2Network | ovn.AdvertisedLayer2Network>,
    later: pulumi.Output<Record<string, ovn.AdvertisedNetwork>>,
  ) => {
    announced({
      a: {
        network: blue,
        // @ts-expect-error egressIPPolicies
        egressIPPolicy: [web],
      },
    });
    announced({
      a: {
        // @ts-expect-error network
        netwrk: blue,
      },
    });
    announced({
      a: {
        topology: "layer2",
        // @ts-expect-error subnets
        subnet: SUBNETS,
      },
    });
    announced({
      a: {
        topology: "layer3",
        nodeSubnets: { node1: SUBNETS },
        // @ts-expect-error egressIPs
        egresIPs: {},
      },
    });
    announced({ a: { topology: "layer2", subnets: SUBNETS, network: undefined, egressIPPolicies: undefined } });
    announced({
      a: blue,
      b: { network: blue, egressIPPolicies: [web], vrf },
      c: { topology: "layer2", subnets: [vrf], vrf },
      d: pulumi.output({ topology: "layer2" as const }),
    });
    announced(described);
    announced(later);
  });
});

import * as ovn from "pulumi-ovn";
import { advertisedNetworks } from "../../../sdk/components/advertised-networks";
import { blue, NODES } from "../../support/network";
import { registeredBy } from "../../support/program";

const NAMES = ["node1", "node2"];
const SUBNETS = ["203.203.0.0/16", "2010:100:200::/60"];
const made = (): ovn.Layer2Network => new ovn.Layer2Network("blue", { ...blue(NAMES), tunnelKeys: { switch: 16_715_779, router: 16_715_780 }, waitFor: "none" });
const policyOf = (network: ovn.Layer2Network, name: string, mark: number, addresses: Record<string, string>): ovn.EgressIPPolicy =>
  new ovn.EgressIPPolicy(name, { network, workloads: [name === "web" ? "vm1" : "vm2"], addresses, mark, waitFor: "none", requireDefaultGateway: false });

/** What the announcement of a program gets as its networks. */
async function networksOf(networks: () => ovn.RouteAdvertisementArgs["networks"]): Promise<unknown> {
  const resources = await registeredBy(() => void new ovn.RouteAdvertisement("announcement", { cluster: "prod", name: "blue", networks: networks()!, advertisements: ["PodNetwork"] }));
  return resources.find(({ kind }) => kind === "RouteAdvertisement")!.inputs["networks"];
}

test("a Layer2Network as it is: its subnets, on layer 2", async () => {
  expect(await networksOf(() => ({ blue: made() }))).toEqual({ blue: { topology: "layer2", subnets: SUBNETS } });
});

test("with the addresses of its policies by node, and a VRF", async () => {
  const networks = await networksOf(() => {
    const network = made();
    const egressIPPolicies = [policyOf(network, "web", 1001, { "172.18.0.100": "node1", "172.18.0.101": "node2" }), policyOf(network, "db", 1002, { "172.18.0.102": "node2" })];
    return { blue: { network, egressIPPolicies, vrf: "blue" } };
  });
  expect(networks).toEqual({ blue: { topology: "layer2", subnets: SUBNETS, vrf: "blue", egressIPs: { node1: ["172.18.0.100"], node2: ["172.18.0.101", "172.18.0.102"] } } });
});

test("beside networks that are described, which stay as they are", async () => {
  const red = { topology: "layer3" as const, nodeSubnets: { node1: ["10.128.0.0/24"] } };
  expect(await networksOf(() => ({ blue: { network: made(), egressIPPolicies: [] }, red }))).toEqual({ blue: { topology: "layer2", subnets: SUBNETS }, red });
});

test("the announcement depends on the network and the policies", async () => {
  let expected: unknown;
  let found: unknown;
  await registeredBy(() => {
    const network = made();
    const web = policyOf(network, "web", 1001, { "172.18.0.100": "node1" });
    [expected, found] = [[network, web], advertisedNetworks({ blue: { network, egressIPPolicies: [web] }, red: { topology: "layer2", subnets: ["10.1.0.0/16"] } }).resources];
  });
  expect(found).toEqual(expected);
});

test("the nodes of a policy's addresses", async () => {
  let addresses: unknown;
  await registeredBy(() => void ({ addresses } = policyOf(made(), "web", 1001, { "172.18.0.100": "node1" })));
  expect([addresses, Object.keys(NODES).slice(0, 2)]).toEqual([{ "172.18.0.100": "node1" }, NAMES]);
});

import { type AdvertisementSpec, type ClusterFacts, generateFrrConfigurations } from "@pulumi-ovn/provider";
import { DEFAULT, USER_DEFINED, facts, network, node, spec } from "../../support/advertisement";

const STACK = { own: { topology: "layer2" as const, subnets: ["10.9.0.0/16"] } };
const clusterFacts = facts({ nodes: [node("node1", { default: "10.244.0.0/24" })], networks: [network("blue", "Layer2", ["203.203.0.0/16"])] });
const warned = (given: Partial<AdvertisementSpec>, more: Partial<ClusterFacts> = {}) =>
  generateFrrConfigurations(spec({ nodesPrepared: false, ...given }), { ...clusterFacts, ...more }).warnings.map(({ path, code, message }) => [
    path,
    code,
    message.split(":")[0],
  ]);

it("warns of each announced network of the cluster, whose nodes are not changed", () => {
  expect(warned({ networkSelectors: [DEFAULT, USER_DEFINED], networks: STACK })).toEqual([
    ["networkSelectors[0]", "OVN_WARN_NODES_NOT_PREPARED", "the default network"],
    ["networkSelectors[1]", "OVN_WARN_NODES_NOT_PREPARED", 'ClusterUserDefinedNetwork "blue"'],
  ]);
});

it("does not warn of networks of the stack, of egress addresses, or of nodes that the program declares as prepared", () => {
  expect(warned({ networkSelectors: [], networks: STACK })).toEqual([]);
  expect(warned({ advertisements: ["EgressIP"], networks: { own: { topology: "layer2", egressIPs: { node1: ["172.18.0.9"] } } } })).toEqual([]);
  expect(warned({ nodesPrepared: true }, { controller: true })).toEqual([]);
});

it("reports what ovn-kubernetes' controller does not do, if it may run", () => {
  expect(warned({ networkSelectors: [], networks: STACK }, { controller: true })).toEqual([
    ["mode", "OVN_WARN_CONTROLLER", "the cluster has RouteAdvertisements (k8s.ovn.org/v1)"],
  ]);
});

import type { RouteAdvertisementArgs } from "@pulumi-ovn/provider";
import { observedOf, routeAdvertisement, schema, validate } from "@pulumi-ovn/provider/testing";
import { DEFAULT, USER_DEFINED, facts, node, spec } from "../../support/advertisement";
import { failuresOf } from "../../support/refusals";

const args = (given: Partial<RouteAdvertisementArgs> = {}): RouteAdvertisementArgs => ({ cluster: "c", ...spec(), ...given });
const rendered = (given: Partial<RouteAdvertisementArgs>, clusterFacts = facts()) => {
  const parsed = schema.parse(args(given.mode === "controller" ? { nodesPrepared: false, ...given } : given));
  return routeAdvertisement.render(parsed, parsed.mode === "controller" ? null : observedOf(parsed, clusterFacts));
};

describe("arguments", () => {
  it.each<[string, object, [path: string, code: string]]>([
    ["a name that is not an object's", { name: "Blue_Net" }, ["name", "invalid_format"]],
    ["an unknown argument", { targetVrf: "x" }, ["targetVrf", "unknown-argument"]],
    [
      "an unknown type of selector",
      { networkSelectors: [{ networkSelectionType: "NetworkAttachmentDefinitions" }] },
      ["networkSelectors[0].networkSelectionType", "invalid_value"],
    ],
    ["an unknown advertisement", { advertisements: ["Services"] }, ["advertisements[0]", "invalid_value"]],
    ["no advertisement", { advertisements: [] }, ["advertisements", "too_small"]],
    ["a VRF that is too long", { targetVRF: "a-vrf-of-17-chars" }, ["targetVRF", "too_big"]],
    ["a subnet with host bits", { networks: { blue: { topology: "layer2", subnets: ["10.0.0.1/8"] } } }, ["networks.blue.subnets[0]", "host-bits"]],
    [
      "an egress address that is none",
      { networks: { blue: { topology: "layer2", egressIPs: { "node.1": ["10.0.0"] } } } },
      ['networks.blue.egressIPs["node.1"][0]', "address"],
    ],
    [
      "an operator that does not exist",
      {
        nodeSelector: {
          matchExpressions: [
            { key: "a", operator: "In", values: ["b"] },
            { key: "a", operator: "Is" },
          ],
        },
      },
      ["nodeSelector.matchExpressions[1]", "selector"],
    ],
    [
      "a list without values",
      {
        networkSelectors: [
          USER_DEFINED,
          { ...USER_DEFINED, clusterUserDefinedNetworkSelector: { networkSelector: { matchExpressions: [{ key: "a", operator: "NotIn", values: [] }] } } },
        ],
      },
      ["networkSelectors[1].clusterUserDefinedNetworkSelector.networkSelector.matchExpressions[0]", "selector"],
    ],
    ["an invalid namespace", { namespace: 3 }, ["namespace", "invalid_value"]],
    ["a timeout of nothing", { timeout: 0 }, ["timeout", "too_small"]],
    ["an unknown stage", { waitFor: "chassis" }, ["waitFor", "invalid_value"]],
  ])("refuse %s", (_what, given, [path, code]) => {
    expect(validate(schema, { ...args(), ...given }).map((failure) => [failure.path, failure.code])).toEqual([[path, code]]);
  });

  it("are normalized: addresses and subnets as OVN writes them, with defaults", () => {
    const parsed = schema.parse(args({ networks: { blue: { topology: "layer2", subnets: ["FD00::/64"], egressIPs: { node1: ["FD00::0:1"] } } } }));
    expect(parsed.networks).toEqual({ blue: { topology: "layer2", subnets: ["fd00::/64"], egressIPs: { node1: ["fd00::1"] } } });
    expect(parsed).toMatchObject({ namespace: "frr-k8s-system", mode: "generate", waitFor: "none", timeout: 180 });
  });
});

describe("in mode generate", () => {
  it("returns the generated objects, each node's prefixes, and warnings", () => {
    const nodes = [node("node1", { default: ["10.244.0.0/24", "fd00:10:244::/64"] })];
    expect(rendered({}, facts({ nodes }))).toMatchObject({
      set: { objects: [{ kind: "FRRConfiguration", apiVersion: "frrk8s.metallb.io/v1beta1", metadata: { namespace: "frr-k8s-system" } }] },
      outputs: { accepted: true, announced: { node1: ["10.244.0.0/24"] } },
      warnings: [{ code: "OVN_WARN_NOT_ANNOUNCED" }],
    });
  });
});

it("returns the same objects for equal arguments and facts, and others for different ones", () => {
  const one = facts({ nodes: [node("node1", { default: "10.244.0.0/24" })] });
  const two = facts({ nodes: [node("node1", { default: "10.244.1.0/24" })] });
  const first = rendered({}, one);
  expect(rendered({}, one)).toBe(first);
  expect(rendered({}, two).outputs!["announced"]).toEqual({ node1: ["10.244.1.0/24"] });
  expect(rendered({ name: "other" }, one).set.objects[0]!.metadata.labels).toMatchObject({ "pulumi-ovn/route-advertisement": "other" });
  expect(rendered({}, one)).toEqual(first);
});

describe("in mode controller", () => {
  it.each([[undefined], [""], ["default"]])("is the object for ovn-kubernetes' controller, without a VRF for targetVRF %j", (targetVRF) => {
    expect(rendered({ mode: "controller", name: "blue", networkSelectors: [DEFAULT, USER_DEFINED], ...(targetVRF !== undefined && { targetVRF }) })).toEqual({
      set: {
        objects: [
          {
            apiVersion: "k8s.ovn.org/v1",
            kind: "RouteAdvertisements",
            metadata: { name: "blue" },
            spec: {
              networkSelectors: [DEFAULT, USER_DEFINED],
              nodeSelector: {},
              frrConfigurationSelector: { matchLabels: { use: "yes" } },
              advertisements: ["PodNetwork"],
            },
          },
        ],
      },
      outputs: { accepted: true, announced: {} },
    });
  });

  it("has another target's VRF, and selectors as given", () => {
    expect(rendered({ mode: "controller", targetVRF: "auto", nodeSelector: {} }).set.objects[0]).toMatchObject({
      spec: { targetVRF: "auto", nodeSelector: {} },
    });
  });

  it.each<[string, Partial<RouteAdvertisementArgs>, [path: string, code: string]]>([
    ["networks of the stack", { networks: { blue: { topology: "layer2" } } }, ["networks", "value"]],
    ["nodes that are prepared by other means", { nodesPrepared: true }, ["nodesPrepared", "value"]],
    ["what the controller does itself", { allowAsIn: true }, ["allowAsIn", "value"]],
    ["a wait for frr-k8s", { waitFor: "applied" }, ["waitFor", "value"]],
    ["what the controller would refuse", { nodeSelector: { matchLabels: { a: "b" } } }, ["nodeSelector", "node-selector"]],
  ])("refuses %s", (_what, given, failure) => {
    const found = failuresOf(() => rendered({ mode: "controller", ...given }));
    expect(found.map(({ path, code }) => [path, code])).toEqual([failure]);
  });
});

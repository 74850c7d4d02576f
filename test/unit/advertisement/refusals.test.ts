import type { AdvertisementSpec, ClusterFacts } from "@pulumi-ovn/provider";
import {
  DEFAULT,
  UPSTREAM,
  UPSTREAM_IPV6,
  USER_DEFINED,
  egressIP,
  facts,
  failuresOf,
  namespace,
  network,
  node,
  receive,
  spec,
  template,
} from "../../support/advertisement";

const BLUE = network("blue", "Layer2", ["203.203.0.0/16"]);
const inStack = (networks: AdvertisementSpec["networks"], given: Partial<AdvertisementSpec> = {}) => spec({ networkSelectors: [], networks, ...given });

const cases: readonly [string, AdvertisementSpec, ClusterFacts, [path: string, code: string, message: string]][] = [
  [
    "a name that is too long for a label",
    spec({ name: "x".repeat(64) }),
    facts(),
    ["name", "name", "has 64 characters: it becomes a label's value, which has at most 63"],
  ],
  [
    "egress addresses over each network's VRF",
    spec({ targetVRF: "auto", advertisements: ["EgressIP"] }),
    facts(),
    ["advertisements[0]", "egress-ip", 'egress addresses are not announced with targetVRF "auto": name the VRF, or announce PodNetwork alone'],
  ],
  [
    "egress addresses of layer 2",
    spec({ networkSelectors: [USER_DEFINED], advertisements: ["PodNetwork", "EgressIP"] }),
    facts({ networks: [BLUE] }),
    ["networkSelectors[0]", "egress-ip", 'ClusterUserDefinedNetwork "blue" is of layer 2: ovn-kubernetes does not announce its egress addresses'],
  ],
  [
    "networks from some nodes alone",
    spec({ nodeSelector: { matchLabels: { rack: "a" } } }),
    facts(),
    ["nodeSelector", "node-selector", "networks are announced from all nodes: leave the selector empty, or announce EgressIP alone"],
  ],
  [
    "a requirement as the selector of nodes",
    spec({ nodeSelector: { matchExpressions: [{ key: "rack", operator: "Exists" }] } }),
    facts(),
    ["nodeSelector", "node-selector", "networks are announced from all nodes: leave the selector empty, or announce EgressIP alone"],
  ],
  ["no network at all", inStack({}), facts(), ["networkSelectors", "no-network", "no network is selected, and none of this stack is named in networks"]],
  [
    "a selector that selects no network",
    spec({ networkSelectors: [DEFAULT, USER_DEFINED] }),
    facts(),
    ["networkSelectors[1]", "no-network", "no ClusterUserDefinedNetwork has such labels"],
  ],
  ["a type of selector twice", spec({ networkSelectors: [DEFAULT, DEFAULT] }), facts(), ["networkSelectors[1]", "duplicate", "DefaultNetwork is listed twice"]],
  ["an advertisement twice", spec({ advertisements: ["PodNetwork", "PodNetwork"] }), facts(), ["advertisements[1]", "duplicate", "PodNetwork is listed twice"]],
  [
    "a selector of networks without labels to select by",
    spec({ networkSelectors: [{ networkSelectionType: "ClusterUserDefinedNetworks" }] }),
    facts(),
    ["networkSelectors[0].clusterUserDefinedNetworkSelector", "required", "is required for ClusterUserDefinedNetworks"],
  ],
  [
    "labels for the default network",
    spec({ networkSelectors: [{ ...USER_DEFINED, networkSelectionType: "DefaultNetwork" }] }),
    facts(),
    ["networkSelectors[0].clusterUserDefinedNetworkSelector", "value", "has no meaning for DefaultNetwork"],
  ],
  [
    "a network that is not primary",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("blue", "Layer2", ["203.203.0.0/16"], { role: "Secondary" })] }),
    ["networkSelectors[0]", "network-role", 'ClusterUserDefinedNetwork "blue" is no primary network: only these are announced'],
  ],
  [
    "a topology of no layer",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [{ ...BLUE, spec: { ...BLUE.spec, network: { topology: "Localnet", localnet: { role: "Primary" } } } }] }),
    ["networkSelectors[0]", "network-topology", 'ClusterUserDefinedNetwork "blue" has topology Localnet: only Layer2 and Layer3 are announced'],
  ],
  [
    "another transport",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("blue", "Layer2", ["203.203.0.0/16"], { transport: "NoOverlay" } as object)] }),
    ["networkSelectors[0]", "network-transport", 'ClusterUserDefinedNetwork "blue" has transport NoOverlay: only networks with Geneve are announced'],
  ],
  [
    "two networks on one VRF",
    spec({ networkSelectors: [USER_DEFINED], networks: { own: { topology: "layer2", subnets: ["10.9.0.0/16"], vrf: "blue" } } }),
    facts({ networks: [BLUE] }),
    ["networks.own", "shared-vrf", 'network "own" and ClusterUserDefinedNetwork "blue" are both on VRF blue; give one of them another VRF'],
  ],
  [
    "a long name without an id",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("a-network-of-18-ch", "Layer2", ["203.203.0.0/16"])] }),
    [
      "networkSelectors[0]",
      "vrf-name",
      'ClusterUserDefinedNetwork "a-network-of-18-ch" has no VRF of its own name, which has more than 15 characters or is "default", and no NetworkAttachmentDefinition has its id yet',
    ],
  ],
  [
    "a network named like the main VRF",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("default", "Layer2", ["203.203.0.0/16"])] }),
    [
      "networkSelectors[0]",
      "vrf-name",
      'ClusterUserDefinedNetwork "default" has no VRF of its own name, which has more than 15 characters or is "default", and no NetworkAttachmentDefinition has its id yet',
    ],
  ],
  [
    "no node",
    spec({ advertisements: ["EgressIP"], nodeSelector: { matchLabels: { rack: "z" } } }),
    facts(),
    ["nodeSelector", "no-node", "no node has such labels"],
  ],
  [
    "no template",
    spec({ frrConfigurationSelector: { matchLabels: { use: "no" } } }),
    facts(),
    ["frrConfigurationSelector", "no-template", "no FRRConfiguration has such labels; generated ones are not used as templates"],
  ],
  [
    "templates that were generated",
    spec(),
    facts({ frrConfigurations: [receive({ labels: { use: "yes", "k8s.ovn.org/route-advertisements": "x" } })] }),
    ["frrConfigurationSelector", "no-template", "no FRRConfiguration has such labels; generated ones are not used as templates"],
  ],
  [
    "nodes without a part of the network",
    spec(),
    facts({ nodes: ["a", "b", "c", "d", "e"].map((name) => node(name)) }),
    ["networkSelectors[0]", "no-subnet", "the default network has no subnet to announce (nodes a, b, c and 2 more)"],
  ],
  [
    "a part that is empty",
    spec(),
    facts({ nodes: [node("node1", { default: [] })] }),
    ["networkSelectors[0]", "no-subnet", "the default network has no subnet to announce (node node1)"],
  ],
  [
    "layer 2 without subnets",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("blue", "Layer2", [])] }),
    ["networkSelectors[0]", "no-subnet", 'ClusterUserDefinedNetwork "blue" has no subnet to announce (node node1)'],
  ],
  [
    "a network of the stack without a node's part",
    inStack({ red: { topology: "layer3", nodeSubnets: { node2: ["10.9.1.0/24"] } } }),
    facts({ nodes: [node("node1")] }),
    ["networks.red", "no-subnet", 'network "red" has no subnet to announce (node node1)'],
  ],
  [
    "one subnet for two nodes of a network, also over VRFs of their own",
    inStack({ red: { topology: "layer3", vrf: "red", nodeSubnets: { node1: ["10.9.0.0/16"], node2: ["10.8.0.0/24", "10.9.1.0/24"] } } }, { targetVRF: "auto" }),
    facts({
      nodes: [node("node1"), node("node2")],
      frrConfigurations: [template("receive-filtered", [{ asn: 64512, vrf: "red", neighbors: [UPSTREAM] }])],
    }),
    ["networks.red", "overlap", 'network "red": 10.9.1.0/24 of node node2 overlaps 10.9.0.0/16 of node node1'],
  ],
  [
    "nodes to which the cluster has given one subnet",
    spec(),
    facts({ nodes: ["node3", "node2", "node1"].map((name) => node(name, { default: "10.244.0.0/24" })) }),
    ["networkSelectors[0]", "overlap", "the default network: 10.244.0.0/24 of node node2 overlaps 10.244.0.0/24 of node node1"],
  ],
  [
    "an annotation without subnets by network",
    spec(),
    facts({ nodes: [node("node1", { default: "10.244.0.1/24" })] }),
    ["networkSelectors", "annotation", "annotation k8s.ovn.org/node-subnets does not hold subnets by network (node node1)"],
  ],
  [
    "no router of the target",
    spec({ targetVRF: "red" }),
    facts(),
    ["targetVRF", "no-router", "FRRConfiguration frr-k8s-system/receive-filtered has no router with neighbours in VRF red (node node1)"],
  ],
  [
    "a router without neighbours",
    spec(),
    facts({ frrConfigurations: [template("empty", [{ asn: 1 }])] }),
    ["targetVRF", "no-router", "FRRConfiguration frr-k8s-system/empty has no router with neighbours in the main VRF (node node1)"],
  ],
  [
    "a neighbour without an address",
    spec(),
    facts({
      frrConfigurations: [
        template("x", [
          { asn: 1, vrf: "other" },
          { asn: 1, neighbors: [UPSTREAM, { asn: 2 }] },
        ]),
      ],
    }),
    ["frrConfigurationSelector", "neighbor", "FRRConfiguration frr-k8s-system/x spec.bgp.routers[1].neighbors[1] has neither an address nor an interface"],
  ],
  [
    "a neighbour with an address that is none",
    spec(),
    facts({ frrConfigurations: [template("x", [{ asn: 1, neighbors: [{ asn: 2, address: "router-1" }] }])] }),
    [
      "frrConfigurationSelector",
      "neighbor",
      'FRRConfiguration frr-k8s-system/x spec.bgp.routers[0].neighbors[0]: "router-1" is not an IP address: expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6',
    ],
  ],
  [
    "both families over one session",
    spec(),
    facts({ frrConfigurations: [template("x", [{ asn: 1, neighbors: [{ ...UPSTREAM, dualStackAddressFamily: true }] }])] }),
    [
      "frrConfigurationSelector",
      "dual-stack",
      "FRRConfiguration frr-k8s-system/x spec.bgp.routers[0].neighbors[0] has dualStackAddressFamily: use a session for each family, so that the next hops are of the prefix's family",
    ],
  ],
  [
    "a password in clear",
    spec(),
    facts({ frrConfigurations: [template("x", [{ asn: 1, neighbors: [{ ...UPSTREAM, password: "hunter2" }] }])] }),
    [
      "frrConfigurationSelector",
      "password",
      "FRRConfiguration frr-k8s-system/x spec.bgp.routers[0].neighbors[0] has its password in clear text, which would be copied: refer to a Secret with passwordSecret",
    ],
  ],
  [
    "a password in raw text",
    spec(),
    facts({ frrConfigurations: [receive({ raw: { rawConfig: "router bgp 1\n neighbor 10.0.0.1 password hunter2" } })] }),
    [
      "frrConfigurationSelector",
      "password",
      "FRRConfiguration frr-k8s-system/receive-filtered has a password or key in spec.raw, which would be copied: refer to a Secret with passwordSecret, or put it into an FRRConfiguration that is not a template",
    ],
  ],
  [
    "a host subnet that would be a way to everywhere",
    spec(),
    facts({ nodes: [node("node1", { default: "0.0.0.0/0" })] }),
    ["networkSelectors", "annotation", "annotation k8s.ovn.org/node-subnets gives default 0.0.0.0/0, which can't be announced (node node1)"],
  ],
  [
    "a host subnet that programs read in two ways",
    spec(),
    facts({ nodes: [node("node1", { default: "010.0.0.0/8" })] }),
    ["networkSelectors", "annotation", "annotation k8s.ovn.org/node-subnets does not hold subnets by network (node node1)"],
  ],
  [
    "a network with addresses that none can have",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("blue", "Layer2", ["224.0.0.0/4"])] }),
    ["networkSelectors[0]", "unusable", "224.0.0.0/4 can't be a subnet: it is for multicast (RFC 5771)"],
  ],
  [
    "a network of IPv4-mapped addresses",
    spec({ networkSelectors: [USER_DEFINED] }),
    facts({ networks: [network("blue", "Layer2", ["::ffff:10.0.0.0/104"])] }),
    ["networkSelectors[0]", "address", '"::ffff:10.0.0.0" is not an IP address: write IPv6 in hexadecimal, and an IPv4-mapped address as IPv4'],
  ],
  [
    "an egress address that no host can have",
    spec({ advertisements: ["EgressIP"] }),
    facts({ namespaces: [namespace("shop")], egressIPs: [egressIP("x", {}, { "127.0.0.1": "node1" })] }),
    ["advertisements", "unusable", "127.0.0.1 can't be the address of a port or host: 127.0.0.0/8 is for loopback (RFC 1122 section 3.2.1.3)"],
  ],
  [
    "IPv6 alone with neighbours of IPv4",
    spec(),
    facts({ nodes: [node("node1", { default: "fd00:10:244::/64" })] }),
    ["frrConfigurationSelector", "family", "the default network: no neighbour has an IPv6 session, and its prefixes are of no other family (node node1)"],
  ],
  [
    "IPv4 alone with neighbours of IPv6",
    spec(),
    facts({ frrConfigurations: [template("x", [{ asn: 1, neighbors: [UPSTREAM_IPV6] }])] }),
    ["frrConfigurationSelector", "family", "the default network: no neighbour has an IPv4 session, and its prefixes are of no other family (node node1)"],
  ],
  [
    "subnets that overlap",
    spec({ networkSelectors: [USER_DEFINED], networks: { own: { topology: "layer2", subnets: ["203.203.7.0/24"] } } }),
    facts({ networks: [BLUE] }),
    ["networks.own", "overlap", 'network "own" (203.203.7.0/24) overlaps ClusterUserDefinedNetwork "blue" (203.203.0.0/16)'],
  ],
  [
    "a network around a node's part of another one",
    inStack({ own: { topology: "layer2", subnets: ["10.0.0.0/8"] } }, { networkSelectors: [DEFAULT] }),
    facts(),
    ["networks.own", "overlap", 'network "own" (10.0.0.0/8) overlaps the default network (10.244.0.0/24)'],
  ],
  [
    "a network whose VRF no template has",
    spec({ targetVRF: "auto", networkSelectors: [DEFAULT, USER_DEFINED] }),
    facts({ networks: [BLUE] }),
    [
      "networkSelectors[1]",
      "no-router",
      'ClusterUserDefinedNetwork "blue": no selected FRRConfiguration has a router with neighbours in VRF blue (node node1)',
    ],
  ],
  [
    "a network of the stack without a VRF, over its own",
    inStack({ own: { topology: "layer2", subnets: ["10.9.0.0/16"] } }, { targetVRF: "auto" }),
    facts(),
    ["networks.own.vrf", "required", 'is required with targetVRF "auto", which announces each network over its own VRF'],
  ],
  [
    "an egress address on two nodes",
    inStack(
      { a: { topology: "layer2", subnets: ["10.9.0.0/16"], egressIPs: { node1: ["172.18.0.9"], "node.2": ["172.18.0.8", "172.18.0.9"] } } },
      { advertisements: ["EgressIP"] },
    ),
    facts(),
    ['networks.a.egressIPs["node.2"][1]', "duplicate", "172.18.0.9 is already on node1: one node holds an egress address"],
  ],
  [
    "a node without the label of its host",
    spec(),
    facts({ nodes: [{ metadata: { name: "node1", annotations: node("node1", { default: "10.244.0.0/24" }).metadata.annotations! } }] }),
    ["nodeSelector", "node-label", "no label kubernetes.io/hostname: no generated object would apply (node node1)"],
  ],
  [
    "an operator that does not exist",
    spec({ frrConfigurationSelector: { matchExpressions: [{ key: "a", operator: "Is", values: ["b"] }] } }),
    facts(),
    ["frrConfigurationSelector.matchExpressions[0]", "selector", 'there is no operator "Is": In, NotIn, Exists, DoesNotExist'],
  ],
  [
    "a template's selector that can't be read",
    spec(),
    facts({ frrConfigurations: [receive({ nodeSelector: { matchExpressions: [{ key: "a", operator: "In" }] } })] }),
    ["frrConfigurationSelector.matchExpressions[0]", "selector", "In needs values"],
  ],
  [
    "egress addresses where the cluster knows none",
    spec({ advertisements: ["PodNetwork", "EgressIP"] }),
    facts({ missing: ["EgressIP"] }),
    ["advertisements[1]", "egress-ip", "the cluster has no EgressIP (k8s.ovn.org/v1): ovn-kubernetes' feature egress-ip is off there"],
  ],
  [
    "user-defined networks where the cluster knows none",
    spec({ networkSelectors: [DEFAULT, USER_DEFINED] }),
    facts({ missing: ["ClusterUserDefinedNetwork"] }),
    [
      "networkSelectors[1]",
      "no-network",
      "the cluster has no ClusterUserDefinedNetwork (k8s.ovn.org/v1): ovn-kubernetes is missing there, or its feature network-segmentation is off",
    ],
  ],
  [
    "an egress address that is none",
    spec({ advertisements: ["EgressIP"] }),
    facts({ namespaces: [namespace("shop")], egressIPs: [egressIP("x", {}, { "172.18.0": "node1" })] }),
    ["advertisements", "address", '"172.18.0" is not an IP address: expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6'],
  ],
];

it.each(cases)("refuses %s", (_what, given, clusterFacts, [path, code, message]) => {
  expect(failuresOf(given, clusterFacts)).toEqual([{ path, code, message }]);
});

it("reports all errors together, and no password", () => {
  const failures = failuresOf(
    spec({ networkSelectors: [USER_DEFINED], advertisements: ["EgressIP"], nodeSelector: { matchLabels: { rack: "z" } } }),
    facts({ networks: [BLUE], frrConfigurations: [template("x", [{ asn: 1, neighbors: [{ asn: 1, password: "hunter2" }] }])] }),
  );
  expect(failures.map(({ path, code }) => [path, code])).toEqual([
    ["nodeSelector", "no-node"],
    ["networkSelectors[0]", "egress-ip"],
    ["frrConfigurationSelector", "password"],
    ["frrConfigurationSelector", "neighbor"],
  ]);
  expect(JSON.stringify(failures)).not.toContain("hunter2");
});

it("reads templates' routers of the target only", () => {
  const clusterFacts = facts({
    frrConfigurations: [
      template("x", [
        { asn: 1, vrf: "other", neighbors: [{ asn: 2, password: "x" }] },
        { asn: 1, neighbors: [UPSTREAM] },
      ]),
    ],
  });
  expect(() => failuresOf(spec(), clusterFacts)).toThrow("nothing was refused");
});

it("accepts nested subnets of one network on a node", () => {
  const networks = { red: { topology: "layer3" as const, nodeSubnets: { node1: ["10.9.0.0/16", "10.9.1.0/24"] } } };
  expect(() => failuresOf(spec({ networkSelectors: [], networks }), facts({ nodes: [node("node1")] }))).toThrow("nothing was refused");
});

it("names each overlapping pair of networks once, for any number of nodes", () => {
  const nodes = Array.from({ length: 20 }, (_, index) => node(`node${index}`, { default: `10.244.${index}.0/24` }));
  const networks = {
    a: { topology: "layer2" as const, subnets: ["10.0.0.0/8"] },
    b: { topology: "layer2" as const, subnets: ["10.244.0.0/16", "11.0.0.0/8"] },
  };
  expect(failuresOf(spec({ networks }), facts({ nodes })).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'networks.b: network "b" (10.244.0.0/16) overlaps network "a" (10.0.0.0/8)',
    'networks.a: network "a" (10.0.0.0/8) overlaps the default network (10.244.0.0/24)',
    'networks.b: network "b" (10.244.0.0/16) overlaps the default network (10.244.0.0/24)',
  ]);
});

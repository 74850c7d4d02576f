import fc from "fast-check";
import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { factsOf, observedOf } from "@pulumi-ovn/provider/testing";
import { DEFAULT, UPSTREAM, USER_DEFINED, egressIP, facts, failuresOf, namespace, network, node, receive, spec, template } from "../../support/advertisement";

const SPEC = spec({ networkSelectors: [DEFAULT, USER_DEFINED], advertisements: ["EgressIP", "PodNetwork"] });
const WORLD = facts({
  nodes: [
    node(
      "node2",
      { default: "10.244.1.0/24", cluster_udn_blue: "22.0.2.0/24", cluster_udn_else: "23.0.2.0/24" },
      { labels: { rack: "b", secret: "of no use" }, addresses: ["172.18.0.2", "node2"] },
    ),
    node(
      "node1",
      { default: "10.244.0.0/24", cluster_udn_blue: "22.0.1.0/24" },
      { annotations: { "k8s.ovn.org/node-primary-ifaddr": '{"ipv4":"172.18.0.1/16"}', other: "x" } },
    ),
  ],
  networks: [
    network("else", "Layer3", ["23.0.0.0/16"], { labels: {} }),
    network("blue", "Layer3", ["22.0.0.0/16"], { labels: { advertise: "true", more: "x" } }),
  ],
  namespaces: [namespace("shop", undefined, { team: "shop", more: "x" }), namespace("blue-a", "blue")],
  egressIPs: [egressIP("shop", { matchLabels: { team: "shop" } }, { "172.18.0.201": "node1" }), egressIP("waits", {}, { "172.18.0.202": "" })],
  frrConfigurations: [
    receive({ nodeSelector: { matchExpressions: [{ key: "rack", operator: "DoesNotExist" }] } }),
    template("others", [{ asn: 64512, neighbors: [UPSTREAM], prefixes: ["9.0.0.0/8"] }], { labels: { mine: "x" } }),
  ],
  attachments: [
    { metadata: { name: "a", annotations: { "k8s.ovn.org/network-name": "cluster_udn_blue", "k8s.ovn.org/network-id": "4" } } },
    { metadata: { name: "b", annotations: { "k8s.ovn.org/network-name": "cluster_udn_else", "k8s.ovn.org/network-id": "5" } } },
  ],
});

it("observed facts contain only what the result depends on, by name and in order", () => {
  expect(observedOf(SPEC, WORLD)).toEqual({
    nodes: {
      node1: {
        labels: { "kubernetes.io/hostname": "node1" },
        annotations: {
          "k8s.ovn.org/node-primary-ifaddr": '{"ipv4":"172.18.0.1/16"}',
          "k8s.ovn.org/node-subnets": '{"cluster_udn_blue":"22.0.1.0/24","default":"10.244.0.0/24"}',
        },
        addresses: [],
      },
      node2: {
        labels: { "kubernetes.io/hostname": "node2", rack: "b" },
        annotations: { "k8s.ovn.org/node-subnets": '{"cluster_udn_blue":"22.0.2.0/24","default":"10.244.1.0/24"}' },
        addresses: ["172.18.0.2", "node2"],
      },
    },
    networks: {
      blue: {
        labels: { advertise: "true" },
        spec: {
          namespaceSelector: { matchLabels: { network: "blue" } },
          network: { topology: "Layer3", layer3: { role: "Primary", subnets: [{ cidr: "22.0.0.0/16", hostSubnet: 24 }] } },
        },
      },
    },
    namespaces: { "blue-a": { network: "blue", "k8s.ovn.org/primary-user-defined-network": "" }, shop: { team: "shop" } },
    egressIPs: { shop: { namespaceSelector: { matchLabels: { team: "shop" } }, holders: { "172.18.0.201": "node1" } } },
    frrConfigurations: {
      "frr-k8s-system/others": {
        labels: {},
        spec: { bgp: { routers: [{ asn: 64512, neighbors: [{ address: "192.168.111.3", asn: 64512, disableMP: true }] }] }, nodeSelector: {} },
      },
      "frr-k8s-system/receive-filtered": {
        labels: { use: "yes" },
        spec: { bgp: { routers: [{ asn: 64512, neighbors: [UPSTREAM] }] }, nodeSelector: { matchExpressions: [{ key: "rack", operator: "DoesNotExist" }] } },
      },
    },
    networkIds: { cluster_udn_blue: "4" },
  });
});

it("observed facts give the same objects and the same refusals as the whole cluster", () => {
  expect(generateFrrConfigurations(SPEC, factsOf(observedOf(SPEC, WORLD)))).toEqual(generateFrrConfigurations(SPEC, WORLD));
  const broken = {
    ...WORLD,
    nodes: [node("node1"), { ...node("node2"), metadata: { ...node("node2").metadata, annotations: { "k8s.ovn.org/node-subnets": "{" } } }],
  };
  expect(failuresOf(SPEC, factsOf(observedOf(SPEC, broken)))).toEqual(failuresOf(SPEC, broken));
});

it("observed facts list missing kinds only if some are missing", () => {
  const clusterFacts = facts({ missing: ["EgressIP"] });
  expect([observedOf(spec(), clusterFacts).missing, factsOf(observedOf(spec(), clusterFacts)).missing, "missing" in observedOf(spec(), facts())]).toEqual([
    ["EgressIP"],
    ["EgressIP"],
    false,
  ]);
});

it("observed facts contain whether ovn-kubernetes' controller may run", () => {
  const seen = observedOf(spec(), facts({ controller: true }));
  expect([seen.controller, factsOf(seen).controller, "controller" in observedOf(spec(), facts({ controller: false }))]).toEqual([true, true, false]);
});

it("observed facts do not depend on the order of lists, and are stable when observed again", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(WORLD.nodes.slice(), { minLength: 2 }),
      fc.shuffledSubarray(WORLD.frrConfigurations.slice(), { minLength: 2 }),
      (nodes, frrConfigurations) => {
        const seen = observedOf(SPEC, { ...WORLD, nodes, frrConfigurations });
        expect(JSON.stringify(seen)).toBe(JSON.stringify(observedOf(SPEC, WORLD)));
        expect(JSON.stringify(observedOf(SPEC, factsOf(seen)))).toBe(JSON.stringify(seen));
      },
    ),
  );
});

describe("passwords", () => {
  const clear = template("clear", [{ asn: 64512, neighbors: [{ ...UPSTREAM, password: "hunter2" }] }], {
    raw: { priority: 3, rawConfig: "router bgp 1\n neighbor 10.0.0.1 password hunter2\n" },
  });

  it.each([
    ["of templates", clear],
    ["of others", { ...clear, metadata: { ...clear.metadata, labels: {} } }],
  ])("%s are not in observed facts", (_whose, object) => {
    expect(JSON.stringify(observedOf(spec(), facts({ frrConfigurations: [receive(), object] })))).not.toContain("hunter2");
  });

  it("of templates are refused nevertheless", () => {
    const clusterFacts = facts({ frrConfigurations: [clear] });
    expect(failuresOf(spec(), factsOf(observedOf(spec(), clusterFacts)))).toEqual(failuresOf(spec(), clusterFacts));
    expect(failuresOf(spec(), clusterFacts).map(({ code }) => code)).toEqual(["password", "password"]);
  });
});

describe("generated objects", () => {
  const generated = (name: string, host: string, advertisement: string, neighbor: object = {}) => ({
    metadata: { name, namespace: "frr-k8s-system", labels: { "pulumi-ovn/route-advertisement": advertisement } },
    spec: {
      bgp: { routers: [{ asn: 64512, neighbors: [{ ...UPSTREAM, ...neighbor }], prefixes: [host] }] },
      nodeSelector: { matchLabels: { "kubernetes.io/hostname": host } },
    },
  });

  it("of this announcement are omitted: its own writes change no facts", () => {
    const clusterFacts = facts({ frrConfigurations: [receive(), generated("ovnk-generated-a", "node1", "default")] });
    expect(observedOf(spec(), clusterFacts)).toEqual(observedOf(spec(), facts()));
  });

  it("of another announcement are listed once, with their hosts, and conflict as before", () => {
    const others = ["node3", "node1", "node2"].map((host) => generated(`ovnk-generated-${host}`, host, "other", { holdTime: "9s" }));
    const clusterFacts = facts({ frrConfigurations: [receive(), ...others, generated("ovnk-generated-z", "node1", "other")] });
    const seen = observedOf(spec(), clusterFacts);
    expect(Object.keys(seen.frrConfigurations)).toEqual([
      "frr-k8s-system/ovnk-generated-node1",
      "frr-k8s-system/ovnk-generated-z",
      "frr-k8s-system/receive-filtered",
    ]);
    expect(seen.frrConfigurations["frr-k8s-system/ovnk-generated-node1"]!.spec.nodeSelector).toEqual({
      matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node1", "node2", "node3"] }],
    });
    expect(generateFrrConfigurations(spec(), factsOf(seen)).warnings).toEqual(generateFrrConfigurations(spec(), clusterFacts).warnings);
    expect(generateFrrConfigurations(spec(), clusterFacts).warnings.map(({ message }) => message.slice(0, 38))).toEqual([
      'what announcement "other" generates: n',
      'what announcement "other" generates ha',
    ]);
  });
});

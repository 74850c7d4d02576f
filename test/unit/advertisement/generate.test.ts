import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import {
  DEFAULT,
  UPSTREAM,
  UPSTREAM_IPV6,
  USER_DEFINED,
  egressIP,
  facts,
  namespace,
  network,
  node,
  receive,
  routersOf,
  spec,
  template,
  told,
} from "../../support/advertisement";

describe("the default network", () => {
  it("is announced from every node, over the template's sessions", () => {
    const clusterFacts = facts({ nodes: [node("node2", { default: "10.244.1.0/24" }), node("node1", { default: ["10.244.0.0/24"] })] });
    const object = (name: string, host: string, prefix: string) => ({
      apiVersion: "frrk8s.metallb.io/v1beta1",
      kind: "FRRConfiguration",
      metadata: {
        name,
        namespace: "frr-k8s-system",
        labels: { "pulumi-ovn/route-advertisement": "default" },
        annotations: { "pulumi-ovn/route-advertisement": `default/receive-filtered/${host}` },
      },
      spec: {
        bgp: {
          routers: [
            {
              asn: 64512,
              neighbors: [
                {
                  address: "192.168.111.3",
                  asn: 64512,
                  disableMP: true,
                  toAdvertise: { allowed: { mode: "filtered", prefixes: [prefix] } },
                  toReceive: { allowed: { mode: "filtered" } },
                },
              ],
              prefixes: [prefix],
            },
          ],
        },
        nodeSelector: { matchLabels: { "kubernetes.io/hostname": host } },
      },
    });
    expect(generateFrrConfigurations(spec(), clusterFacts)).toEqual({
      objects: [object("ovnk-generated-2r0o1ixbajn4u", "node1", "10.244.0.0/24"), object("ovnk-generated-1cl4821gch5mb", "node2", "10.244.1.0/24")],
      announced: { node1: ["10.244.0.0/24"], node2: ["10.244.1.0/24"] },
      warnings: [],
    });
  });

  it.each([undefined, "", "default"])("uses the main VRF with targetVRF %j", (targetVRF) => {
    expect(routersOf(spec(targetVRF === undefined ? {} : { targetVRF }), facts())).toEqual({
      "default/receive-filtered/node1": [{ asn: 64512, neighbors: [told(UPSTREAM, "10.244.0.0/24")], prefixes: ["10.244.0.0/24"] }],
    });
  });

  it("uses the node's hostname label if it differs from its name", () => {
    const [object] = generateFrrConfigurations(
      spec(),
      facts({ nodes: [node("node1.example.net", { default: "10.244.0.0/24" }, { labels: { "kubernetes.io/hostname": "node1" } })] }),
    ).objects;
    expect(object!.spec.nodeSelector).toEqual({ matchLabels: { "kubernetes.io/hostname": "node1" } });
    expect(object!.metadata.annotations).toEqual({ "pulumi-ovn/route-advertisement": "default/receive-filtered/node1.example.net" });
  });
});

describe("families", () => {
  const dual = { nodes: [node("node1", { default: ["10.244.0.0/24", "fd00:10:244::/64"] })] };

  it("use sessions of the same family", () => {
    const clusterFacts = facts({ ...dual, frrConfigurations: [template("both", [{ asn: 64512, id: "1.1.1.1", neighbors: [UPSTREAM, UPSTREAM_IPV6] }])] });
    expect(routersOf(spec(), clusterFacts)).toEqual({
      "default/both/node1": [
        {
          asn: 64512,
          id: "1.1.1.1",
          neighbors: [told(UPSTREAM, "10.244.0.0/24"), told(UPSTREAM_IPV6, "fd00:10:244::/64")],
          prefixes: ["10.244.0.0/24", "fd00:10:244::/64"],
        },
      ],
    });
  });

  it("omit a neighbour without any prefix", () => {
    const clusterFacts = facts({ frrConfigurations: [template("both", [{ asn: 64512, neighbors: [UPSTREAM, UPSTREAM_IPV6] }])] });
    expect(routersOf(spec(), clusterFacts)).toEqual({
      "default/both/node1": [{ asn: 64512, neighbors: [told(UPSTREAM, "10.244.0.0/24")], prefixes: ["10.244.0.0/24"] }],
    });
  });

  it("both use a session over an interface without addresses", () => {
    const unnumbered = { interface: "eth1", dynamicASN: "external" };
    const clusterFacts = facts({ ...dual, frrConfigurations: [template("link", [{ asn: 64512, neighbors: [unnumbered] }])] });
    expect(routersOf(spec(), clusterFacts)["default/link/node1"]![0]!.neighbors).toEqual([told(unnumbered, "10.244.0.0/24", "fd00:10:244::/64")]);
  });

  it("warn if no neighbour has the family", () => {
    expect(generateFrrConfigurations(spec(), facts(dual))).toMatchObject({
      announced: { node1: ["10.244.0.0/24"] },
      warnings: [
        {
          path: "frrConfigurationSelector",
          code: "OVN_WARN_NOT_ANNOUNCED",
          message: "the default network: no neighbour has an IPv6 session, so its IPv6 prefixes are not announced (node node1)",
        },
      ],
    });
  });
});

describe("user-defined networks over the main VRF", () => {
  const extranet = network("extranet", "Layer3", ["22.100.0.0/16"]);
  const nodes = [node("master-1", { default: "10.244.0.0/24", cluster_udn_extranet: "22.100.2.0/24" })];

  it("match the example in ovn-kubernetes' documentation", () => {
    const [object] = generateFrrConfigurations(
      spec({ name: "extranet", targetVRF: "default", networkSelectors: [USER_DEFINED] }),
      facts({ nodes, networks: [extranet] }),
    ).objects;
    expect(object).toEqual({
      apiVersion: "frrk8s.metallb.io/v1beta1",
      kind: "FRRConfiguration",
      metadata: {
        name: expect.stringMatching(/^ovnk-generated-[0-9a-z]{13}$/),
        namespace: "frr-k8s-system",
        labels: { "pulumi-ovn/route-advertisement": "extranet" },
        annotations: { "pulumi-ovn/route-advertisement": "extranet/receive-filtered/master-1" },
      },
      spec: {
        bgp: {
          routers: [
            { asn: 64512, imports: [{ vrf: "extranet" }], neighbors: [told(UPSTREAM, "22.100.2.0/24")], prefixes: ["22.100.2.0/24"] },
            { asn: 64512, imports: [{ vrf: "default" }], vrf: "extranet" },
          ],
        },
        nodeSelector: { matchLabels: { "kubernetes.io/hostname": "master-1" } },
      },
    });
  });

  it("are announced independently of a node's other networks", () => {
    const odd = [node("master-1", { default: "240.0.0.0/24", cluster_udn_extranet: "22.100.2.0/24" })];
    const announced = (all: typeof nodes) => routersOf(spec({ networkSelectors: [USER_DEFINED] }), facts({ nodes: all, networks: [extranet] }));
    expect(announced(odd)).toEqual(announced(nodes));
  });

  it("are announced together with the default network, with imports in the order of the VRFs' names", () => {
    const blue = network("blue", "Layer2", ["203.203.0.0/16"]);
    const clusterFacts = facts({ nodes, networks: [extranet, blue, network("other", "Layer3", ["22.101.0.0/16"], { labels: {} })] });
    const prefixes = ["10.244.0.0/24", "203.203.0.0/16", "22.100.2.0/24"];
    expect(routersOf(spec({ networkSelectors: [DEFAULT, USER_DEFINED] }), clusterFacts)).toEqual({
      "default/receive-filtered/master-1": [
        { asn: 64512, imports: [{ vrf: "blue" }, { vrf: "extranet" }], neighbors: [told(UPSTREAM, ...prefixes)], prefixes },
        { asn: 64512, imports: [{ vrf: "default" }], vrf: "blue" },
        { asn: 64512, imports: [{ vrf: "default" }], vrf: "extranet" },
      ],
    });
  });

  it("keep the template router's id, and its imports of the object's routers, each once", () => {
    const own = template("own", [
      { asn: 1, id: "9.9.9.9", imports: [{ vrf: "extranet" }, { vrf: "red" }], neighbors: [UPSTREAM] },
      { asn: 1, vrf: "extranet" },
      { asn: 1, vrf: "red" },
    ]);
    expect(
      routersOf(spec({ networkSelectors: [USER_DEFINED] }), facts({ nodes, networks: [extranet], frrConfigurations: [own] }))["default/own/master-1"],
    ).toEqual([
      { asn: 1, id: "9.9.9.9", imports: [{ vrf: "extranet" }], neighbors: [told(UPSTREAM, "22.100.2.0/24")], prefixes: ["22.100.2.0/24"] },
      { asn: 1, id: "9.9.9.9", vrf: "extranet", imports: [{ vrf: "default" }] },
    ]);
  });

  it("omit imports of routers that only the template has: frr-k8s would refuse the object", () => {
    const own = template("own", [
      { asn: 1, imports: [{ vrf: "red" }], neighbors: [UPSTREAM] },
      { asn: 1, vrf: "red" },
    ]);
    expect(routersOf(spec(), facts({ frrConfigurations: [own] }))["default/own/node1"]).toEqual([
      { asn: 1, neighbors: [told(UPSTREAM, "10.244.0.0/24")], prefixes: ["10.244.0.0/24"] },
    ]);
  });

  it("announce a whole layer-2 network from every node", () => {
    const clusterFacts = facts({ nodes: [node("node1"), node("node2")], networks: [network("blue", "Layer2", ["203.203.0.0/16"])] });
    expect(generateFrrConfigurations(spec({ networkSelectors: [USER_DEFINED] }), clusterFacts).announced).toEqual({
      node1: ["203.203.0.0/16"],
      node2: ["203.203.0.0/16"],
    });
  });

  it("use a VRF named after their id if their name is too long", () => {
    const long = network("a-network-of-18-ch", "Layer2", ["203.203.0.0/16"]);
    const attachments = [
      { metadata: { name: "x", annotations: { "k8s.ovn.org/network-name": "cluster_udn_a-network-of-18-ch", "k8s.ovn.org/network-id": "7" } } },
    ];
    expect(routersOf(spec({ networkSelectors: [USER_DEFINED] }), facts({ networks: [long], attachments }))["default/receive-filtered/node1"]![1]).toEqual({
      asn: 64512,
      vrf: "mp7-udn-vrf",
      imports: [{ vrf: "default" }],
    });
  });
});

describe("another target", () => {
  const networks = [network("blue", "Layer2", ["203.203.0.0/16"]), network("red", "Layer2", ["203.204.0.0/16"])];
  const templates = [
    template("main", [{ asn: 1, neighbors: [UPSTREAM] }]),
    template("vrfs", [
      { asn: 2, vrf: "blue", neighbors: [{ ...UPSTREAM, address: "10.1.0.1" }] },
      { asn: 3, vrf: "red", neighbors: [{ ...UPSTREAM, address: "10.2.0.1" }] },
      { asn: 4, vrf: "green", neighbors: [{ ...UPSTREAM, address: "10.3.0.1" }] },
    ]),
  ];

  it("auto: each network uses its own VRF, without imports", () => {
    const clusterFacts = facts({ networks, frrConfigurations: templates });
    expect(routersOf(spec({ targetVRF: "auto", networkSelectors: [DEFAULT, USER_DEFINED] }), clusterFacts)).toEqual({
      "default/main/node1": [{ asn: 1, neighbors: [told(UPSTREAM, "10.244.0.0/24")], prefixes: ["10.244.0.0/24"] }],
      "default/vrfs/node1": [
        { asn: 2, vrf: "blue", neighbors: [told({ ...UPSTREAM, address: "10.1.0.1" }, "203.203.0.0/16")], prefixes: ["203.203.0.0/16"] },
        { asn: 3, vrf: "red", neighbors: [told({ ...UPSTREAM, address: "10.2.0.1" }, "203.204.0.0/16")], prefixes: ["203.204.0.0/16"] },
      ],
    });
  });

  it("auto: networks may have equal subnets", () => {
    const same = [networks[0]!, network("red", "Layer2", ["203.203.0.0/16"])];
    expect(
      generateFrrConfigurations(spec({ targetVRF: "auto", networkSelectors: [USER_DEFINED] }), facts({ networks: same, frrConfigurations: [templates[1]!] }))
        .announced,
    ).toEqual({ node1: ["203.203.0.0/16"] });
  });

  it("a named VRF: all networks use it, and the main VRF imports it", () => {
    const clusterFacts = facts({
      networks,
      frrConfigurations: [template("vrfs", [{ asn: 2, vrf: "blue", neighbors: [{ ...UPSTREAM, address: "10.1.0.1" }] }])],
    });
    const prefixes = ["10.244.0.0/24", "203.203.0.0/16", "203.204.0.0/16"];
    expect(routersOf(spec({ targetVRF: "blue", networkSelectors: [DEFAULT, USER_DEFINED] }), clusterFacts)).toEqual({
      "default/vrfs/node1": [
        { asn: 2, vrf: "blue", imports: [{ vrf: "default" }, { vrf: "red" }], neighbors: [told({ ...UPSTREAM, address: "10.1.0.1" }, ...prefixes)], prefixes },
        { asn: 2, imports: [{ vrf: "blue" }] },
        { asn: 2, vrf: "red", imports: [{ vrf: "blue" }] },
      ],
    });
  });
});

describe("templates", () => {
  it("apply by their own node selectors, with one object each", () => {
    const nodes = [
      node("node1", { default: "10.244.0.0/24" }, { labels: { rack: "a" } }),
      node("node2", { default: "10.244.1.0/24" }, { labels: { rack: "b" } }),
    ];
    const inRack = (rack: string, address: string) =>
      template(`rack-${rack}`, [{ asn: 64512, neighbors: [{ ...UPSTREAM, address }] }], { nodeSelector: { matchLabels: { rack } } });
    const everywhere = template("spine", [{ asn: 64512, neighbors: [{ ...UPSTREAM, address: "10.9.0.1" }] }]);
    expect(Object.keys(routersOf(spec(), facts({ nodes, frrConfigurations: [inRack("b", "10.2.0.1"), everywhere, inRack("a", "10.1.0.1")] })))).toEqual([
      "default/rack-a/node1",
      "default/spine/node1",
      "default/rack-b/node2",
      "default/spine/node2",
    ]);
  });

  it("warn of a node that no template selects", () => {
    const nodes = [node("node1", { default: "10.244.0.0/24" }, { labels: { rack: "a" } }), node("node2", { default: "10.244.1.0/24" })];
    expect(generateFrrConfigurations(spec(), facts({ nodes, frrConfigurations: [receive({ nodeSelector: { matchLabels: { rack: "a" } } })] }))).toMatchObject({
      announced: { node1: ["10.244.0.0/24"] },
      warnings: [
        {
          path: "frrConfigurationSelector",
          code: "OVN_WARN_NOT_ANNOUNCED",
          message: "no selected FRRConfiguration applies, so nothing is announced (node node2)",
        },
      ],
    });
  });

  it("pass BFD profiles and raw configuration to the generated objects", () => {
    const bfdProfiles = [{ name: "fast", receiveInterval: 100 }];
    const raw = { priority: 5, rawConfig: "ip prefix-list x permit any" };
    const clusterFacts = facts({ frrConfigurations: [template("bfd", [{ asn: 1, neighbors: [{ ...UPSTREAM, bfdProfile: "fast" }] }], { bfdProfiles, raw })] });
    expect(generateFrrConfigurations(spec(), clusterFacts).objects[0]!.spec).toEqual({
      bgp: { bfdProfiles, routers: [{ asn: 1, neighbors: [told({ ...UPSTREAM, bfdProfile: "fast" }, "10.244.0.0/24")], prefixes: ["10.244.0.0/24"] }] },
      raw,
      nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node1" } },
    });
  });

  it("have allowas-in for each neighbour and family after their raw configuration", () => {
    const raw = { priority: 5, rawConfig: "route-map x permit 1\nexit\n" };
    const routers = [
      { asn: 1, neighbors: [UPSTREAM, UPSTREAM_IPV6] },
      { asn: 1, vrf: "red", neighbors: [{ interface: "eth1", asn: 2 }] },
    ];
    const generated = (given: object, ...copied: [typeof raw?]) => {
      const networks = { red: { topology: "layer2" as const, subnets: ["10.9.0.0/16", "fd09::/64"], vrf: "red" } };
      const all = { networks, networkSelectors: [], targetVRF: "red", ...given, allowAsIn: true };
      return generateFrrConfigurations(spec(all), facts({ frrConfigurations: [template("t", routers, { ...(copied[0] && { raw: copied[0] }) })] })).objects[0]!
        .spec.raw;
    };
    expect(generated({ targetVRF: "" }, raw)).toEqual({
      priority: 5,
      rawConfig: `route-map x permit 1
exit
router bgp 1
 address-family ipv4 unicast
  neighbor 192.168.111.3 allowas-in origin
 exit-address-family
 address-family ipv6 unicast
  neighbor fd00:111::3 allowas-in origin
 exit-address-family
exit`,
    });
    expect(generated({})).toEqual({
      rawConfig: `router bgp 1 vrf red
 address-family ipv4 unicast
  neighbor eth1 allowas-in origin
 exit-address-family
 address-family ipv6 unicast
  neighbor eth1 allowas-in origin
 exit-address-family
exit`,
    });
  });

  it("refer to a Secret for the password, and so do the generated objects", () => {
    const neighbor = { ...UPSTREAM, passwordSecret: { name: "bgp" } };
    expect(
      routersOf(spec(), facts({ frrConfigurations: [template("secret", [{ asn: 1, neighbors: [neighbor] }])] }))["default/secret/node1"]![0]!.neighbors,
    ).toEqual([told(neighbor, "10.244.0.0/24")]);
  });

  it("are never generated objects, by name or by label, whatever the selector is", () => {
    const named = { ...receive(), metadata: { ...receive().metadata, name: "ovnk-generated-vl8gk" } };
    const labelled = receive({ labels: { use: "yes", "k8s.ovn.org/route-advertisements": "other" } });
    expect(
      Object.keys(routersOf(spec(), facts({ frrConfigurations: [named, receive(), { ...labelled, metadata: { ...labelled.metadata, name: "mine" } }] }))),
    ).toEqual(["default/receive-filtered/node1"]);
  });
});

describe("a node that is a neighbour of the others", () => {
  const frrConfigurations = [
    template("mesh", [
      {
        asn: 1,
        neighbors: [
          { asn: 1, address: "172.18.0.2" },
          { asn: 1, address: "172.18.0.3" },
        ],
      },
    ]),
  ];

  it.each([
    ["the kubelet's addresses", { addresses: ["172.18.0.2"] }],
    ["ovn-kubernetes' annotation", { annotations: { "k8s.ovn.org/node-primary-ifaddr": '{"ipv4":"172.18.0.2/16"}' } }],
  ])("does not announce to itself, by %s", (_how, own) => {
    expect(
      routersOf(spec(), facts({ nodes: [node("node1", { default: "10.244.0.0/24" }, own)], frrConfigurations }))["default/mesh/node1"]![0]!.neighbors,
    ).toEqual([told({ asn: 1, address: "172.18.0.3" }, "10.244.0.0/24")]);
  });

  it("announces nothing if it is the only node, without a warning", () => {
    const nodes = [
      node("node1", { default: "10.244.0.0/24" }, { addresses: ["172.18.0.2"] }),
      node("node2", { default: "10.244.1.0/24" }, { addresses: ["172.18.0.4"] }),
    ];
    const reflector = template("reflector", [{ asn: 1, neighbors: [{ asn: 1, address: "172.18.0.2" }] }]);
    expect(generateFrrConfigurations(spec(), facts({ nodes, frrConfigurations: [reflector] }))).toMatchObject({
      announced: { node2: ["10.244.1.0/24"] },
      warnings: [],
    });
  });

  it.each(["not json", "null", '{"ipv4": 7, "ipv6": "x"}'])("has no addresses with the annotation %s", (text) => {
    const nodes = [node("node1", { default: "10.244.0.0/24" }, { annotations: { "k8s.ovn.org/node-primary-ifaddr": text } })];
    expect(routersOf(spec(), facts({ nodes, frrConfigurations }))["default/mesh/node1"]![0]!.neighbors).toHaveLength(2);
  });
});

describe("egress addresses", () => {
  const nodes = [
    node("node1", { default: "10.244.0.0/24", cluster_udn_blue: "22.0.1.0/24" }),
    node("node2", { default: "10.244.1.0/24", cluster_udn_blue: "22.0.2.0/24" }),
  ];
  const clusterFacts = facts({
    nodes,
    networks: [network("blue", "Layer3", ["22.0.0.0/16"])],
    namespaces: [namespace("shop", undefined, { team: "shop" }), namespace("blue-a", "blue", { team: "blue" }), namespace("waits", "none", { team: "waits" })],
    egressIPs: [
      egressIP("shop", { matchLabels: { team: "shop" } }, { "172.18.0.201": "node1", "172.18.0.200": "node1", "fd00::9": "node2", "172.18.0.202": "" }),
      egressIP("blue", { matchLabels: { team: "blue" } }, { "172.18.0.210": "node2" }),
      egressIP("waits", { matchLabels: { team: "waits" } }, { "172.18.0.220": "node2" }),
      { metadata: { name: "new" }, spec: { namespaceSelector: {} } },
    ],
    frrConfigurations: [template("both", [{ asn: 1, neighbors: [UPSTREAM, UPSTREAM_IPV6] }])],
  });

  it("of the default network are those of namespaces without a network, at their nodes", () => {
    expect(generateFrrConfigurations(spec({ advertisements: ["EgressIP"] }), clusterFacts).announced).toEqual({
      node1: ["172.18.0.200/32", "172.18.0.201/32"],
      node2: ["fd00::9/128"],
    });
  });

  it("of a namespace that was not created for its network belong to the default network", () => {
    const namespaces = [{ metadata: { name: "late", labels: { network: "blue" } } }];
    const late = { ...clusterFacts, namespaces, egressIPs: [egressIP("late", {}, { "172.18.0.230": "node1" })] };
    expect(generateFrrConfigurations(spec({ advertisements: ["EgressIP"] }), late).announced).toEqual({ node1: ["172.18.0.230/32"] });
    expect(generateFrrConfigurations(spec({ advertisements: ["EgressIP"], networkSelectors: [USER_DEFINED] }), late).announced).toEqual({});
  });

  it("without a node or an address are omitted", () => {
    const waiting = { metadata: { name: "x" }, spec: { namespaceSelector: {} }, status: { items: [{ node: "node1" }, { egressIP: "172.18.0.1" }] } };
    expect(generateFrrConfigurations(spec({ advertisements: ["EgressIP"] }), { ...clusterFacts, egressIPs: [waiting] }).announced).toEqual({});
  });

  it("of a network are those of its namespaces", () => {
    expect(generateFrrConfigurations(spec({ advertisements: ["EgressIP"], networkSelectors: [USER_DEFINED] }), clusterFacts).announced).toEqual({
      node2: ["172.18.0.210/32"],
    });
  });

  it("are announced together with the networks", () => {
    expect(
      generateFrrConfigurations(spec({ advertisements: ["EgressIP", "PodNetwork"], networkSelectors: [DEFAULT, USER_DEFINED] }), clusterFacts).announced,
    ).toEqual({
      node1: ["10.244.0.0/24", "172.18.0.200/32", "172.18.0.201/32", "22.0.1.0/24"],
      node2: ["10.244.1.0/24", "172.18.0.210/32", "22.0.2.0/24", "fd00::9/128"],
    });
  });

  it("without networks are announced from the selected nodes", () => {
    const given = spec({
      advertisements: ["EgressIP"],
      nodeSelector: { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "NotIn", values: ["node1"] }] },
    });
    expect(generateFrrConfigurations(given, clusterFacts).announced).toEqual({ node2: ["fd00::9/128"] });
  });

  it("follow an address to another node", () => {
    const moved = { ...clusterFacts, egressIPs: [egressIP("shop", { matchLabels: { team: "shop" } }, { "172.18.0.201": "node2" })] };
    expect(generateFrrConfigurations(spec({ advertisements: ["EgressIP"] }), moved).announced).toEqual({ node2: ["172.18.0.201/32"] });
  });
});

describe("networks of the stack", () => {
  const nodes = [node("node1"), node("node2")];

  it("need no object of the cluster, and no VRF", () => {
    const networks = {
      blue: { topology: "layer2" as const, subnets: ["203.203.0.0/16"], egressIPs: { node2: ["172.18.0.202"] } },
      red: { topology: "layer3" as const, nodeSubnets: { node1: ["10.9.1.0/24"], node2: ["10.9.2.0/24"] } },
    };
    const { networkSelectors: _none, ...rest } = spec({ networks, advertisements: ["PodNetwork", "EgressIP"] });
    expect(routersOf(rest, facts({ nodes }))).toEqual({
      "default/receive-filtered/node1": [
        { asn: 64512, neighbors: [told(UPSTREAM, "10.9.1.0/24", "203.203.0.0/16")], prefixes: ["10.9.1.0/24", "203.203.0.0/16"] },
      ],
      "default/receive-filtered/node2": [
        {
          asn: 64512,
          neighbors: [told(UPSTREAM, "10.9.2.0/24", "172.18.0.202/32", "203.203.0.0/16")],
          prefixes: ["10.9.2.0/24", "172.18.0.202/32", "203.203.0.0/16"],
        },
      ],
    });
  });

  it("import into their VRF", () => {
    const given = spec({ networkSelectors: [], networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16"], vrf: "blue-vrf" } } });
    expect(routersOf(given, facts())["default/receive-filtered/node1"]).toEqual([
      { asn: 64512, imports: [{ vrf: "blue-vrf" }], neighbors: [told(UPSTREAM, "203.203.0.0/16")], prefixes: ["203.203.0.0/16"] },
      { asn: 64512, vrf: "blue-vrf", imports: [{ vrf: "default" }] },
    ]);
  });

  it("announce egress addresses only on request", () => {
    const given = spec({
      networkSelectors: [],
      networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16"], egressIPs: { node1: ["172.18.0.202"] } } },
    });
    expect(generateFrrConfigurations(given, facts()).announced).toEqual({ node1: ["203.203.0.0/16"] });
  });

  it("are announced from nodes with a part of them, with a warning for the others", () => {
    const given = spec({ networks: { red: { topology: "layer3", nodeSubnets: { node2: ["10.9.2.0/24"] } } } });
    const { announced, warnings } = generateFrrConfigurations(given, facts({ nodes: [node("node1", { default: "10.244.0.0/24" }), node("node2")] }));
    expect(announced).toEqual({ node1: ["10.244.0.0/24"], node2: ["10.9.2.0/24"] });
    expect(warnings.map(({ path, code, message }) => [path, code, message])).toEqual([
      ["networkSelectors[0]", "OVN_WARN_NOT_ANNOUNCED", "the default network has no subnet there yet, and is announced from the other nodes (node node2)"],
      ["networks.red", "OVN_WARN_NOT_ANNOUNCED", 'network "red" has no subnet there yet, and is announced from the other nodes (node node1)'],
    ]);
  });

  it.each<[string, string, object, string[]]>([
    ["no egress address is on a node", "no selected node has an egress address of a selected network", { advertisements: ["EgressIP"] }, []],
    [
      "each node is its own only neighbour",
      "no selected FRRConfiguration has a neighbour that is another host than the node",
      { networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16"] } } },
      ["192.168.111.3"],
    ],
  ])("warn that nothing is announced if %s", (_what, reason, more, addresses) => {
    const given = spec({ networkSelectors: [], networks: { blue: { topology: "layer2" } }, ...more });
    const { announced, warnings } = generateFrrConfigurations(given, facts({ nodes: [node("node1", {}, { addresses })] }));
    expect([announced, warnings]).toEqual([{}, [{ path: "", code: "OVN_WARN_NOT_ANNOUNCED", message: `nothing is announced: ${reason}` }]]);
  });

  it("warn of an unknown node", () => {
    const given = spec({ networkSelectors: [], networks: { red: { topology: "layer3", nodeSubnets: { node1: ["10.9.1.0/24"], gone: ["10.9.2.0/24"] } } } });
    expect(generateFrrConfigurations(given, facts()).warnings).toEqual([
      {
        path: "networks",
        code: "OVN_WARN_NOT_ANNOUNCED",
        message: 'network "red" names a node that the cluster does not have, so its part is not announced (node gone)',
      },
    ]);
  });
});

import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { factsOf, type Neighbor, observedOf, type Router } from "@pulumi-ovn/provider/testing";
import { UPSTREAM, USER_DEFINED, facts, failuresOf, network, node, receive, spec, template } from "../../support/advertisement";

const OTHERS = { labels: {} };
const PROFILES = [
  { name: "fast", receiveInterval: 300 },
  { name: "slow", receiveInterval: 900 },
];
const foreign = (neighbor: Partial<Neighbor>, router: Partial<Router> = {}) =>
  template("foreign", [{ asn: 64512, neighbors: [{ ...UPSTREAM, ...neighbor }], ...router }], { ...OTHERS, bfdProfiles: PROFILES });

/** Message about a session of both. */
const conflict = (what: string) => [
  {
    path: "frrConfigurationSelector",
    code: "merge-conflict",
    message: `FRRConfiguration frr-k8s-system/foreign has ${what}: frr-k8s takes neither (node node1)`,
  },
];
const RECEIVE = "FRRConfiguration frr-k8s-system/receive-filtered";

describe("another writer's FRRConfiguration for the same session", () => {
  it.each<[string, Partial<Neighbor>, string]>([
    ["another ASN", { asn: 64600 }, `asn 64600 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 64512`],
    ["an ASN that is found out", { asn: 0, dynamicASN: "external" }, `asn external for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 64512`],
    ["another port", { port: 1179 }, `port 1179 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 179`],
    ["another source", { sourceaddress: "eth0" }, `sourceaddress eth0 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has none`],
    ["a password", { password: "hunter2" }, `password in clear for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has none`],
    ["a Secret", { passwordSecret: { name: "bgp" } }, `password of Secret bgp for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has none`],
    [
      "a BFD profile",
      { bfdProfile: "fast" },
      `bfdProfile fast for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has none (which frr-k8s before 0.0.25 refuses: give both the same)`,
    ],
    ["multihop", { ebgpMultiHop: true }, `ebgpMultiHop true for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has false`],
    ["both families", { dualStackAddressFamily: true }, `dualStackAddressFamily true for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has false`],
    ["another hold time", { holdTime: "1m30s", keepaliveTime: "60s" }, `holdTime 90s for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 180s`],
    [
      "another keepalive time",
      { holdTime: "180s", keepaliveTime: "1500ms" },
      `keepaliveTime 1s for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 60s`,
    ],
    ["another connect time", { connectTime: "soon" }, `connectTime soon for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 60s`],
  ])("is refused with %s", (_what, neighbor, words) => {
    const failures = failuresOf(spec(), facts({ frrConfigurations: [receive(), foreign(neighbor)] }));
    expect(failures).toEqual(conflict(words));
    expect(JSON.stringify(failures)).not.toContain("hunter2");
  });

  it.each<[string | undefined, string | undefined, string]>([
    [
      "fast",
      undefined,
      "none for neighbour 192.168.111.3 in the main VRF, FRRConfiguration frr-k8s-system/receive-filtered has fast (which frr-k8s before 0.0.25 refuses: give both the same)",
    ],
    ["fast", "slow", "slow for neighbour 192.168.111.3 in the main VRF, FRRConfiguration frr-k8s-system/receive-filtered has fast"],
  ])("is refused with BFD profile %s against %s: by some releases if one is missing, by all if both exist", (own, other, words) => {
    const configuration = template("receive-filtered", [{ asn: 64512, neighbors: [{ ...UPSTREAM, bfdProfile: own! }] }], { bfdProfiles: PROFILES });
    expect(failuresOf(spec(), facts({ frrConfigurations: [configuration, foreign(other === undefined ? {} : { bfdProfile: other })] }))).toEqual(
      conflict(`bfdProfile ${words}`),
    );
  });

  it("is refused with another ASN for the session", () => {
    const external = template("receive-filtered", [{ asn: 64512, neighbors: [{ ...UPSTREAM, asn: 64600 }] }]);
    expect(failuresOf(spec(), facts({ frrConfigurations: [external, foreign({ asn: 64600, localASN: 64700 })] }))).toEqual(
      conflict(`localASN 64700 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has none`),
    );
  });

  it.each<[string, Partial<Router>, string]>([
    ["another ASN", { asn: 64999 }, `asn 64999 for the main VRF, ${RECEIVE} has 64512`],
    ["another router id", { id: "2.2.2.2" }, "router id 2.2.2.2 for the main VRF, FRRConfiguration frr-k8s-system/receive-filtered has 1.1.1.1"],
  ])("is refused with %s of the router", (_what, router, words) => {
    const own = template("receive-filtered", [{ asn: 64512, id: "1.1.1.1", neighbors: [UPSTREAM] }]);
    expect(failuresOf(spec(), facts({ frrConfigurations: [own, foreign({}, router)] }))).toEqual(conflict(words));
  });

  it.each<[string, Partial<Neighbor>, Partial<Router>]>([
    ["has equal values in another spelling", { holdTime: "3m", keepaliveTime: "1m0s", port: 179, ebgpMultiHop: false }, {}],
    ["receives other prefixes", { toReceive: { allowed: { mode: "all" } } }, {}],
    ["is about another neighbour", { address: "192.168.111.4", asn: 1 }, {}],
    ["is about another VRF", { asn: 1 }, { vrf: "red", asn: 7 }],
    ["has a router id where there is none", {}, { id: "2.2.2.2" }],
    ["has times that differ by less than a second", { holdTime: "180.9s", keepaliveTime: "60s500ms", connectTime: "60s" }, {}],
  ])("is accepted if it %s", (_what, neighbor, router) => {
    expect(generateFrrConfigurations(spec(), facts({ frrConfigurations: [receive(), foreign(neighbor, router)] })).objects).toHaveLength(1);
  });

  const preferring = (localPref: number, ...prefixes: string[]): Partial<Neighbor> => ({
    toAdvertise: { allowed: { mode: "filtered", prefixes }, withLocalPref: [{ localPref, prefixes }] },
  });
  const preferred = (localPref: number, ...prefixes: string[]) =>
    template("receive-filtered", [{ asn: 64512, prefixes, neighbors: [{ ...UPSTREAM, ...preferring(localPref, ...prefixes) }] }]);

  it("is refused with another local preference of a prefix, also as observed facts", () => {
    const clusterFacts = facts({ frrConfigurations: [preferred(100, "10.7.0.0/16", "10.8.0.0/16"), foreign(preferring(200, "10.8.0.0/16", "10.9.0.0/16"))] });
    const expected = conflict(`local preference 200 of 10.8.0.0/16 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 100`);
    expect([clusterFacts, factsOf(observedOf(spec(), clusterFacts))].map((seen) => failuresOf(spec(), seen))).toEqual([expected, expected]);
  });

  it.each<[string, Partial<Neighbor>, Partial<Router>]>([
    ["prefers the same", preferring(100, "10.8.0.0/16"), {}],
    ["prefers another prefix", preferring(200, "10.9.0.0/16"), {}],
    ["prefers it for another neighbour", { address: "192.168.111.4", ...preferring(200, "10.8.0.0/16") }, {}],
    ["prefers it in another VRF", preferring(200, "10.8.0.0/16"), { vrf: "red" }],
    ["prefers nothing", {}, {}],
  ])("is accepted if it %s", (_what, neighbor, router) => {
    expect(generateFrrConfigurations(spec(), facts({ frrConfigurations: [preferred(100, "10.8.0.0/16"), foreign(neighbor, router)] })).objects).toHaveLength(1);
  });

  /** Two different preferences of one IPv6 prefix, on the session without announcements. */
  const otherwise = (neighbor: Partial<Neighbor>) =>
    [100, 200].map((localPref) =>
      template(`prefers-${localPref}`, [{ asn: 64512, neighbors: [{ asn: 64512, ...neighbor, ...preferring(localPref, "fd00:8::/64") }] }], OTHERS),
    );

  it.each<[string, Partial<Neighbor>]>([
    ["192.168.111.4", { address: "192.168.111.4", dualStackAddressFamily: true }],
    ["fd00:111::4", { address: "fd00:111::4" }],
    ["eth1", { interface: "eth1" }],
    // Releases that take it compare it; those that do not refuse each of the two.
    ["192.168.111.4", { address: "192.168.111.4" }],
  ])("is refused with another local preference of a prefix, in every family: %s", (session, neighbor) => {
    const [message] = failuresOf(spec(), facts({ frrConfigurations: [receive(), ...otherwise(neighbor)] })).map((failure) => failure.message);
    expect(message).toBe(
      `FRRConfiguration frr-k8s-system/prefers-200 has local preference 200 of fd00:8::/64 for neighbour ${session} in the main VRF, FRRConfiguration frr-k8s-system/prefers-100 has 100: frr-k8s takes neither (node node1)`,
    );
  });

  const profiled = (name: string, profile: object, rest: { labels?: Record<string, string> } = {}) =>
    template(name, [{ asn: 64512, neighbors: [UPSTREAM] }], { ...rest, bfdProfiles: [{ name: "fast", ...profile }] });

  it("is refused with other values of a BFD profile of the same name, also as observed facts", () => {
    const clusterFacts = facts({
      frrConfigurations: [profiled("receive-filtered", { receiveInterval: 300 }), profiled("foreign", { receiveInterval: 100 }, OTHERS)],
    });
    const expected = conflict(`a BFD profile "fast" with other values than that of ${RECEIVE}`);
    expect([clusterFacts, factsOf(observedOf(spec(), clusterFacts))].map((seen) => failuresOf(spec(), seen))).toEqual([expected, expected]);
  });

  it("is accepted with the same BFD profile in another spelling, and with one of another name or namespace", () => {
    const own = profiled("receive-filtered", { receiveInterval: 300, echoMode: false });
    const same = profiled("foreign", { passiveMode: false, receiveInterval: 300 }, OTHERS);
    const other = template("other", [], { labels: {}, bfdProfiles: [{ name: "slow", receiveInterval: 900 }] });
    const elsewhere = profiled("elsewhere", { receiveInterval: 900 }, OTHERS);
    const frrConfigurations = [own, same, other, { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: "other" } }];
    expect(generateFrrConfigurations(spec(), facts({ frrConfigurations })).objects).toHaveLength(1);
  });

  it("is accepted on other nodes, in another namespace, and on nodes without an announcement", () => {
    const elsewhere = foreign({ asn: 1 });
    const nodes = [node("node1", { default: "10.244.0.0/24" }), node("node2", { default: "10.244.1.0/24" })];
    const on = (labels: Record<string, string>) => ({ ...elsewhere, spec: { ...elsewhere.spec, nodeSelector: { matchLabels: labels } } });
    const onlyNode1 = receive({ nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node1" } } });
    for (const other of [
      on({ "kubernetes.io/hostname": "node2" }),
      on({ "kubernetes.io/hostname": "node1", rack: "z" }),
      { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: "other" } },
    ]) {
      expect(generateFrrConfigurations(spec(), facts({ nodes, frrConfigurations: [onlyNode1, other] })).objects).toHaveLength(1);
    }
  });

  it("is accepted on a node for which nothing is generated", () => {
    const nodes = [node("node1", { default: "10.244.0.0/24" }), node("node2", { default: "10.244.1.0/24" })];
    const onlyNode1 = receive({ nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node1" } } });
    const onNode2 = (asn: number) => ({
      ...foreign({ asn }),
      spec: { ...foreign({ asn }).spec, nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node2" } } },
    });
    expect(generateFrrConfigurations(spec(), facts({ nodes, frrConfigurations: [onlyNode1, onNode2(1), onNode2(2)] })).objects).toHaveLength(1);
  });

  it("is named with its nodes", () => {
    const nodes = ["a", "b", "c"].map((name, index) => node(name, { default: `10.244.${index}.0/24` }, { labels: index > 0 ? { rack: "x" } : {} }));
    const inRack = { ...foreign({ asn: 1 }), spec: { ...foreign({ asn: 1 }).spec, nodeSelector: { matchLabels: { rack: "x" } } } };
    expect(failuresOf(spec(), facts({ nodes, frrConfigurations: [receive(), inRack] }))[0]!.message).toMatch(/ \(nodes b, c\)$/);
  });
});

it("reports an invalid node selector of another writer: frr-k8s would load nothing", () => {
  const broken = { ...foreign({}), spec: { ...foreign({}).spec, nodeSelector: { matchExpressions: [{ key: "a", operator: "Like", values: ["b"] }] } } };
  expect(failuresOf(spec(), facts({ frrConfigurations: [receive(), broken] }))).toEqual([
    { path: "frrConfigurationSelector.matchExpressions[0]", code: "selector", message: 'there is no operator "Like": In, NotIn, Exists, DoesNotExist' },
  ]);
});

it("reports an FRRConfiguration that contradicts itself: frr-k8s merges the neighbours of one router, too", () => {
  const own = template("receive-filtered", [{ asn: 64512, neighbors: [UPSTREAM, { ...UPSTREAM, port: 1179 }] }]);
  expect(failuresOf(spec(), facts({ frrConfigurations: [own] })).map(({ message }) => message)).toEqual([
    `${RECEIVE} has port 1179 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 179: frr-k8s takes neither (node node1)`,
  ]);
});

it("reports two templates that contradict each other", () => {
  const second = template("second", [{ asn: 64512, neighbors: [{ ...UPSTREAM, holdTime: "90s", keepaliveTime: "60s" }] }]);
  expect(failuresOf(spec(), facts({ frrConfigurations: [receive(), second] }))).toEqual([
    {
      path: "frrConfigurationSelector",
      code: "merge-conflict",
      message: `FRRConfiguration frr-k8s-system/second has holdTime 90s for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 180s: frr-k8s takes neither (node node1)`,
    },
  ]);
});

it("reports a router of a network's VRF with another ASN than the imports", () => {
  const clusterFacts = facts({
    networks: [network("blue", "Layer2", ["203.203.0.0/16"])],
    frrConfigurations: [receive(), template("vrf", [{ asn: 65001, vrf: "blue" }], OTHERS)],
  });
  expect(failuresOf(spec({ networkSelectors: [USER_DEFINED] }), clusterFacts)).toEqual([
    {
      path: "frrConfigurationSelector",
      code: "merge-conflict",
      message: `what is generated from ${RECEIVE} has asn 64512 for VRF blue, FRRConfiguration frr-k8s-system/vrf has 65001: frr-k8s takes neither (node node1)`,
    },
  ]);
});

it("ignores this announcement's own generated objects, and compares those of other announcements", () => {
  const generated = (labels: Record<string, string>) => ({
    ...foreign({ asn: 1 }),
    metadata: { name: "ovnk-generated-x", namespace: "frr-k8s-system", labels },
  });
  const own = (announcement: string) => ({ "pulumi-ovn/route-advertisement": announcement });
  const controllers = (announcement: string, more = {}) => ({ "k8s.ovn.org/route-advertisements": announcement, ...more });
  const ours = { "pulumi-ovn/owner": "x" };
  for (const labels of [own("default"), controllers("default", ours)])
    expect(generateFrrConfigurations(spec(), facts({ frrConfigurations: [receive(), generated(labels)] })).objects).toHaveLength(1);
  for (const labels of [own("other"), controllers("other", ours), controllers("default")])
    expect(generateFrrConfigurations(spec(), facts({ frrConfigurations: [receive(), generated(labels)] })).warnings).toEqual([
      {
        path: "frrConfigurationSelector",
        code: "OVN_WARN_MERGE_CONFLICT",
        message: `what announcement "${Object.values(labels)[0]!}" generates has asn 1 for neighbour 192.168.111.3 in the main VRF, ${RECEIVE} has 64512: frr-k8s takes neither until that announcement is updated, too (node node1)`,
      },
    ]);
});

describe("one FRRConfiguration that frr-k8s refuses", () => {
  const OTHER = { address: "192.168.111.4", asn: 64600 };
  const unusable = (what: string) => [
    {
      path: "frrConfigurationSelector",
      code: "merge-conflict",
      message: `FRRConfiguration frr-k8s-system/foreign: ${what}; frr-k8s takes no FRRConfiguration of the node then (node node1)`,
    },
  ];
  const clusterFacts = (object: ReturnType<typeof foreign>) => facts({ frrConfigurations: [receive(), object] });
  /** As it is, and as an announcement has seen it. */
  const refusals = (object: ReturnType<typeof foreign>) =>
    [clusterFacts(object), factsOf(observedOf(spec(), clusterFacts(object)))].map((seen) => failuresOf(spec(), seen));

  it.each<[Partial<Neighbor>, string]>([
    [{ holdTime: "180s" }, "has one of holdTime and keepaliveTime: give both, or neither"],
    [{ keepaliveTime: "60s" }, "has one of holdTime and keepaliveTime: give both, or neither"],
    [{ holdTime: "2.9s", keepaliveTime: "1s" }, "has holdTime 2.9s: it is 0s, or at least 3s"],
    [{ holdTime: "9s", keepaliveTime: "9.5s" }, "has a keepaliveTime (9.5s) longer than its holdTime (9s)"],
    [{ bfdProfile: "other" }, 'names the BFD profile "other", which its FRRConfiguration does not define'],
    [{ asn: 64512, localASN: 64700 }, "has localASN 64700, and its asn is the router's"],
    [{ asn: 0 }, "has neither asn nor dynamicASN"],
    [{ dynamicASN: "external" }, "has both asn and dynamicASN"],
    [{ interface: "eth1" }, "has both an address and an interface"],
    [{ password: "hunter2", passwordSecret: { name: "bgp" } }, "has both password and passwordSecret"],
  ])("is refused: neighbour %j", (neighbor, fault) => {
    expect(refusals(foreign({ ...OTHER, ...neighbor }))).toEqual([unusable(`neighbour 192.168.111.4 ${fault}`), unusable(`neighbour 192.168.111.4 ${fault}`)]);
  });

  it("is refused if it imports a VRF without a router, or has a BFD profile twice", () => {
    expect(refusals(foreign(OTHER, { imports: [{ vrf: "red" }] }))).toEqual([
      unusable("imports VRF red and has no router for it"),
      unusable("imports VRF red and has no router for it"),
    ]);
    expect(refusals(foreign(OTHER, { vrf: "red", imports: [{ vrf: "default" }] }))[1]).toEqual(unusable("imports VRF default and has no router for it"));
    const twice = foreign(OTHER);
    expect(refusals({ ...twice, spec: { bgp: { ...twice.spec.bgp!, bfdProfiles: [PROFILES[0]!, PROFILES[0]!] } } })[1]).toEqual(
      unusable('has two BFD profiles "fast"'),
    );
  });

  it.each<[Partial<Neighbor>]>([
    [{ holdTime: "0s", keepaliveTime: "0s" }],
    [{ holdTime: "900ms", keepaliveTime: "0s" }],
    [{ holdTime: "3s", keepaliveTime: "3s" }],
    [{ holdTime: "soon", keepaliveTime: "1s" }],
    [{ bfdProfile: "slow" }],
    [{ asn: 0, dynamicASN: "internal", localASN: 64700 }],
    [{ localASN: 64700 }],
    [{ address: "", interface: "eth1", toAdvertise: { withLocalPref: [{ localPref: 1, prefixes: ["10.0.0.0/8", "fd00::/8"] }] } }],
    [{ dualStackAddressFamily: true, toAdvertise: { withLocalPref: [{ localPref: 1, prefixes: ["fd00::/8"] }] } }],
  ])("is accepted with neighbour %j", (neighbor) => {
    const { objects, warnings } = generateFrrConfigurations(spec(), clusterFacts(foreign({ ...OTHER, ...neighbor })));
    expect([objects.length, warnings]).toEqual([1, []]);
  });

  it("is accepted if its imported VRFs have routers, also the main VRF", () => {
    const both = template(
      "foreign",
      [
        { asn: 64512, imports: [{ vrf: "red" }] },
        { asn: 64512, vrf: "red", imports: [{ vrf: "default" }] },
      ],
      OTHERS,
    );
    expect(generateFrrConfigurations(spec(), clusterFacts(both)).objects).toHaveLength(1);
  });
});

describe("a local preference of the other family, which frr-k8s accepts up to 0.0.17, and refuses from 0.0.20 on", () => {
  const preferring = (address: string, ...prefixes: string[]) => foreign({ address, toAdvertise: { withLocalPref: [{ localPref: 1, prefixes }] } });
  const TEXT = "frr-k8s 0.0.20 and newer take no FRRConfiguration of the node then (node node1)";
  const both = (given: Parameters<typeof facts>[0]) =>
    [facts(given), factsOf(observedOf(spec(), facts(given)))].map((seen) => generateFrrConfigurations(spec(), seen));

  it.each([
    ["192.168.111.4", "fd00::/8", ["10.0.0.0/8", "fd00::/8"]],
    ["fd00:111::4", "10.0.0.0/8", ["fd00::/8", "10.0.0.0/8"]],
  ])("is a warning and no error, also as observed facts: %s", (address, strange, prefixes) => {
    const warning = {
      path: "frrConfigurationSelector",
      code: "OVN_WARN_MERGE_CONFLICT",
      message: `FRRConfiguration frr-k8s-system/foreign: neighbour ${address} has a local preference for ${strange}, and its session is of the other family; ${TEXT}`,
    };
    for (const { objects, warnings } of both({ frrConfigurations: [receive(), preferring(address, ...prefixes)] }))
      expect([objects.length, warnings]).toEqual([1, [warning]]);
  });

  it("is reported only for nodes that it selects, and that announce something", () => {
    const nodes = [node("node1", { default: "10.244.0.0/24" }), node("node2", { default: "10.244.1.0/24" })];
    const one = preferring("192.168.111.4", "fd00::/8");
    const there = (name: string) => ({ ...one, spec: { ...one.spec, nodeSelector: { matchLabels: { "kubernetes.io/hostname": name } } } });
    const warnedNodes = (name: string, template = receive()) =>
      generateFrrConfigurations(spec(), facts({ nodes, frrConfigurations: [template, there(name)] }))
        .warnings.filter(({ code }) => code === "OVN_WARN_MERGE_CONFLICT")
        .map(({ message }) => message.slice(message.indexOf("(")));
    expect([warnedNodes("node1"), warnedNodes("node2"), warnedNodes("node3")]).toEqual([["(node node1)"], ["(node node2)"], []]);
    expect(warnedNodes("node2", receive({ nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node1" } } }))).toEqual([]);
  });

  it("hides no other conflict of the object", () => {
    expect(
      failuresOf(
        spec(),
        facts({ frrConfigurations: [receive(), foreign({ port: 1179, toAdvertise: { withLocalPref: [{ localPref: 1, prefixes: ["fd00::/8"] }] } })] }),
      ).map(({ code }) => code),
    ).toEqual(["merge-conflict"]);
  });
});

it("reports different clear-text passwords without keeping them", () => {
  const having = (name: string, password: string) => template(name, [{ asn: 64512, neighbors: [{ address: "192.168.111.4", asn: 1, password }] }], OTHERS);
  const seen = (...passwords: string[]) =>
    observedOf(spec(), facts({ frrConfigurations: [receive(), ...passwords.map((password, index) => having(`p${index}`, password))] }));
  expect(generateFrrConfigurations(spec(), factsOf(seen("hunter2", "hunter2"))).objects).toHaveLength(1);
  expect(failuresOf(spec(), factsOf(seen("hunter2", "third-3"))).map(({ message }) => message)).toEqual([
    "FRRConfiguration frr-k8s-system/p1 has password in clear, number 2 for neighbour 192.168.111.4 in the main VRF, FRRConfiguration frr-k8s-system/p0 has in clear: frr-k8s takes neither (node node1)",
  ]);
  expect(JSON.stringify(seen("hunter2", "third-3"))).not.toMatch(/hunter2|third-3/);
});

it("treats a session over an interface as one of both families, whatever its fields are", () => {
  const over = (name: string, rest: Partial<Neighbor>) => template(name, [{ asn: 64512, neighbors: [{ interface: "eth1", asn: 1, ...rest }] }], OTHERS);
  expect(
    generateFrrConfigurations(spec(), facts({ frrConfigurations: [receive(), over("a", {}), over("b", { dualStackAddressFamily: true })] })).objects,
  ).toHaveLength(1);
});

it("treats an empty router id as a missing one", () => {
  const own = template("receive-filtered", [{ asn: 64512, id: "1.1.1.1", neighbors: [UPSTREAM] }]);
  expect(generateFrrConfigurations(spec(), facts({ frrConfigurations: [own, foreign({}, { id: "" })] })).objects).toHaveLength(1);
});

it("reports a setting of several announcements' objects once, and no object of another node", () => {
  const nodes = ["node1", "node2"].map((name, index) => node(name, { default: `10.244.${index}.0/24` }));
  const sessions = (times: Partial<Neighbor>) => [{ asn: 64512, neighbors: [{ ...UPSTREAM, ...times }] }];
  const theirs = template("theirs", sessions({}), { labels: { use: "theirs" } });
  const other = spec({ name: "other", frrConfigurationSelector: { matchLabels: { use: "theirs" } } });
  const generated = generateFrrConfigurations(other, facts({ nodes, frrConfigurations: [theirs] })).objects;
  const mine = template("mine", sessions({ holdTime: "9s", keepaliveTime: "3s" }));
  const messages = (...frrConfigurations: (typeof mine)[]) =>
    failuresOf(spec(), factsOf(observedOf(spec(), facts({ nodes, frrConfigurations })))).map(({ message }) => message);
  const said = (setting: string, ours: string, others: string) =>
    `FRRConfiguration frr-k8s-system/theirs has ${setting} ${others} for neighbour 192.168.111.3 in the main VRF, FRRConfiguration frr-k8s-system/mine has ${ours}: frr-k8s takes neither (nodes node1, node2)`;
  expect(messages(mine, theirs, ...generated)).toEqual([said("holdTime", "9s", "180s"), said("keepaliveTime", "3s", "60s")]);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { log } from "@pulumi/pulumi";
import { RouteAdvertisement } from "pulumi-ovn";
import { until } from "@pulumi-ovn/sandbox/testing";
import { DEFAULT, network, template, UPSTREAM, UPSTREAM_IPV6 } from "../../support/advertisement";
import { Fabric } from "../../support/announcement";
import { TestCluster } from "../../support/kubernetes";
import { previewed } from "../../support/previewed";
import { disconnect } from "../../support/provider";

jest.setTimeout(120_000);

const CUDNS = "/apis/k8s.ovn.org/v1/clusteruserdefinednetworks";
const FRR = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";
const PEERS = [{ asn: 64512, neighbors: [UPSTREAM] }];
const folder = mkdtempSync(join(tmpdir(), "announced-"));
let cluster: TestCluster;
let fabric: Fabric;
let before: Record<string, string>;

beforeAll(async () => {
  cluster = await TestCluster.kept();
  fabric = new Fabric(cluster);
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ clusters: { prod: cluster.target() } }));
  await cluster.namespace("frr-k8s-system");
  await fabric.node("node1", { default: "10.244.0.0/24", cluster_udn_red: "10.10.1.0/24" }, { rack: "a" });
  await fabric.node("node2", { default: "10.244.1.0/24" }, { rack: "b" });
  const networks = [
    network("blue", "Layer2", ["203.203.0.0/16"], { labels: { set: "blue" } }),
    network("inside", "Layer2", ["203.203.7.0/24"], { labels: { set: "inside" } }),
    network("six", "Layer2", ["fd00:203::/64"], { labels: { set: "six" } }),
    network("red", "Layer3", ["10.10.0.0/16"], { labels: { set: "red" } }),
    network("a-network-of-18-ch", "Layer2", ["10.12.0.0/16"], { labels: { set: "long" } }),
    network("second", "Layer2", ["10.13.0.0/16"], { role: "Secondary", labels: { set: "second" } }),
    network("flat", "Layer2", ["10.14.0.0/16"], { labels: { set: "flat" }, transport: "NoOverlay" } as object),
    network("empty", "Layer2", [], { labels: { set: "empty" } }),
    { ...network("local", "Layer2", [], { labels: { set: "local" } }), spec: { network: { topology: "Localnet", localnet: { role: "Primary" } } } },
  ];
  for (const one of networks) await cluster.must("POST", CUDNS, { apiVersion: "k8s.ovn.org/v1", kind: "ClusterUserDefinedNetwork", ...one });
  await fabric.template(template("peers", PEERS));
  await fabric.template(template("blue-vrf", [{ asn: 64512, vrf: "blue", neighbors: [UPSTREAM] }], { labels: { use: "blue" } }));
  await fabric.template(template("nowhere", [{ asn: 64512, vrf: "broken", neighbors: [{ asn: 64513 } as never] }], { labels: { use: "nowhere" } }));
  await fabric.template(
    template("in-clear", [{ asn: 64512, vrf: "clear", neighbors: [{ ...UPSTREAM, password: "hunter2" }] }], { labels: { use: "in-clear" } }),
  );
  await fabric.template(
    template("dual", [{ asn: 64512, vrf: "dual", neighbors: [{ ...UPSTREAM, dualStackAddressFamily: true }] }], { labels: { use: "dual" } }),
  );
  await fabric.template(
    template("in-raw", [{ asn: 64512, vrf: "raw", neighbors: [UPSTREAM] }], {
      labels: { use: "in-raw" },
      raw: { rawConfig: "router bgp 1\n neighbor 10.0.0.1 password hunter2" },
    }),
  );
  await fabric.template(template("six", [{ asn: 64512, vrf: "sixth", neighbors: [UPSTREAM_IPV6] }], { labels: { use: "six" } }));
  before = await fabric.versions();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await disconnect();
});

type Args = ConstructorParameters<typeof RouteAdvertisement>[1];

/** Messages of a preview with this announcement. */
async function preview(given: Partial<Args>) {
  const args = {
    cluster: "prod",
    name: "net",
    networkSelectors: [DEFAULT],
    frrConfigurationSelector: { matchLabels: { use: "yes" } },
    advertisements: ["PodNetwork"],
    ...given,
  } as Args;
  const [found] = await previewed(() => void new RouteAdvertisement("net", args), { "ovn:targets": join(folder, "targets.yaml") });
  return found!;
}

const set = (name: string) => ({
  networkSelectionType: "ClusterUserDefinedNetworks" as const,
  clusterUserDefinedNetworkSelector: { networkSelector: { matchLabels: { set: name } } },
});
const use = (name: string) => ({ frrConfigurationSelector: { matchLabels: { use: name } } });
const own = (subnets: string[], more: object = {}) => ({ own: { topology: "layer2" as const, subnets, ...more } });
const FRR_OF = (name: string) => `FRRConfiguration frr-k8s-system/${name}`;

const cases: readonly [what: string, given: Partial<Args>, ...failures: string[]][] = [
  [
    "networks whose subnets overlap",
    { networkSelectors: [set("blue")], networks: own(["203.203.7.0/24"]) },
    'networks.own: network "own" (203.203.7.0/24) overlaps ClusterUserDefinedNetwork "blue" (203.203.0.0/16) [overlap]',
  ],
  [
    "a network around a node's part of another",
    { networks: own(["10.0.0.0/8"]) },
    'networks.own: network "own" (10.0.0.0/8) overlaps the default network (10.244.0.0/24) [overlap]',
  ],
  [
    "a pod network from some nodes alone",
    { nodeSelector: { matchLabels: { rack: "a" } } },
    "nodeSelector: networks are announced from all nodes: leave the selector empty, or announce EgressIP alone [node-selector]",
  ],
  [
    "egress addresses over each network's VRF",
    { targetVRF: "auto", advertisements: ["EgressIP"] },
    'advertisements[0]: egress addresses are not announced with targetVRF "auto": name the VRF, or announce PodNetwork alone [egress-ip]',
  ],
  [
    "egress addresses of layer 2",
    { networkSelectors: [set("blue")], advertisements: ["PodNetwork", "EgressIP"] },
    'networkSelectors[0]: ClusterUserDefinedNetwork "blue" is of layer 2: ovn-kubernetes does not announce its egress addresses [egress-ip]',
  ],
  [
    "two networks on one VRF",
    { networkSelectors: [set("blue")], networks: own(["10.9.0.0/16"], { vrf: "blue" }) },
    'networks.own: network "own" and ClusterUserDefinedNetwork "blue" are both on VRF blue; give one of them another VRF [shared-vrf]',
  ],
  [
    "a network with a long name, before it has an id",
    { networkSelectors: [set("long")] },
    'networkSelectors[0]: ClusterUserDefinedNetwork "a-network-of-18-ch" has no VRF of its own name, which has more than 15 characters or is "default", and no NetworkAttachmentDefinition has its id yet [vrf-name]',
  ],
  ["a name that is too long for a label", { name: "x".repeat(64) }, "name: has 64 characters: it becomes a label's value, which has at most 63 [name]"],
  ["a VRF with a long name", { targetVRF: "a-name-of-16-chs" }, "targetVRF: a VRF's name has at most 15 characters [too_big]"],
  [
    "a network that is not primary",
    { networkSelectors: [set("second")] },
    'networkSelectors[0]: ClusterUserDefinedNetwork "second" is no primary network: only these are announced [network-role]',
  ],
  ["labels that no network has", { networkSelectors: [set("nothing")] }, "networkSelectors[0]: no ClusterUserDefinedNetwork has such labels [no-network]"],
  ["no network", { networkSelectors: [] }, "networkSelectors: no network is selected, and none of this stack is named in networks [no-network]"],
  ["no node", { advertisements: ["EgressIP"], nodeSelector: { matchLabels: { rack: "z" } } }, "nodeSelector: no node has such labels [no-node]"],
  ["no template", use("nobody"), "frrConfigurationSelector: no FRRConfiguration has such labels; generated ones are not used as templates [no-template]"],
  [
    "no router of the target",
    { targetVRF: "elsewhere" },
    `targetVRF: ${FRR_OF("peers")} has no router with neighbours in VRF elsewhere (nodes node1, node2) [no-router]`,
  ],
  [
    "a network whose VRF no template has",
    { networkSelectors: [set("six")], targetVRF: "auto", ...use("blue") },
    `targetVRF: ${FRR_OF("blue-vrf")} has no router with neighbours in the VRF of a selected network (nodes node1, node2) [no-router]`,
    'networkSelectors[0]: ClusterUserDefinedNetwork "six": no selected FRRConfiguration has a router with neighbours in VRF six (nodes node1, node2) [no-router]',
  ],
  [
    "one subnet for two nodes",
    { networks: { own: { topology: "layer3", nodeSubnets: { node1: ["10.9.1.0/24"], node2: ["10.9.1.0/24"] } } } },
    'networks.own: network "own": 10.9.1.0/24 of node node2 overlaps 10.9.1.0/24 of node node1 [overlap]',
  ],
  [
    "a neighbour without an address",
    { targetVRF: "broken", ...use("nowhere") },
    `frrConfigurationSelector: ${FRR_OF("nowhere")} spec.bgp.routers[0].neighbors[0] has neither an address nor an interface [neighbor]`,
  ],
  [
    "a password in clear",
    { targetVRF: "clear", ...use("in-clear") },
    `frrConfigurationSelector: ${FRR_OF("in-clear")} spec.bgp.routers[0].neighbors[0] has its password in clear text, which would be copied: refer to a Secret with passwordSecret [password]`,
  ],
  [
    "prefixes of IPv6 alone with neighbours of IPv4",
    { networkSelectors: [set("six")] },
    'frrConfigurationSelector: ClusterUserDefinedNetwork "six": no neighbour has an IPv6 session, and its prefixes are of no other family (nodes node1, node2) [family]',
  ],
  [
    "prefixes of IPv4 alone with neighbours of IPv6",
    { networkSelectors: [set("blue")], targetVRF: "sixth", ...use("six") },
    'frrConfigurationSelector: ClusterUserDefinedNetwork "blue": no neighbour has an IPv4 session, and its prefixes are of no other family (nodes node1, node2) [family]',
  ],
  [
    "both families over one session",
    { targetVRF: "dual", ...use("dual") },
    `frrConfigurationSelector: ${FRR_OF("dual")} spec.bgp.routers[0].neighbors[0] has dualStackAddressFamily: use a session for each family, so that the next hops are of the prefix's family [dual-stack]`,
  ],
  [
    "a password in raw text",
    { targetVRF: "raw", ...use("in-raw") },
    `frrConfigurationSelector: ${FRR_OF("in-raw")} has a password or key in spec.raw, which would be copied: refer to a Secret with passwordSecret, or put it into an FRRConfiguration that is not a template [password]`,
  ],
  ["a VRF's name that would end a line of FRR's", { targetVRF: "red\nexit" }, "targetVRF: a VRF's name has letters, digits and . _ - + @ [invalid_format]"],
  [
    "a VRF of a network that would be another word of FRR's",
    { networkSelectors: [], networks: own(["10.9.0.0/16"], { vrf: "red view" }) },
    "networks.own.vrf: a VRF's name has letters, digits and . _ - + @ [invalid_format]",
  ],
  [
    "a namespace that leads to all of them",
    { namespace: ".." },
    "namespace: a namespace's name has lower-case letters, digits and dashes, and no dash at its ends [invalid_format]",
  ],
  [
    "a name that no object can have",
    { name: "a..b" },
    "name: needs lower-case letters, digits, dots and dashes, and none of the last two at its ends, nor at those of parts between dots [invalid_format]",
  ],
  [
    "a network whose name has two lines",
    { networkSelectors: [], networks: { "a\nb": { topology: "layer2", subnets: ["10.9.0.0/16"] } } },
    'networks["a\\nb"]: expected a name without line breaks and control characters [invalid_format]',
  ],
  [
    "subnets that programs read in two ways",
    { networkSelectors: [], networks: own(["010.0.0.0/8", "::ffff:10.0.0.0/104"]) },
    'networks.own.subnets[0]: "010.0.0.0" is not an IP address: leading zeros mean octal numbers to some programs [address]',
    'networks.own.subnets[1]: "::ffff:10.0.0.0" is not an IP address: write IPv6 in hexadecimal, and an IPv4-mapped address as IPv4 [address]',
  ],
  [
    "a network without an overlay",
    { networkSelectors: [set("flat")] },
    'networkSelectors[0]: ClusterUserDefinedNetwork "flat" has transport NoOverlay: only networks with Geneve are announced [network-transport]',
  ],
  [
    "a network of no layer",
    { networkSelectors: [set("local")] },
    'networkSelectors[0]: ClusterUserDefinedNetwork "local" has topology Localnet: only Layer2 and Layer3 are announced [network-topology]',
  ],
  [
    "layer 2 without subnets",
    { networkSelectors: [set("empty")] },
    'networkSelectors[0]: ClusterUserDefinedNetwork "empty" has no subnet to announce (nodes node1, node2) [no-subnet]',
  ],
  ["a type of selector twice", { networkSelectors: [DEFAULT, DEFAULT] }, "networkSelectors[1]: DefaultNetwork is listed twice [duplicate]"],
  ["an advertisement twice", { advertisements: ["PodNetwork", "PodNetwork"] }, "advertisements[1]: PodNetwork is listed twice [duplicate]"],
  [
    "an egress address on two nodes",
    { advertisements: ["EgressIP"], networkSelectors: [], networks: own(["10.9.0.0/16"], { egressIPs: { node1: ["172.18.0.9"], node2: ["172.18.0.9"] } }) },
    "networks.own.egressIPs.node2[0]: 172.18.0.9 is already on node1: one node holds an egress address [duplicate]",
  ],
  [
    "user-defined networks without labels to select them by",
    { networkSelectors: [{ networkSelectionType: "ClusterUserDefinedNetworks" }] },
    "networkSelectors[0].clusterUserDefinedNetworkSelector: is required for ClusterUserDefinedNetworks [required]",
  ],
  [
    "labels for the default network",
    { networkSelectors: [{ ...set("blue"), networkSelectionType: "DefaultNetwork" }] },
    "networkSelectors[0].clusterUserDefinedNetworkSelector: has no meaning for DefaultNetwork [value]",
  ],
  [
    "a network of the stack without a VRF, over its own",
    { targetVRF: "auto", networkSelectors: [], networks: own(["10.9.0.0/16"]) },
    'networks.own.vrf: is required with targetVRF "auto", which announces each network over its own VRF [required]',
  ],
  [
    "an operator that does not exist",
    { frrConfigurationSelector: { matchExpressions: [{ key: "a", operator: "Is", values: ["b"] }] } },
    'frrConfigurationSelector.matchExpressions[0]: there is no operator "Is": In, NotIn, Exists, DoesNotExist [selector]',
  ],
  [
    "a selector of networks that can't be read",
    {
      networkSelectors: [
        {
          networkSelectionType: "ClusterUserDefinedNetworks",
          clusterUserDefinedNetworkSelector: { networkSelector: { matchExpressions: [{ key: "a", operator: "In" }] } },
        },
      ],
    },
    "networkSelectors[0].clusterUserDefinedNetworkSelector.networkSelector.matchExpressions[0]: In needs values [selector]",
  ],
  [
    "a selector of nodes that can't be read, where the controller would do it",
    { mode: "controller", nodeSelector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] } },
    "nodeSelector.matchExpressions[0]: Exists has no values [selector]",
  ],
  [
    "networks of the stack where ovn-kubernetes' controller does it",
    { mode: "controller", networks: own(["10.9.0.0/16"]) },
    'networks: ovn-kubernetes does not know networks of the stack: they need mode "generate" [value]',
  ],
];

it.each(cases)("refuses %s before anything is written", async (_what, given, ...failures) => {
  const found = await preview(given);
  expect(found.failures).toEqual(failures);
  expect(JSON.stringify(found)).not.toContain("hunter2");
  expect(await fabric.versions()).toEqual(before);
});

const NODES = "/api/v1/nodes";
const strange = (name: string, metadata: object) => ({ apiVersion: "v1", kind: "Node", metadata: { name, ...metadata } });
const worlds: readonly [what: string, path: string, object: { metadata: { name: string } }, given: Partial<Args>, failure: string][] = [
  [
    "a node that nothing generated would apply to",
    NODES,
    strange("node3", { annotations: { "k8s.ovn.org/node-subnets": '{"default":"10.244.3.0/24"}' } }),
    {},
    "nodeSelector: no label kubernetes.io/hostname: no generated object would apply (node node3) [node-label]",
  ],
  [
    "a node whose subnets can't be read",
    NODES,
    strange("node3", { labels: { "kubernetes.io/hostname": "node3" }, annotations: { "k8s.ovn.org/node-subnets": "10.244.3.0/24" } }),
    {},
    "networkSelectors: annotation k8s.ovn.org/node-subnets does not hold subnets by network (node node3) [annotation]",
  ],
  [
    "a template whose nodes can't be told",
    FRR,
    template("nodes", PEERS, { nodeSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }),
    {},
    "frrConfigurationSelector.matchExpressions[0]: In needs values [selector]",
  ],
  [
    "a neighbour with an address that is none",
    FRR,
    template("named", [{ asn: 64512, neighbors: [{ asn: 2, address: "router-1" }] }]),
    {},
    `frrConfigurationSelector: ${FRR_OF("named")} spec.bgp.routers[0].neighbors[0]: "router-1" is not an IP address: expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6 [neighbor]`,
  ],
];

it.each(worlds)("refuses %s before anything is written", async (_what, path, object, given, failure) => {
  await cluster.must("POST", path, object);
  const { failures } = await preview(given);
  await cluster.must("DELETE", `${path}/${object.metadata.name}`);
  expect([failures, await fabric.versions()]).toEqual([[failure], before]);
});

it("refuses an invalid egress address before anything is written", async () => {
  const path = "/apis/k8s.ovn.org/v1/egressips";
  await fabric.withStatus(path, { apiVersion: "k8s.ovn.org/v1", kind: "EgressIP", metadata: { name: "bad" }, spec: { namespaceSelector: {} } } as never, {
    items: [{ node: "node1", egressIP: "172.18.0" }],
  });
  const { failures } = await preview({ advertisements: ["EgressIP"] });
  await cluster.must("DELETE", `${path}/bad`);
  expect([failures, await fabric.versions()]).toEqual([
    ['advertisements: "172.18.0" is not an IP address: expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6 [address]'],
    before,
  ]);
});

it("refuses contradictions to another writer's FRRConfiguration, and names both", async () => {
  await fabric.template(
    template("theirs", [{ asn: 64999, neighbors: [UPSTREAM] }], { labels: { theirs: "yes" }, nodeSelector: { matchLabels: { rack: "b" } } }),
  );
  expect((await preview({})).failures).toEqual([
    `frrConfigurationSelector: ${FRR_OF("theirs")} has asn 64999 for the main VRF, ${FRR_OF("peers")} has 64512: frr-k8s takes neither (node node2) [merge-conflict]`,
  ]);
  await cluster.must("DELETE", `${FRR}/theirs`);
  const prefer = (name: string, localPref: number, labels: Record<string, string>) =>
    template(
      name,
      [
        {
          asn: 64512,
          prefixes: ["10.8.0.0/16"],
          neighbors: [
            {
              ...UPSTREAM,
              toAdvertise: { allowed: { mode: "filtered", prefixes: ["10.8.0.0/16"] }, withLocalPref: [{ localPref, prefixes: ["10.8.0.0/16"] }] },
            },
          ],
        },
      ],
      { labels },
    );
  for (const [name, preference] of [
    ["one", 100],
    ["two", 200],
  ] as const)
    await fabric.template(prefer(name, preference, { theirs: "yes" }));
  expect((await preview({})).failures).toEqual([
    `frrConfigurationSelector: ${FRR_OF("two")} has local preference 200 of 10.8.0.0/16 for neighbour 192.168.111.3 in the main VRF, ${FRR_OF("one")} has 100: frr-k8s takes neither (nodes node1, node2) [merge-conflict]`,
  ]);
  for (const name of ["one", "two"]) await cluster.must("DELETE", `${FRR}/${name}`);
  expect(await fabric.versions()).toEqual(before);
});

it("warns of another writer's FRRConfiguration that newer releases of frr-k8s refuse, and announces", async () => {
  const preferring = {
    ...UPSTREAM,
    toAdvertise: { allowed: { mode: "filtered", prefixes: ["fd00:8::/64"] }, withLocalPref: [{ localPref: 100, prefixes: ["fd00:8::/64"] }] },
  };
  await fabric.template(template("theirs", [{ asn: 64512, prefixes: ["fd00:8::/64"], neighbors: [preferring] }], { labels: { theirs: "yes" } }));
  const warn = jest.spyOn(log, "warn").mockResolvedValue();
  const { failures, inputs } = await preview({});
  const warnings = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  await cluster.must("DELETE", `${FRR}/theirs`);
  expect([failures, inputs.announced]).toEqual([[], { node1: ["10.244.0.0/24"], node2: ["10.244.1.0/24"] }]);
  expect(warnings.filter((text) => text.includes("OVN_WARN_MERGE_CONFLICT"))).toEqual([
    expect.stringContaining(
      `${FRR_OF("theirs")}: neighbour 192.168.111.3 has a local preference for fd00:8::/64, and its session is of the other family; frr-k8s 0.0.20 and newer take no FRRConfiguration of the node then (nodes node1, node2)`,
    ),
  ]);
});

it.each(["default", ""])("announces over the main VRF by the name %j, with imports in both directions for networks of other VRFs", async (targetVRF) => {
  const { failures, inputs } = await preview({ targetVRF, networkSelectors: [DEFAULT, set("blue")] });
  expect([failures, inputs.announced]).toEqual([[], { node1: ["10.244.0.0/24", "203.203.0.0/16"], node2: ["10.244.1.0/24", "203.203.0.0/16"] }]);
  const routers = Object.entries(inputs.rows as Record<string, string>).flatMap(([label, line]) => (/routers\[\d\]$/.test(label) ? [line] : []));
  expect(new Set(routers)).toEqual(
    new Set(["asn=64512 prefixes=10.244.0.0/24,203.203.0.0/16", "asn=64512 prefixes=10.244.1.0/24,203.203.0.0/16", "asn=64512 vrf=blue"]),
  );
});

it("names the VRF of a network with a long name by its id", async () => {
  await cluster.define({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "network-attachment-definitions.k8s.cni.cncf.io" },
    spec: {
      group: "k8s.cni.cncf.io",
      scope: "Namespaced",
      names: {
        kind: "NetworkAttachmentDefinition",
        plural: "network-attachment-definitions",
        singular: "network-attachment-definition",
        listKind: "NetworkAttachmentDefinitionList",
      },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }],
    },
  });
  const annotations = { "k8s.ovn.org/network-name": "cluster_udn_a-network-of-18-ch", "k8s.ovn.org/network-id": "7" };
  await cluster.must("POST", "/apis/k8s.cni.cncf.io/v1/namespaces/default/network-attachment-definitions", {
    apiVersion: "k8s.cni.cncf.io/v1",
    kind: "NetworkAttachmentDefinition",
    metadata: { name: "a", namespace: "default", annotations },
  });
  const { failures, inputs } = await preview({ networkSelectors: [set("long")] });
  expect(failures).toEqual([]);
  const imports = Object.entries(inputs.rows as Record<string, string>).flatMap(([label, line]) => (label.endsWith(".imports[0]") ? [line] : []));
  expect(imports.sort()).toEqual(["vrf=default", "vrf=default", "vrf=mp7-udn-vrf", "vrf=mp7-udn-vrf"]);
});

it("refuses egress addresses in a cluster without this kind", async () => {
  await cluster.must("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/egressips.k8s.ovn.org");
  await until("the kind is gone", 30_000, async () => (await cluster.ask("GET", "/apis/k8s.ovn.org/v1/egressips")).status === 404);
  const { failures } = await preview({ advertisements: ["PodNetwork", "EgressIP"] });
  expect([failures, await fabric.versions()]).toEqual([
    ["advertisements[1]: the cluster has no EgressIP (k8s.ovn.org/v1): ovn-kubernetes' feature egress-ip is off there [egress-ip]"],
    before,
  ]);
});

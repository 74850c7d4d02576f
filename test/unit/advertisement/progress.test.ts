import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { unapplied, unestablished, unwithdrawn, withdrawnOf } from "@pulumi-ovn/provider/testing";
import { UPSTREAM, UPSTREAM_IPV6, facts, node, spec, template } from "../../support/advertisement";

const { objects } = generateFrrConfigurations(
  spec(),
  facts({
    nodes: [node("node1", { default: ["10.244.0.0/24", "fd00:10:244::/64"] }), node("node2", { default: "10.244.1.0/24" })],
    frrConfigurations: [
      template("both", [{ asn: 64512, neighbors: [UPSTREAM, { ...UPSTREAM_IPV6, address: "FD00:111:0::3" }] }]),
      template("link", [{ asn: 64512, neighbors: [{ interface: "eth1", asn: 1 }] }]),
    ],
  }),
);
const state = (name: string, runningConfig: string, rest = {}) => ({
  metadata: { name },
  status: { runningConfig, lastConversionResult: "success", lastReloadResult: "success", ...rest },
});
const CONFIG1 = "ip prefix-list x seq 1 permit 10.244.0.0/24\n network fd00:10:244::/64\n";

describe("configuration that frr-k8s has loaded", () => {
  it("is complete with all prefixes of a node", () => {
    expect(unapplied(objects, [state("node1", CONFIG1), state("node2", "network 10.244.1.0/24")])).toEqual([]);
  });

  it.each([
    ["no state", [], "frr-k8s has not reported its state: check that it runs on the node"],
    ["an empty state", [{ metadata: { name: "node2" }, status: {} }], "frr-k8s could not merge the FRRConfigurations: no result yet"],
    [
      "a conflict",
      [state("node2", "", { lastConversionResult: "failed: different asns" })],
      "frr-k8s could not merge the FRRConfigurations: failed: different asns",
    ],
    ["a failed reload", [state("node2", "", { lastReloadResult: "exit status 1" })], "FRR could not load its configuration: exit status 1"],
    ["an older configuration", [state("node2", "network 10.244.1.0/25 10.244.11.0/24")], "FRR does not have 10.244.1.0/24 yet"],
  ])("is not reached with %s", (_what, states, text) => {
    expect(unapplied(objects, [state("node1", CONFIG1), ...states])).toEqual([{ node: "node2", text }]);
  });

  it("is reported with three of many missing prefixes", () => {
    const many = { ...objects[0]!, spec: { bgp: { routers: [{ asn: 1, prefixes: ["1.0.0.0/8", "2.0.0.0/8", "3.0.0.0/8", "4.0.0.0/8"] }] } } };
    expect(unapplied([many], [state("node1", "")])).toEqual([{ node: "node1", text: "FRR does not have 1.0.0.0/8, 2.0.0.0/8, 3.0.0.0/8 and 1 more yet" }]);
  });
});

describe("withdrawn prefixes", () => {
  const [prefix, state2] = ["10.244.1.0/24", state("node2", "network 10.244.1.0/24")];
  const [one] = [objects.filter(({ metadata }) => Object.values(metadata.annotations!)[0]!.endsWith("/node1"))];
  // As the API has them: with the marks of the resource, which come first by name.
  const former = objects.map((object) => ({ ...object, metadata: { ...object.metadata, annotations: { "a.b/c": "x/y", ...object.metadata.annotations } } }));
  const gone = withdrawnOf(former, one);
  const nodes = [node("node1", {}), node("node2", {})];
  const other = (text: string, nodeSelector?: object) => ({
    metadata: { name: "other" },
    spec: { raw: { rawConfig: text }, ...(nodeSelector && { nodeSelector }) },
  });

  it("are those that a node no longer announces", () => {
    expect([...gone]).toEqual([["node2", new Set([prefix])]]);
    expect(withdrawnOf(objects, objects).size).toBe(0);
    expect(withdrawnOf([], objects).size).toBe(0);
  });

  it.each<[string, object[], string]>([
    ["still has them", [state2], `FRR still has ${prefix}`],
    ["could not merge", [state("node2", "", { lastConversionResult: "failed: x" })], "frr-k8s could not merge the FRRConfigurations: failed: x"],
    ["could not load", [state("node2", "", { lastReloadResult: "exit status 1" })], "FRR could not load its configuration: exit status 1"],
  ])("are not withdrawn if FRR %s", (_what, states, text) => {
    expect(unwithdrawn(gone, states as never, { nodes, others: [] })).toEqual([{ node: "node2", text }]);
  });

  it.each<[string, object[], object[], object[]]>([
    ["FRR no longer has them", [state("node2", "network 10.244.1.0/25")], nodes, []],
    ["only another node announces them", [state("node1", `network ${prefix}`), state("node2", "")], nodes, []],
    ["frr-k8s does not run", [], nodes, []],
    ["frr-k8s has not reported", [{ metadata: { name: "node2" } }], nodes, []],
    ["the node was deleted", [state2], nodes.slice(0, 1), []],
    ["the node is down", [state2], [{ ...nodes[1], status: { conditions: [{ type: "Ready", status: "Unknown" }] } }], []],
    ["another writer's object has them", [state2], nodes, [other(`network ${prefix}`)]],
  ])("are not waited for if %s", (_what, states, there, others) => {
    expect(unwithdrawn(gone, states as never, { nodes: there as never, others: others as never })).toEqual([]);
  });

  it("are waited for on a ready node, and with another writer's object for another node", () => {
    const ready = {
      ...nodes[1]!,
      status: {
        conditions: [
          { type: "MemoryPressure", status: "False" },
          { type: "Ready", status: "True" },
        ],
      },
    };
    const elsewhere = other(`network ${prefix}`, { matchLabels: { "kubernetes.io/hostname": "node1" } });
    expect(unwithdrawn(gone, [state2], { nodes: [ready], others: [elsewhere] })).toHaveLength(1);
  });
});

describe("sessions", () => {
  const IDLE = " (no way to the neighbour, or a session that was just closed or refused)";
  const session = (on: string, peer: string, bgpStatus: string, vrf = "") => ({ metadata: { name: `${on}-x` }, status: { node: on, peer, vrf, bgpStatus } });
  const node1 = [
    session("node1", "192.168.111.3", "Established"),
    session("node1", "fd00-0111-0000-0000-0000-0000-0000-0003", "Established"),
    session("node1", "eth1", "Established"),
  ];
  const node2 = [session("node2", "192.168.111.3", "Established"), session("node2", "eth1", "Established")];

  it("are up when each announcing node has them, in any spelling of the neighbour", () => {
    expect(unestablished(objects, [...node1, ...node2])).toEqual([]);
  });

  it("are reported with node, neighbour and state, once", () => {
    expect(
      unestablished(
        [...objects, ...objects],
        [
          node1[0]!,
          session("node1", "fd00-0111-0000-0000-0000-0000-0000-0003", "Active"),
          node1[2]!,
          node2[0]!,
          session("node2", "eth1", "Established", "red"),
        ],
      ),
    ).toEqual([
      {
        node: "node1",
        text: "the session with FD00:111:0::3 is in state Active (no connection: no answer, a refusal, or another password)",
      },
      { node: "node2", text: "the session with eth1 is not there: FRR has none yet, or frr-k8s has not looked since" },
    ]);
  });

  it.each([
    ["down", ", its BFD session is down"],
    ["Down", ", its BFD session is down"],
    ["up", IDLE],
    ["N/A", IDLE],
  ])("are reported with the state of BFD if it is the cause: %s", (bfdStatus, why) => {
    const [{ metadata, status }] = [node2[0]!];
    expect(unestablished(objects, [...node1, { metadata, status: { ...status, bgpStatus: "Idle", bfdStatus } }, node2[1]!])).toEqual([
      { node: "node2", text: `the session with 192.168.111.3 is in state Idle${why}` },
    ]);
  });

  it.each([
    ["Connect", " (no connection: no answer, a refusal, or another password)"],
    ["OpenSent", " (connected, and not agreed: compare both ASNs)"],
    ["OpenConfirm", " (connected, and not agreed: compare both ASNs)"],
    ["toString", ""],
  ])("are reported with the meaning of their state: %s", (state, meaning) => {
    expect(unestablished(objects, [...node1, session("node2", "192.168.111.3", state), node2[1]!])).toEqual([
      { node: "node2", text: `the session with 192.168.111.3 is in state ${state}${meaning}` },
    ]);
  });

  it("are distinguished by VRF", () => {
    const inRed = [
      {
        ...objects[0]!,
        spec: {
          bgp: {
            routers: [
              { asn: 1, vrf: "red", neighbors: [UPSTREAM] },
              { asn: 1, vrf: "blue", imports: [] },
            ],
          },
        },
      },
    ];
    expect(unestablished(inRed, node1)).toEqual([
      { node: "node1", text: "the session with 192.168.111.3 in VRF red is not there: FRR has none yet, or frr-k8s has not looked since" },
    ]);
    expect(unestablished(inRed, [session("node1", "192.168.111.3", "Established", "red")])).toEqual([]);
  });
});

import { type Preview, readUpgradeOptions as readOptions, situationOf, strayChanges } from "@pulumi-ovn/cli/testing";
import { networkIn, type Settings, type StackResource } from "@pulumi-ovn/cli/upgrade";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { everyNode, inState, resourcesOf } from "../../../support/upgrade-stack";

const OLD: Settings = { upgrade: undefined, nodes: everyNode("gateway") };
const MIXED: Settings = { upgrade: "move", nodes: { ...everyNode("gateway"), node1: "transit" } };
const STACK = "urn:pulumi:dev::net::pulumi:pulumi:Stack::net-dev";
const OTHER = "urn:pulumi:dev::net::aws:s3/bucket:Bucket::logs";

const urnsOf = (resources: readonly StackResource[], kind: string) => resources.map(({ urn }) => urn).filter((urn) => urn.includes(`:${kind}::`));
const at = (before: Settings, after: Settings, changing: readonly string[] = []): Preview => ({
  before: resourcesOf(inState(before)),
  after: resourcesOf(inState(after)),
  changing,
});
const situation = (preview: Preview, args: readonly string[] = [], entry = true) => situationOf(preview, { has: () => entry }, readOptions(args));
const titles = (preview: Preview, ...args: string[]) => situation(preview, args).stages.map(({ title }) => title);

describe("options that do not fit the network", () => {
  it.each([
    ["OVN_UPGRADE_NETWORK", ["--network", "green"]],
    ["OVN_UPGRADE_NODES", ["--nodes", "node7"]],
    ["OVN_UPGRADE_NODES", ["--nodes", "node1,node1"]],
  ])("are refused with %s: %j", (code, args) => {
    expect(() => situation(at(OLD, OLD), args)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it("are refused for a network that is not created yet", () => {
    expect(() => situation({ ...at(OLD, OLD), before: [] })).toThrow('network blue is not there yet: run "pulumi up" first');
  });

  it("are refused for a stack without a network", () => {
    expect(() => situation({ before: [], after: [], changing: [] })).toThrow("the stack makes no Layer2Network: nothing in it can be upgraded");
  });
});

describe("the stages", () => {
  it("have batches of the nodes, and end when IPv6 workloads need no more rows", () => {
    expect(titles(at(OLD, OLD), "--batch", "50%", "--nodes", "node3")).toEqual([
      "prepare: both topologies side by side",
      "move node3, node1 to the transit topology",
      "move node2 to the transit topology",
      "reach other nodes over transit links",
      "announce the transit router's MAC to workloads",
      "remove what is left of the gateway topology",
    ]);
    expect(titles(at(OLD, OLD), "--remains", "drop").at(-1)).toBe("end the upgrade: the transit topology alone");
  });

  it("are empty at the goal", () => {
    expect(situation(at(OLD, OLD), ["--back"])).toMatchObject({ stages: [], unfinished: false, foreign: [] });
  });
});

describe("pending changes", () => {
  const topologies = urnsOf(resourcesOf(inState(OLD)), "Layer2Gateway");

  it("are the configured stage, with its moving nodes", () => {
    const begun: Settings = { ...MIXED, nodes: everyNode("gateway") };
    expect(situation(at(begun, MIXED, topologies.slice(0, 1)))).toMatchObject({ unfinished: true, moves: ["node1"], foreign: [] });
  });

  it("of other resources belong to that stage, such as routes over the transit router", () => {
    expect(situation(at(OLD, MIXED, [STACK, ...topologies, OTHER]))).toMatchObject({ unfinished: true, foreign: [] });
  });

  it("of workloads are never part of a stage, neither in addition to one nor while the configuration has an entry", () => {
    const workloads = urnsOf(resourcesOf(inState(OLD)), "WorkloadPorts");
    const propagation = "urn:pulumi:dev::net::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:Propagation::blue-propagation";
    for (const stage of [topologies, [propagation], []]) {
      const preview = at(MIXED, MIXED, [...workloads, ...stage]);
      expect(situation(preview).foreign.map(({ problem }) => problem)).toEqual([
        "the program wants changes that have nothing to do with the upgrade: blue-WorkloadPorts-node1, blue-WorkloadPorts-node2, blue-WorkloadPorts-node3",
      ]);
      expect(strayChanges(preview, situation(preview).network)).toEqual(situation(preview).foreign);
    }
  });

  describe("of a stage's resources", () => {
    const FOLLOW: Settings = { upgrade: "follow", nodes: everyNode("transit") };
    const SETTLE: Settings = { upgrade: "settle", nodes: everyNode("transit") };
    const ANNOUNCE: Settings = { upgrade: "announce", nodes: everyNode("transit") };
    const changing = [...urnsOf(resourcesOf(inState(OLD)), "GatewayRouter"), ...topologies];
    const stray = (before: Settings, after: Settings, change: Partial<Layer2NetworkArgs> = {}, keys: Readonly<Record<string, number>> = {}) => {
      const with_ = (args: Layer2NetworkArgs): Layer2NetworkArgs => ({
        ...args,
        nodes: Object.fromEntries(Object.entries(args.nodes).map(([name, node]) => [name, { ...node, ...(keys[name] && { switchPortKey: keys[name] }) }])),
      });
      const preview = { before: resourcesOf(with_(inState(before))), after: resourcesOf({ ...with_(inState(after)), ...change }), changing };
      return strayChanges(preview, networkIn(preview.after, "blue")).map(({ problem }) => problem.slice(problem.indexOf(": ") + 2));
    };

    it("are expected if they are the stage's", () => {
      const keys = { node1: 32_001, node2: 32_002, node3: 32_003 };
      const NEW: Settings = { upgrade: undefined, nodes: everyNode("transit") };
      for (const [before, after] of [
        [OLD, MIXED],
        [MIXED, FOLLOW],
        [FOLLOW, ANNOUNCE],
        [ANNOUNCE, SETTLE],
        [SETTLE, NEW],
        [NEW, SETTLE],
        [SETTLE, FOLLOW],
      ] as const) {
        expect([before, after, stray(before, after, {}, keys)]).toEqual([before, after, []]);
      }
    });

    it("are found in addition to the stage", () => {
      expect(stray(FOLLOW, ANNOUNCE, { mtu: 1300 })).toEqual(["blue-Layer2Gateway-node1, blue-Layer2Gateway-node2, blue-Layer2Gateway-node3"]);
      const { nodes } = inState(SETTLE);
      const node1 = { ...nodes.node1!, external: { ...nodes.node1!.external, addresses: ["172.18.0.99/16", ...nodes.node1!.external.addresses.slice(1)] } };
      expect(stray(ANNOUNCE, SETTLE, { nodes: { ...nodes, node1 } })).toEqual(["blue-GatewayRouter-node1"]);
    });

    it("are an added or removed node, and another port key", () => {
      const { node3, ...fewer } = inState(ANNOUNCE).nodes;
      const without = { nodes: fewer, workloads: {} };
      expect(stray(FOLLOW, ANNOUNCE, without)).toEqual([
        "blue-GatewayRouter-node3, blue-Layer2Gateway-node1, blue-Layer2Gateway-node2, blue-Layer2Gateway-node3",
      ]);
      expect(
        stray(FOLLOW, ANNOUNCE, { nodes: { ...fewer, node3: { ...node3!, switchPortKey: 32_009 } } }, { node1: 32_001, node2: 32_002, node3: 32_003 }),
      ).toHaveLength(1);
    });

    it("delay an unfinished stage", () => {
      const before = resourcesOf(inState({ ...MIXED, nodes: everyNode("gateway") }));
      const { foreign, unfinished } = situation({ before, after: resourcesOf(inState(MIXED, { mtu: 1300 })), changing: topologies });
      expect([unfinished, foreign.map(({ gate, problem }) => [gate, problem.slice(problem.indexOf(": ") + 2)])]).toEqual([
        false,
        [["pending", "blue-Layer2Gateway-node1, blue-Layer2Gateway-node2, blue-Layer2Gateway-node3"]],
      ]);
    });
  });

  it("are unrelated to the upgrade without an entry in the configuration", () => {
    const { unfinished, foreign } = situation(at(OLD, OLD, [STACK, OTHER, ...topologies.slice(0, 1)]), [], false);
    expect([unfinished, foreign.map(({ gate, problem }) => [gate, problem])]).toEqual([
      false,
      [["pending", "the program wants changes that have nothing to do with the upgrade: blue-Layer2Gateway-node1, logs"]],
    ]);
  });
});

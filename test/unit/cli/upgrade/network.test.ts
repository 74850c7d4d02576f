import { chooseNetwork, countRows, networkIn, networksOf, rowDifferences, type Settings, type StackResource } from "@pulumi-ovn/cli/upgrade";
import { NODES } from "../../../support/network";
import { everyNode, inState, resourcesOf } from "../../../support/upgrade-stack";

const OLD: Settings = { upgrade: undefined, nodes: everyNode("gateway") };
const MOVE: Settings = { upgrade: "move", nodes: everyNode("gateway") };
const FIRST: Settings = { upgrade: "move", nodes: { ...everyNode("gateway"), node1: "transit" } };

describe("networkIn", () => {
  it("reads a network from its resources", () => {
    const network = networkIn(resourcesOf(inState(FIRST, { management: {} })), "blue");
    expect(network.settings).toEqual(FIRST);
    expect(network.nodes).toEqual([
      { name: "node1", zone: "node1", chassis: ["node1"], joins: ["100.65.0.2", "fd99::2"] },
      { name: "node2", zone: "node2", chassis: ["node2"], joins: ["100.65.0.3", "fd99::3"] },
      { name: "node3", zone: "node3", chassis: ["node3"], joins: ["100.65.0.4", "fd99::4"] },
    ]);
    expect([network.switchName, network.transitRouter]).toEqual(["blue_ovn_layer2_switch", "blue_transit_router"]);
    expect(network.managementPorts).toEqual(["k8s-blue_node1", "k8s-blue_node2", "k8s-blue_node3"]);
    expect(network.workloads.vm2).toEqual({ addresses: ["203.203.0.18", "2010:100:200::12"], zone: "node2" });
    expect([network.ipv6, network.waitFor]).toEqual([true, "chassis"]);
  });

  it("detects that no workload has IPv6", () => {
    const workloads = { vm1: { node: "node1", addresses: ["203.203.0.17"] } };
    expect(networkIn(resourcesOf(inState(OLD, { workloads })), "blue").ipv6).toBe(false);
  });

  it("sees that a workload of another stack's zone has IPv6", () => {
    const workloads = { vm1: { node: "node1", addresses: ["2010:100:200::11"] }, vm2: { node: "node2", addresses: ["203.203.0.18"] } };
    const ofStack = resourcesOf(inState(OLD, { workloads })).filter(({ inputs }) => inputs.zone === undefined || inputs.zone === "node2");
    const { ipv6, workloads: own } = networkIn(ofStack, "blue");
    expect([ipv6, Object.keys(own)]).toEqual([true, ["vm2"]]);
  });

  it("finds the further chassis of zones by their workloads, also during a migration", () => {
    const further = { node1: { ...NODES.node1!, topology: "gateway" as const, additionalChassis: { h2: {}, h3: {}, h4: {} } } };
    const chassis = (vm1: object) => {
      const args = inState(OLD);
      const { nodes } = networkIn(
        resourcesOf({ ...args, nodes: { ...args.nodes, ...further }, workloads: { ...args.workloads, vm1: { ...args.workloads!.vm1!, ...vm1 } } }),
        "blue",
      );
      return nodes.map((node) => node.chassis);
    };
    expect(chassis({ chassis: "h2" })).toEqual([["node1", "h2"], ["node2"], ["node3"]]);
    expect(chassis({ chassis: "h2", migration: { to: "node1", chassis: "h3" } })).toEqual([["node1", "h2", "h3"], ["node2"], ["node3"]]);
    expect(chassis({ chassis: "h2", migration: { to: "node2" } })).toEqual([["node1", "h2"], ["node2"], ["node3"]]);
    expect(chassis({ node: "node2", migration: { to: "node1", chassis: "h4" } })).toEqual([["node1", "h4"], ["node2"], ["node3"]]);
  });

  it("refuses a network of an older release", () => {
    const [component] = resourcesOf(inState(OLD));
    expect(() => networkIn([component!], "blue")).toThrow("run pulumi up once");
  });
});

describe("chooseNetwork", () => {
  const named = (...names: string[]): StackResource[] =>
    names.map((name) => ({ urn: `urn:pulumi:dev::net::ovn:network:Layer2Network::${name}`, type: "ovn:network:Layer2Network", parent: "", inputs: {} }));

  it("returns the only one, or the named one", () => {
    expect(chooseNetwork(named("blue"), undefined)).toBe("blue");
    expect(chooseNetwork(named("blue", "red"), "red")).toBe("red");
    expect(networksOf(named("blue", "red"))).toEqual(["blue", "red"]);
  });

  it("names the networks of the stack if it refuses a choice", () => {
    expect(() => chooseNetwork([], undefined)).toThrow("the stack makes no Layer2Network");
    expect(() => chooseNetwork(named("blue", "red"), "green")).toThrow('the stack makes no Layer2Network "green"; it makes blue, red');
    expect(() => chooseNetwork(named("red", "blue"), "blu")).toThrow('the stack makes no Layer2Network "blu"; it makes blue, red; did you mean "blue"?');
    expect(() => chooseNetwork(named("red", "blue"), undefined)).toThrow("say which with --network; it makes blue, red");
  });
});

describe("rowDifferences", () => {
  it("shows the rows that a move changes, in its zone", () => {
    const differences = rowDifferences(resourcesOf(inState(MOVE)), resourcesOf(inState(FIRST)));
    const gateway = differences.find(({ kind, zone }) => kind === "Layer2Gateway" && zone === "node1")!;
    expect(differences.map(({ zone }) => zone)).toEqual(["node1"]);
    expect(countRows(differences)).toEqual({ added: 13, changed: 1, removed: 4 });
    expect(gateway.rows.filter(({ after }) => after === undefined).map(({ label }) => label)).toEqual([
      "Logical_Router_Port rtos-blue_ovn_layer2_switch",
      "Logical_Router_Port rtos-blue_ovn_layer2_switch-alias",
      "Logical_Switch_Port stor-blue_ovn_layer2_switch",
      "Logical_Switch_Port stor-blue_ovn_layer2_switch-alias",
    ]);
    expect(gateway.rows.find(({ label }) => label === "Logical_Switch_Port stotr-blue_ovn_layer2_switch-upgrade")).toEqual({
      label: "Logical_Switch_Port stotr-blue_ovn_layer2_switch-upgrade",
      before: undefined,
      after: "type=router addresses=router options:requested-tnl-key=32766 options:router-port=trtos-blue_ovn_layer2_switch-upgrade",
    });
  });

  it("is empty between equal states, and inverted on the way back", () => {
    const [from, to] = [resourcesOf(inState(MOVE)), resourcesOf(inState(FIRST))];
    expect(rowDifferences(to, to)).toEqual([]);
    const { added, removed } = countRows(rowDifferences(to, from));
    expect([added, removed]).toEqual([4, 13]);
  });

  it("shows the lines of resources with hidden arguments", () => {
    const secret = (rows: Record<string, string>, digest: string): StackResource[] => [
      {
        urn: "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Layer2Switch::s",
        type: "pulumi-nodejs:dynamic/ovn:Layer2Switch",
        parent: "",
        inputs: { zone: "z", name: { secret: true }, rows, digest },
      },
    ];
    expect(rowDifferences(secret({ hidden: "a" }, "1"), secret({ hidden: "b" }, "2"))).toEqual([
      { resource: "s", kind: "Layer2Switch", zone: "z", rows: [{ label: "hidden", before: "a", after: "b" }] },
    ]);
  });

  it("shows added and deleted resources", () => {
    const all = resourcesOf(inState(MOVE));
    const less = all.filter(({ inputs }) => inputs.zone !== "node3");
    expect(new Set(rowDifferences(less, all).flatMap(({ rows }) => rows.map(({ before }) => before)))).toEqual(new Set([undefined]));
    expect(new Set(rowDifferences(all, less).flatMap(({ rows }) => rows.map(({ after }) => after)))).toEqual(new Set([undefined]));
  });
});

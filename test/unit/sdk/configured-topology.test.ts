import * as pulumi from "@pulumi/pulumi";
import { ArgumentError } from "@pulumi-ovn/provider";
import { withConfiguredTopology } from "pulumi-ovn/testing";
import { NODES } from "../../support/network";

const given = { name: "blue", subnets: ["203.203.0.0/16"], nodes: NODES, upgrade: "follow" as const };

function configure(topology: unknown): void {
  pulumi.runtime.setAllConfig(topology === undefined ? {} : { "ovn:topology": JSON.stringify(topology) });
}

function failures(topology: unknown): unknown {
  configure(topology);
  try {
    withConfiguredTopology("blue", given);
  } catch (error) {
    return (error as ArgumentError).failures.map(({ path, code }) => `${path} ${code}`);
  }
  return undefined;
}

it("leaves the program's own settings without an entry", () => {
  configure(undefined);
  expect(withConfiguredTopology("blue", given)).toBe(given);
  configure({ red: { upgrade: "move" } });
  expect(withConfiguredTopology("blue", given)).toBe(given);
});

it("takes topologies and stage from the entry", () => {
  configure({ blue: { nodes: { node1: "gateway" }, upgrade: "move" } });
  const { nodes, upgrade } = withConfiguredTopology("blue", given);
  expect(upgrade).toBe("move");
  expect(Object.fromEntries(Object.entries(nodes).map(([name, { topology }]) => [name, topology]))).toEqual({
    node1: "gateway",
    node2: undefined,
    node3: undefined,
  });
  expect(nodes.node1).toEqual({ ...NODES.node1, topology: "gateway" });
});

it("ends the program's own stage by an entry without a stage", () => {
  configure({ blue: {} });
  const { upgrade: _upgrade, ...rest } = given;
  expect(withConfiguredTopology("blue", given)).toEqual(rest);
});

it("refuses settings that would be ignored", () => {
  expect(failures({ blue: "transit" })).toEqual(["ovn:topology.blue type"]);
  expect(failures({ blue: { nodes: [] } })).toEqual(["ovn:topology.blue.nodes type"]);
  expect(failures({ blue: { node: {}, upgrade: "walk" } })).toEqual(["ovn:topology.blue.node unknown-argument", "ovn:topology.blue.upgrade stage"]);
  expect(failures({ blue: { nodes: { node9: "transit", node1: "new" } } })).toEqual([
    "ovn:topology.blue.nodes.node9 unknown-node",
    "ovn:topology.blue.nodes.node1 topology",
  ]);
  expect(failures({ blue: { nodes: { node1: "transit" }, upgrade: "move" } })).toBeUndefined();
});

import fc from "fast-check";
import {
  type EgressIPPolicyArgs,
  egressNetworkOf,
  egressReroute,
  expandEgressIPPolicy,
  expandLayer2Network,
  type Layer2NetworkArgs,
  type Topology,
  type UpgradeStage,
} from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered } from "./helpers";
import { dual, node } from "./networks";

/** "ttg": nodes 1 and 2 have the transit topology, node 3 the gateway topology. */
function network(topologies: string, upgrade?: UpgradeStage, change: Partial<Layer2NetworkArgs> = {}) {
  const topology = (index: number): Topology => (topologies[index] === "t" ? "transit" : "gateway");
  const nodes = Object.fromEntries([1, 2, 3].map((n) => [`node${n}`, { ...node(n), topology: topology(n - 1) }]));
  return egressNetworkOf(expandLayer2Network({ ...dual, nodes, ...(upgrade && { upgrade }), ...change }));
}

const base = { name: "web", workloads: ["vm1", "vm2"], addresses: { "172.18.0.202": "node2", "172.18.0.203": "node3", "fc00:f853:ccd:e793::ca": "node2" } };
const policy = (topologies: string, upgrade?: UpgradeStage, change: Partial<EgressIPPolicyArgs> = {}) =>
  expandEgressIPPolicy({ ...base, network: network(topologies, upgrade), ...change });
const rowsIn = (topologies: string, upgrade?: UpgradeStage) =>
  new Map(
    Object.entries(policy(topologies, upgrade).reroutes).flatMap(([zone, args]) =>
      rendered(egressReroute, args).set.rows.map((row) => [`${zone} ${row.table} ${row.key}`, JSON.stringify(row)] as const),
    ),
  );

const [VM1, VM2] = [
  ["203.203.0.17", "2010:100:200::11"],
  ["203.203.0.18", "2010:100:200::12"],
];
const transit = policy("ttt").reroutes;
const gateway = {
  node1: { router: "GR_blue_node1", nextHops: { node2: ["100.65.0.3", "fd99::3"], node3: ["100.65.0.4"] } },
  node2: { router: "GR_blue_node2", nextHops: { node2: ["172.18.0.1", "fc00:f853:ccd:e793::1"], node3: ["100.65.0.4"] } },
};
const without = <T extends object>(args: T, ...names: (keyof T)[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name as keyof T)));

describe("an egress policy in the stages of an upgrade", () => {
  test.each([undefined, "shield", "announce"] as const)(
    "gateway topology, stage %s: policies are only on the gateway routers of the workloads' nodes",
    (stage) => {
      const common = without(transit["node1"]!, "zone", "router", "nextHops", "workloads");
      expect(policy("ggg", stage).reroutes).toEqual({
        node1: { ...common, zone: "node1", gateway: gateway.node1, workloads: { vm1: { addresses: VM1 } } },
        // node3 has an egress address, and no workload: its gateway router needs no policy for those of others.
        node2: { ...common, zone: "node2", gateway: gateway.node2, workloads: { vm2: { addresses: VM2 } } },
      });
    },
  );

  test("move: policies are on both routers in every zone, with other nodes' join addresses", () => {
    const inports = ["rtos-blue_ovn_layer2_switch", "rtos-blue_ovn_layer2_switch-alias"];
    expect(policy("ggg", "move").reroutes).toEqual({
      node1: {
        ...transit["node1"],
        goWithRouter: true,
        nextHops: { node2: ["100.65.0.3", "fd99::3"], node3: ["100.65.0.4"] },
        gateway: { ...gateway.node1, inports },
      },
      node2: {
        ...transit["node2"],
        goWithRouter: true,
        nextHops: { node2: ["100.88.0.7", "fd97::7"], node3: ["100.65.0.4"] },
        gateway: { ...gateway.node2, inports },
      },
      node3: { ...transit["node3"], goWithRouter: true },
    });
  });

  test.each(["follow", "announce", "settle"] as const)("%s: policies are only on the transit router, as without a stage", (stage) => {
    expect(policy("ttt", stage).reroutes).toEqual(transit);
  });

  test("move of a node: no row changes", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("t", "g"), { minLength: 3, maxLength: 3 }), (topologies) => {
        expect(policy(topologies.join(""), "move")).toEqual(policy("ttt", "move"));
      }),
    );
  });

  test("rows of the switch and address sets stay in all stages; policies are only added on the way there, and only removed at its end", () => {
    const states = [rowsIn("ggg"), rowsIn("ggg", "move"), rowsIn("ttt", "follow"), rowsIn("ttt")] as const;
    const policies = (rows: ReadonlyMap<string, string>) => [...rows.keys()].filter((key) => key.includes("Logical_Router_Policy"));
    const shared = (rows: ReadonlyMap<string, string>) => [...rows.keys()].filter((key) => !key.includes("Logical_Router_Policy"));
    const [old, both, follow, end] = states;
    for (const rows of states.slice(1)) expect(shared(rows)).toEqual(expect.arrayContaining(shared(old)));
    expect(policies(both)).toEqual(expect.arrayContaining([...policies(old), ...policies(follow)]));
    expect(policies(both)).toHaveLength(policies(old).length + policies(follow).length);
    expect(end).toEqual(follow);
  });

  test("translations apply to external packets only, wherever a gateway router is or may be on the switch", () => {
    const only = (topologies: string, stage?: UpgradeStage) => policy(topologies, stage).addresses.map(({ args }) => args.outsideOnly);
    for (const [topologies, stage] of [
      ["ggg", undefined],
      ["ggg", "move"],
      ["gtg", "move"],
      ["ttt", "move"],
      ["ttt", "follow"],
      ["ttt", "settle"],
    ] as const)
      expect(only(topologies, stage)).toEqual([true, true, true]);
    expect(only("ttt")).toEqual([undefined, undefined, undefined]);
  });

  test("a stage that contradicts the nodes is refused", () => {
    const described = { ...network("ttt"), upgrade: "shield" as const };
    expect(complaints(() => policy("ttt", undefined, { network: described }))).toEqual([
      'network.upgrade: can be "shield" only when every node has topology "gateway", and node1, node2, node3 have not',
    ]);
  });
});

describe("a live migration", () => {
  const migrating = (to: string | undefined, on = "node1") => {
    const vm1 = { node: on, addresses: VM1, ...(to !== undefined && { migration: { to } }) };
    return policy("ttt", undefined, { network: network("ttt", undefined, { workloads: { ...dual.workloads, vm1 } }) }).reroutes;
  };

  test("policies are in both zones until its end, and equal those of a network with the workload in the target zone", () => {
    const [before, during, after] = [migrating(undefined), migrating("node3"), migrating(undefined, "node3")];
    expect(before["node3"]!.workloads["vm1"]).toEqual({ addresses: [VM1[0]], through: ["node3"] });
    expect(during).toEqual({ ...before, node3: { ...after["node3"], workloads: { ...after["node3"]!.workloads, vm1: { addresses: VM1 } } } });
    expect(after["node1"]).toBeUndefined();
  });

  test.each([
    [{ to: "node9" }, ['network.workloads.vm1.migration.to: "node9" is not one of the network\'s nodes']],
    [{ to: "node1" }, ['network.workloads.vm1.migration.to: the workload is on "node1" already']],
  ])("to %j is refused", (migration, expected) => {
    const described = network("ttt");
    const vm1 = { ...described.workloads["vm1"]!, migration };
    expect(complaints(() => policy("ttt", undefined, { network: { ...described, workloads: { ...described.workloads, vm1 } } }))).toEqual(expected);
  });
});

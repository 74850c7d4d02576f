import type { Layer2NetworkArgs, Topology, UpgradeStage } from "@pulumi-ovn/provider";
import { difference, NO_DIFFERENCE, tablesOf } from "../../support/dump";
import { LiveNetwork, type LivePolicy } from "../../support/live-network";
import { TestZones } from "../../support/zones";
import { dual } from "../../unit/topology/networks";

/** node2 has egress addresses and no workload of the policy: there it has rows on the transit router only. */
const POLICY: LivePolicy = {
  name: "web",
  workloads: ["vm1"],
  addresses: { "172.18.0.202": "node2", "172.18.0.203": "node1", "fc00:f853:ccd:e793::ca": "node2" },
};
const TR = "blue_transit_router";

let zones: TestZones;
let network: LiveNetwork;
beforeAll(async () => {
  zones = await TestZones.start(["node1", "node2"], { northd: false });
});
afterAll(() => zones?.stop());
beforeEach(() => {
  network = new LiveNetwork(zones.config);
});
afterEach(async () => {
  await network.write(undefined);
  await network[Symbol.asyncDispose]();
});

function state(topologies: string, upgrade?: UpgradeStage): Layer2NetworkArgs {
  const topology = (index: number): Topology => (topologies[index] === "t" ? "transit" : "gateway");
  const nodes = Object.fromEntries([1, 2].map((n) => [`node${n}`, { ...dual.nodes[`node${n}`]!, topology: topology(n - 1) }]));
  return { ...dual, nodes, ...(upgrade && { upgrade }) };
}

test("the way there and back only adds rows, moves a node without a change of policies, and ends in the first state", async () => {
  const empty = await zones.northbound();
  await network.write(state("gg"), [POLICY]);
  const old = await zones.northbound();
  expect(await network.write(state("gg", "move"), [POLICY])).toEqual([
    "node1 EgressReroute web",
    "node1 Layer2Gateway",
    "node2 EgressReroute web",
    "node2 Layer2Gateway",
  ]);
  const both = await zones.northbound();
  expect(difference(old, both).removed).toEqual([]);
  expect(await network.write(state("tg", "move"), [POLICY])).toEqual(["node1 Layer2Gateway"]);
  expect(await network.write(state("tt", "move"), [POLICY])).toEqual(["node2 Layer2Gateway"]);
  await network.write(state("tt", "follow"), [POLICY]);
  const follow = await zones.northbound();
  // Policies of the gateway router on the workload's node: per family one that reroutes and one that exempts, and those for replies.
  expect(tablesOf(difference(both, follow).removed).filter((table) => table.endsWith("Policy"))).toEqual(Array<string>(5).fill("node1 Logical_Router_Policy"));
  await network.write(state("tt", "settle"), [POLICY]);
  await network.write(state("tt"), [POLICY]);
  await network.write(state("tt", "settle"), [POLICY]);
  await network.write(state("tt", "follow"), [POLICY]);
  expect(difference(follow, await zones.northbound())).toEqual(NO_DIFFERENCE);
  await network.write(state("tt", "move"), [POLICY]);
  await network.write(state("gg", "move"), [POLICY]);
  expect(difference(both, await zones.northbound())).toEqual(NO_DIFFERENCE);
  await network.write(state("gg"), [POLICY]);
  expect(difference(old, await zones.northbound())).toEqual(NO_DIFFERENCE);
  await network.write(undefined);
  expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
});

test("the transit router removes marked policies with itself, and no others", async () => {
  await network.write(state("gg", "move"), [POLICY]);
  await zones.nbctl("node1", "lr-policy-add", TR, "50", "ip4", "drop");
  await expect(network.write(state("gg"), [POLICY])).rejects.toMatchObject({
    code: "OVN_NOT_EMPTY",
    message: expect.stringMatching(
      /^Logical_Router blue_transit_router still holds Logical_Router_Policy \(\S+\) without an owner mark, which would vanish with it/,
    ),
  });
  expect(await zones.nbctl("node1", "lr-policy-list", TR)).toContain("ip4.src == 203.203.0.17");
  await zones.nbctl("node1", "lr-policy-del", TR, "50");
  await network.write(state("gg"), [POLICY]);
  expect(await zones.nbctl("node1", "--bare", "--columns=name", "list", "Logical_Router")).toBe("GR_blue_node1");
  expect(await zones.nbctl("node1", "--bare", "--columns=_uuid", "find", "Logical_Router_Policy", 'external_ids:"pulumi-ovn:goes-with-router"="true"')).toBe(
    "",
  );
});

test("a transit router in use is not removed with its policies", async () => {
  await network.write(state("tt"), [POLICY]);
  await expect(network.write(state("gg"), [POLICY])).rejects.toMatchObject({ code: "OVN_NOT_EMPTY" });
});

test("a policy that is deleted together with the upgrade is removed after its router", async () => {
  await network.write(state("gg"));
  const before = await zones.northbound();
  await network.write(state("gg", "move"), [POLICY]);
  await network.write(state("gg"));
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
});

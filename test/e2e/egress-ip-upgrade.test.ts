import { drainNode, type DrainReport, restoreNode } from "@pulumi-ovn/cli/egress";
import type { Layer2NetworkArgs, Topology, UpgradeStage } from "@pulumi-ovn/provider";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { type Dump, difference, NO_DIFFERENCE, parseDump } from "../support/dump";
import type { LiveNetwork, LivePolicy } from "../support/live-network";
import { liveSandbox } from "../support/live-sandbox";
import { blue, NODES } from "../support/network";
import { reached } from "../support/upgrade-flows";
import { connections, serve } from "./egress-ip-traffic";

const OUTSIDE = { 4: "192.0.2.1", 6: "2001:db8::1" } as const;
const [A4, B4, A6, B6] = ["172.18.0.202", "172.18.0.203", "fc00:f853:ccd:e793::ca", "fc00:f853:ccd:e793::cb"] as const;
/** vm2 is on an egress node, vm1 is not. */
const POLICY: LivePolicy = { name: "web", workloads: ["vm1", "vm2"], addresses: { [A4]: "node2", [B4]: "node3", [A6]: "node2", [B6]: "node3" } };

let sandbox: Sandbox;
let network: LiveNetwork;
const servers: Running[] = [];
// Before the sandbox goes.
afterAll(() => servers.forEach((server) => server.signal("SIGKILL")));
liveSandbox({ name: "egress-upgrade" }, async (...live) => {
  [sandbox, network] = live;
  servers.push(await serve(sandbox, "ext"), await serve(sandbox, "vm1"));
  await sandbox.exec("ext", ["ip", "route", "add", "203.203.0.0/16", "via", "172.18.0.11"]);
});

/** "ttg": nodes 1 and 2 have the transit topology, node 3 the gateway topology. */
function state(topologies: string, upgrade?: UpgradeStage): Layer2NetworkArgs {
  const nodes = Object.entries(NODES).map(([name, node], index) => [
    name,
    { ...node, topology: (topologies[index] === "t" ? "transit" : "gateway") as Topology },
  ]);
  return blue(undefined, { tunnelKeys: { switch: 16_715_779, router: 16_715_780 }, nodes: Object.fromEntries(nodes), ...(upgrade && { upgrade }) });
}

const COUNT = 60;

/** Who talks to whom, and the addresses that the connections come from. */
const WAYS = [
  ["vm1", OUTSIDE[4], [A4, B4]],
  ["vm1", OUTSIDE[6], [A6, B6]],
  ["vm2", OUTSIDE[4], [A4, B4]],
  ["vm2", OUTSIDE[6], [A6, B6]],
  // Not served: by its own node.
  ["vm3", OUTSIDE[4], ["172.18.0.13"]],
  // From outside, and inside of the network: as without a policy.
  ["ext", "203.203.0.17", ["172.18.0.1"]],
  ["vm2", "203.203.0.17", ["203.203.0.18"]],
] as const;

/** Failures of new connections with these addresses drained; a loaded machine may lose a few. */
async function complaints(drained: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  for (const [from, to, all] of WAYS) {
    const sources = all.filter((source) => !drained.includes(source));
    await connections(sandbox, from, to, 10); // neighbours are resolved by the first packets
    const { tally } = await connections(sandbox, from, to, COUNT);
    const { timeout = 0, ...answered } = tally;
    const fair = sources.every((source) => (tally[source] ?? 0) > COUNT / sources.length / 2);
    if (!fair || timeout > COUNT / 20 || Object.keys(answered).length > sources.length) found.push(`${from} to ${to}: ${JSON.stringify(tally)}`);
  }
  return found;
}

/** Clears neighbor entries: the stages of an upgrade wait for them, but this test is about something else. */
async function forget(): Promise<void> {
  await Promise.all(sandbox.workloads.map(({ name }) => sandbox.exec(name, ["ip", "neighbour", "flush", "all"])));
}

/** In the mixed network the node is taken out of the policies of both routers of every zone. */
async function drainAndRestore(topologies: string): Promise<void> {
  const rows = async () =>
    (
      await Promise.all(
        [1, 2, 3].map(
          async (n) =>
            (
              await sandbox.exec(`node${n}`, ["ovn-nbctl", "--bare", "--columns=match,nexthops", "--format=csv", "list", "Logical_Router_Policy"])
            ).stdout,
        ),
      )
    ).join("");
  const before = await rows();
  const steps = (report: DrainReport) => report.map(({ zone, steps: { length } }) => `${zone} ${length}`);
  // Reroute policies of a workload's node, by router and family.
  expect(steps(await drainNode(sandbox.zones, "node3"))).toEqual(["node1 4", "node2 4", "node3 0"]);
  await reached(sandbox);
  expect([topologies, "drained", await complaints([B4, B6])]).toEqual([topologies, "drained", []]);
  expect(steps(await restoreNode(sandbox.zones, "node3"))).toEqual(["node1 4", "node2 4", "node3 0"]);
  await reached(sandbox);
  expect(await rows()).toEqual(before);
}

async function northbound(): Promise<Dump> {
  const dumps = Object.entries(sandbox.zones).map(async ([zone, { northbound: endpoint }]) =>
    parseDump((await sandbox.exec(zone, ["ovsdb-client", "--format=json", "dump", endpoint, "OVN_Northbound"])).stdout, zone),
  );
  return new Map((await Promise.all(dumps)).flat());
}

const STATES: readonly (readonly [topologies: string, upgrade?: UpgradeStage])[] = [
  ["ggg"],
  ["ggg", "move"],
  // A node that has egress addresses, one that has none.
  ["gtg", "move"],
  ["ttg", "move"],
  ["ttt", "move"],
  ["ttt", "follow"],
  ["ttt", "announce"],
  ["ttt", "settle"],
  ["ttt"],
  ["ttt", "settle"],
  ["ttt", "follow"],
  ["ttt", "move"],
  ["tgt", "move"],
  ["ggg", "move"],
  ["ggg", "shield"],
  ["ggg", "announce"],
  ["ggg", "shield"],
  ["ggg", "move"],
  ["ggg"],
];

it("spreads new connections over all addresses in the gateway topology, and in every state of the way there and back", async () => {
  const empty = await northbound();
  let before = "";
  for (const [topologies, upgrade] of STATES) {
    const changed = await network.write(state(topologies, upgrade), [POLICY]);
    await reached(sandbox);
    await forget();
    expect([topologies, upgrade, await complaints()]).toEqual([topologies, upgrade, []]);
    const moved =
      upgrade === "move" && before.endsWith("move") ? ["node1", "node2", "node3"].filter((_, index) => before[index] !== topologies[index]) : undefined;
    if (moved) expect(changed).toEqual(moved.map((node) => `${node} Layer2Gateway`));
    if (topologies === "ttg") await drainAndRestore(topologies);
    before = `${topologies} ${upgrade}`;
  }
  await network.write(undefined);
  expect(difference(empty, await northbound())).toEqual(NO_DIFFERENCE);
}, 600_000);

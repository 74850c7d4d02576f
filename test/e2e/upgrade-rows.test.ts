import { setTimeout as sleep } from "node:timers/promises";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { type Dump, difference, NO_DIFFERENCE, parseDump } from "../support/dump";
import { Control } from "../support/control";
import { Flows } from "../support/flows";
import type { LiveNetwork } from "../support/live-network";
import { settledStage, upgradeSandbox } from "../support/live-sandbox";
import { SlowChassis } from "../support/slow";
import { advertised, POLICIES, reached, RENEWED, serveWorkloads, state, stopServing, upgradeFlows } from "../support/upgrade-flows";

let sandbox: Sandbox;
let network: LiveNetwork;
upgradeSandbox("upgrade-rows", (...live) => {
  [sandbox, network] = live;
});

async function northbound(): Promise<Dump> {
  const dumps = await Promise.all(
    Object.entries(sandbox.zones).map(async ([zone, { northbound }]) => {
      const { stdout } = await sandbox.exec(zone, ["ovsdb-client", "--format=json", "dump", northbound, "OVN_Northbound"]);
      return parseDump(stdout, zone);
    }),
  );
  return new Map(dumps.flat());
}

/** On each chassis, flows for neighbours of the transit router that are known beforehand: two families of two other nodes. */
async function neighbours(): Promise<number[]> {
  const counts = sandbox.hosts.map(async ({ name }) => {
    const key = (await sandbox.exec(name, ["ovn-sbctl", "--bare", "--columns=tunnel_key", "find", "Datapath_Binding", "external_ids:name=blue_transit_router"]))
      .stdout;
    const { stdout } = await sandbox.exec(name, ["ovs-ofctl", "dump-flows", "br-int", `metadata=${Number(key)}`]);
    return stdout.split("\n").filter((line) => / priority=150,.*mod_dl_dst:/.test(line)).length;
  });
  return Promise.all(counts);
}

/** Rows of the network and its policies, without the rows that the test added by hand. */
const own = (dump: Dump): Dump =>
  new Map([...dump].filter(([, columns]) => columns["external_ids"]?.includes("pulumi-ovn:owner") || columns["override_dynamic_mac"] !== undefined));

/** The column that holds what the test put in. */
const withoutBalancers = (dump: Dump): Dump => new Map([...dump].map(([row, { load_balancer: _, ...columns }]) => [row, columns]));

test("upgrades a loaded network to the transit topology and back, node by node, with traffic on all paths", async () => {
  await using control = await Control.over(sandbox);
  const empty = await northbound();
  await network.write(state("ggg"), POLICIES);
  await serveWorkloads(sandbox);
  await reached(sandbox);
  await advertised(sandbox);

  const walked: Record<string, Dump> = {};
  const changes: Record<string, string[]> = {};
  await using flows = await Flows.start(sandbox, [...upgradeFlows(), ...control.flows]);
  await sleep(3_000);

  const step = async (name: string, args: Layer2NetworkArgs, wait = 2_000) => {
    const work = async () => (changes[name] = await network.write(args, POLICIES));
    await settledStage(flows, sandbox, name, work, { wait, swap: / node/.test(name) });
    walked[name] = withoutBalancers(own(await northbound()));
  };

  await flows.stage("idle", () => sleep(1_000));
  await using _slow = await SlowChassis.of(sandbox, "node2", 50, 500);
  await step("prepare", state("ggg", "move"));
  await step("move node1", state("tgg", "move"));
  await step("move node2", state("ttg", "move"));
  await step("move node3", state("ttt", "move"));
  // Otherwise the first packets on the new way would wait for neighbours to be asked for, as long as a chassis is slow.
  expect(await neighbours()).toEqual([4, 4, 4]);
  await step("follow", state("ttt", "follow"));
  await step("announce", state("ttt", "announce"), RENEWED);
  await step("settle", state("ttt", "settle"), 5_000);
  await flows.stage("idle, transit", () => sleep(1_000));
  // Not for long: workloads that learned the join subnet as on-link ask for it until they are started anew.
  await step("transit", state("ttt"));

  await step("back: follow", state("ttt", "follow"));
  await step("back: move", state("ttt", "move"));
  await step("back: node1", state("gtt", "move"));
  await step("back: node2", state("ggt", "move"));
  await step("back: node3", state("ggg", "move"));
  await flows.stage("idle, gateway", () => sleep(3_000));
  await step("shield", state("ggg", "shield"));
  await step("announce to all", state("ggg", "announce"), 5_000);
  await step("shield again", state("ggg", "shield"));
  await step("unshield", state("ggg", "move"));
  await settledStage(flows, sandbox, "without alias", () => network.write(state("ggg"), POLICIES), { wait: 2_000 });
  const report = await flows.end();
  console.log(report.table());

  // A node's move is one resource, in its own zone; no policy changes.
  expect(changes["move node2"]).toEqual(["node2 Layer2Gateway"]);
  expect(changes["back: node2"]).toEqual(["node2 Layer2Gateway"]);
  // A stage is its rows, however it was reached.
  expect(difference(walked["prepare"]!, walked["unshield"]!)).toEqual(NO_DIFFERENCE);
  expect(difference(walked["move node3"]!, walked["back: move"]!)).toEqual(NO_DIFFERENCE);
  expect(difference(walked["follow"]!, walked["back: follow"]!)).toEqual(NO_DIFFERENCE);

  expect(report.broken()).toEqual([]);
  // IPv6 workloads know the alias's router until they have forgotten it; losing it is for IPv4.
  const stages = report.stages.map(({ name }) => name).filter((name) => name !== "without alias");
  expect(report.beyondControl(stages)).toEqual([]);
  expect(report.beyondControl(["without alias"], ({ name }) => !name.includes("v6"))).toEqual([]);

  await stopServing(sandbox);
  await network.write(undefined);
  expect(difference(empty, await northbound())).toEqual(NO_DIFFERENCE);
}, 900_000);

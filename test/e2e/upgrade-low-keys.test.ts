import { setTimeout as sleep } from "node:timers/promises";
import type { Layer2NetworkArgs, UpgradeStage } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { Control } from "../support/control";
import { Flows } from "../support/flows";
import type { LiveNetwork } from "../support/live-network";
import { settledStage, upgradeSandbox } from "../support/live-sandbox";
import { advertised, POLICIES, reached, RENEWED, serveWorkloads, state as usualState, stopServing, upgradeFlows } from "../support/upgrade-flows";

let sandbox: Sandbox;
let network: LiveNetwork;
upgradeSandbox("upgrade-low-keys", (...live) => {
  [sandbox, network] = live;
});

/** Entries with one more property, which depends on their position. */
const numbered = <T extends object, More extends object>(entries: Readonly<Record<string, T>> | undefined, more: (index: number) => More) =>
  Object.fromEntries(Object.entries(entries ?? {}).map(([name, entry], index) => [name, { ...entry, ...more(index) }]));

/**
 * The gateway routers have the port keys 1 to 3 on the switch, which are otherwise its own ports', and the workloads the next ones:
 * ovn-kubernetes 1.2 and 1.3 number them so.
 */
function state(topologies: string, upgrade?: UpgradeStage, more: Layer2NetworkArgs["workloads"] = {}): Layer2NetworkArgs {
  const usual = usualState(topologies, upgrade);
  return {
    ...usual,
    nodes: numbered(usual.nodes, (index) => ({ switchPortKey: 1 + index })),
    workloads: { ...numbered(usual.workloads, (index) => ({ tunnelKey: 4 + index })), ...more },
    management: {},
  };
}

/** Keys of the ports of a zone's switch as northd has given them. */
async function keysIn(zone: string): Promise<Record<string, number>> {
  const { stdout } = await sandbox.exec(zone, [
    "ovn-sbctl",
    "--format=json",
    "--columns=logical_port,tunnel_key",
    "find",
    "Port_Binding",
    "type!=chassisredirect",
  ]);
  const { data } = JSON.parse(stdout) as { data: [string, number][] };
  return Object.fromEntries(
    data.filter(([port]) => /^(sto.*-|k8s-)blue_/.test(port)).map(([port, key]) => [port.replace("blue_ovn_layer2_switch", "SW"), key]),
  );
}

test("upgrades a network whose gateway routers have the keys 1 to 3, and back, with traffic on all paths", async () => {
  await using control = await Control.over(sandbox);
  await network.write(state("ggg"), POLICIES);
  await serveWorkloads(sandbox);
  await reached(sandbox);
  await advertised(sandbox);
  expect(await keysIn("node1")).toEqual({ "k8s-blue_node1": 8, "stor-SW": 1, "stor-SW_node2": 2, "stor-SW_node3": 3 });

  await using flows = await Flows.start(sandbox, [...upgradeFlows(), ...control.flows]);
  await sleep(3_000);
  const step = (name: string, args: Layer2NetworkArgs, wait = 2_000) =>
    settledStage(flows, sandbox, name, () => network.write(args, POLICIES), { wait, swap: / node/.test(name) });

  await flows.stage("idle", () => sleep(1_000));
  await step("prepare", state("ggg", "move"));
  await step("move node1", state("tgg", "move"));
  expect(await keysIn("node1")).toEqual({ "k8s-blue_node1": 8, "stotr-SW": 9, "stotr-SW-upgrade": 1, "stor-SW_node2": 2, "stor-SW_node3": 3 });
  expect(await keysIn("node2")).toEqual({ "k8s-blue_node2": 8, "stor-SW": 2, "stor-SW-alias": 7, "stor-SW_node1": 1, "stor-SW_node3": 3 });
  await step("move node2 and node3", state("ttt", "move"));
  await step("follow", state("ttt", "follow"));
  await step("announce", state("ttt", "announce"), RENEWED);
  await step("settle", state("ttt", "settle"), 5_000);
  expect(await keysIn("node1")).toEqual({ "k8s-blue_node1": 8, "stotr-SW": 9 });

  // A network that gets, or loses, such keys while it is in use: its own ports change theirs. In "settle", because workloads that remember
  // the join subnet as on-link lose the answers of services without it.
  const late = (tunnelKey: number) => ({ [`late${tunnelKey}`]: { node: "node1", addresses: [`203.203.0.${200 + tunnelKey}`], tunnelKey } });
  await step("keys for workloads", state("ttt", "settle", { ...late(8), ...late(9) }));
  expect(await keysIn("node1")).toEqual({ "k8s-blue_node1": 10, "stotr-SW": 7 });
  await step("other keys", state("ttt", "settle"));

  await step("back: follow", state("ttt", "follow"));
  await step("back: move", state("ttt", "move"));
  await step("back: nodes", state("ggg", "move"));
  const report = await flows.end();
  console.log(report.table());

  expect(report.broken()).toEqual([]);
  expect(report.beyondControl(report.stages.map(({ name }) => name))).toEqual([]);
  await stopServing(sandbox);
  await network.write(undefined);
}, 900_000);

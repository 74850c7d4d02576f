import { setTimeout as sleep } from "node:timers/promises";
import type { UpgradeStage } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { Control } from "../support/control";
import { Flows } from "../support/flows";
import type { LiveNetwork } from "../support/live-network";
import { settledStage, upgradeSandbox } from "../support/live-sandbox";
import { advertised, POLICIES, reached, RENEWED, serveWorkloads, state, stopServing, upgradeFlows } from "../support/upgrade-flows";

/** Zones by the stack that writes them. */
const ZONES = { east: ["node1", "node2"], west: ["node3"] } as const;
type Stack = keyof typeof ZONES;

let sandbox: Sandbox;
let network: LiveNetwork;
upgradeSandbox("upgrade-regions", (...live) => {
  [sandbox, network] = live;
});

/** Brings the zones of one stack into a state. Returns what changed there. */
const write = (stack: Stack, topologies: string, upgrade?: UpgradeStage) => network.write(state(topologies, upgrade), POLICIES, ZONES[stack]);

/** The steps of docs/how-to/regions.md: one stack follows the other, so that their zones differ by one stage for a while. */
class Walk {
  constructor(
    private readonly flows: Flows,
    private readonly way: "there" | "back",
    private readonly order: readonly Stack[],
  ) {}

  async stage(topologies: string, upgrade: UpgradeStage, wait = 2_000): Promise<void> {
    for (const stack of this.order) await this.#step(`${stack}: ${upgrade}`, () => write(stack, topologies, upgrade), wait);
  }

  /** Each stack moves its own nodes, and is then given the topology of the others. */
  async moves(from: string, to: string): Promise<void> {
    const moved = { east: to.slice(0, 2) + from.slice(2), west: from.slice(0, 2) + to.slice(2) };
    for (const stack of this.order) await this.#step(`${stack}: nodes to ${to}`, () => write(stack, moved[stack], "move"), 2_000, true);
    for (const stack of this.order) expect(await write(stack, to, "move")).toEqual([]);
  }

  #step(name: string, change: () => Promise<unknown>, wait: number, swap = false): Promise<void> {
    return settledStage(this.flows, sandbox, `${this.way}: ${name}`, change, { wait, swap });
  }
}

test("two stacks upgrade one network and back, each its own zones, with traffic on all paths", async () => {
  await using control = await Control.over(sandbox);
  await network.write(state("ggg"), POLICIES);
  await serveWorkloads(sandbox);
  await reached(sandbox);
  await advertised(sandbox);
  await using flows = await Flows.start(sandbox, [...upgradeFlows(), ...control.flows]);
  await sleep(3_000);

  await flows.stage("idle", () => sleep(1_000));
  const there = new Walk(flows, "there", ["east", "west"]);
  await there.stage("ggg", "move");
  await there.moves("ggg", "ttt");
  await there.stage("ttt", "follow");
  await there.stage("ttt", "announce", RENEWED);
  await there.stage("ttt", "settle");
  await flows.stage("idle, transit", () => sleep(2_000));

  const back = new Walk(flows, "back", ["west", "east"]);
  await back.stage("ttt", "follow");
  await back.stage("ttt", "move");
  await back.moves("ttt", "ggg");
  await flows.stage("idle, gateway", () => sleep(3_000));

  const report = await flows.end();
  console.log(report.table());
  // Workloads stay where they are: nothing is lost but what the machine loses of the control, too.
  expect(report.broken()).toEqual([]);
  expect(report.beyondControl(report.stages.map(({ name }) => name))).toEqual([]);
  await stopServing(sandbox);
  await network.write(undefined);
}, 1_800_000);

import { setTimeout as sleep } from "node:timers/promises";
import type { Layer2NetworkArgs, NetworkWorkloadArgs } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { Control } from "../support/control";
import { Flows } from "../support/flows";
import { flowsToGuest, Guest } from "../support/guest";
import type { LiveNetwork } from "../support/live-network";
import { liveSandbox, movedStage, settledStage } from "../support/live-sandbox";
import { blue, NODES } from "../support/network";
import { MACHINES, reached, serveWorkloads, stopServing } from "../support/upgrade-flows";

let sandbox: Sandbox;
let network: LiveNetwork;
let guest: Guest;
liveSandbox({ name: "live-migration", workloads: MACHINES }, async (...live) => {
  [sandbox, network] = live;
  guest = await Guest.of(sandbox, "vm1", ["node2"]);
});

function state(vm1: Partial<NetworkWorkloadArgs>, change: Partial<Layer2NetworkArgs> = {}): Layer2NetworkArgs {
  const workloads = Object.fromEntries(
    MACHINES.map(({ name, host, mac, addresses }) => [name, { node: host, mac, addresses: addresses.map((address) => address.split("/")[0]!) }]),
  );
  return blue(undefined, {
    tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
    ...change,
    workloads: { ...workloads, vm1: { ...workloads.vm1!, ...vm1 } },
  });
}

/** From the node that it leaves, the one that it goes to, another one, and outside through each node. TCP that is translated to the node's own address ends with the node: it is not among these. */
const flows = flowsToGuest(["vm2", "vm3"], [1, 2, 3], ["node1", "node2", "node3"]);

test("a guest moves with its connections, staged and in one step, in the new topology and in a mixed network", async () => {
  await using control = await Control.over(sandbox);
  await network.write(state({}));
  await serveWorkloads(sandbox);
  await reached(sandbox);
  await sleep(2_000);
  await using running = await Flows.start(sandbox, [...flows, ...control.flows]);
  await sleep(3_000);

  const before = (name: string, work: () => Promise<unknown>) => settledStage(running, sandbox, name, work);
  const step = (name: string, work: () => Promise<unknown>) => movedStage(running, sandbox, name, work);
  /** Writes the zones' rows at the moment of the guest's switch, like a program that is notified of the switch. */
  const finish = (host: string, args: Layer2NetworkArgs) => () => Promise.all([guest.switchTo(host), network.write(args)]);

  await before("staged, target first", () => network.write(state({ migration: { to: "node2" } })));
  await step("staged, guest and the rest", finish("node2", state({ node: "node2" })));
  await step("in one step, back", finish("node1", state({ node: "node1" })));

  const mixed = { upgrade: "move" as const, nodes: { ...NODES, node2: { ...NODES.node2!, topology: "gateway" as const } } };
  await network.write(state({}, { upgrade: "follow" }));
  await network.write(state({}, { upgrade: "move" }));
  await reached(sandbox);
  await network.write(state({}, mixed));
  await reached(sandbox);
  await sleep(2_000);
  await before("mixed, target first", () => network.write(state({ migration: { to: "node2" } }, mixed)));
  await step("mixed, guest and the rest", finish("node2", state({ node: "node2" }, mixed)));
  await step("mixed, in one step, back", finish("node1", state({ node: "node1" }, mixed)));

  const report = await running.end();
  console.log(report.table());
  expect(report.broken()).toEqual([]);
  const stages = report.stages.map(({ name }) => name);
  expect(report.beyondControl(stages.filter((name) => name.endsWith("target first")))).toEqual([]);
  // TCP continues sending what the move has lost.
  expect(
    report.beyondControl(
      stages.filter((name) => name.endsWith("after")),
      ({ protocol }) => protocol !== "tcp",
    ),
  ).toEqual([]);
  await stopServing(sandbox);
}, 300_000);

import { setTimeout as sleep } from "node:timers/promises";
import type { NetworkWorkloadArgs } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { Control } from "../support/control";
import type { Flow } from "../support/flow";
import { ECHO_PORT, Flows } from "../support/flows";
import { flowsToGuest, Guest } from "../support/guest";
import type { LiveNetwork } from "../support/live-network";
import { liveSandbox, movedStage, settledStage } from "../support/live-sandbox";
import { blue, NODES } from "../support/network";
import { reached } from "../support/upgrade-flows";

let sandbox: Sandbox;
let network: LiveNetwork;
let guest: Guest;

const HOSTS = [1, 2, 3, 4];
const four = (n: number) => `203.203.0.${16 + n}`;
const six = (n: number) => `2010:100:200::1${n}`;

const workloads = HOSTS.map((n) => ({
  name: `vm${n}`,
  host: `node${n}`,
  mac: `0a:58:cb:cb:00:1${n}`,
  addresses: [`${four(n)}/16`, `${six(n)}/60`],
  gateways: ["203.203.0.1", "2010:100:200::1"],
}));
liveSandbox({ name: "migration-zone", hosts: 4, hostsPerZone: 3, workloads }, async (...live) => {
  [sandbox, network] = live;
  guest = await Guest.of(sandbox, "vm1", ["node2", "node3", "node4"]);
});

const FARM = { node1: { ...NODES.node1!, additionalChassis: { node2: { tunnelAddresses: ["198.18.0.2"] }, node3: { tunnelAddresses: ["198.18.0.3"] } } } };
const ALONE = {
  node4: {
    ...NODES.node3!,
    id: 5,
    tunnelAddresses: ["198.18.0.4"],
    external: { ...NODES.node3!.external, addresses: ["172.18.0.14/24", "fc00:f853:ccd:e793::e/64"] },
  },
};

function state(vm1: Partial<NetworkWorkloadArgs>) {
  const workload = (n: number, place: object) => ({ addresses: [four(n), six(n)], mac: `0a:58:cb:cb:00:1${n}`, ...place }) as NetworkWorkloadArgs;
  const workloads = {
    vm1: workload(1, { node: "node1", ...vm1 }),
    vm2: workload(2, { node: "node1", chassis: "node2" }),
    vm3: workload(3, { node: "node1", chassis: "node3" }),
    vm4: workload(4, { node: "node4" }),
  };
  return { ...blue([], { tunnelKeys: { switch: 16_715_779, router: 16_715_780 } }), nodes: { ...FARM, ...ALONE }, workloads };
}

async function run(place: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, argv, { timeout: 30_000 });
  if (code !== 0) throw new Error(`${argv.join(" ")} on ${place}: ${stderr}`);
  return stdout.trim();
}

/** A load balancer on both gateway routers for vm1. */
async function serveVm1(): Promise<void> {
  await Promise.all(
    ["1", "4"].map((n) =>
      run(
        `node${n}`,
        "ovn-nbctl",
        ...["udp", "tcp"].flatMap((protocol) => [
          "--",
          "lb-add",
          protocol,
          `172.18.0.1${n}:9001`,
          `${four(1)}:${ECHO_PORT}`,
          protocol,
          "--",
          "lr-lb-add",
          `GR_blue_node${n}`,
          protocol,
        ]),
      ),
    ),
  );
}

/** The chassis that have vm1's port in the farm's own eyes: the first, and while it migrates another one. */
async function chassisOfVm1(): Promise<string[]> {
  const columns = ["chassis", "additional_chassis"];
  const uuids = await Promise.all(
    columns.map((column) => run("node1", "ovn-sbctl", "--bare", `--columns=${column}`, "find", "Port_Binding", "logical_port=vm1")),
  );
  return Promise.all(uuids.filter(Boolean).map((uuid) => run("node1", "ovn-sbctl", "--bare", "--columns=name", "list", "Chassis", uuid)));
}

const OVER = HOSTS.map((n) => `node${n}`);
const flows: Flow[] = [
  ...flowsToGuest(["vm2", "vm3", "vm4"], [1, 4], OVER),
  { name: "vm1 out tcp", kind: "out", protocol: "tcp", from: "vm1", to: "192.0.2.1", over: OVER },
];

test("a guest moves between the chassis of a zone with all its connections, and on to another zone", async () => {
  await using control = await Control.over(sandbox);
  await network.write(state({}));
  await serveVm1();
  await reached(sandbox);
  expect(await chassisOfVm1()).toEqual(["node1"]);
  await sleep(2_000);
  await using running = await Flows.start(sandbox, [...flows, ...control.flows]);
  await sleep(3_000);

  const before = (name: string, work: () => Promise<unknown>) => settledStage(running, sandbox, name, work);
  const step = (name: string, work: () => Promise<unknown>) => movedStage(running, sandbox, name, work);
  /** Writes the zones' rows at the moment of the guest's switch, like a program that is notified of the switch. */
  const finish = (host: string, place: Partial<NetworkWorkloadArgs>) => () => Promise.all([guest.switchTo(host), network.write(state(place))]);

  await before("staged, target first", () => network.write(state({ migration: { to: "node1", chassis: "node2" } })));
  expect(await chassisOfVm1()).toEqual(["node1", "node2"]);
  await step("staged, guest and the rest", finish("node2", { chassis: "node2" }));
  expect(await chassisOfVm1()).toEqual(["node2"]);
  await step("in one step", finish("node3", { chassis: "node3" }));
  expect(await chassisOfVm1()).toEqual(["node3"]);
  await before("to another zone, target first", () => network.write(state({ chassis: "node3", migration: { to: "node4" } })));
  await step("to another zone, guest and the rest", finish("node4", { node: "node4" }));
  expect(await chassisOfVm1()).toEqual(["node4"]);

  const report = await running.end();
  console.log(report.table());
  const within = ["staged, target first", "staged, guest and the rest", "in one step", "to another zone, target first"];
  // Within the zone the gateway router stays the same, so nothing ends; with the zone its address goes, as the last step shows.
  for (const stage of within) expect(report.measured(stage).filter(({ sent }) => sent === 0)).toEqual([]);
  expect(report.broken().map((text) => text.split(":")[0])).toEqual(["vm1 out tcp"]);
  const stages = report.stages.map(({ name }) => name);
  expect(report.beyondControl(stages.filter((name) => name.endsWith("target first")))).toEqual([]);
  // TCP continues sending what the move has lost.
  expect(
    report.beyondControl(
      stages.filter((name) => name.endsWith("after")),
      ({ protocol }) => protocol !== "tcp",
    ),
  ).toEqual([]);
}, 300_000);

test("workloads on further chassis of a zone of gateway topology reach all others, and destroy leaves nothing", async () => {
  await guest.switchTo("node1");
  await Promise.all(["node1", "node4"].map((node) => run(node, "ovn-nbctl", "--all", "destroy", "Load_Balancer")));
  await network.write(undefined);
  for (const node of ["node1", "node4"]) {
    expect(await run(node, "ovn-nbctl", "show")).toBe("");
    expect(await run(node, "ovn-sbctl", "--bare", "--columns=name", "find", "Chassis", "other_config:is-remote=true")).toBe("");
  }
  const old = state({});
  await network.write({ ...old, nodes: Object.fromEntries(Object.entries(old.nodes).map(([name, node]) => [name, { ...node, topology: "gateway" }])) });
  await reached(sandbox);
  // The first ones may be lost, while neighbours are resolved.
  await Promise.all(
    (
      [
        ["vm2", four(4)],
        ["vm3", "192.0.2.1"],
        ["vm4", four(3)],
      ] as const
    ).map(([from, target]) => run(from, "ping", "-n", "-c10", "-i0.2", "-W1", target)),
  );
}, 60_000);

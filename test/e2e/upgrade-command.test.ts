import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { expectNoRecords, hostImage, objectsImage } from "../support/apply-places";
import { difference, NO_DIFFERENCE } from "../support/dump";
import { TestCluster } from "../support/kubernetes";
import { blue, program } from "../support/network";
import { Switches } from "../support/switches";
import { configuration, killWalk, mustUpgrade, printed, startUpgrade, upgrade } from "../support/upgrade-walk";
import { finished, Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

/** As the stack's program has it; what is beyond comes from the configuration. */
const NETWORK = blue(["node1", "node2"]);
const OLD: Layer2NetworkArgs = {
  ...NETWORK,
  nodes: Object.fromEntries(Object.entries(NETWORK.nodes).map(([name, node]) => [name, { ...node, topology: "gateway" as const }])),
};
const DROPPING = ["--loaded", "--remains", "drop"];
const FAST = [...DROPPING, "--settle-seconds", "1"];

/** Flows of a host and an object that follow the topology in the configuration. */
const FOLLOWERS = `
const topology = JSON.stringify(new pulumi.Config("ovn").getObject("topology") ?? null);
new ovn.BridgeFlows("flows", { host: "h1", bridges: [{ bridge: "theirs", flows: ["priority=" + (topology === "null" ? 1 : 2) + ",actions=drop"] }] });
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "topology", namespace: "app" }, data: { topology } };
new ovn.KubernetesObjects("maps", { cluster: "prod", objects: { map } });`;

jest.setTimeout(600_000);

const switches = Switches.of({ name: "upgrade-command", hosts: 1, workloads: [] });
let cluster: TestCluster;
let zones: TestZones;
let workspace: Workspace;
let old: Awaited<ReturnType<TestZones["northbound"]>>;
beforeAll(async () => {
  await switches.bridge("node1", "theirs");
  cluster = await TestCluster.kept();
  await cluster.namespace("app");
  zones = await TestZones.start(["node1", "node2"]);
  workspace = await Workspace.create(program(OLD), zones.config);
  await workspace.up();
  old = await zones.northbound();
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const stagesIn = (text: string) => text.split("\n").filter((line) => line.startsWith("["));
const sbctl = (...args: string[]) => zones.centrals.node1!.run("ovn-sbctl", args);

/** Pauses or resumes northd of node1. (ovn-northd(8), RUNTIME MANAGEMENT COMMANDS) */
async function northd(command: "pause" | "resume"): Promise<void> {
  const { code, stderr } = await zones.centrals.node1!.run("ovn-appctl", ["-t", join(zones.centrals.node1!.folder, "northd.ctl"), command]);
  expect([code, stderr]).toEqual([0, ""]);
}

/** Updates in the stack's history, oldest first. */
async function history(): Promise<string[]> {
  const updates = JSON.parse(await workspace.must("stack", "history", "--json", "--stack", "dev")) as { message: string; result: string }[];
  return updates.map(({ message, result }) => `${result} ${message}`).reverse();
}

/** Until a row of the zone of node1 is there. */
async function written(table: string, name: string): Promise<void> {
  while ((await zones.nbctl("node1", "--bare", "--columns=name", "find", table, `name=${name}`)) === "") await sleep(20);
}

describe("before anything is written", () => {
  let before: { text: string; updates: number };
  beforeAll(async () => {
    before = { text: await configuration(workspace), updates: (await history()).length };
  });
  afterAll(async () => {
    expect(difference(old, await zones.northbound())).toEqual(NO_DIFFERENCE);
    expect(await configuration(workspace)).toBe(before.text);
    expect(await history()).toHaveLength(before.updates);
  });

  it("refuses options by their code", async () => {
    const refused = [
      [2, "OVN_UPGRADE_BATCH", ["--batch", "120%"]],
      [1, "OVN_UPGRADE_STACK", ["--stack", "prod"]],
      [1, "OVN_UPGRADE_PROJECT", ["--cwd", "/"]],
      [1, "OVN_UPGRADE_LOG", ["--log", "/no/such/log"]],
      [1, "OVN_UPGRADE_NETWORK", ["--network", "green"]],
      [2, "OVN_USAGE", ["--fast"]],
    ] as const;
    const ran = await Promise.all(refused.map(([, , args]) => upgrade(workspace, ...args)));
    expect(ran.map(({ code, stderr }) => [code, /^pulumi-ovn upgrade: (OVN_\w+): /.exec(stderr)?.[1]])).toEqual(refused.map(([exit, code]) => [exit, code]));
  });

  it("finds all obstacles before the first stage", async () => {
    await zones.nbctl("node2", "--wait=sb", "lr-add", "red", "--", "set", "logical_router", "red", "options:requested-tnl-key=16715780");
    await zones.nbctl(
      "node1",
      "--wait=sb",
      "set",
      "logical_router_port",
      "rtos-blue_ovn_layer2_switch",
      "options:gateway_mtu=1200",
      "--",
      "lsp-add",
      "blue_ovn_layer2_switch",
      "stray",
      "--",
      "lsp-set-type",
      "stray",
      "remote",
      "--",
      "lsp-set-options",
      "stray",
      "requested-tnl-key=900",
      "requested-chassis=node2",
    );
    await sbctl("chassis-add", "node1", "geneve", "198.18.0.1", "--", "lsp-bind", "vm1", "node1");
    await workspace.write(program({ ...OLD, mtu: 1300 }));
    const { code, stdout, stderr } = await upgrade(workspace, "--probe", "sleep 600", "--probe-timeout", "1", "--gate-timeout", "1");
    await workspace.write(program(OLD));
    await sbctl("lsp-unbind", "vm1", "--", "chassis-del", "node1");
    await zones.nbctl("node2", "--wait=sb", "lr-del", "red");
    await zones.nbctl("node1", "--wait=sb", "lsp-del", "stray", "--", "set", "logical_router_port", "rtos-blue_ovn_layer2_switch", "options:gateway_mtu=1400");
    expect([
      code,
      stdout
        .split("\n")
        .filter((line) => line.startsWith("  ["))
        .map((line) => line.trim()),
    ]).toEqual([
      1,
      [
        expect.stringMatching(/^\[pending\] the stack: the program wants changes that have nothing to do with the upgrade: blue-/) as string,
        "[drift] blue-topology-node1: live rows are not as the stack made them",
        "[agreement] zone node1: remote port stray leads to key 900 of blue_ovn_layer2_switch on chassis node2, and zone node2 has no port of its own with that key",
        "[workloads] node node1: a workload is on it: vm1",
        "[keys] zone node2: blue_transit_router needs key 16715780, and another datapath, red, has it",
        "[probe] sleep 600: it did not end within 1 s",
      ],
    ]);
    expect(stderr).toBe(
      "pulumi-ovn upgrade: 6 checks failed before the first stage. The network works as it is (no stage, 0 of 2 nodes on the transit topology); run again to go on\n",
    );
  });

  it("treats a refresh that Pulumi.yaml requests as no change", async () => {
    const path = join(workspace.folder, "Pulumi.yaml");
    const project = await readFile(path, "utf8");
    await writeFile(path, `${project}options:\n  refresh: always\n`);
    const { code, stdout } = await upgrade(workspace, "--loaded", "--probe", "false");
    await writeFile(path, project);
    expect([code, stdout.split("\n").filter((line) => line.startsWith("  ["))]).toEqual([1, ["  [probe] false: it ended with exit code 1"]]);
  });

  it("shows stages with their rows, and leaves another stack selected", async () => {
    await workspace.must("stack", "init", "other");
    const text = await mustUpgrade(workspace, "--dry-run", "--batch", "100%", "--stages", "2");
    expect(await workspace.must("stack", "--show-name")).toBe("other\n");
    await workspace.must("stack", "rm", "other", "--yes");
    await workspace.must("stack", "select", "dev");
    expect(stagesIn(text)).toEqual(["[1/5] prepare: both topologies side by side", "[2/5] move node1, node2 to the transit topology"]);
    const [, prepare, move] = text.split(/^\[\d/m);
    expect(prepare).toContain("      + Logical_Router blue_transit_router: options:requested-tnl-key=16715780\n");
    expect(move).toContain("      - Logical_Router_Port rtos-blue_ovn_layer2_switch\n");
    expect(move).toContain("      + Logical_Switch_Port stotr-blue_ovn_layer2_switch-upgrade: type=router addresses=router options:requested-tnl-key=32766 ");
    expect(text.trimEnd().endsWith("a dry run: nothing was changed")).toBe(true);
  });
});

describe("a stage whose undo can't be prepared", () => {
  let before: string;
  beforeEach(async () => (before = await configuration(workspace)));
  afterEach(async () => {
    expect(await configuration(workspace)).toBe(before);
    expect(difference(old, await zones.northbound())).toEqual(NO_DIFFERENCE);
    expect(await workspace.changes("preview")).toEqual({ same: 15 });
  });

  it("is refused if a host starts no process", async () => {
    const ssh = join(workspace.folder, "ssh");
    const connecting = 'const s=require("net").connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)';
    // A key that allows only the database's stream.
    const script = `#!/bin/sh\n[ "$2" != sh ] || { echo "only nc is allowed" >&2; exit 1; }\nexec ${process.execPath} -e '${connecting}' "$4"\n`;
    await writeFile(ssh, script, { mode: 0o755 });
    const northbound = `exec:${ssh} host nc -U ${zones.config.node1!.northbound.slice("unix:".length)}`;
    await workspace.target({ ...zones.config, node1: { ...zones.config.node1!, northbound } });
    const { code, stdout, stderr } = await upgrade(workspace, ...FAST, "--revert-in", "120");
    await workspace.target(zones.config);
    expect(stdout).toMatch(
      /^ *! OVN_Northbound of zone "node1": the process that would undo the change does not start on the database's host: .* only nc is allowed; try again, or run pulumi-ovn guard next to the target$/m,
    );
    expect(stdout).not.toContain("update: ");
    expect(stdout).toMatch(/^ *nothing is changed$/m);
    expect(stdout).not.toContain("undoing");
    expect([code, stderr]).toEqual([1, expect.stringContaining("[1/7] prepare: both topologies side by side was refused. The network is as before")]);
  });

  it("is refused if the state can't be saved", async () => {
    const folder = join(workspace.folder, ".pulumi-ovn");
    // A folder in which no user can make a file.
    await symlink("/proc", folder);
    const { code, stderr } = await upgrade(workspace, ...FAST, "--revert-in", "120");
    await rm(folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^pulumi-ovn upgrade: OVN_APPLY_SAVE: the state from before the change can't be saved \(ENOENT: /),
    ]);
  });
});

describe("a walk", () => {
  it("undoes a stage that the probe rejects: rows, flows, objects, state and configuration", async () => {
    await workspace.target(zones.config, { prod: cluster.target() }, { h1: switches.sandbox.targets.hosts["node1"] });
    await workspace.write(program(OLD) + FOLLOWERS);
    await workspace.up();
    const [text, host, objects] = [await configuration(workspace), await hostImage(switches, "node1"), await objectsImage(cluster, "app")];
    const { code, stdout, stderr } = await upgrade(workspace, ...FAST, "--revert-in", "120", "--probe", 'test "$OVN_UPGRADE_STAGE" = before');
    expect([code, stderr]).toEqual([
      1,
      "pulumi-ovn upgrade: [1/7] prepare: both topologies side by side was undone. The network is as before (no stage, 0 of 2 nodes on the transit topology); run again to go on\n",
    ]);
    expect(
      stdout
        .slice(stdout.indexOf("  update: "))
        .split("\n")
        .map((line) => line.trim().replace(/apply \w{8}/, "apply ID")),
    ).toEqual([
      expect.stringMatching(/^update: 12 same, 5 update in /),
      "halted after [1/7] prepare: both topologies side by side:",
      '[probe] test "$OVN_UPGRADE_STAGE" = before: it ended with exit code 1',
      "find out what it misses in the network, then run again",
      '! 1 check failed after [1/7] prepare: both topologies side by side. The network works as it is (stage "move", 0 of 2 nodes on the transit topology); run again to go on',
      "undoing apply ID",
      ...[1, 2, 3, 4].map(() => expect.stringMatching(/^undone: (OVN_Northbound of zone "node\d"|Open_vSwitch of host "h1"|cluster "prod")$/)),
      "the state of stack dev is as before",
      "",
    ]);
    expect(difference(old, await zones.northbound())).toEqual(NO_DIFFERENCE);
    expect([await configuration(workspace), await hostImage(switches, "node1"), await objectsImage(cluster, "app")]).toEqual([text, host, objects]);
    await expectNoRecords(switches, ["node1"], cluster);
    expect(await workspace.changes("preview", "--refresh")).toEqual({ same: 17 });
    await workspace.write(program(OLD));
    await workspace.up();
  });

  it("ends after the current stage when it is interrupted", async () => {
    const walk = await startUpgrade(workspace, ...FAST);
    const done = finished(walk);
    await written("logical_router", "blue_transit_router");
    process.kill(-walk.pid!, "SIGINT"); // to the whole group, as a terminal does
    const { code, stdout, stderr } = await done;
    expect([code, stderr]).toEqual([130, "pulumi-ovn upgrade: interrupted; run again to go on\n"]);
    expect(stagesIn(stdout)).toEqual(["[1/7] prepare: both topologies side by side"]);
    expect(stdout).toContain("interrupted: finishing the current stage; press Ctrl-C again to stop it\n");
    expect(stdout).toContain("\n  update: 12 same, 3 update in ");
  });

  it("completes a stage whose update was killed when rows of it were written", async () => {
    const walk = await startUpgrade(workspace, ...FAST, "--batch", "100%");
    // A northd that pauses keeps the update from its end, for it waits for every zone.
    await printed(walk, "  rows: ");
    await northd("pause");
    await written("logical_router_port", "trtos-blue_ovn_layer2_switch");
    await killWalk(walk);
    await northd("resume");
    expect(stagesIn(await mustUpgrade(workspace, ...FAST, "--stages", "1"))).toEqual([
      '[resume] complete the configured stage: stage "move", 2 of 2 nodes on the transit topology',
      "[1/4] reach other nodes over transit links",
    ]);
  });

  it("is the only one of its network, and repeats a wait in which it was killed", async () => {
    const walk = await startUpgrade(workspace, ...DROPPING, "--settle-seconds", "600");
    await printed(walk, "  waiting ");
    const { code, stderr } = await upgrade(workspace, ...FAST);
    expect([code, stderr]).toEqual([
      1,
      "pulumi-ovn upgrade: OVN_UPGRADE_LOCKED: another upgrade of network blue is in progress: it holds lock pulumi_ovn_upgrade_blue in the Northbound database of zone node1; wait until it has ended\n",
    ]);
    await killWalk(walk);
    expect(await configuration(workspace)).toContain("      upgrade: announce\n");
    expect((await history()).slice(-4)).toEqual([
      "succeeded pulumi-ovn upgrade of blue [1/7]: prepare: both topologies side by side",
      'succeeded pulumi-ovn upgrade of blue [resume]: complete the configured stage: stage "move", 2 of 2 nodes on the transit topology',
      "succeeded pulumi-ovn upgrade of blue [1/4]: reach other nodes over transit links",
      "succeeded pulumi-ovn upgrade of blue [1/3]: announce the transit router's MAC to workloads",
    ]);
  });

  it("reverses, and halts when a check fails after a stage, which stays", async () => {
    const { code, stdout, stderr } = await upgrade(workspace, ...FAST, "--back", "--probe", 'test "$OVN_UPGRADE_NODES" != node1');
    expect(stdout.indexOf("  waiting ")).toBeLessThan(stdout.indexOf("[1/"));
    expect([code, stagesIn(stdout).at(-1), stdout]).toEqual([
      1,
      "[3/9] move node1 to the gateway topology",
      expect.stringContaining(
        'halted after [3/9] move node1 to the gateway topology:\n  [probe] test "$OVN_UPGRADE_NODES" != node1: it ended with exit code 1',
      ),
    ]);
    expect(stderr).toContain('The network works as it is (stage "move", 1 of 2 nodes on the transit topology); run again to go on');
  });

  it("continues from a manual configuration, and halts before a stage that would also move a workload or change the network", async () => {
    await writeFile(
      join(workspace.folder, "Pulumi.dev.yaml"),
      (await configuration(workspace)).replace("node2: transit", "node2: gateway # by a pull request"),
    );
    const walk = await startUpgrade(workspace, ...FAST, "--back");
    const done = finished(walk);
    await printed(walk, "  update: ");
    await workspace.write(program({ ...OLD, mtu: 1300, workloads: { ...OLD.workloads, vm2: { ...OLD.workloads!.vm2!, node: "node1" } } }));
    const { code, stdout } = await done;
    await workspace.write(program(OLD));
    expect([code, stagesIn(stdout), stdout]).toEqual([
      1,
      ['[resume] complete the configured stage: stage "move", 0 of 2 nodes on the transit topology', "[1/5] keep announcements of other zones from workloads"],
      expect.stringContaining(
        "halted before [1/5] keep announcements of other zones from workloads:\n  [pending] the stack: the program wants changes that have nothing to do with the upgrade: blue-topology-node1, blue-topology-node2, blue-workloads-node1, blue-workloads-node2\n",
      ),
    ]);
  });

  it("ends with the original rows", async () => {
    // Meanwhile others change the file, too.
    expect(stagesIn(await mustUpgrade(workspace, ...FAST, "--back", "--probe", "sed -i '1i # by a colleague' Pulumi.dev.yaml"))).toEqual([
      "[1/5] keep announcements of other zones from workloads",
      "[2/5] announce the MACs of gateway routers to workloads",
      "[3/5] end the announcements",
      "[4/5] let announcements of other zones through again",
      "[5/5] end the upgrade: the gateway topology alone",
    ]);
    expect(difference(old, await zones.northbound())).toEqual(NO_DIFFERENCE);
    expect((await configuration(workspace)).match(/^# by a colleague$/gm)).toHaveLength(6);
    expect(await configuration(workspace)).toMatch(
      /ovn:topology:\n    blue:\n      nodes:\n        node1: gateway\n        node2: gateway # by a pull request\n$/,
    );
    expect(await workspace.changes("preview", "--refresh")).toEqual({ same: 15 });
  });
});

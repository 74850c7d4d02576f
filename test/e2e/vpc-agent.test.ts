import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { VpcFacts } from "@pulumi-ovn/cli/testing";
import { confirmApply, Connections, layDown } from "@pulumi-ovn/provider/targets";
import { projectRoot, until } from "@pulumi-ovn/sandbox/testing";
import { type Running, type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { commandLine } from "../support/command-line";
import type { Flow } from "../support/flow";
import { Flows } from "../support/flows";
import { LiveVpc } from "../support/live-vpc";
import { announce, HOSTS, script, virtualRouter, vpcArgs, workloads } from "../support/vpc-places";

jest.setTimeout(240_000);

// A VPC over four hosts, each with an agent in its own process. Compares the packets lost when hosts break with the losses of other packets.
const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let vpc: LiveVpc;
const agents = new Map<string, Running>();

const PROGRAM = join(projectRoot, "agent/bin/pulumi-ovn-vpc-agent.js");

async function startAgent(host: string): Promise<void> {
  const { openvswitch, agentFolder } = sandbox.targets.hosts[host]!;
  const options = ["--folder", agentFolder, "--openvswitch", openvswitch];
  agents.set(host, await sandbox.spawn(host, ["env", "NODE_OPTIONS=", process.execPath, PROGRAM, ...options], "ignore"));
}

async function endAgent(host: string): Promise<void> {
  const agent = agents.get(host);
  agents.delete(host);
  agent?.signal("SIGKILL");
  await agent?.exit;
}

/** Network configuration that the host applies when it starts. */
const underlay = (host: string) => script(sandbox, host, [`ip address replace 198.18.0.${host.slice(4)}/24 dev br-phy`, "ip link set br-phy mtu 9000 up"]);

beforeAll(async () => {
  sandbox = await up({ name: "test-vpc-agent", hosts: 4, ovn: false, workloads });
  await virtualRouter(sandbox);
  vpc = new LiveVpc(sandbox.targets);
  await vpc.write(vpcArgs({ agent: true, bfd: true }));
  await Promise.all(HOSTS.map(startAgent));
}, 180_000);
afterAll(async () => {
  delete process.env["PULUMI_OVN_TARGETS"];
  await Promise.all(HOSTS.map(endAgent));
  await vpc?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const answered = (from: string, to: string) =>
  until(`${from} reaches ${to}`, 60_000, async () => (await sandbox.exec(from, ["ping", "-n", "-q", "-c1", "-W1", to], { timeout: 20_000 })).code === 0);

const flow = (name: string, kind: Flow["kind"], from: string, to: string, over: string[]): Flow => ({ name, kind, protocol: "icmp", from, to, over });

/** From node1 to node2 through node1's logical router; and between hosts that nothing is done to. */
const start = () =>
  Flows.start(sandbox, [
    flow("web1 to app2", "east-west", "web1", "10.1.2.12", ["node1", "node2"]),
    flow("app2 to web1", "east-west", "app2", "10.1.1.11", ["node1", "node2"]),
    flow("web3 to db4", "control", "web3", "10.1.1.14", ["node3", "node4"]),
  ]);

/** Breaks something; the packets of `web1 to app2` that are lost until it is well again, and what is lost after that beyond the control. */
async function survived(breaks: () => Promise<void>): Promise<{ lost: boolean; later: string[] }> {
  await Promise.all([answered("web1", "10.1.2.12"), answered("app2", "10.1.1.11")]);
  await using flows = await start();
  await flows.stage("broken", async () => {
    await breaks();
    await Promise.all([answered("web1", "10.1.2.12"), answered("app2", "10.1.1.11")]);
    await sleep(1_000);
  });
  await flows.stage("later", () => sleep(2_000));
  const report = await flows.end();
  if (process.env["MEASURE"]) process.stderr.write(`${report.table()}\n`);
  const [own] = report.measured("broken");
  return { lost: own!.lost > 0, later: report.beyondControl(["later"], ({ kind }) => kind === "east-west") };
}

/** Every host has what the update wrote. */
const restored = () => until("the hosts as they were", 60_000, async () => Object.keys(await vpc.refresh()).length === 0);

/** Agents in the output of `pulumi-ovn status`, and its exit code. */
async function status() {
  const [state, targets] = ["state.json", "targets.json"].map((name) => join(folder, name)) as [string, string];
  writeFileSync(state, JSON.stringify(vpc.exported()));
  writeFileSync(targets, JSON.stringify(sandbox.targets));
  process.env["PULUMI_OVN_TARGETS"] = targets;
  const { code, stdout } = await commandLine("status", "--json", "--state", state, "--cwd", folder);
  const { vpcs } = JSON.parse(stdout) as { vpcs: [VpcFacts] };
  return {
    code,
    routers: vpcs[0].routers.map(({ host, state: its }) => [host, its] as const),
    agents: vpcs[0].agents.map(({ host, state: its, detail }) => [host, its, detail].join(" ").trim()),
  };
}

test("status shows the agent of each host, and a stopped one as an error", async () => {
  const all = HOSTS.map((host) => `${host} running`);
  await until("all agents", 30_000, async () => {
    const { code, agents: seen } = await status();
    return code === 0 && isDeepStrictEqual(seen, all);
  });
  await endAgent("node3");
  const { code, agents: seen } = await status();
  expect([code, seen]).toEqual([1, [all[0], all[1], expect.stringMatching(/^node3 silent no agent answers at 127\.0\.0\.1:9476: .*refused/i), all[3]]]);
  await startAgent("node3");
});

test("an agent repairs its host while an apply is pending there", async () => {
  const { openvswitch } = sandbox.targets.hosts["node1"]!;
  const targets = new Connections({}, { node1: { openvswitch } });
  try {
    const client = await targets.unguarded("node1", "Open_vSwitch");
    await layDown(client, "Open_vSwitch", "12345678", { stack: "net/dev", by: "me@here", deadline: "2100-01-01T00:00:00.000Z", timer: "none" });
    await script(sandbox, "node1", ["ovs-vsctl --timeout=10 set Bridge br-t1001 fail_mode=standalone"]);
    const mode = async () => (await sandbox.exec("node1", ["ovs-vsctl", "get", "Bridge", "br-t1001", "fail_mode"])).stdout.trim();
    await until("the mode", 30_000, async () => (await mode()) === "secure");
    await confirmApply(client, "Open_vSwitch", "12345678");
  } finally {
    await targets.close();
  }
  await restored();
});

test("flows are restored without an update after a kill and a start of ovs-vswitchd", async () => {
  const seen = await survived(async () => {
    await sandbox.killDaemon("node1", "ovs-vswitchd");
    await sandbox.startDaemon("node1", "ovs-vswitchd");
  });
  expect(seen).toEqual({ lost: true, later: [] });
  await restored();
});

test("a host that restarts without its database gets its bridges, tunnels, workloads and flows again", async () => {
  const conf = join(sandbox.folder, "node2", "conf.db");
  const seen = await survived(async () => {
    await endAgent("node2");
    await sandbox.killDaemon("node2", "ovs-vswitchd");
    await sandbox.killDaemon("node2", "ovsdb-server");
    await script(sandbox, "node2", [
      `cp ${join(sandbox.folder, "conf.db")} ${conf}`,
      // The kernel has lost the devices of the switch.
      "for device in br-phy br-ex br-t1001 br-t1002 br-t1003 lr-blue; do ip link delete $device; done",
    ]);
    await sandbox.startDaemon("node2", "ovsdb-server");
    await startAgent("node2");
    await script(sandbox, "node2", [
      "ovs-vsctl --no-wait --timeout=10 set Open_vSwitch . other_config:n-handler-threads=1 other_config:n-revalidator-threads=1 -- add-br br-phy -- set Bridge br-phy datapath_type=netdev -- add-port br-phy phy0",
    ]);
    await sandbox.startDaemon("node2", "ovs-vswitchd");
    await underlay("node2");
    // As after a move: the bridges have not learned its workloads.
    await announce(sandbox, "app2");
  });
  expect(seen).toEqual({ lost: true, later: [] });
  await restored();
});

test("both hosts of a cut tunnel use the virtual router until the tunnel works again", async () => {
  const states = async () => Object.fromEntries((await status()).routers);
  const become = (wanted: Record<string, string>) => until(JSON.stringify(wanted), 60_000, async () => isDeepStrictEqual(await states(), wanted));
  const enabled = { node1: "enabled", node2: "enabled", node3: "enabled" };
  await become(enabled);
  const cut = (verb: string, rest = "") => ["nw_src", "nw_dst"].map((end) => `ovs-ofctl ${verb} br-phy ip,${end}=198.18.0.2${rest}`);
  const seen = await survived(async () => {
    await script(sandbox, "node1", cut("add-flow", ",actions=drop"));
    await become({ ...enabled, node1: "fallback", node2: "fallback" });
  });
  expect(seen).toEqual({ lost: true, later: [] });
  await using flows = await start();
  await flows.stage("back", async () => {
    await script(sandbox, "node1", cut("del-flows"));
    await become(enabled);
    await sleep(500);
  });
  const report = await flows.end();
  if (process.env["MEASURE"]) process.stderr.write(`${report.table()}\n`);
  expect(report.beyondControl(["back"], ({ kind }) => kind === "east-west")).toEqual([]);
});

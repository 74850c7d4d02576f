import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Running, type Sandbox, up } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { timersOf } from "../support/apply-stack";
import { difference, NO_DIFFERENCE, parseDump } from "../support/dump";
import { Flows } from "../support/flows";
import { blue, program } from "../support/network";
import { killAll } from "../support/processes";
import { SshHosts } from "../support/ssh-hosts";
import { until } from "../support/until";
import { Workspace } from "../support/workspace";

jest.setTimeout(300_000);

// vm1 is the operator's machine: it reaches the hosts by ssh over the network that the stack makes.
const HOSTS = ["node1", "node2", "node3"] as const;
const ADDRESSES = { node1: "203.203.0.21", node2: "203.203.0.22", node3: "203.203.0.23" };
const CLI = [process.execPath, join(projectRoot, "sdk/bin/pulumi-ovn.js")];
const mac = (host: string) => `0a:58:cb:cb:01:0${host.slice(-1)}`;

let sandbox: Sandbox;
let workspace: Workspace;
let hosts: SshHosts;
/** Seconds until the undo: the update has to cut the way before it, also on a slow machine. */
let revertIn = 0;
beforeAll(async () => {
  sandbox = await up({ name: "apply-ssh" });
  workspace = await Workspace.create(network(ADDRESSES), sandbox.zones);
  await on("node2", "ovs-vsctl add-br theirs -- set Bridge theirs datapath_type=netdev fail_mode=secure");
  await workspace.target(sandbox.zones, {}, sandbox.targets.hosts);
  const start = performance.now();
  await workspace.up();
  revertIn = Math.max(12, Math.ceil((3 * (performance.now() - start)) / 1000));
  for (const host of HOSTS) {
    const port = `mgmt-${host}`;
    await on(
      host,
      `ovs-vsctl add-port br-int ${port} -- set Interface ${port} type=internal external_ids:iface-id=${port}
       ip link set ${port} address ${mac(host)} mtu 1400 up && ip address add ${ADDRESSES[host]}/16 dev ${port} && ethtool -K ${port} tx off > /dev/null`,
    );
  }
  await Promise.all(HOSTS.map((host) => on("vm1", `ping -n -c1 -w20 ${ADDRESSES[host]}`)));
  hosts = await SshHosts.start(sandbox, ADDRESSES);
  const { zones, hosts: reached } = hosts.targets();
  await workspace.target(zones, {}, reached);
}, 180_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await workspace?.[Symbol.asyncDispose]();
  await sandbox?.down();
});

/** The network with the hosts' own interfaces, and flows of a host. */
function network(addresses: Readonly<Record<string, string>>, priority = 1): string {
  const own = Object.fromEntries(HOSTS.map((node) => [`mgmt-${node}`, { node, addresses: [addresses[node]!], mac: mac(node) }]));
  const args = blue();
  return `${program({ ...args, workloads: { ...args.workloads, ...own } }, "none")}
new ovn.BridgeFlows("flows", { host: "node2", bridges: [{ bridge: "theirs", flows: ["priority=${priority},actions=drop"] }] });`;
}

const on = async (place: string, script: string): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.exec(place, ["sh", "-ec", script], { timeout: 30_000 });
  if (code !== 0) throw new Error(`${script} in ${place}: ${stderr}${stdout}`);
  return stdout;
};

/** Runs a command on the operator's machine. */
async function operator(...args: string[]) {
  const variables = Object.entries(workspace.environment).map(([name, value]) => `${name}=${value}`);
  return sandbox.exec("vm1", ["env", ...variables, ...CLI, ...args, "--stack", "dev", "--cwd", workspace.folder], { timeout: 120_000 });
}

/** Rows of all zones, flows of the host, and the state. */
async function everything() {
  const dumps = await Promise.all(
    HOSTS.map(async (host) => parseDump(await on(host, `ovsdb-client --format=json dump ${sandbox.zones[host]!.northbound} OVN_Northbound`), host)),
  );
  return {
    rows: new Map(dumps.flat()),
    flows: await on("node2", "ovs-ofctl --no-stats dump-flows theirs"),
    state: (await workspace.state()).resources.map(({ urn, inputs, outputs }) => ({ urn, inputs, outputs })),
  };
}

async function expectSame(before: Awaited<ReturnType<typeof everything>>): Promise<void> {
  const { rows, ...rest } = await everything();
  expect(difference(before.rows, rows)).toEqual(NO_DIFFERENCE);
  expect(rest).toEqual({ flows: before.flows, state: before.state });
}

const records = () => Promise.all(HOSTS.map((host) => on(host, "ovn-nbctl get NB_Global . external_ids")));

/** Starts a guard on a host, for its own zone. */
async function guardOn(host: (typeof HOSTS)[number]): Promise<Running & { said(): string }> {
  const folder = join(workspace.folder, "guard");
  await mkdir(folder);
  const files = {
    "Pulumi.yaml": "name: trial\nruntime: nodejs\n",
    "Pulumi.dev.yaml": "config:\n  ovn:targets: targets.yaml\n",
    "targets.yaml": JSON.stringify({ zones: { [host]: sandbox.zones[host] } }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const running = await sandbox.spawn(host, [...CLI, "guard", "--stack", "dev", "--cwd", folder], ["ignore", "pipe", "inherit"]);
  let text = "";
  running.process.stdout!.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(running.process.stdout!, "data");
  return { ...running, said: () => text };
}

/** Kills the timer of a zone's Northbound database, which is on the zone's host. */
async function killTimer(host: (typeof HOSTS)[number], id: string): Promise<void> {
  const socket = sandbox.zones[host]!.northbound;
  const found = timersOf(id).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(socket));
  expect(found).not.toEqual([]);
  killAll(found);
}

it("undoes a change that cuts off the operator's own ssh to two of three hosts, also where a guard has to", async () => {
  const before = await everything();
  await workspace.write(network({ ...ADDRESSES, node2: "203.203.0.32", node3: "203.203.0.33" }, 2));
  const guard = await guardOn("node3");
  const flow = (from: string, to: string, host: string, kind: "east-west" | "control") =>
    ({ name: `${from} to ${to}`, kind, from, to, protocol: "icmp", over: ["node1", host] }) as const;
  await using flows = await Flows.start(sandbox, [
    ...(["node2", "node3"] as const).map((host) => flow("vm1", ADDRESSES[host], host, "east-west")),
    flow("node1", "198.18.0.2", "node2", "control"),
    flow("node1", "198.18.0.3", "node3", "control"),
  ]);
  let id = "";
  const command = operator("apply", "--revert-in", String(revertIn));
  await flows.stage("pending", async () => {
    await until(async () => (await records()).every((text) => text.includes("apply-phase")));
    const [record = ""] = await records();
    id = /"pulumi-ovn:apply"="?(\w{8})/.exec(record)![1]!;
    const facts = Buffer.from(/apply-facts"="([^"]+)"/.exec(record)![1]!, "base64").toString();
    const deadline = Date.parse((JSON.parse(facts) as { deadline: string }).deadline);
    await killTimer("node3", id);
    await sleep(deadline - Date.now());
    const pings = async () => Promise.all([ADDRESSES.node2, ADDRESSES.node3].map((address) => sandbox.exec("vm1", ["ping", "-n", "-c1", "-W1", address])));
    await until(async () => !(await records()).join().includes('apply-phase"=pending') && (await pings()).every(({ code }) => code === 0));
    expect(Date.now() - deadline).toBeLessThan(revertIn * 500); // 6 s on a quiet machine
  });
  let undone!: Awaited<typeof command>;
  await flows.stage("undone", async () => (undone = await command));
  const report = await flows.end();
  expect([undone.code, undone.stderr]).toEqual([1, ""]);
  const lines = undone.stdout.trimEnd().split("\n");
  expect(lines.slice(lines.indexOf(`undoing apply ${id}`))).toEqual([
    `undoing apply ${id}`,
    expect.stringMatching(/^undone: /),
    expect.stringMatching(/^undone: /),
    expect.stringMatching(/^undone: /),
    expect.stringMatching(/^undone: /),
    "the state of stack dev is as before",
  ]);
  // The update fails or a probe does: that depends on what had been written when the way was cut.
  expect(lines.some((line) => line.startsWith("! "))).toBe(true);
  expect(guard.said()).toMatch(new RegExp(` undone: apply ${id} in OVN_Northbound of zone "node3"\n$`));
  expect(timersOf(id)).toEqual([]);
  expect(report.measured("pending").map(({ flow, lost }) => [flow.kind, lost > 0])).toEqual([
    ["east-west", true],
    ["east-west", true],
    ["control", false],
    ["control", false],
  ]);
  expect(report.beyondControl(["undone"])).toEqual([]);
  await expectSame(before);
  expect(await records()).toEqual(HOSTS.map(() => "{}\n"));
  await workspace.write(network(ADDRESSES));
  await workspace.target(sandbox.zones, {}, sandbox.targets.hosts); // the test is on none of the sandbox's networks
  expect(Object.keys(await workspace.changes("preview", "--refresh"))).toEqual(["same"]);
  guard.signal("SIGTERM");
  await guard.exit;
});

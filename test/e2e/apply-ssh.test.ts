import { join } from "node:path";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { idIn } from "../support/apply-stack";
import { difference, NO_DIFFERENCE, parseDump } from "../support/dump";
import { Flows } from "../support/flows";
import { blue, program } from "../support/network";
import { SshHosts } from "../support/ssh-hosts";
import { until } from "../support/until";
import { Workspace } from "../support/workspace";

jest.setTimeout(300_000);

// vm1 is the operator's machine: it reaches the hosts by ssh over the network that the stack makes.
const HOSTS = ["node1", "node2", "node3"] as const;
const ADDRESSES = { node1: "203.203.0.21", node2: "203.203.0.22", node3: "203.203.0.23" };
const mac = (host: string) => `0a:58:cb:cb:01:0${host.slice(-1)}`;

let sandbox: Sandbox;
let workspace: Workspace;
let hosts: SshHosts;
beforeAll(async () => {
  sandbox = await up({ name: "apply-ssh" });
  workspace = await Workspace.create(network(ADDRESSES), sandbox.zones);
  await on("node2", "ovs-vsctl add-br theirs -- set Bridge theirs datapath_type=netdev fail_mode=secure");
  await workspace.target(sandbox.zones, {}, sandbox.targets.hosts);
  await workspace.up();
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
  return sandbox.exec("vm1", ["env", ...variables, process.execPath, join(projectRoot, "sdk/bin/pulumi-ovn.js"), ...args, "--stack", "dev", "--cwd", workspace.folder], { timeout: 120_000 });
}

/** Rows of all zones, flows of the host, and the state. */
async function everything() {
  const dumps = await Promise.all(HOSTS.map(async (host) => parseDump(await on(host, `ovsdb-client --format=json dump ${sandbox.zones[host]!.northbound} OVN_Northbound`), host)));
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
const isPassed = async (host: "node2" | "node3") => (await sandbox.exec("vm1", ["ping", "-n", "-c1", "-W1", ADDRESSES[host]])).code === 0;

it("undoes a change that cuts off the operator's own ssh to two of three hosts", async () => {
  const before = await everything();
  await workspace.write(network({ ...ADDRESSES, node2: "203.203.0.32", node3: "203.203.0.33" }, 2));
  const command = operator("apply", "--revert-in", "15");
  await until(async () => (await records()).join().includes("apply-phase"));
  await until(async () => !(await isPassed("node2")) && !(await isPassed("node3")));
  console.log("cut", new Date().toISOString());
  await until(async () => (await isPassed("node2")) && (await isPassed("node3")));
  console.log("passes", new Date().toISOString(), await records());
  const undone = await command;
  console.log(new Date().toISOString(), undone.code, undone.stderr, undone.stdout.slice(undone.stdout.indexOf("\napply")));
  await expectSame(before);
  expect(await records()).toEqual(HOSTS.map(() => "{}\n"));
});

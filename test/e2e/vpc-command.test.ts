import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@pulumi-ovn/ovsdb-client";
import { UPDATE_LOCK } from "@pulumi-ovn/provider/testing";
import { projectRoot, until } from "@pulumi-ovn/sandbox/testing";
import { pulumiOvn } from "../support/pulumi-ovn";
import { Switches } from "../support/switches";
import { Workspace } from "../support/workspace";

jest.setTimeout(600_000);

// A VPC with values from other resources, together with flows, through the real CLI.
const switches = Switches.of({ name: "vpc-command", hosts: 2, workloads: [] });
let workspace: Workspace;
let before: string[];
beforeAll(async () => {
  await switches.bridge("node1", "theirs", "p1", "p2");
  await addOther();
  before = await Promise.all(["node1", "node2"].map(host));
  workspace = await Workspace.create(program({}), {});
  await workspace.target({}, {}, switches.sandbox.targets.hosts);
}, 180_000);
afterAll(() => workspace?.[Symbol.asyncDispose]());

/** Adds a flow of another owner. */
const addOther = () => switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "add-flow", "theirs", "cookie=0x77,table=9,ip,actions=drop");

/** A process that changes a host, as far as others can see. */
const HOLDER = `const { connect } = require("@pulumi-ovn/ovsdb-client");
connect(process.argv[1], { database: "Open_vSwitch", leaderOnly: false })
  .then((client) => client.lock(${JSON.stringify(UPDATE_LOCK)}))
  .then((lock) => lock.acquired())
  .then(() => console.log("held"));`;

/** Bridges, ports and flows of a host. */
const host = (name: string) =>
  switches.on(
    name,
    "sh",
    "-c",
    "for bridge in $(ovs-vsctl list-br | sort); do echo $bridge $(ovs-vsctl list-ports $bridge | sort); ovs-ofctl -O OpenFlow14 --names --no-stats dump-flows $bridge; done",
  );

/** An address that is unknown until its resource is created, and arguments that are outputs. */
function program({ address = "machine.address", tunnels = 'pulumi.output({ tunnelAddress: "198.18.0.2" })', out = "drop", agent = false }) {
  return `
const kept = { create: async ({ last }) => ({ id: "machine", outs: { last, address: "10.1.1." + last } }) };
class Machine extends pulumi.dynamic.Resource {
  constructor(name, args) { super(kept, name, { address: undefined, ...args }); }
}
const machine = new Machine("machine", { last: 11 });
new ovn.Vpc("blue", {
  name: "blue",
  hosts: { node1: { tunnelAddress: "198.18.0.1" }, node2: ${tunnels} },
  tiers: { web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001, acl: pulumi.output("default_allow") }, app: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002 } },
  workloads: { web1: { tier: "web", host: "node1", mac: "0a:00:00:00:01:01", addresses: [${address}] } },
  virtualRouter: { host: "node2" },
  datapathType: "netdev",
  agent: ${agent},
});
new ovn.BridgeFlows("flows", { host: "node1", bridges: [{ bridge: "theirs", flows: ["priority=3,in_port=p1,actions=${out}", "table=3,actions=drop"] }] });
`;
}

/** The lines of each resource in what `preview --diff` prints. */
function blocks(preview: string): Map<string, string> {
  return new Map(
    preview.split(/^(?= *[-+~] pulumi-nodejs:)/m).flatMap((text) => {
      const urn = /\[urn=.*pulumi-nodejs:.*::(.*)\]/.exec(text)?.[1];
      return urn === undefined ? [] : [[urn, text] as const];
    }),
  );
}

/** Stops ovs-vswitchd of node1, and runs commands that read and write its flows. They need not wait for the timeout of the host, 120 seconds. */
async function expectQuickWhileHung(): Promise<void> {
  const { node1, node2 } = switches.sandbox.targets.hosts;
  await workspace.target({}, {}, { node1: { ...node1, timeout: 120 }, node2 });
  await workspace.write(program({ out: "drop", agent: true }));
  const signal = (name: string) => switches.on("node1", "sh", "-c", `kill -${name} $(cat ${join(switches.sandbox.folder, "node1", "ovs-vswitchd.pid")})`);
  const silent = (kind: string, name: string) =>
    expect.stringMatching(
      `OVN_BRIDGE_UNREACHABLE: ${kind} "${name}" in host "node1" .*: bridge "[a-z0-9-]+" did not answer within 5 s: ovs-vswitchd hangs`,
    ) as string;
  const [flows, bridges] = [silent("BridgeFlows", "flows"), silent("VpcBridges", "blue-bridges-node1")];
  // Nothing of the bridges changes, so an update only warns that it has not compared them.
  const warned = expect.stringMatching(/blue-bridges-node1: host "node1" .*: bridge "[a-z0-9-]+" did not answer within 5 s/) as string;
  await signal("STOP");
  try {
    const [preview, drift] = await Promise.all([
      workspace.run("preview", "--refresh", "--stack", "dev"),
      pulumiOvn(["drift", "--stack", "dev"], workspace.environment, workspace.folder),
    ]);
    const up = await workspace.run("up", "--yes", "--skip-preview", "--continue-on-error", "--stack", "dev");
    for (const [{ code, stdout, stderr }, second] of [
      [preview, bridges],
      [drift, bridges],
      [up, warned],
    ] as const) {
      expect(code).not.toBe(0);
      for (const message of [flows, second]) expect(stdout + stderr).toEqual(message);
    }
  } finally {
    await signal("CONT");
  }
  await workspace.up();
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 7 });
}

test("a preview shows everything that does not depend on an unknown value", async () => {
  const preview = await workspace.must("preview", "--diff", "--stack", "dev");
  const found = blocks(preview);
  expect([...found.keys()].sort()).toEqual(["blue-bridges-node1", "blue-bridges-node2", "blue-router-node1", "flows", "machine"]);
  expect(found.get("blue-bridges-node1")).toMatch(
    /Interface t1001-node2 *: "type=gre options:key=1001 options:local_ip=198\.18\.0\.1 options:remote_ip=198\.18\.0\.2 bfd:.*bfd:enable=true"/,
  );
  expect(found.get("blue-router-node1")).toMatch(/rows +: \[unknown\]/);
  expect(found.get("blue-router-node1")).toMatch(/host +: "node1"/);
  expect(found.get("flows")).toContain('theirs table=  0 priority=    3 in_port=p1: "actions=drop"');
});

test("an invalid value is reported once, when it is known, before anything is written", async () => {
  await workspace.write(program({ address: 'pulumi.output("10.9.9.9")', tunnels: 'pulumi.output({ tunnelAddress: "fd00::2" })' }));
  const { code, stdout, stderr } = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
  const wrong = [
    'Vpc "blue" can\'t be made from these arguments:',
    "hosts.node2.tunnelAddress: fd00::2 is IPv6, and other hosts of the VPC have IPv4: a tunnel has one family [family]",
    'workloads.web1.addresses[0]: workload "web1" 10.9.9.9 is outside of tier "web": 10.1.1.0/24 [not-in-subnet]',
  ].join("\n");
  expect([code, (stdout + stderr).replaceAll(/^ +/gm, "").split(wrong).length - 1]).toEqual([1, 1]);
  expect(await switches.on("node1", "ovs-vsctl", "list-br")).not.toContain("br-t");
});

test("creates everything when all values are known; changes, repairs and deletes only its own flows", async () => {
  await workspace.write(program({}));
  await workspace.up();
  expect(await switches.flows("node1", "lr-blue")).toContainEqual(expect.stringMatching(/nw_dst=10\.1\.1\.11 actions=/));
  const cookie = /cookie=(0x\w+), table=3, actions=drop/.exec(await host("node1"))![1]!;
  const others = ["cookie=0x77, table=9, ip actions=drop"];
  expect(await switches.flows("node1", "theirs")).toEqual(
    [...others, `cookie=${cookie}, priority=3,in_port=p1 actions=drop`, `cookie=${cookie}, table=3, actions=drop`].sort(),
  );

  // A tunnel that another writer has removed, without a refresh.
  await switches.on("node1", "ovs-vsctl", "del-port", "t1001-node2");
  const found = await workspace.run("preview", "--diff", "--stack", "dev");
  expect([found.code, [...blocks(found.stdout).keys()]]).toEqual([0, ["blue-bridges-node1", "blue-router-node1"]]);
  expect(found.stdout + found.stderr).toMatch(/warning: .*t1001-node2 is missing from host "node1" .*; the update makes it again \[OVN_WARN_GONE\]/);
  // The preview of the router uses the current state of the host. The update restores the tunnel before it updates the router.
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toMatchObject({ update: 1, same: 6 });
  expect(await switches.on("node1", "ovs-vsctl", "port-to-br", "t1001-node2")).toBe("br-t1001\n");

  await workspace.write(program({ out: "output:p2" }));
  const changed = blocks(await workspace.must("preview", "--diff", "--stack", "dev"));
  expect([...changed.keys()]).toEqual(["flows"]);
  expect(changed.get("flows")).toMatch(/~ theirs table= {2}0 priority= {4}3 in_port=p1 *: "actions=drop" => "actions=output:p2"/);
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toMatchObject({ update: 1, same: 6 });

  await switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "del-flows", "theirs", "table=3");
  const refreshed = await workspace.must("refresh", "--yes", "--skip-preview", "--diff", "--stack", "dev");
  expect(refreshed).toMatch(/\+ theirs table= {2}3 priority=32768 *: "missing"/);
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toMatchObject({ update: 1, same: 6 });
  expect(await switches.flows("node1", "theirs")).toEqual(
    [...others, `cookie=${cookie}, priority=3,in_port=p1 actions=output:p2`, `cookie=${cookie}, table=3, actions=drop`].sort(),
  );

  // Another process changes node1, and is killed: the update waits for it, for this host only.
  const files = (name: string) => readdir(switches.sandbox.targets.hosts[name]!.agentFolder).catch(() => []);
  const { openvswitch } = switches.sandbox.targets.hosts["node1"]!;
  const other = spawn(process.execPath, ["-e", HOLDER, openvswitch], { cwd: projectRoot, stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  await workspace.write(program({ out: "output:p2", agent: true }));
  const update = workspace.up();
  await until("the update of node2", 60_000, async () => (await files("node2")).length === 1);
  expect(await files("node1")).toEqual([]);
  other.kill("SIGKILL");
  await update;
  expect((await files("node1")).length).toBe(2);

  // An update that is killed while it changes the host leaves no lock.
  await switches.on("node1", "ovs-vsctl", "del-port", "t1001-node2");
  await switches.sandbox.killDaemon("node1", "ovs-vswitchd");
  const killed = workspace.start("up", "--yes", "--skip-preview", "--stack", "dev");
  const waiting = async () => {
    const [next, current] = (await switches.on("node1", "ovs-vsctl", "--no-wait", "get", "Open_vSwitch", ".", "next_cfg", "cur_cfg")).trim().split("\n");
    return next !== current;
  };
  await until("an update that waits for the switch", 60_000, waiting);
  process.kill(-killed.pid!, "SIGKILL");
  await once(killed, "exit");
  await using client = await connect(openvswitch, { database: "Open_vSwitch", leaderOnly: false });
  const lock = await client.lock(UPDATE_LOCK);
  await lock.acquired({ signal: AbortSignal.timeout(60_000) });
  await lock.release();
  await switches.sandbox.startDaemon("node1", "ovs-vswitchd");
  await addOther(); // a switch that starts again has no flows
  await workspace.must("cancel", "--yes", "--stack", "dev");
  await workspace.must("refresh", "--yes", "--skip-preview", "--stack", "dev");
  await workspace.up();
  expect(await switches.on("node1", "ovs-vsctl", "port-to-br", "t1001-node2")).toBe("br-t1001\n");

  await expectQuickWhileHung();

  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await Promise.all(["node1", "node2"].map(host))).toEqual(before);
  expect(await Promise.all(["node1", "node2"].map(files))).toEqual([[], []]);
});

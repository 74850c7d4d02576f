import { rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { createInterface } from "node:readline";
import type { Drops, VpcFacts } from "@pulumi-ovn/cli/testing";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { commandLine } from "../support/command-line";
import { LiveVpc } from "../support/live-vpc";
import { HOSTS, script, virtualRouter, vpcArgs, workloads } from "../support/vpc-places";

// Compares `pulumi-ovn status` and `pulumi-ovn trace` of a VPC over four hosts with faults on the hosts, and with packets.
const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let vpc: LiveVpc;

const [state, targets] = ["state.json", "targets.json"].map((name) => join(folder, name)) as [string, string];
const source = ["--state", state, "--cwd", folder];

/** The state of the stack after its last update, and hosts as `change` leaves them. */
function save(change: (hosts: Record<string, object>) => void = () => {}): void {
  const all = structuredClone(sandbox.targets) as { hosts: Record<string, object> };
  change(all.hosts);
  writeFileSync(state, JSON.stringify(vpc.exported()));
  writeFileSync(targets, JSON.stringify(all));
}

async function status(): Promise<{ code: number; facts: VpcFacts; problems: number }> {
  const { code, stdout, stderr } = await commandLine("status", "--json", ...source);
  expect(stderr).toBe("");
  const { vpcs, problems } = JSON.parse(stdout) as { vpcs: [VpcFacts]; problems: number };
  return { code, facts: vpcs[0], problems };
}
const routers = ({ routers: all }: VpcFacts) => all.map(({ host, state: its }) => `${host} ${its}`);
/** All states but "up" of bridges and tunnels. */
const wrong = ({ bridges, tunnels }: VpcFacts) => [
  ...bridges.flatMap(({ host, bridge, state: its }) => (its === "up" ? [] : [`${host} ${bridge} ${its}`])),
  ...tunnels.flatMap(({ ends }) => ends.flatMap((end) => (end.state === "up" ? [] : [`${end.host} ${end.interface} ${end.state}`]))),
];

beforeAll(async () => {
  sandbox = await up({ name: "test-vpc-look", hosts: 4, ovn: false, workloads });
  await virtualRouter(sandbox);
  vpc = new LiveVpc(sandbox.targets);
  await vpc.write(vpcArgs());
  process.env["PULUMI_OVN_TARGETS"] = targets;
}, 120_000);
afterAll(async () => {
  delete process.env["PULUMI_OVN_TARGETS"];
  await vpc?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});
/** Restores the hosts, so that each test begins with the result of an update. */
beforeEach(async () => {
  await vpc.refresh();
  await vpc.write(vpcArgs());
  save();
}, 60_000);

const ENABLED = ["node1 enabled", "node2 enabled", "node3 enabled"];

test("everything works: four hosts, twelve bridges, eighteen tunnels, three logical routers", async () => {
  const { code, facts, problems } = await status();
  expect([code, problems, wrong(facts), routers(facts), facts.virtualRouter]).toEqual([0, 0, [], ENABLED, "node4"]);
  expect([facts.hosts.length, facts.bridges.length, facts.tunnels.length]).toEqual([4, 12, 18]);
  const { stdout } = await commandLine("status", ...source);
  expect(stdout.split("\n").slice(0, 6)).toEqual([
    "VPC blue: 4 hosts, 3 tiers",
    "   HOST   REACHED  TUNNELS    LOGICAL ROUTER  DETAIL",
    ...["node1", "node2", "node3"].map((host) => `   ${host}  yes      9 of 9 up  enabled`),
    "   node4  yes      9 of 9 up  virtual router",
  ]);
});

test("drift shows flows and rows of hosts that differ, by host", async () => {
  const clean = await commandLine("drift", ...source);
  expect([clean.code, clean.stderr, clean.stdout]).toEqual([0, "", expect.stringMatching(/: no drift in \d+ resources\n$/)]);
  await script(sandbox, "node2", ["ovs-ofctl -O OpenFlow14 --strict del-flows br-t1002 'table=0,priority=0'"]);
  await script(sandbox, "node3", ["ovs-vsctl del-port web3"]);
  const { code, stdout, stderr } = await commandLine("drift", ...source);
  expect([code, stderr]).toEqual([2, ""]);
  expect(stdout).toBe(`vpc/dev: 3 differences in 2 of 7 resources

host node2
  VpcBridges node2
  + br-t1002 table=  0 priority=    0: missing

host node3
  VpcBridges node3
  + Interface web3: missing
  + Port web3: missing

"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -
`);
});

/** Sentence of a trace after its colon, and whether the packet arrives. */
async function trace(from: string, to: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await commandLine("trace", "--from", from, "--to", to, ...more, ...source);
  expect(stderr).toBe("");
  return `${code === 0 ? "" : "not "}there: ${stdout.trim().split("\n").at(-1)!.split(": ").slice(1).join(": ")}`;
}

const pinged = async (from: string, to: string) => (await sandbox.exec(from, ["ping", "-n", "-q", "-c1", "-W5", to], { timeout: 20_000 })).code === 0;
const unanswered = async (from: string, to: string) =>
  (await sandbox.exec(from, ["ping", "-n", "-q", "-c3", "-i0.2", "-W1", to], { timeout: 20_000 })).stdout.includes(" 0 received");

/** Workloads of web may not reach app, those of db may ping it; everything else is allowed. */
const ruled = (change: Partial<VpcArgs> = {}): VpcArgs => {
  const args = vpcArgs(change);
  const rules: VpcAclRuleArgs[] = [
    { number: 20, action: "allow", direction: "ingress", protocol: "icmp", cidrs: ["10.1.3.0/24"] },
    { number: 30, action: "deny", direction: "ingress", cidrs: ["10.1.1.0/24"] },
    { number: 40, action: "allow", direction: "ingress", protocol: "tcp", ports: "8000-8079" },
  ];
  return { ...args, acls: { own: rules }, tiers: { ...args.tiers, app: { ...args.tiers["app"]!, acl: "own" } } };
};

test("a trace reports the path of a packet and the deciding rule, and packets agree", async () => {
  await vpc.write(ruled());
  save();
  // Before any packet: the switches flood unknown destinations, but the path is the same.
  const router = (host: number) => `through the logical router of node${host}`;
  const ways: [from: string, to: string, says: string][] = [
    ["db1", "10.1.2.12", `there: ${router(1)}, allowed by ACL 20 of list "own" (ingress of app), delivered to app2 on node2`],
    ["db1", "10.1.2.11", `there: ${router(1)}, allowed by ACL 20 of list "own" (ingress of app), delivered to app1 on node1`],
    ["web3", "10.1.3.12", `there: ${router(3)}, allowed by the end of its ACL lists, delivered to db2 on node2`],
    ["web3", "fd01:3::12", `there: ${router(3)}, allowed by the end of its ACL lists, delivered to db2 on node2`],
    ["web1", "10.1.1.13", "there: within tier web, delivered to web3 on node3"],
    ["web1", "10.1.3.14", "there: through the virtual router of node4, whose ACLs are not known here, delivered to db4 on node4"],
    ["web4", "10.1.3.12", "there: through the virtual router of node4, whose ACLs are not known here, delivered to db2 on node2"],
    ["web1", "10.1.3.1", "there: delivered to the virtual router on node4"],
  ];
  const closed: [from: string, to: string, says: string][] = [
    ["web1", "10.1.2.12", 'not there: dropped on node1 by ACL 30 of list "own" (ingress of app)'],
    ["web2", "10.1.2.11", 'not there: dropped on node2 by ACL 30 of list "own" (ingress of app)'],
    ["web1", "fd01:2::12", 'not there: dropped on node1 by the end of ACL list "own" (ingress of app)'],
  ];
  const said = async () => {
    const lines: string[] = [];
    for (const [from, to] of [...ways, ...closed]) lines.push(await trace(from, to));
    return lines;
  };
  const expected = [...ways, ...closed].map(([, , says]) => says);
  expect(await said()).toEqual(expected);
  expect(await Promise.all(ways.map(([from, to]) => pinged(from, to)))).toEqual(ways.map(() => true));
  expect(await Promise.all(closed.map(([from, to]) => unanswered(from, to)))).toEqual(closed.map(() => true));
  expect(await said()).toEqual(expected);
  expect([
    await trace("db1", "10.1.2.12", "--protocol", "tcp", "--port", "8079"),
    await trace("db1", "10.1.2.12", "--protocol", "tcp", "--port", "8080"),
  ]).toEqual([
    `there: ${router(1)}, allowed by ACL 40 of list "own" (ingress of app), delivered to app2 on node2`,
    'not there: dropped on node1 by the end of ACL list "own" (ingress of app)',
  ]);
});

test("a trace continues after conntrack, and through the virtual router if the logical routers are disabled", async () => {
  await vpc.write(ruled({ stateful: true }));
  save();
  expect([await trace("db1", "10.1.2.12"), await trace("web1", "10.1.2.12")]).toEqual([
    'there: through the logical router of node1, allowed by ACL 20 of list "own" (ingress of app), delivered to app2 on node2',
    'not there: dropped on node1 by ACL 30 of list "own" (ingress of app)',
  ]);
  await vpc.write(vpcArgs({ enabled: false, tunnelType: "geneve" }));
  save();
  expect(await trace("web1", "10.1.2.12")).toBe("there: through the virtual router of node4, whose ACLs are not known here, delivered to app2 on node2");
  expect(await pinged("web1", "10.1.2.12")).toBe(true);
});

test("a trace of what another writer's flow drops, and of hosts that can't be asked", async () => {
  await script(sandbox, "node2", ["ovs-ofctl -O OpenFlow14 add-flow br-t1002 'cookie=0x77,table=1,priority=500,icmp,nw_src=10.1.1.11,actions=drop'"]);
  expect([await trace("web1", "10.1.2.12"), await unanswered("web1", "10.1.2.12")]).toEqual([
    "not there: dropped on node2 by a flow of table 1, priority 500, cookie 0x77, or after it",
    true,
  ]);
  await script(sandbox, "node2", ["ovs-ofctl -O OpenFlow14 del-flows br-t1002 cookie=0x77/-1"]);
  await script(sandbox, "node3", ["ovs-vsctl del-port web3"]);
  expect(await trace("web3", "10.1.2.12")).toMatch(
    /^not there: not known from node3 on: host "node3" can't trace on bridge br-t1001: .*"web3": invalid or unknown port/,
  );
  save((hosts) => (hosts["node2"] = { openvswitch: `unix:${folder}/none`, command: [join(folder, "none")] }));
  expect(await trace("web1", "10.1.2.12")).toMatch(
    /^not there: through the logical router of node1, allowed by the end of its ACL lists, and not known from node2 on: .*ENOENT/,
  );
});

test("a workload whose interface the hypervisor has added", async () => {
  // Not the stack's own, with the mark of a hypervisor.
  await script(sandbox, "node3", ["ovs-vsctl del-port web3 -- add-port br-t1001 web3 -- set Interface web3 external_ids:attached-mac=0a:00:0a:01:01:0d"]);
  const { workloads: all, ...rest } = vpcArgs();
  const { port: _port, ...web3 } = all!["web3"]!;
  await vpc.write({ ...rest, workloads: { ...all, web3 } });
  save();
  expect([await trace("web3", "10.1.3.12"), await trace("web1", "10.1.1.13")]).toEqual([
    "there: through the logical router of node3, allowed by the end of its ACL lists, delivered to db2 on node2",
    "there: within tier web, delivered to web3 on node3",
  ]);
  await script(sandbox, "node3", ["ovs-vsctl remove Interface web3 external_ids attached-mac"]);
  const { code, stderr } = await commandLine("trace", "--from", "web3", "--to", "10.1.3.12", ...source);
  expect([code, stderr]).toEqual([
    1,
    'pulumi-ovn trace: OVN_TRACE: by which interface does "web3" send? It has no "port" in the stack, and no Interface of host "node3" has external_ids:attached-mac=0a:00:0a:01:01:0d\n',
  ]);
  await script(sandbox, "node3", ["ovs-vsctl del-port web3"]);
  await vpc.write(vpcArgs());
  expect(await pinged("web3", "10.1.2.12")).toBe(true);
});

test("packets that port security and ACLs drop are counted by host and tier", async () => {
  const args = ruled();
  await vpc.write({ ...args, portSecurity: true });
  save();
  const dropped = async (): Promise<Partial<Record<string, Drops>>> =>
    Object.fromEntries((await status()).facts.drops.map((each): [string, Drops] => [`${each.host} ${each.tier}`, each]));
  const first = await dropped();
  expect(Object.keys(first).sort()).toEqual(HOSTS.flatMap((host) => ["app", "db", "web"].map((tier) => `${host} ${tier}`)));
  // The virtual router's host has no logical router.
  expect([first["node1 web"], first["node4 db"]].map((each) => Object.keys(each!).sort())).toEqual([
    ["egressAcl", "host", "ingressAcl", "portSecurity", "tier"],
    ["host", "portSecurity", "tier"],
  ]);
  // Three packets from a foreign address, and three that rule 30 of app denies. web2 sends no invalid packet.
  await script(sandbox, "web1", [
    "ip address add 10.1.1.99/24 dev eth0",
    "ping -n -q -c3 -i0.2 -W1 -I 10.1.1.99 10.1.1.12 > /dev/null || true",
    "ip address del 10.1.1.99/24 dev eth0",
  ]);
  expect(await unanswered("web1", "10.1.2.12")).toBe(true);
  const more = async () => {
    const now = await dropped();
    const than = (place: string, counter: "portSecurity" | "egressAcl" | "ingressAcl") => now[place]![counter]! - first[place]![counter]!;
    return [
      than("node1 app", "ingressAcl"),
      than("node1 web", "egressAcl"),
      than("node2 app", "ingressAcl"),
      than("node2 web", "portSecurity"),
      than("node1 web", "portSecurity") > 0,
    ];
  };
  for (let tries = 0; tries < 120 && !isDeepStrictEqual(await more(), [3, 0, 0, 0, true]); tries++) await sleep(500);
  expect(await more()).toEqual([3, 0, 0, 0, true]);
  const { stdout } = await commandLine("status", ...source);
  const [, shown] =
    /VPC blue: dropped packets\n {3}HOST +TIER +PORT SECURITY +EGRESS ACL +INGRESS ACL\n(?:.*\n)* {3}node1 +app +\d+ +\d+ +(\d+)\n/.exec(stdout) ?? [];
  expect(Number(shown)).toBe(first["node1 app"]!.ingressAcl! + 3);
});

test("disabled on purpose is not an error", async () => {
  await vpc.write(vpcArgs({ enabled: false }));
  save();
  const { code, facts } = await status();
  expect([code, wrong(facts), routers(facts)]).toEqual([0, [], ["node1 disabled", "node2 disabled", "node3 disabled"]]);
  await vpc.write(vpcArgs());
  // The state is still the old one.
  const { code: failed, facts: other } = await status();
  expect([failed, routers(other)]).toEqual([1, ["node1 unexpected", "node2 unexpected", "node3 unexpected"]]);
});

test("flows that another writer removed", async () => {
  await script(sandbox, "node2", ["ovs-ofctl -O OpenFlow14 del-flows br-t1001 table=2", "ovs-ofctl -O OpenFlow14 del-flows br-t1003 table=1"]);
  await script(sandbox, "node3", ["ovs-ofctl -O OpenFlow14 del-flows lr-blue table=6"]);
  await script(sandbox, "node4", ["ovs-ofctl set-frags br-t1002 normal"]);
  const { code, facts } = await status();
  expect([code, wrong(facts), routers(facts)]).toEqual([
    1,
    ["node2 br-t1003 flows", "node2 br-t1001 flows", "node4 br-t1002 flows"],
    ["node1 enabled", "node2 no-redirects", "node3 flows"],
  ]);
  expect(facts.routers[1]?.detail).toBe("4 of 12 redirect flows are missing");
  expect(facts.bridges.find(({ host, bridge }) => host === "node4" && bridge === "br-t1002")?.detail).toBe('fragments are in mode "normal"');
  await vpc.refresh();
  await vpc.write(vpcArgs());
  save();
  expect((await status()).code).toBe(0);
});

const probed = vpcArgs({ bfd: true });

test("a tunnel that is cut while both of its interfaces work is shown, and disables the logical routers at both ends until it is up", async () => {
  const ends = [1, 2, 3].flatMap((tier) => [["node1", `t100${tier}-node2`] as const, ["node2", `t100${tier}-node1`] as const]);
  await vpc.write(probed);
  save();
  const reached = (session: string) =>
    Promise.all(ends.map(([host, name]) => script(sandbox, host, [`ovs-vsctl --timeout=30 wait-until Interface ${name} bfd_status:state=${session}`])));
  await reached("up");
  expect((await status()).code).toBe(0);
  await script(sandbox, "node1", ["ovs-ofctl add-flow br-phy 'cookie=0x77,priority=60000,ip,nw_proto=47,nw_src=198.18.0.2,actions=drop'"]);
  await reached("down");
  const { code, facts } = await status();
  const cut = ends.map(([host, name]) => `${host} ${name}`).sort();
  expect([code, wrong(facts).sort()]).toEqual([1, cut.map((end) => `${end} down`)]);
  expect(await vpc.preview(probed)).toEqual(["LogicalRouterBridge node1", "LogicalRouterBridge node2"]);
  expect([await unanswered("web1", "10.1.2.12"), await vpc.write(probed)]).toEqual([
    true,
    ["update LogicalRouterBridge node1", "update LogicalRouterBridge node2"],
  ]);
  expect(vpc.state("node1")).toBe(
    `fallback: ${cut
      .slice(0, 5)
      .map((end) => `${end}: BFD is down`)
      .join("; ")}; 1 more`,
  );
  expect([await pinged("web1", "10.1.2.12"), await pinged("web2", "10.1.2.11")]).toEqual([true, true]);
  await script(sandbox, "node1", ["ovs-ofctl del-flows br-phy cookie=0x77/-1"]);
  await reached("up");
  expect(await vpc.write(probed)).toEqual(["update LogicalRouterBridge node1", "update LogicalRouterBridge node2"]);
  expect(["node1", "node2"].map((host) => vpc.state(host))).toEqual(["enabled", "enabled"]);
});

test("a changed tunnel, a workload's port on another bridge and a dead switch are shown, and the next update repairs or names them", async () => {
  await script(sandbox, "node1", ["ovs-vsctl set Interface t1001-node2 options:remote_ip=198.18.0.99"]);
  await script(sandbox, "node2", ["ovs-vsctl del-port web2"]);
  await script(sandbox, "node3", ["ovs-vsctl del-port web3 -- add-br other -- set Bridge other datapath_type=netdev -- add-port other web3"]);
  const details = async () => {
    const { code, facts } = await status();
    const ends = facts.tunnels.flatMap(({ ends: own }) => own).filter(({ state: its }) => its === "error");
    return [code, ...[...facts.bridges.filter(({ state: its }) => its !== "up"), ...ends].map(({ host, state: its, detail }) => `${host} ${its} ${detail}`)];
  };
  expect(await details()).toEqual([
    1,
    "node2 ports web2: on no bridge",
    "node3 ports web3: on bridge other, not on br-t1001",
    "node1 error options:remote_ip=198.18.0.99 instead of options:remote_ip=198.18.0.2",
  ]);
  // Only its owner can take it off the other bridge.
  await expect(vpc.write(probed)).rejects.toMatchObject({ code: "OVN_NAME_TAKEN" });
  await script(sandbox, "node3", ["ovs-vsctl del-br other"]);
  await vpc.write(probed);
  save();
  expect([await details(), await vpc.write(probed), await vpc.refresh(), routers((await status()).facts)]).toEqual([[0], [], {}, ENABLED]);
  expect([await pinged("web2", "10.1.2.11"), await pinged("web3", "10.1.2.11")]).toEqual([true, true]);
  await sandbox.killDaemon("node3", "ovs-vswitchd");
  const silent = expect.stringMatching(/^node3 flows OVN_BRIDGE_UNREACHABLE: .*is ovs-vswitchd running/) as string;
  expect(await details()).toEqual([1, silent, silent, silent]);
  await expect(vpc.write(probed)).rejects.toMatchObject({ code: "OVN_SWITCH" });
  expect(vpc.warnings).toContainEqual(
    expect.objectContaining({ code: "OVN_WARN_CHANGED", message: expect.stringMatching(/does not answer; does ovs-vswitchd run\?/) as string }),
  );
  // Without its flows.
  await sandbox.startDaemon("node3", "ovs-vswitchd");
  await vpc.write(probed);
  await vpc.write(probed);
  expect([await details(), await vpc.refresh(), await pinged("web3", "10.1.2.11")]).toEqual([[0], {}, true]);

  const signal = (name: string) => script(sandbox, "node3", [`kill -${name} $(cat ${join(sandbox.folder, "node3", "ovs-vswitchd.pid")})`]);
  await signal("STOP");
  const begun = performance.now();
  try {
    const hung = expect.stringMatching(/^node3 flows OVN_BRIDGE_UNREACHABLE: bridge "br-t100\d" did not answer within 5 s: ovs-vswitchd hangs/) as string;
    expect((await details()).filter((line) => String(line).startsWith("node3 flows"))).toEqual([hung, hung, hung]);
    await expect(vpc.write(vpcArgs())).rejects.toMatchObject({ code: "OVN_BRIDGE_UNREACHABLE" });
    expect(vpc.warnings).toContainEqual(
      expect.objectContaining({ code: "OVN_WARN_SILENT", message: expect.stringMatching(/did not answer within 5 s: ovs-vswitchd hangs/) as string }),
    );
    // One wait of 5 seconds for all, not one of 30 for each command.
    expect(performance.now() - begun).toBeLessThan(60_000);
  } finally {
    await signal("CONT");
  }
  // A process does not ask a silent switch again for 10 seconds.
  await sleep(10_000);
  await vpc.write(probed);
  await vpc.write(vpcArgs());
}, 180_000);

test("a tunnel that was deleted, one that the switch refuses, a bridge that was deleted", async () => {
  const options = "type=gre options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2";
  await script(sandbox, "node1", [
    `ovs-vsctl del-port t1002-node2 -- add-br other -- set Bridge other datapath_type=netdev -- add-port other theirs -- set Interface theirs ${options}`,
    // Not waited for: it never comes to be.
    "ovs-vsctl --no-wait add-port br-t1002 t1002-node2 -- set Interface t1002-node2 type=gre options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2",
    "ovs-vsctl del-port t1001-node3",
  ]);
  await script(sandbox, "node3", ["ovs-vsctl del-br br-t1003"]);
  const { code, facts } = await status();
  expect([code, wrong(facts).sort()]).toEqual([
    1,
    [
      "node1 t1001-node3 missing",
      "node1 t1002-node2 error",
      "node3 br-t1003 missing",
      ...["node1", "node2", "node4"].map((host) => `node3 t1003-${host} missing`),
    ],
  ]);
  expect(facts.tunnels.flatMap(({ ends }) => ends).find(({ interface: name, host }) => host === "node1" && name === "t1002-node2")?.detail).toContain(
    "File exists",
  );
  expect(routers(facts)).toEqual(["node1 enabled", "node2 enabled", "node3 missing"]);
  // The next update finds the damage, creates the bridge again, and skips what it cannot repair: on node1 another writer uses a name.
  await vpc.write(vpcArgs());
  save();
  const { facts: after } = await status();
  expect([routers(after), after.routers[1]?.detail]).toEqual([
    ["node1 fallback", "node2 fallback", "node3 fallback"],
    expect.stringMatching(/^node1 t1002-node2: [^;]*File exists[^;]*$/),
  ]);
  expect(await pinged("web2", "10.1.2.11")).toBe(true);
  await script(sandbox, "node1", ["ovs-vsctl del-br other -- del-port t1002-node2"]);
  await vpc.write(vpcArgs());
  save();
  expect((await status()).code).toBe(0);
});

test("a host that can't be reached is a line, and the others are reported", async () => {
  save((hosts) => (hosts["node2"] = { openvswitch: `unix:${folder}/none`, command: [join(folder, "none")] }));
  const { code, facts, problems } = await status();
  expect([code, problems, facts.hosts.filter(({ reached }) => !reached).map(({ host }) => host), routers(facts)]).toEqual([
    1,
    1,
    ["node2"],
    ["node1 enabled", "node2 unknown", "node3 enabled"],
  ]);
  expect(facts.hosts[1]?.detail).toMatch(/^OVSDB_CONNECTION: .*; OVN_HOST_COMMAND: /);
  expect(new Set(wrong(facts).map((text) => text.split(" ")[0]))).toEqual(new Set(["node2"]));
});

test("--watch prints changes, and ends at a signal with the exit code of the last result", async () => {
  const child = spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "status", "--watch", "--interval", "1", "--json", ...source], {
    env: process.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as { problems: number; vpcs: [VpcFacts] };
  try {
    expect((await next()).problems).toBe(0);
    await script(sandbox, "node1", ["ovs-vsctl del-port t1001-node2"]);
    const changed = await next();
    expect([changed.problems, wrong(changed.vpcs[0])]).toEqual([1, ["node1 t1001-node2 missing"]]);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([1, null]);
  } finally {
    child.kill("SIGKILL");
  }
});

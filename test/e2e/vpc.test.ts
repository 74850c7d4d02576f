import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { VpcAclRuleArgs, VpcArgs } from "../../provider/vpc";
import { routerMac } from "../../provider/vpc/names";
import { type Sandbox, up } from "../../sandbox";
import { runFolder } from "../integration/sandbox/support";
import { Capture } from "../support/capture";
import { type Flow, Flows } from "../support/flows";
import { LiveVpc } from "../support/live-vpc";
import { announce, attachRouter, detachRouter, HOSTS, place, places, script, unreached, virtualRouter, vpcArgs, workloads } from "../support/vpc-places";

// A VPC of three tiers over four hosts with Open vSwitch alone, a workload of each tier on each host; the virtual router is on node4.
const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let vpc: LiveVpc;
let before: string[];

/** Bridges, ports and flows of a host. */
const state = (host: string) => script(sandbox, host, ["for bridge in $(ovs-vsctl list-br | sort); do echo $bridge $(ovs-vsctl list-ports $bridge | sort); ovs-ofctl -O OpenFlow14 dump-flows --no-stats $bridge; done"]);

/** Flows that somebody else has on the VPC's bridges. */
const theirs = (bridge: string) => script(sandbox, "node1", [`ovs-ofctl -O OpenFlow14 --no-stats dump-flows ${bridge} cookie=0x77/-1`]);

/** What happens to a packet from web1 to app2 on node1's logical router. */
async function traced(packet: string): Promise<"sent" | "dropped"> {
  const match = `in_port=pr1001,dl_src=${place("web", "node1").mac},dl_dst=${routerMac("blue", "node1")},${packet}`;
  const text = await script(sandbox, "node1", [`ovs-appctl ofproto/trace lr-blue '${match}'`]);
  return /Datapath actions: drop/.test(text) ? "dropped" : "sent";
}
const toApp2 = "nw_src=10.1.1.11,nw_dst=10.1.2.12,nw_ttl=64,nw_frag=no";

/** Answers of one ping; its lines. */
const ping = async (from: string, ...options: string[]) => (await sandbox.exec(from, ["ping", "-n", "-c1", "-W5", ...options], { timeout: 20_000 })).stdout;

const allowed = async (from: string, to: string) => (await ping(from, to)).includes("1 received");
const denied = async (from: string, to: string) => (await sandbox.exec(from, ["ping", "-n", "-c3", "-i0.2", "-W1", to], { timeout: 20_000 })).stdout.includes(" 0 received");

const withAcl = (rules: VpcAclRuleArgs[], change: Partial<VpcArgs> = {}): VpcArgs => {
  const args = vpcArgs(change);
  return { ...args, acls: { own: rules }, tiers: { ...args.tiers, app: { ...args.tiers["app"]!, acl: "own" } } };
};

beforeAll(async () => {
  sandbox = await up({ name: "test-vpc", hosts: 4, ovn: false, workloads });
  await virtualRouter(sandbox);
  before = await Promise.all(HOSTS.map(state));
  vpc = new LiveVpc(sandbox.targets);
  await vpc.write(vpcArgs());
  for (const bridge of ["br-t1001", "lr-blue"]) await script(sandbox, "node1", [`ovs-ofctl -O OpenFlow14 add-flow ${bridge} 'cookie=0x77,table=20,priority=7,ip,actions=drop'`]);
}, 120_000);
afterAll(async () => {
  await vpc?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const onNode4 = (text: string) => places.some(({ host, addresses: [v4, v6] }) => host === "node4" && (text.includes(`${v4} `) || text.includes(`${v4}:`) || text.includes(`${v6} `) || text.includes(`${v6}:`)));
const pinging = (from: string, to: string) => () => script(sandbox, from, [`ping -n -q -c3 -i0.2 -W2 ${to} > /dev/null || true`]);
/** Echoes between workloads, not those of gateways; with the address that they say. */
const echoes = (lines: readonly string[]) => lines.filter((line) => /ICMP6?,? echo/.test(line));

test("every pair of tiers and hosts, past the virtual router's host, but for what is on it", async () => {
  // Bridges flood what is for a workload that they have not heard of yet.
  expect(await unreached(sandbox)).toEqual([]);
  await using there = await Capture.start(sandbox, "node4", "phy0", "ip proto 47");
  await using here = await Capture.start(sandbox, "node1", "phy0", "ip proto 47");
  expect(await unreached(sandbox)).toEqual([]);
  const ends = [place("web", "node1"), place("app", "node2")] as const;
  const request = await here.seen(new RegExp(`${ends[0].addresses[0]} > ${ends[1].addresses[0]}: ICMP echo request`), pinging(ends[0].name, ends[1].addresses[0]!));
  // Routed on the sender's host: in the tunnel of the other tier, from the logical router to the workload itself.
  expect([request.includes("key=0x3ea"), request.includes(`${routerMac("blue", "node1")} > ${ends[1].mac}`), /198\.18\.0\.1(?:\.\d+)? > 198\.18\.0\.2/.test(request)]).toEqual([true, true, true]);
  await there.seen(new RegExp(`${ends[0].addresses[0]} > ${place("app", "node4").addresses[0]}: ICMP echo request`), pinging(ends[0].name, place("app", "node4").addresses[0]!));
  // What a bridge floods has the workload's MAC; the detour has that of a gateway, on the way there or back.
  expect(echoes(await there.end()).filter((line) => !onNode4(line) && /\b0a:58:0a:01:0\d:01\b/.test(line))).toEqual([]);
});

test("one hop less to live, and the virtual router says when there is none left", async () => {
  expect(await ping("web1", "10.1.2.12")).toContain("ttl=63");
  expect(await ping("web1", "fd01:2::12")).toContain("ttl=63");
  expect(await ping("web1", "-t1", "10.1.2.12")).toContain("From 10.1.1.1 icmp_seq=1 Time to live exceeded");
  expect(await ping("web1", "-t1", "fd01:2::12")).toMatch(/From fd01:1::1 icmp_seq=1 Time exceeded: Hop limit/);
});

test("the virtual router's own addresses in other tiers are reached", async () => {
  expect(await Promise.all(["10.1.2.1", "10.1.3.1", "fd01:3::1"].map((address) => allowed("web1", address)))).toEqual([true, true, true]);
});

test("nothing is learned on a patch port, and nothing flooded to it", async () => {
  const learned = await script(sandbox, "node1", ["port=$(ovs-vsctl get Interface pt1001 ofport)", "ovs-appctl fdb/show br-t1001 | awk -v port=$port '$1 == port'"]);
  expect(learned).toBe("");
  const flooded = await script(sandbox, "node1", ["ovs-appctl revalidator/wait", "ovs-ofctl -O OpenFlow14 dump-flows lr-blue table=0 | grep priority=0"]);
  expect(flooded).toContain("n_packets=0,");
});

test("a broadcast is seen once by every other workload of its tier, and by nobody of another one", async () => {
  const asked = "arp[6:2] == 1 and arp[24:4] == 0x0a010163";
  await using sent = await Capture.start(sandbox, "node1", "web1", asked);
  const others = [["node2", "web2"], ["node3", "web3"], ["node4", "web4"], ["node1", "app1"], ["node2", "app2"]] as const;
  const captures = await Promise.all(others.map(([host, device]) => Capture.start(sandbox, host, device, asked)));
  // Three requests, a second apart, and another second until ping is told that nobody is there.
  await ping("web1", "10.1.1.99");
  const requests = (lines: readonly string[]) => lines.filter((line) => line.includes("Request who-has 10.1.1.99")).length;
  const count = requests(await sent.end());
  expect([count, ...(await Promise.all(captures.map(async (capture) => requests(await capture.end()))))]).toEqual([3, 3, 3, 3, 0, 0]);
});

test("ACLs: the lowest number wins, protocols are what they are called, ranges hold both of their ends", async () => {
  await vpc.write(
    withAcl([
      { number: 30, action: "deny", direction: "ingress", cidrs: ["10.1.1.0/24"] },
      { number: 1, action: "allow", direction: "ingress", protocol: "tcp", ports: "8000-8079" },
      { number: 2, action: "deny", direction: "ingress", protocol: "tcp", ports: "8010" },
      { number: 5, action: "allow", direction: "ingress", protocol: "udp", ports: "53", cidrs: ["10.1.1.11/32"] },
      { number: 6, action: "allow", direction: "ingress", protocol: "icmp", cidrs: ["10.1.3.0/24"] },
      { number: 7, action: "allow", direction: "ingress", protocol: 47 },
    ]),
  );
  const verdicts = await Promise.all([7999, 8000, 8010, 8079, 8080].map((port) => traced(`tcp,${toApp2},tcp_dst=${port}`)));
  expect(verdicts).toEqual(["dropped", "sent", "sent", "sent", "dropped"]);
  expect(await Promise.all([`udp,${toApp2},udp_dst=53`, `udp,${toApp2},udp_dst=54`, `icmp,${toApp2}`, `ip,nw_proto=47,${toApp2}`, `ip,nw_proto=50,${toApp2}`].map(traced))).toEqual(["sent", "dropped", "dropped", "sent", "dropped"]);
  // Fragments after the first one of a packet to an allowed port.
  expect(await traced(`udp,${toApp2.replace("frag=no", "frag=later")}`)).toBe("sent");
  expect([await denied("web1", "10.1.2.12"), await allowed("db1", "10.1.2.12"), await allowed("db3", "10.1.2.11")]).toEqual([true, true, true]);
  expect([await denied("db1", "fd01:2::12"), await allowed("web1", "10.1.3.12")]).toEqual([true, true]);
});

test("an ACL list replaced 20 times on every host under traffic: no allowed packet is lost, no forbidden one passes, flows of others stay", async () => {
  const list = (n: number): VpcAclRuleArgs[] => [
    { number: 10 + n, action: "allow", direction: "ingress", protocol: "icmp", cidrs: n % 2 === 0 ? ["10.1.1.0/24"] : ["10.1.1.11/32", "10.1.1.12/31"] },
    { number: 100 + n, action: "deny", direction: "ingress", protocol: "tcp", ports: `${1000 + n}-${3000 + n}` },
    { number: 200 + n, action: "deny", direction: "ingress" },
  ];
  await vpc.write(withAcl(list(0)));
  const others = await Promise.all(["br-t1001", "lr-blue"].map(theirs));
  expect(others.map((text) => text.includes("cookie=0x77"))).toEqual([true, true]);
  // The sender's host decides: each of them is one.
  const ways = [[1, 2], [2, 3], [3, 1]] as const;
  const captured = (at: number, device: string, source: number) => Capture.start(sandbox, `node${at}`, `${device}${at}`, `icmp[icmptype] == icmp-echo and src 10.1.3.1${source}`);
  const captures = await Promise.all(ways.map(([from, to]) => Promise.all([captured(from, "db", from), captured(to, "app", from)])));
  await using flows = await Flows.start(sandbox, ways.flatMap(([from, to]) => {
    const flow = (name: string, sender: string, tier: number, kind: Flow["kind"]): Flow => ({ name: `${name} ${from}`, kind, protocol: "icmp", from: `${sender}${from}`, to: `10.1.${tier}.1${to}`, over: [`node${from}`, `node${to}`] });
    return [flow("allowed", "web", 2, "east-west"), flow("forbidden", "db", 2, "out"), flow("control", "web", 1, "control")];
  }));
  await flows.stage("replaced", async () => {
    for (let n = 1; n <= 20; n++) await vpc.write(withAcl(list(n)));
    await sleep(300);
  });
  const report = await flows.end();
  expect(report.beyondControl(["replaced"], ({ kind }) => kind === "east-west")).toEqual([]);
  const seen = await Promise.all(captures.map(async ([sent, passed]) => [echoes(await sent.end()).length > 20, echoes(await passed.end())]));
  expect(seen).toEqual(ways.map(() => [true, []]));
  expect(await Promise.all(["br-t1001", "lr-blue"].map(theirs))).toEqual(others);
});

test("stateful: answers pass without a rule of their own, on either host, and a connection ends with its rule", async () => {
  const open: VpcAclRuleArgs[] = [{ number: 1, action: "allow", direction: "egress" }];
  await vpc.write(withAcl(open, { stateful: true }));
  // Nothing comes into app but answers.
  expect([await denied("web1", "10.1.2.12"), await denied("web2", "10.1.2.12"), await denied("web1", "fd01:2::12")]).toEqual([true, true, true]);
  expect([await allowed("app2", "10.1.1.11"), await allowed("app2", "10.1.1.12"), await allowed("app2", "fd01:1::11")]).toEqual([true, true, true]);
  await vpc.write(withAcl(open));
  expect(await denied("app2", "10.1.1.11")).toBe(true);
});

test("disabled: the redirects go and nothing else, and everything goes through the virtual router", async () => {
  await vpc.write(vpcArgs());
  const enabled = (await state("node1")).split("\n");
  expect(await vpc.write(vpcArgs({ enabled: false }))).toEqual(["node1", "node2", "node3"].map((host) => `update LogicalRouterBridge ${host}`));
  const disabled = (await state("node1")).split("\n");
  const gone = enabled.filter((line) => !disabled.includes(line));
  expect(gone.filter((line) => !/table=2, priority=100,.*,dl_dst=0a:58:0a:01:0[123]:01,.*,output:/.test(line))).toEqual([]);
  expect([gone.length, disabled.filter((line) => !enabled.includes(line))]).toEqual([12, []]);
  await using there = await Capture.start(sandbox, "node4", "phy0", "ip proto 47");
  expect(await unreached(sandbox)).toEqual([]);
  await there.seen(/10\.1\.1\.11 > 10\.1\.2\.12: ICMP echo request/, pinging("web1", "10.1.2.12"));
  expect(vpc.state("node1")).toBe("disabled");
  expect(await vpc.write(vpcArgs())).toEqual(["node1", "node2", "node3"].map((host) => `update LogicalRouterBridge ${host}`));
});

test("the virtual router moves to another host: logical routers change places, and no packet is without a way", async () => {
  // A hypervisor moves it, and has its interfaces on the bridges.
  const at = (host: string) => vpcArgs({ virtualRouter: { host } });
  await vpc.write(at("node4"));
  await attachRouter(sandbox, "node4");
  await virtualRouter(sandbox, "node3", "moved");
  await announce(sandbox, "vr");
  const forwarded = async (name: string) => Number((await script(sandbox, name, ["awk '/^Ip: [0-9]/ { print $7 }' /proc/net/snmp"])).trim());
  const flow = (name: string, from: string, to: string, kind: Flow["kind"] = "east-west", by: string[] = []): Flow => ({ name, kind, protocol: "icmp", from, to, over: [`node${from.at(-1)}`, `node${to.at(-1)}`, ...by] });
  const steps: string[][] = [];
  await using flows = await Flows.start(sandbox, [
    flow("old host out", "web4", "10.1.2.11", "east-west", ["node3"]), flow("old host in", "app1", "10.1.1.14", "east-west", ["node3"]),
    flow("new host out", "web3", "10.1.2.11"), flow("new host in", "app1", "10.1.1.13"), flow("others", "web1", "10.1.2.12"),
    flow("control 1", "web1", "10.1.1.12", "control"), flow("control 2", "web3", "10.1.1.14", "control"), flow("control 3", "web4", "10.1.1.11", "control"), flow("control 4", "web1", "10.1.1.13", "control"),
  ]);
  await flows.stage("moved", async () => {
    await detachRouter(sandbox, "node4");
    await attachRouter(sandbox, "node3");
    await announce(sandbox, "moved");
    await sleep(300);
  });
  await flows.stage("routers", async () => {
    steps.push(await vpc.write(at("node3")));
    await sleep(300);
  });
  const report = await flows.end();
  expect(steps).toEqual([["create LogicalRouterBridge node4", "delete LogicalRouterBridge node3", "update LogicalRouterBridge node1", "update LogicalRouterBridge node2"]]);
  // What goes through it waits for whoever moves it; what logical routers route does not.
  expect(report.beyondControl(["moved"], ({ name }) => ["new host out", "new host in", "others"].includes(name))).toEqual([]);
  expect(report.beyondControl(["routers"], ({ kind }) => kind === "east-west")).toEqual([]);
  const [here, there] = [await forwarded("moved"), await forwarded("vr")];
  expect(await unreached(sandbox)).toEqual([]);
  expect([(await forwarded("moved")) > here, (await forwarded("vr")) === there]).toEqual([true, true]);
  expect(await vpc.refresh()).toEqual({});
  // And back, at once.
  await detachRouter(sandbox, "node3");
  await sandbox.removeWorkload("moved");
  expect(await vpc.write(vpcArgs())).toEqual(["create LogicalRouterBridge node3", "delete LogicalRouterBridge node4", "update LogicalRouterBridge node1", "update LogicalRouterBridge node2", "update VpcBridges node4"]);
  await announce(sandbox, "vr");
  expect(await unreached(sandbox, (from, to) => /[34]$/.test(from) || /[34]$/.test(to))).toEqual([]);
});

test("a tunnel that breaks disables the logical routers at both of its ends with a warning, without a refresh, and the next update enables them again", async () => {
  expect(await vpc.refresh()).toEqual({});
  const ROUTERS = ["update LogicalRouterBridge node1", "update LogicalRouterBridge node2"];
  const warned = () => vpc.warnings.map(({ severity, path, code }) => `${severity} ${path} ${code}`).sort();
  const FALLBACK = ["warning remotes OVN_WARN_FALLBACK", "warning remotes OVN_WARN_FALLBACK"];
  // Open vSwitch takes one tunnel with these ends and this key, and refuses the second.
  const options = "type=gre options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2";
  await script(sandbox, "node1", [`ovs-vsctl del-port t1002-node2 -- add-br other -- set Bridge other datapath_type=netdev -- add-port other theirs -- set Interface theirs ${options}`]);
  // node2's own end works, and node1 takes nothing out of the tunnel.
  expect(await denied("web2", "10.1.2.11")).toBe(true);
  expect([await vpc.writeRouters(vpcArgs()), warned()]).toEqual([ROUTERS, FALLBACK]);
  expect(["node1", "node2", "node3"].map((host) => vpc.state(host))).toEqual(["fallback: node1 t1002-node2: missing", "fallback: node1 t1002-node2: missing", "enabled"]);
  const pairs = [["web1", "10.1.2.12"], ["db1", "10.1.2.12"], ["web2", "10.1.2.11"], ["web3", "10.1.2.11"]] as const;
  expect(await Promise.all(pairs.map(([from, to]) => allowed(from, to)))).toEqual([true, true, true, true]);
  // The warning comes again, and there is nothing to write.
  expect([await vpc.writeRouters(vpcArgs()), warned()]).toEqual([[], FALLBACK]);
  // An update of all makes it again, without a refresh; the switch refuses it, which keeps nobody from going round it.
  expect([await vpc.write(vpcArgs()), warned()]).toEqual([[...ROUTERS, "update VpcBridges node1"], ["warning  OVN_WARN_INTERFACE", "warning host OVN_WARN_GONE", ...FALLBACK]]);
  expect(vpc.state("node2")).toMatch(/^fallback: node1 t1002-node2: .*File exists/);
  await script(sandbox, "node1", ["ovs-vsctl del-br other"]);
  expect(await vpc.write(vpcArgs())).toEqual([...ROUTERS, "update VpcBridges node1"]);
  expect([vpc.state("node1"), vpc.state("node2"), vpc.warnings, await vpc.refresh(), await vpc.write(vpcArgs())]).toEqual(["enabled", "enabled", [], {}, []]);
  // One that is just gone is there again after the next update, and no logical router is disabled.
  await script(sandbox, "node1", ["ovs-vsctl del-port t1002-node2"]);
  expect([await vpc.write(vpcArgs()), warned(), vpc.warnings[0]?.message]).toEqual([["update VpcBridges node1"], ["warning host OVN_WARN_GONE"], expect.stringMatching(/^t1002-node2 is gone from host "node1" .*; the update makes it again$/)]);
  expect([await vpc.write(vpcArgs()), vpc.warnings, await vpc.refresh()]).toEqual([[], [], {}]);
  expect(await unreached(sandbox, (from, to) => from.endsWith("1") || to.endsWith("1"))).toEqual([]);
});

test("a bridge that is gone disables the logical routers that need it, and the next update makes it again, without a refresh", async () => {
  const all = (...hosts: string[]) => hosts.map((host) => `update LogicalRouterBridge ${host}`);
  const states = () => ["node1", "node2", "node3"].map((host) => vpc.state(host));
  const codes = () => vpc.warnings.map(({ path, code }) => `${path} ${code}`);
  await script(sandbox, "node1", ["ovs-vsctl del-br br-t1002"]);
  expect([await vpc.writeRouters(vpcArgs()), new Set(codes())]).toEqual([all("node1", "node2", "node3"), new Set(["remotes OVN_WARN_FALLBACK"])]);
  expect(states()).toEqual(["fallback: node1 br-t1002: missing; node1 t1002-node2: missing; node1 t1002-node3: missing; node1 t1002-node4: missing", "fallback: node1 t1002-node2: missing", "fallback: node1 t1002-node3: missing"]);
  // By the virtual router.
  expect(await Promise.all([allowed("web1", "10.1.2.12"), allowed("web1", "10.1.3.12"), allowed("web2", "10.1.2.13")])).toEqual([true, true, true]);
  expect([await vpc.write(vpcArgs()), codes(), states()]).toEqual([[...all("node1", "node2", "node3"), "update VpcBridges node1"], ["host OVN_WARN_GONE"], ["enabled", "enabled", "enabled"]]);
  // The logical router's own bridge.
  await script(sandbox, "node2", ["ovs-vsctl del-br lr-blue"]);
  expect([await vpc.write(vpcArgs()), codes(), states()]).toEqual([all("node2"), ["host OVN_WARN_GONE"], ["enabled", "enabled", "enabled"]]);
  expect([await vpc.write(vpcArgs()), vpc.warnings, await vpc.refresh()]).toEqual([[], [], {}]);
  expect(await unreached(sandbox, (from, to) => /[12]$/.test(from) || /[12]$/.test(to))).toEqual([]);
});

test("the last workload of a host, the first one, and a tier that goes", async () => {
  const without = (host: string, args: VpcArgs): VpcArgs => ({ ...args, workloads: Object.fromEntries(Object.entries(args.workloads!).filter(([, own]) => own.host !== host)) });
  await vpc.write(without("node3", vpcArgs()));
  expect(await state("node3")).toBe(before[2]);
  expect(await script(sandbox, "node1", ["ovs-vsctl list-ports br-t1001 | sort | tr '\\n' ' '"])).toBe("pt1001 t1001-node2 t1001-node4 web1");
  const two = vpcArgs();
  const { db: _gone, ...tiers } = two.tiers;
  const { db: _port, ...ports } = two.virtualRouter.ports!;
  const workloadsLeft = Object.fromEntries(Object.entries(two.workloads!).filter(([, { tier }]) => tier !== "db"));
  await vpc.write({ ...two, tiers, workloads: workloadsLeft, virtualRouter: { host: "node4", ports } });
  expect(await script(sandbox, "node1", ["ovs-vsctl list-br | sort | tr '\\n' ' '"])).toBe("br-ex br-phy br-t1001 br-t1002 lr-blue");
  expect(await script(sandbox, "node1", ["ovs-ofctl -O OpenFlow14 --no-stats dump-flows lr-blue | grep -c -e 10.1.3 -e 1003 || true"])).toBe("0");
  expect(await unreached(sandbox, (from, to) => !from.startsWith("db") && !to.startsWith("db"))).toEqual([]);
  await vpc.write(vpcArgs());
  expect(await unreached(sandbox)).toEqual([]);
});

test.each(["geneve", "vxlan"] as const)("tunnels of type %s", async (tunnelType) => {
  await vpc.write(vpcArgs({ tunnelType }));
  expect(await unreached(sandbox)).toEqual([]);
});

test.each([
  ["vxlan", "VXLAN, .*vni 1002"],
  ["geneve", "Geneve, .*vni 0x3ea"],
  ["gre", "GREv0, .*key=0x3ea"],
] as const)("tunnels of type %s over IPv6", async (tunnelType, header) => {
  await Promise.all(HOSTS.map((host, index) => script(sandbox, host, [`ip address replace fd18::${index + 1}/64 dev br-phy nodad`])));
  await vpc.write(vpcArgs({ tunnelType, hosts: Object.fromEntries(HOSTS.map((host, index) => [host, { tunnelAddress: `fd18::${index + 1}` }])) }));
  await using packets = await Capture.start(sandbox, "node1", "phy0", "ip6");
  expect(await unreached(sandbox)).toEqual([]);
  const inner = [["10.1.2.12", "ICMP echo request"], ["fd01:2::12", "ICMP6, echo request"]].map(([to, what]) => [to!, `${routerMac("blue", "node1")} > ${place("app", "node2").mac}.* > ${to}: ${what}`] as const);
  for (const [to, packet] of inner) await packets.seen(new RegExp(packet), pinging("web1", to));
  const seen = (await packets.end()).join("\n");
  // tcpdump prints what is in a tunnel over UDP in the next line.
  for (const [, packet] of inner) expect(seen).toMatch(new RegExp(`fd18::1[. ].*> fd18::2[.:].*${header}.*\\n?.*${packet}`));
});

test("nothing but what was there is left", async () => {
  await vpc.write(undefined);
  expect(await Promise.all(HOSTS.map(state))).toEqual(before);
});

test("a mesh that can't be made is an error, and no logical router comes of it", async () => {
  const options = "type=gre options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2";
  await script(sandbox, "node1", [`ovs-vsctl add-br other -- set Bridge other datapath_type=netdev -- add-port other theirs -- set Interface theirs ${options}`]);
  await expect(vpc.write(vpcArgs())).rejects.toMatchObject({ code: "OVN_INTERFACE", message: expect.stringMatching(/^OVN_INTERFACE: VpcBridges "node1" in host "node1" .*: ovs-vswitchd can't make t1002-node2: .*File exists/) });
  expect(await script(sandbox, "node2", ["ovs-vsctl list-br"])).not.toContain("lr-blue");
});

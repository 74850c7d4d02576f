import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";
import { portNumbers, routerMac } from "@pulumi-ovn/provider/testing";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { Capture } from "../support/capture";
import type { Flow } from "../support/flow";
import { Flows } from "../support/flows";
import { LiveVpc } from "../support/live-vpc";
import { until } from "../support/until";
import {
  announce,
  attachRouter,
  detachRouter,
  HOSTS,
  place,
  places,
  script,
  tierNames,
  TIERS,
  unreached,
  virtualRouter,
  vpcArgs,
  workloads,
} from "../support/vpc-places";

// A VPC of three tiers over four hosts with only Open vSwitch, with a workload of each tier on each host; the virtual router is on node4.
const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let vpc: LiveVpc;
let before: string[];

/** Bridges, ports and flows of a host. */
const state = (host: string) =>
  script(sandbox, host, [
    "for bridge in $(ovs-vsctl list-br | sort); do echo $bridge $(ovs-vsctl list-ports $bridge | sort); ovs-ofctl -O OpenFlow14 dump-flows --no-stats $bridge; done",
  ]);

/** Flows of another writer on the VPC's bridges. */
const theirs = (bridge: string) => script(sandbox, "node1", [`ovs-ofctl -O OpenFlow14 --no-stats dump-flows ${bridge} cookie=0x77/-1`]);

/** Result of a packet from web1 to app2 on node1's logical router. */
async function traced(packet: string): Promise<"sent" | "dropped"> {
  const match = `in_port=pr1001,dl_src=${place("web", "node1").mac},dl_dst=${routerMac("blue", "node1")},${packet}`;
  const text = await script(sandbox, "node1", [`ovs-appctl ofproto/trace lr-blue '${match}'`]);
  return /Datapath actions: drop/.test(text) ? "dropped" : "sent";
}
const toApp2 = "nw_src=10.1.1.11,nw_dst=10.1.2.12,nw_ttl=64,nw_frag=no";

/** The lines of a ping that asks until it has one answer, or an error message instead of it: on a busy machine single packets are lost. */
const ping = async (from: string, ...options: string[]) => (await sandbox.exec(from, ["ping", "-n", "-c1", "-w10", ...options], { timeout: 20_000 })).stdout;

const allowed = async (from: string, to: string) => (await ping(from, to)).includes("1 received");
const denied = async (from: string, to: string) =>
  (await sandbox.exec(from, ["ping", "-n", "-c3", "-i0.2", "-W1", to], { timeout: 20_000 })).stdout.includes(" 0 received");

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
  for (const bridge of ["br-t1001", "lr-blue"])
    await script(sandbox, "node1", [`ovs-ofctl -O OpenFlow14 add-flow ${bridge} 'cookie=0x77,table=20,priority=7,ip,actions=drop'`]);
}, 120_000);
afterAll(async () => {
  await vpc?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const onNode4 = (text: string) =>
  places.some(
    ({ host, addresses: [v4, v6] }) =>
      host === "node4" && (text.includes(`${v4} `) || text.includes(`${v4}:`) || text.includes(`${v6} `) || text.includes(`${v6}:`)),
  );
const pinging = (from: string, to: string) => () => script(sandbox, from, [`ping -n -q -c3 -i0.2 -W2 ${to} > /dev/null || true`]);
/** Echoes between workloads, not those of gateways; with the address that they say. */
const echoes = (lines: readonly string[]) => lines.filter((line) => /ICMP6?,? echo/.test(line));

test("every pair of tiers and hosts, past the virtual router's host, but for what is on it", async () => {
  // Bridges flood packets for workloads that they have not learned.
  expect(await unreached(sandbox)).toEqual([]);
  await using there = await Capture.start(sandbox, "node4", "phy0", "ip proto 47");
  await using here = await Capture.start(sandbox, "node1", "phy0", "ip proto 47");
  expect(await unreached(sandbox)).toEqual([]);
  const ends = [place("web", "node1"), place("app", "node2")] as const;
  const request = await here.seen(
    new RegExp(`${ends[0].addresses[0]} > ${ends[1].addresses[0]}: ICMP echo request`),
    pinging(ends[0].name, ends[1].addresses[0]!),
  );
  // Routed on the sender's host: in the tunnel of the other tier, from the logical router to the workload itself.
  expect([
    request.includes("key=0x3ea"),
    request.includes(`${routerMac("blue", "node1")} > ${ends[1].mac}`),
    /198\.18\.0\.1(?:\.\d+)? > 198\.18\.0\.2/.test(request),
  ]).toEqual([true, true, true]);
  await there.seen(
    new RegExp(`${ends[0].addresses[0]} > ${place("app", "node4").addresses[0]}: ICMP echo request`),
    pinging(ends[0].name, place("app", "node4").addresses[0]!),
  );
  // Flooded packets have the workload's MAC; packets through the virtual router have a gateway's, in one direction.
  expect(echoes(await there.end()).filter((line) => !onNode4(line) && /\b0a:58:0a:01:0\d:01\b/.test(line))).toEqual([]);
});

test("the hop count decreases by one, and the virtual router reports its end", async () => {
  expect(await ping("web1", "10.1.2.12")).toContain("ttl=63");
  expect(await ping("web1", "fd01:2::12")).toContain("ttl=63");
  expect(await ping("web1", "-t1", "10.1.2.12")).toMatch(/From 10\.1\.1\.1 icmp_seq=\d+ Time to live exceeded/);
  expect(await ping("web1", "-t1", "fd01:2::12")).toMatch(/From fd01:1::1 icmp_seq=\d+ Time exceeded: Hop limit/);
});

test("the virtual router's own addresses in other tiers are reached", async () => {
  expect(await Promise.all(["10.1.2.1", "10.1.3.1", "fd01:3::1"].map((address) => allowed("web1", address)))).toEqual([true, true, true]);
});

test("nothing is learned on a patch port, and nothing flooded to it", async () => {
  const learned = await script(sandbox, "node1", [
    "port=$(ovs-vsctl get Interface pt1001 ofport)",
    "ovs-appctl fdb/show br-t1001 | awk -v port=$port '$1 == port'",
  ]);
  expect(learned).toBe("");
  const flooded = await script(sandbox, "node1", ["ovs-appctl revalidator/wait", "ovs-ofctl -O OpenFlow14 dump-flows lr-blue table=0 | grep priority=0"]);
  expect(flooded).toContain("n_packets=0,");
});

test("a broadcast reaches each other workload of its tier once, and none of another tier", async () => {
  const asked = "arp[6:2] == 1 and arp[24:4] == 0x0a010163";
  await using sent = await Capture.start(sandbox, "node1", "web1", asked);
  const others = [
    ["node2", "web2"],
    ["node3", "web3"],
    ["node4", "web4"],
    ["node1", "app1"],
    ["node2", "app2"],
  ] as const;
  const captures = await Promise.all(others.map(([host, device]) => Capture.start(sandbox, host, device, asked)));
  // Three requests, a second apart. After another second, ping receives the error that the address is unreachable.
  await sandbox.exec("web1", ["ping", "-n", "-c1", "-W5", "10.1.1.99"], { timeout: 20_000 });
  const requests = (lines: readonly string[]) => lines.filter((line) => line.includes("Request who-has 10.1.1.99")).length;
  const count = requests(await sent.end());
  expect([count, ...(await Promise.all(captures.map(async (capture) => requests(await capture.end()))))]).toEqual([3, 3, 3, 3, 0, 0]);
});

test("ACLs: the lowest number wins, protocols match by name, ranges include both ends", async () => {
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
  expect(
    await Promise.all(
      [`udp,${toApp2},udp_dst=53`, `udp,${toApp2},udp_dst=54`, `icmp,${toApp2}`, `ip,nw_proto=47,${toApp2}`, `ip,nw_proto=50,${toApp2}`].map(traced),
    ),
  ).toEqual(["sent", "dropped", "dropped", "sent", "dropped"]);
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
  const ways = [
    [1, 2],
    [2, 3],
    [3, 1],
  ] as const;
  const captured = (at: number, device: string, source: number) =>
    Capture.start(sandbox, `node${at}`, `${device}${at}`, `icmp[icmptype] == icmp-echo and src 10.1.3.1${source}`);
  const captures = await Promise.all(ways.map(([from, to]) => Promise.all([captured(from, "db", from), captured(to, "app", from)])));
  await using flows = await Flows.start(
    sandbox,
    ways.flatMap(([from, to]) => {
      const flow = (name: string, sender: string, tier: number, kind: Flow["kind"]): Flow => ({
        name: `${name} ${from}`,
        kind,
        protocol: "icmp",
        from: `${sender}${from}`,
        to: `10.1.${tier}.1${to}`,
        over: [`node${from}`, `node${to}`],
      });
      return [flow("allowed", "web", 2, "east-west"), flow("forbidden", "db", 2, "out"), flow("control", "web", 1, "control")];
    }),
  );
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

test("disabled: only the redirects are removed, and all packets pass the virtual router", async () => {
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

/** Whether node4's switch has learned the virtual router's MAC on the virtual router's port, in every tier. */
async function isLearned(): Promise<boolean> {
  const lines = tierNames.map(
    (tier) =>
      `ovs-appctl fdb/show br-t${1000 + TIERS[tier]} | grep -c "^ *$(ovs-vsctl get Interface vr-${tier} ofport) .* 0a:58:0a:01:0${TIERS[tier]}:01" || true`,
  );
  return (await script(sandbox, "node4", lines)) === tierNames.map(() => "1").join("\n");
}

test("the virtual router moves to another host, and no packet is lost", async () => {
  // A hypervisor moves it, and has its interfaces on the bridges.
  const at = (host: string) => vpcArgs({ virtualRouter: { host }, portSecurity: true });
  await vpc.write(at("node4"));
  await attachRouter(sandbox, "node4");
  await virtualRouter(sandbox, "node3", "moved");
  await announce(sandbox, "vr");
  const forwarded = async (name: string) => Number((await script(sandbox, name, ["awk '/^Ip: [0-9]/ { print $7 }' /proc/net/snmp"])).trim());
  const flow = (name: string, from: string, to: string, kind: Flow["kind"] = "east-west", by: string[] = []): Flow => ({
    name,
    kind,
    protocol: "icmp",
    from,
    to,
    over: [`node${from.at(-1)}`, `node${to.at(-1)}`, ...by],
  });
  const steps: string[][] = [];
  await using flows = await Flows.start(sandbox, [
    flow("old host out", "web4", "10.1.2.11", "east-west", ["node3"]),
    flow("old host in", "app1", "10.1.1.14", "east-west", ["node3"]),
    flow("new host out", "web3", "10.1.2.11"),
    flow("new host in", "app1", "10.1.1.13"),
    flow("others", "web1", "10.1.2.12"),
    flow("control 1", "web1", "10.1.1.12", "control"),
    flow("control 2", "web3", "10.1.1.14", "control"),
    flow("control 3", "web4", "10.1.1.11", "control"),
    flow("control 4", "web1", "10.1.1.13", "control"),
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
  expect(steps).toEqual([
    ["create LogicalRouterBridge node4", "delete LogicalRouterBridge node3", "update LogicalRouterBridge node1", "update LogicalRouterBridge node2"],
  ]);
  // Packets through the virtual router wait for the end of its move. Packets that logical routers forward do not wait.
  expect(report.beyondControl(["moved"], ({ name }) => ["new host out", "new host in", "others"].includes(name))).toEqual([]);
  expect(report.beyondControl(["routers"], ({ kind }) => kind === "east-west")).toEqual([]);
  const [here, there] = [await forwarded("moved"), await forwarded("vr")];
  expect(await unreached(sandbox)).toEqual([]);
  expect([(await forwarded("moved")) > here, (await forwarded("vr")) === there]).toEqual([true, true]);
  expect(await vpc.refresh()).toEqual({});
  // The move back, immediately.
  await detachRouter(sandbox, "node3");
  await sandbox.removeWorkload("moved");
  expect(await vpc.write(vpcArgs({ portSecurity: true }))).toEqual([
    "create LogicalRouterBridge node3",
    "delete LogicalRouterBridge node4",
    "update LogicalRouterBridge node1",
    "update LogicalRouterBridge node2",
    "update VpcBridges node4",
  ]);
  // A port that an update has just added can miss the first broadcast.
  await until(async () => {
    await announce(sandbox, "vr");
    await sleep(100);
    return isLearned();
  });
  expect(await unreached(sandbox, (from, to) => /[34]$/.test(from) || /[34]$/.test(to))).toEqual([]);
  expect(await vpc.write(vpcArgs())).toEqual(HOSTS.map((host) => `update VpcBridges ${host}`));
});

test("a tunnel that breaks disables the logical routers at both of its ends with a warning, without a refresh, and the next update enables them again", async () => {
  expect(await vpc.refresh()).toEqual({});
  const ROUTERS = ["update LogicalRouterBridge node1", "update LogicalRouterBridge node2"];
  const warned = () => vpc.warnings.map(({ severity, path, code }) => `${severity} ${path} ${code}`).sort();
  const FALLBACK = ["warning remotes OVN_WARN_FALLBACK", "warning remotes OVN_WARN_FALLBACK"];
  // Open vSwitch takes one tunnel with these ends and this key, and refuses the second.
  const options = "type=gre options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2";
  await script(sandbox, "node1", [
    `ovs-vsctl del-port t1002-node2 -- add-br other -- set Bridge other datapath_type=netdev -- add-port other theirs -- set Interface theirs ${options}`,
  ]);
  // node2's own end works, and node1 takes nothing out of the tunnel.
  expect(await denied("web2", "10.1.2.11")).toBe(true);
  expect([await vpc.writeRouters(vpcArgs()), warned()]).toEqual([ROUTERS, FALLBACK]);
  expect(["node1", "node2", "node3"].map((host) => vpc.state(host))).toEqual([
    "fallback: node1 t1002-node2: missing",
    "fallback: node1 t1002-node2: missing",
    "enabled",
  ]);
  const pairs = [
    ["web1", "10.1.2.12"],
    ["db1", "10.1.2.12"],
    ["web2", "10.1.2.11"],
    ["web3", "10.1.2.11"],
  ] as const;
  expect(await Promise.all(pairs.map(([from, to]) => allowed(from, to)))).toEqual([true, true, true, true]);
  // The warning comes again, and there is nothing to write.
  expect([await vpc.writeRouters(vpcArgs()), warned()]).toEqual([[], FALLBACK]);
  // An update of all recreates it, without a refresh. The switch refuses it, but the fallback still works.
  expect([await vpc.write(vpcArgs()), warned()]).toEqual([
    [...ROUTERS, "update VpcBridges node1"],
    ["warning  OVN_WARN_INTERFACE", "warning host OVN_WARN_GONE", ...FALLBACK],
  ]);
  expect(vpc.state("node2")).toMatch(/^fallback: node1 t1002-node2: .*File exists/);
  await script(sandbox, "node1", ["ovs-vsctl del-br other"]);
  expect(await vpc.write(vpcArgs())).toEqual([...ROUTERS, "update VpcBridges node1"]);
  expect([vpc.state("node1"), vpc.state("node2"), vpc.warnings, await vpc.refresh(), await vpc.write(vpcArgs())]).toEqual(["enabled", "enabled", [], {}, []]);
  // A deleted tunnel is recreated by the next update, and no logical router is disabled.
  await script(sandbox, "node1", ["ovs-vsctl del-port t1002-node2"]);
  expect([await vpc.write(vpcArgs()), warned(), vpc.warnings[0]?.message]).toEqual([
    ["update VpcBridges node1"],
    ["warning host OVN_WARN_GONE"],
    expect.stringMatching(/^t1002-node2 is missing from host "node1" .*; the update makes it again$/),
  ]);
  expect([await vpc.write(vpcArgs()), vpc.warnings, await vpc.refresh()]).toEqual([[], [], {}]);
  expect(await unreached(sandbox, (from, to) => from.endsWith("1") || to.endsWith("1"))).toEqual([]);
});

test("a deleted bridge disables the logical routers that need it, and the next update creates it again, without a refresh", async () => {
  const all = (...hosts: string[]) => hosts.map((host) => `update LogicalRouterBridge ${host}`);
  const states = () => ["node1", "node2", "node3"].map((host) => vpc.state(host));
  const codes = () => vpc.warnings.map(({ path, code }) => `${path} ${code}`);
  await script(sandbox, "node1", ["ovs-vsctl del-br br-t1002"]);
  expect([await vpc.writeRouters(vpcArgs()), new Set(codes())]).toEqual([all("node1", "node2", "node3"), new Set(["remotes OVN_WARN_FALLBACK"])]);
  expect(states()).toEqual([
    "fallback: node1 br-t1002: missing; node1 t1002-node2: missing; node1 t1002-node3: missing; node1 t1002-node4: missing",
    "fallback: node1 t1002-node2: missing",
    "fallback: node1 t1002-node3: missing",
  ]);
  // The packets pass the virtual router.
  expect(await Promise.all([allowed("web1", "10.1.2.12"), allowed("web1", "10.1.3.12"), allowed("web2", "10.1.2.13")])).toEqual([true, true, true]);
  expect([await vpc.write(vpcArgs()), codes(), states()]).toEqual([
    [...all("node1", "node2", "node3"), "update VpcBridges node1"],
    ["host OVN_WARN_GONE"],
    ["enabled", "enabled", "enabled"],
  ]);
  // The logical router's own bridge.
  await script(sandbox, "node2", ["ovs-vsctl del-br lr-blue"]);
  expect([await vpc.write(vpcArgs()), codes(), states()]).toEqual([all("node2"), ["host OVN_WARN_GONE"], ["enabled", "enabled", "enabled"]]);
  expect([await vpc.write(vpcArgs()), vpc.warnings, await vpc.refresh()]).toEqual([[], [], {}]);
  expect(await unreached(sandbox, (from, to) => /[12]$/.test(from) || /[12]$/.test(to))).toEqual([]);
});

test("the last workload of a host, the first one, and a removed tier", async () => {
  const without = (host: string, args: VpcArgs): VpcArgs => ({
    ...args,
    workloads: Object.fromEntries(Object.entries(args.workloads!).filter(([, own]) => own.host !== host)),
  });
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

/** Packets of web1 to web2 with a foreign source: source and destination of a ping, and the line of tcpdump for the resulting packet. */
const SPOOFS = [
  ["10.1.1.1", "10.1.1.12", /10\.1\.1\.1 > 10\.1\.1\.12: ICMP echo request/],
  ["10.1.3.99", "10.1.1.12", /10\.1\.3\.99 > 10\.1\.1\.12: ICMP echo request/],
  ["fd01:1::1", "fd01:1::12", /fd01:1::1 > fd01:1::12: ICMP6, echo request/],
  ["10.1.1.249", "10.1.1.250", /Request who-has 10\.1\.1\.250 tell 10\.1\.1\.249,/],
] as const;
const AS_GATEWAY = /0a:58:0a:01:01:01 > 0a:00:0a:01:01:0c.* 10\.1\.1\.11 > 10\.1\.1\.12: ICMP echo request/;

/** Sends all spoofed packets. Permanent neighbour entries make neighbour discovery unnecessary. */
function spoof(): Promise<string> {
  const pings = (options: string, to: string) => `ping -n -q -c2 -i0.1 -W0.3 ${options} ${to} > /dev/null || true`;
  const address = (ip: string, verb: string) =>
    `ip address ${verb} ${ip}/${ip.includes(":") ? "128" : "32"} dev eth0${ip.includes(":") && verb === "add" ? " nodad" : ""}`;
  return script(sandbox, "web1", [
    ...["10.1.1.12", "fd01:1::12"].map((ip) => `ip neighbour replace ${ip} lladdr 0a:00:0a:01:01:0c dev eth0 nud permanent`),
    ...SPOOFS.map(([source]) => address(source, "add")),
    ...SPOOFS.map(([source, to]) => `(${pings(`-I ${source}`, to)}) &`),
    "wait",
    ...SPOOFS.map(([source]) => address(source, "del")),
    "ip link set eth0 address 0a:58:0a:01:01:01",
    pings("", "10.1.1.12"),
    "ip link set eth0 address 0a:00:0a:01:01:0b",
    ...["10.1.1.1", "fd01:1::1"].map((gateway) => `ip route replace default via ${gateway}`),
    "ip neighbour flush nud permanent",
  ]);
}

/**
 * Sends the spoofed packets and returns the patterns of those that web2 sees. web2 must see pings from web1's own addresses.
 * @param all send until web2 has seen all
 */
async function spoofed(all = false): Promise<RegExp[]> {
  await using there = await Capture.start(sandbox, "node2", "web2", "arp or icmp or icmp6");
  await spoof();
  const patterns = [...SPOOFS.map(([, , seen]) => seen), AS_GATEWAY];
  if (all) for (const pattern of patterns) await there.seen(pattern, spoof);
  for (const [from, to, name] of [
    ["10.1.1.11", "10.1.1.12", "ICMP"],
    ["fd01:1::11", "fd01:1::12", "ICMP6,"],
  ] as const)
    await there.seen(new RegExp(`${from} > ${to}: ${name} echo request.* length 40$`), () => ping("web1", "-s32", to));
  const lines = await there.end();
  // The packets that arrived taught web2 a wrong MAC of its gateway.
  await script(sandbox, "web2", ["ip neighbour flush dev eth0"]);
  return patterns.filter((pattern) => lines.some((line) => pattern.test(line)));
}

/** Actions of node1's switch for packets of web1's port, with these MACs and addresses, as in ovs-fields(7). */
const [OWN, OTHER] = ["0a:00:0a:01:01:0b", "0a:00:0a:01:01:0c"];
const LINK_LOCAL = "fe80::800:aff:fe01:10b";
const icmp6 = (type: number, source: string, rest: string) => `icmp6,ipv6_src=${source},ipv6_dst=ff02::1,icmpv6_type=${type},icmpv6_code=0${rest}`;
const PASSING = [
  "ip,nw_src=10.1.1.11,nw_dst=10.1.1.12",
  "ipv6,nw_proto=59,ipv6_src=fd01:1::11,ipv6_dst=fd01:1::12",
  `ipv6,nw_proto=59,ipv6_src=${LINK_LOCAL},ipv6_dst=fd01:1::12`,
  "udp,nw_src=0.0.0.0,nw_dst=255.255.255.255,udp_src=68,udp_dst=67",
  `arp,arp_op=2,arp_sha=${OWN},arp_spa=10.1.1.11,arp_tpa=10.1.1.12`,
  `arp,arp_op=1,arp_sha=${OWN},arp_spa=0.0.0.0,arp_tpa=10.1.1.11`,
  `dl_type=0x8035,arp_op=3,arp_sha=${OWN}`,
  "dl_type=0x88b5",
  icmp6(135, "fd01:1::11", `,nd_target=fd01:1::12,nd_sll=${OWN}`),
  icmp6(135, "fd01:1::11", ",nd_target=fd01:1::12"),
  icmp6(135, "::", ",nd_target=fd01:1::11"),
  icmp6(136, "fd01:1::11", `,nd_target=fd01:1::11,nd_tll=${OWN}`),
  icmp6(136, LINK_LOCAL, `,nd_target=${LINK_LOCAL}`),
  icmp6(143, "::", ""),
];
const DROPPED = [
  `dl_src=${OTHER},ip,nw_src=10.1.1.11,nw_dst=10.1.1.12`,
  `dl_src=${OTHER},dl_type=0x88b5`,
  "ip,nw_src=10.1.1.12,nw_dst=10.1.1.13",
  "ipv6,nw_proto=59,ipv6_src=fe80::1,ipv6_dst=fd01:1::12",
  "ipv6,nw_proto=0,ipv6_src=fd01:1::11,ipv6_dst=fd01:1::12",
  "udp,nw_src=0.0.0.0,nw_dst=10.1.1.12,udp_src=68,udp_dst=67",
  `arp,arp_op=2,arp_sha=${OTHER},arp_spa=10.1.1.11,arp_tpa=10.1.1.12`,
  `arp,arp_op=2,arp_sha=${OWN},arp_spa=10.1.1.1,arp_tpa=10.1.1.12`,
  `arp,arp_op=2,arp_sha=${OWN},arp_spa=0.0.0.0,arp_tpa=10.1.1.11`,
  `arp,arp_op=1,arp_sha=${OWN},arp_spa=0.0.0.0,arp_tpa=10.1.1.1`,
  `dl_type=0x8035,arp_op=3,arp_sha=${OTHER}`,
  icmp6(134, LINK_LOCAL, ""),
  icmp6(137, LINK_LOCAL, ""),
  icmp6(135, "fd01:1::11", `,nd_target=fd01:1::12,nd_sll=${OTHER}`),
  icmp6(135, "fd01:1::1", `,nd_target=fd01:1::12,nd_sll=${OWN}`),
  icmp6(135, "fd01:1::11", ",nd_target=::"),
  icmp6(135, "::", ",nd_target=fd01:1::1"),
  icmp6(136, "fd01:1::11", `,nd_target=fd01:1::1,nd_tll=${OWN}`),
  icmp6(136, "fd01:1::11", `,nd_target=fd01:1::11,nd_tll=${OTHER}`),
  icmp6(136, "::", `,nd_target=fd01:1::11,nd_tll=${OWN}`),
  icmp6(128, "::", ""),
];
async function passing(packets: readonly string[]): Promise<string[]> {
  const said = await script(
    sandbox,
    "node1",
    packets.map(
      (packet) =>
        `ovs-appctl ofproto/trace br-t1001 'in_port=web1,dl_dst=${OTHER},${packet.startsWith("dl_src") ? "" : `dl_src=${OWN},`}${packet}' | sed -n 's/^Datapath actions: //p'`,
    ),
  );
  return packets.filter((_, index) => said.split("\n")[index] !== "drop");
}

test("port security: a workload sends only with its own addresses, disabled or not, and after a move from its first packet on", async () => {
  const secured = (change: Partial<VpcArgs> = {}) => vpcArgs({ portSecurity: true, ...change });
  await vpc.write(vpcArgs());
  expect([(await spoofed(true)).length, await passing(DROPPED)]).toEqual([5, DROPPED]);
  await vpc.write(secured());
  expect([await spoofed(), await unreached(sandbox), await vpc.refresh(), await vpc.write(secured())]).toEqual([[], [], {}, []]);
  expect([await passing(PASSING), await passing(DROPPED)]).toEqual([PASSING, []]);
  await vpc.write(secured({ enabled: false }));
  expect(await spoofed()).toEqual([]);
  // The program names the new host first; its interface follows later, and the one on the old host is deleted.
  const { web1, ...others } = secured().workloads!;
  const moved = secured({ workloads: { ...others, web1: { ...web1!, host: "node3" } } });
  expect(await vpc.write(moved)).toEqual(expect.arrayContaining(["update VpcBridges node1", "update VpcBridges node3"]));
  const own = workloads.find(({ name }) => name === "web1")!;
  await sandbox.removeWorkload("web1");
  // A foreign port has the workload's port number. The update reports this and writes nothing until the foreign port is deleted.
  const number = portNumbers(["web1", "web3"]).get("web1")!;
  await script(sandbox, "node3", [`ovs-vsctl add-port br-t1001 theirs -- set Interface theirs type=internal ofport_request=${number}`]);
  await sandbox.addWorkload("node3", own);
  await script(sandbox, "node3", ["ovs-vsctl --timeout=10 wait-until Interface web1 'ofport>0'"]);
  const strange = new RegExp(`it has port number \\d+, not ${number}, which another port of its bridge has`);
  expect(await vpc.refresh()).toEqual({ "VpcBridges node3": { "Interface web1": expect.stringMatching(strange) as string } });
  await expect(vpc.write(moved)).rejects.toMatchObject({ code: "OVN_INTERFACE", message: expect.stringMatching(strange) as string });
  await script(sandbox, "node3", ["ovs-vsctl del-port theirs"]);
  expect([await spoofed(), await unreached(sandbox, (from, to) => from === "web1" || to === "web1"), await vpc.refresh()]).toEqual([[], [], {}]);
  await sandbox.removeWorkload("web1");
  await sandbox.addWorkload("node1", own);
  await vpc.write(vpcArgs());
  expect(await spoofed(true)).toHaveLength(5);
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
  const inner = [
    ["10.1.2.12", "ICMP echo request"],
    ["fd01:2::12", "ICMP6, echo request"],
  ].map(([to, what]) => [to!, `${routerMac("blue", "node1")} > ${place("app", "node2").mac}.* > ${to}: ${what}`] as const);
  for (const [to, packet] of inner) await packets.seen(new RegExp(packet), pinging("web1", to));
  const seen = (await packets.end()).join("\n");
  // tcpdump prints what is in a tunnel over UDP in the next line.
  for (const [, packet] of inner) expect(seen).toMatch(new RegExp(`fd18::1[. ].*> fd18::2[.:].*${header}.*\\n?.*${packet}`));
});

test("BFD: new in place on bridges that an older release wrote; one that is dead from the start is found; workloads can't send its messages", async () => {
  await vpc.write(vpcArgs());
  const bare = await state("node1");
  const sessions = (host = "node1") => script(sandbox, host, ["ovs-vsctl --bare --columns=bfd_status find Interface type=gre | grep -c state=up || true"]);
  expect(await sessions()).toBe("0");
  await using flows = await Flows.start(sandbox, [
    { name: "web1 to app2", kind: "east-west", protocol: "icmp", from: "web1", to: "10.1.2.12", over: ["node1", "node2"] },
    { name: "web3 to web4", kind: "control", protocol: "icmp", from: "web3", to: "10.1.1.14", over: ["node3", "node4"] },
  ]);
  await flows.stage("enabled", async () => {
    expect(await vpc.write(vpcArgs({ bfd: true }))).toEqual(HOSTS.map((host) => `update VpcBridges ${host}`));
  });
  expect((await flows.end()).beyondControl(["enabled"], ({ kind }) => kind === "east-west")).toEqual([]);
  const [old, probed] = [bare.split("\n"), (await state("node1")).split("\n")];
  expect([probed.filter((line) => !old.includes(line)), old.filter((line) => !probed.includes(line))]).toEqual([
    tierNames.map(() => expect.stringMatching(/ priority=300,dl_dst=00:23:20:00:00:01 actions=drop$/) as string),
    [],
  ]);
  expect([await sessions(), vpc.warnings, await vpc.refresh(), await vpc.write(vpcArgs({ bfd: true }))]).toEqual(["9", [], {}, []]);
  // A session accepts messages only to its own MAC, which no workload reaches.
  const before = await script(sandbox, "node2", ["ovs-vsctl get Interface t1001-node1 bfd_status:flap_count"]);
  const down = String.raw`\x20\x40\x03\x18\x01\x02\x03\x04\0\0\0\0\0\x0f\x42\x40\0\x0f\x42\x40\0\0\0\0`;
  const sending = (to: string) => () => script(sandbox, "web1", [`bash -c "printf '${down}' > /dev/udp/${to}/3784"`]);
  await using there = await Capture.start(sandbox, "node2", "web2", "udp port 3784");
  await script(sandbox, "web1", ["ip neighbour replace 10.1.1.250 lladdr 00:23:20:00:00:01 dev eth0 nud permanent"]);
  for (let n = 0; n < 3; n++) await sending("10.1.1.250")();
  await there.seen(/10\.1\.1\.11\.\d+ > 10\.1\.1\.12\.3784: /, sending("10.1.1.12"));
  expect((await there.end()).filter((line) => line.includes("10.1.1.250"))).toEqual([]);
  await script(sandbox, "web1", ["ip neighbour del 10.1.1.250 dev eth0"]);
  expect(await script(sandbox, "node2", ["ovs-vsctl get Interface t1001-node1 bfd_status:flap_count"])).toBe(before);
  // Cut before its session begins.
  await vpc.write(vpcArgs());
  const cut = (rest: string) => script(sandbox, "node1", [`ovs-ofctl ${rest}`]);
  await cut("add-flow br-phy 'cookie=0x77,priority=60000,ip,nw_proto=47,nw_src=198.18.0.2,actions=drop'");
  await vpc.write(vpcArgs({ bfd: true }));
  expect(["node1", "node2", "node3"].map((host) => vpc.state(host))).toEqual([
    expect.stringMatching(/^fallback: node1 t1001-node2: BFD has never been up; /),
    expect.stringMatching(/^fallback: node1 t1001-node2: BFD has never been up; /),
    "enabled",
  ]);
  expect([await allowed("web1", "10.1.2.12"), await allowed("web2", "10.1.2.11")]).toEqual([true, true]);
  await cut("del-flows br-phy cookie=0x77/-1");
  for (const host of ["node1", "node2"]) await until(async () => (await sessions(host)) === "9");
  expect(await vpc.write(vpcArgs({ bfd: true }))).toEqual(["update LogicalRouterBridge node1", "update LogicalRouterBridge node2"]);
  expect([vpc.state("node1"), vpc.warnings]).toEqual(["enabled", []]);
});

test("destroy leaves only what existed before", async () => {
  await vpc.write(undefined);
  expect(await Promise.all(HOSTS.map(state))).toEqual(before);
});

test("a mesh that can't be created is an error, and no logical router is created", async () => {
  const options = "type=gre options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2";
  await script(sandbox, "node1", [
    `ovs-vsctl add-br other -- set Bridge other datapath_type=netdev -- add-port other theirs -- set Interface theirs ${options}`,
  ]);
  await expect(vpc.write(vpcArgs())).rejects.toMatchObject({
    code: "OVN_INTERFACE",
    message: expect.stringMatching(/^OVN_INTERFACE: VpcBridges "node1" in host "node1" .*: ovs-vswitchd can't make t1002-node2: .*File exists/),
  });
  expect(await script(sandbox, "node2", ["ovs-vsctl list-br"])).not.toContain("lr-blue");
});

import { join } from "node:path";
import type { BgpExposureArgs, Rendered } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { Connections } from "@pulumi-ovn/provider/targets";
import { announcedByAgents, bgpExposure, type BgpExposureSpec } from "@pulumi-ovn/provider/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import { connects, type Sandbox, serving, type Workload } from "@pulumi-ovn/sandbox";
import { laterUpdates, SHOW_PATHS, updateTimes } from "../support/bgp-tables";
import { type Announced, becomes, BgpFabric, PATIENCE } from "../support/bgp-fabric";
import type { Flow } from "../support/flow";
import { Flows } from "../support/flows";
import { liveSandbox } from "../support/live-sandbox";
import { type Answer, timeInTwoPlaces } from "../support/two-places";

const OWNER = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BgpExposure::exposure";
const HOSTS = ["node1", "node2", "node3"] as const;

/** On the provider network; its gateways are unused addresses. */
const provider = (n: number, host: string): Workload => ({
  name: `p${n}`,
  host,
  mac: `0a:00:00:00:05:1${n}`,
  addresses: [`198.51.100.1${n}/24`, `2001:db8:5::1${n}/64`],
  gateways: ["198.51.100.1", "2001:db8:5::1"],
});
/** On the tenant network. */
const tenant = (n: number, host: string): Workload => ({
  name: `t${n}`,
  host,
  mac: `0a:00:00:00:01:1${n}`,
  addresses: [`10.1.0.1${n}/24`, `2001:db8:1::1${n}/64`],
  gateways: ["10.1.0.1", "2001:db8:1::1"],
});
/** On the provider network in a VLAN. */
const tagged: Workload = {
  name: "v1",
  host: "node2",
  mac: "0a:00:00:00:06:11",
  addresses: ["198.51.101.11/24", "2001:db8:6::11/64"],
  gateways: ["198.51.101.1", "2001:db8:6::1"],
};
/** On a tenant network behind a gateway router. */
const behind: Workload = {
  name: "g1",
  host: "node2",
  mac: "0a:00:00:00:02:11",
  addresses: ["10.2.0.11/24", "2001:db8:2::11/64"],
  gateways: ["10.2.0.1", "2001:db8:2::1"],
};
const WORKLOADS = [
  provider(1, "node1"),
  provider(2, "node2"),
  provider(3, "node1"),
  tagged,
  tenant(1, "node1"),
  tenant(2, "node2"),
  tenant(3, "node2"),
  behind,
];
const NETWORK: Readonly<Record<string, string>> = { p: "prov", t: "blue", v: "vlan", g: "green" };
const bare = ({ addresses = [] }: Workload) => addresses.map((address) => address.split("/")[0]!);
const port = (workload: Workload) =>
  `-- lsp-add ${NETWORK[workload.name[0]!]} ${workload.name} -- lsp-set-addresses ${workload.name} "${workload.mac} ${bare(workload).join(" ")}"`;

const NETWORKS = `ovn-nbctl --wait=hv -- ls-add prov -- lsp-add prov ln -- lsp-set-type ln localnet -- lsp-set-options ln network_name=physnet -- lsp-set-addresses ln unknown \
  -- ls-add blue -- lr-add r1 \
  -- lrp-add r1 r1-prov 0a:00:00:00:05:02 198.51.100.2/24 2001:db8:5::2/64 -- lsp-add prov prov-r1 -- lsp-set-type prov-r1 router -- lsp-set-options prov-r1 router-port=r1-prov nat-addresses=router -- lsp-set-addresses prov-r1 router \
  -- lrp-set-gateway-chassis r1-prov node3 20 -- lr-route-add r1 0.0.0.0/0 198.51.100.1 -- lr-route-add r1 ::/0 2001:db8:5::1 \
  -- lrp-add r1 r1-blue 0a:00:00:00:01:01 10.1.0.1/24 2001:db8:1::1/64 -- lsp-add blue blue-r1 -- lsp-set-type blue-r1 router -- lsp-set-options blue-r1 router-port=r1-blue -- lsp-set-addresses blue-r1 router \
  -- ls-add vlan -- lsp-add vlan ln-vlan "" 30 -- lsp-set-type ln-vlan localnet -- lsp-set-options ln-vlan network_name=physnet -- lsp-set-addresses ln-vlan unknown \
  -- ls-add green -- lr-add r2 -- set logical_router r2 options:chassis=node1 \
  -- lrp-add r2 r2-prov 0a:00:00:00:05:03 198.51.100.3/24 2001:db8:5::3/64 -- lsp-add prov prov-r2 -- lsp-set-type prov-r2 router -- lsp-set-options prov-r2 router-port=r2-prov nat-addresses=router -- lsp-set-addresses prov-r2 router \
  -- lrp-add r2 r2-green 0a:00:00:00:02:01 10.2.0.1/24 2001:db8:2::1/64 -- lsp-add green green-r2 -- lsp-set-type green-r2 router -- lsp-set-options green-r2 router-port=r2-green -- lsp-set-addresses green-r2 router \
  -- lr-route-add r2 0.0.0.0/0 198.51.100.1 -- lr-route-add r2 ::/0 2001:db8:5::1 -- lr-nat-add r2 dnat_and_snat 198.51.100.31 10.2.0.11 -- lr-nat-add r2 dnat_and_snat 2001:db8:5::31 2001:db8:2::11 \
  ${WORKLOADS.map(port).join(" ")} \
  -- lr-nat-add r1 dnat_and_snat 198.51.100.21 10.1.0.11 t1 0a:00:00:00:05:21 \
  -- lr-nat-add r1 dnat_and_snat 198.51.100.22 10.1.0.12 \
  -- lr-nat-add r1 dnat_and_snat 2001:db8:5::21 2001:db8:1::11 t1 0a:00:00:00:05:21 \
  -- lr-nat-add r1 dnat_and_snat 2001:db8:5::22 2001:db8:1::12 \
  -- lb-add lb4 198.51.100.80:80 10.1.0.13:8080 -- lb-add lb6 [2001:db8:5::80]:80 [2001:db8:1::13]:8080 -- lr-lb-add r1 lb4 -- lr-lb-add r1 lb6`;

/** Announcements, by their source. */
const P1 = ["198.51.100.11/32", "2001:db8:5::11/128"];
const P2 = ["198.51.100.12/32", "2001:db8:5::12/128"];
const DISTRIBUTED = ["198.51.100.21/32", "2001:db8:5::21/128"];
const CENTRALISED = ["198.51.100.22/32", "2001:db8:5::22/128"];
const ROUTER = ["198.51.100.2/32", "2001:db8:5::2/128"];
const BALANCERS = ["198.51.100.80/32", "2001:db8:5::80/128"];
const TENANT_HOSTS = ["10.1.0.11/32", "10.1.0.12/32", "10.1.0.13/32", "2001:db8:1::11/128", "2001:db8:1::12/128", "2001:db8:1::13/128"];
const P3 = ["198.51.100.13/32", "2001:db8:5::13/128"];
const TAGGED = ["198.51.101.11/32", "2001:db8:6::11/128"];
const ROUTER2 = ["198.51.100.3/32", "2001:db8:5::3/128", "198.51.100.31/32", "2001:db8:5::31/128", "10.2.0.11/32", "2001:db8:2::11/128"];
const SUBNETS = ["10.1.0.0/24", "2001:db8:1::/64"];
const GATEWAY = [...ROUTER, ...CENTRALISED, ...BALANCERS];

let sandbox: Sandbox;
let fabric: BgpFabric;
let targets: Connections;
liveSandbox({ name: "bgp-agent", hosts: 3, hostsPerZone: 3, fabric: true, workloads: WORKLOADS }, async (live) => {
  sandbox = live;
  fabric = new BgpFabric(sandbox);
  targets = new Connections(sandbox.zones);
  await run("node1", NETWORKS);
  const { northbound } = sandbox.endpoints(sandbox.hosts[0]!);
  await Promise.all(HOSTS.map((host) => run(host, `ovs-vsctl set Open_vSwitch . external_ids:ovn-nb-remote=${northbound}`)));
  await Promise.all(HOSTS.map((host) => fabric.start(host)));
});
afterAll(async () => {
  await targets?.close();
  await fabric?.endAll();
});

const run = (place: string, script: string) => fabric.run(place, script);

let written: Rendered | undefined;
let asked: BgpExposureSpec;
/** The resource's output names what agents and leaves have. */
async function named(wanted: Announced): Promise<void> {
  const all = Object.fromEntries(HOSTS.map((host) => [host, [...(wanted[host] ?? [])].sort()]));
  await becomes("the output", () => announcedByAgents(asked, { targets }), all);
}
/** Writes the exposure as its resource does; undefined: deletes it. */
async function expose(change?: Partial<BgpExposureArgs>): Promise<void> {
  const target = { client: await targets.get("node1", "OVN_Northbound"), owner: OWNER };
  const previous = written?.set;
  if (change === undefined) {
    await removeRows(target, previous!);
    return;
  }
  const spec = (asked = bgpExposure.schema.parse({
    zone: "node1",
    mode: "agent",
    name: "all",
    chassis: [...HOSTS],
    asNumber: 64513,
    gateways: ["2001:db8:5::1", "2001:db8:6::1"],
    ...change,
  }));
  written = bgpExposure.render(spec, await bgpExposure.observe!(spec, { targets }));
  await ensureRows(target, written.set, { previous });
}
const ALL = { providerPorts: true, floatingIPs: true, loadBalancers: true } as const;

/** State after the first test, and again after each failure. */
let now: Announced;
const bareOf = (prefixes: readonly string[]) => prefixes.map((prefix) => prefix.split("/")[0]!);
const addressesOf = (wanted: Announced, of = (_prefix: string): boolean => true) =>
  bareOf(
    Object.values(wanted)
      .flat()
      .filter((prefix) => !/\/(24|64)$/.test(prefix) && of(prefix)),
  );
/** Addresses of workloads. A tenant address with a floating IP is translated on its way back, and a VIP does not answer ping. */
const pinged = (wanted: Announced) =>
  addressesOf(wanted, (prefix) => ![...BALANCERS, ...TENANT_HOSTS.filter((one) => /[12]\//.test(one)), ...ROUTER2.slice(4)].includes(prefix));
const answered = async (vip: string) =>
  until(`an answer of ${vip}`, PATIENCE, async () => (await connects(sandbox, "load balancer", "ext", vip, 80, ["t3"])).failure === undefined);
const balanced = () => serving(sandbox, "t3", 8080, () => Promise.all(["198.51.100.80", "2001:db8:5::80"].map(answered)));

test("each address is announced from the chassis that OVN accepts its packets on, and answers from the fabric", async () => {
  await fabric.announced("nothing is asked for", {});
  await expose({ ...ALL, tenantNetworks: "host" });
  now = { node1: [...P1, ...P3, ...DISTRIBUTED, ...ROUTER2], node2: [...P2, ...TAGGED], node3: [...GATEWAY, ...TENANT_HOSTS] };
  await fabric.announced("all", now);
  await fabric.reaches("ext", ...pinged(now));
  // On one network, but not on one wire: by the fabric, too.
  await fabric.reaches("p1", ...bare(provider(2, "")));
  await balanced();
  await fabric.healthy(now);
  await named(now);
});

test("a moved address is announced from its new chassis, and never again from the old one", async () => {
  const flow = (name: string, kind: Flow["kind"], to: string, over: string[]): Flow => ({ name, kind, protocol: "icmp", from: "ext", to, over });
  await using flows = await Flows.start(sandbox, [
    ...P1.map((prefix) => flow(`to p1 ${prefix}`, "service", prefix.split("/")[0]!, ["node1", "node2"])),
    ...P2.map((prefix) => flow(`to p2 ${prefix}`, "control", prefix.split("/")[0]!, ["node2"])),
  ]);
  const places: string[] = [];
  const answers = P1.map((): Answer[] => []);
  let moved = false;
  const watched = (async () => {
    while (!moved) {
      const asked = performance.now();
      const known = await fabric.known("leaf1");
      const answered = performance.now();
      const announcing = P1.map((prefix) => HOSTS.filter((host) => known[host]!.includes(prefix)));
      announcing.forEach((hosts, at) => answers[at]!.push({ asked, answered, places: hosts }));
      const place = HOSTS.filter((host) => announcing.flat().includes(host)).join(" and ");
      if (place !== places.at(-1)) places.push(place);
    }
  })();
  const move = "a provider workload moves";
  now = { ...now, node1: [...P3, ...DISTRIBUTED, ...ROUTER2], node2: [...P2, ...P1, ...TAGGED] };
  try {
    await flows.stage(move, async () => {
      await sandbox.moveWorkload("p1", "node2");
      await fabric.announced("p1 has moved", now);
      await fabric.reaches("ext", ...bare(provider(1, "")));
    });
  } finally {
    moved = true;
    await watched;
  }
  const report = await flows.end();
  const twice = answers.map(timeInTwoPlaces);
  console.log(
    `${report.table()}\nannounced from: ${places.map((place) => place || "nowhere").join(", ")}; from two places for ${twice.map(Math.round).join(" and ")} ms`,
  );
  expect([places[0], places.indexOf("node2")]).toEqual(["node1", places.length - 1]);
  // Both nodes announce an address for no longer than its packets had no answer, plus the longest stop of the machine (the control's gap).
  const measured = report.measured(move);
  const gaps = (kind: Flow["kind"]) => measured.filter((one) => one.flow.kind === kind).map(({ gap }) => gap);
  const machine = Math.max(...gaps("control"));
  gaps("service").forEach((gap, at) => expect({ gap, machine, longer: twice[at]! > gap + machine }).toEqual({ gap, machine, longer: false }));

  // Its second host is there before it moves.
  await sandbox.addWorkload("node2", { ...provider(3, "node2"), name: "p3b", ifaceId: "p3" });
  await run("node1", "ovn-nbctl --wait=hv lsp-set-options p3 requested-chassis=node1,node2 activation-strategy=rarp");
  await sandbox.moveWorkload("t1", "node3");
  now = { node1: [...P3, ...ROUTER2], node2: now["node2"]!, node3: [...now["node3"]!, ...DISTRIBUTED] };
  await fabric.announced("a floating IP moves with its workload; one that is about to move is still where it was", now);
  await fabric.reaches("ext", ...bareOf(P3));
  await run("node1", "ovn-nbctl --wait=hv lrp-set-gateway-chassis r1-prov node1 30 -- set logical_router r2 options:chassis=node2");
  await Promise.all([activate(), sandbox.moveWorkload("v1", "node3")]);
  now = { node1: [...GATEWAY, ...TENANT_HOSTS], node2: [...P2, ...P1, ...P3, ...ROUTER2], node3: [...DISTRIBUTED, ...TAGGED] };
  await fabric.announced("gateways move with all that is behind them, a workload in a VLAN, and one whose second place was there", now);
  await named(now);
  await fabric.reaches("ext", ...pinged(now));
  await balanced();
});

/** p3 runs on its second chassis from now on, and sends a RARP, as QEMU does. */
async function activate(): Promise<void> {
  const mac = provider(3, "").mac!.replaceAll(":", "");
  await run(
    "node2",
    `ovs-ofctl packet-out br-int "in_port=$(ovs-vsctl get Interface p3b ofport) packet=ffffffffffff${mac}80350001080006040003${mac}00000000${mac}00000000 actions=resubmit(,0)"`,
  );
  await sandbox.removeWorkload("p3");
  await run("node1", "ovn-nbctl --wait=hv lsp-set-options p3 requested-chassis=node2");
}

test("repairs the host after failures", async () => {
  const held = await fabric.held("node1");

  const second = await fabric.once("node1");
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("OVN_AGENT_RUNNING") as string]);

  // These agents can't read exposures of a newer release: nothing is withdrawn, even by an agent that starts then, and changes are followed.
  await run("node1", "ovn-nbctl --wait=sb set NB_Global . 'options:pulumi-ovn-bgp\\:all=newer'");
  await fabric.healthy(now, ["OVN_AGENT_EXPOSURE_HELD all"]);
  expect(await fabric.end("node1", "SIGKILL")).toBe(137);
  expect(await fabric.held("node1")).toBe(held);
  await fabric.announced("without an agent", now);
  // The next agent finds changes made meanwhile.
  await run("node1", "ip route del 198.51.100.22/32 table 1200; ovn-nbctl --wait=hv lb-del lb6");
  now = { ...now, node1: now["node1"]!.filter((prefix) => prefix !== "2001:db8:5::80/128") };
  await fabric.start("node1");
  await fabric.announced("another agent", now);
  expect(await fabric.held("node1")).toBe(
    held
      .split("\n")
      .filter((line) => !line.startsWith("2001:db8:5::80 "))
      .join("\n"),
  );
  await run("node1", "ovn-nbctl --wait=hv lb-add lb6 [2001:db8:5::80]:80 [2001:db8:1::13]:8080 -- lr-lb-add r1 lb6");
  now = { ...now, node1: [...now["node1"]!, "2001:db8:5::80/128"] };
  await fabric.announced("a load balancer more", now);
  await expose({ ...ALL, tenantNetworks: "host" });
  await fabric.healthy(now);

  const folder = join(sandbox.folder, "node1");
  await run("node1", `kill -9 $(cat ${folder}/bgpd.pid)`);
  await fabric.announced("without bgpd", { ...now, node1: [] });
  await run(
    "node1",
    `cd ${folder}; bgpd --daemon --user root --group root --config_file ${folder}/bgpd.conf --pid_file ${folder}/bgpd.pid --log file:${folder}/frr.log > /dev/null 2>&1`,
  );
  await fabric.announced("with bgpd again", now);

  await sandbox.killDaemon("node1", "ovnsb_db");
  await fabric.announced("without the Southbound database", now);
  await sandbox.startDaemon("node1", "ovnsb_db");
  await sandbox.moveWorkload("p2", "node3");
  now = { ...now, node2: now["node2"]!.filter((prefix) => !P2.includes(prefix)), node3: [...now["node3"]!, ...P2] };
  await fabric.announced("followed again", now);

  // The kernel does not report to zebra which routes it deletes with the last address, so FRR would announce the floating IP indefinitely.
  await run("node1", "ip -4 address flush dev br-ex & ovn-nbctl lr-nat-del r1 dnat_and_snat 198.51.100.22; wait");
  await fabric.announced("a floating IP deleted while addresses are flushed", {
    ...now,
    node1: now["node1"]!.filter((prefix) => prefix !== "198.51.100.22/32"),
  });
  await run("node1", "ovn-nbctl --wait=hv lr-nat-add r1 dnat_and_snat 198.51.100.22 10.1.0.12");
  await fabric.announced("the floating IP is back", now);
  await fabric.healthy(now);

  await run(
    "node1",
    `ovs-ofctl del-flows br-ex ip; ovs-ofctl del-flows br-ex ipv6; ip -6 neighbour del proxy 2001:db8:5::1 dev br-ex
  for family in -4 -6; do
    ip $family route flush table 1200; ip $family rule del priority 32000; ip $family neighbour flush nud permanent dev br-ex
  done
  ip -4 address flush dev br-ex; ip -6 address flush dev br-ex to fd53:d91e:400:7f17::/64`,
  );
  await becomes("all flushed by hand", () => fabric.held("node1"), held);
  await fabric.announced("all flushed by hand", now);
  await fabric.reaches("ext", ...pinged(now));
  await balanced();
  await fabric.healthy(now);
}, 300_000);

test("a hanging zebra is reported, and announcements stay", async () => {
  const zebra = `$(cat ${join(sandbox.folder, "node1")}/zebra.pid)`;
  const updates = async () => updateTimes(await run("leaf1", SHOW_PATHS)).sort();
  const status = () => run("node1", `${process.execPath} -e 'fetch("http://127.0.0.1:9475/healthz").then(({ status }) => console.log(status))'`);
  expect(await status()).toBe("200");
  const before = await updates();
  await run("node1", `kill -STOP ${zebra}`);
  try {
    await fabric.healthy(now, { of: { node1: ["OVN_AGENT_FRR_DOWN FRR"] } });
    expect(await status()).toBe("503");
  } finally {
    await run("node1", `kill -CONT ${zebra}`);
  }
  await fabric.healthy(now);
  expect(await status()).toBe("200");
  await fabric.announced("zebra hung", now);
  const after = await updates();
  expect([before.length > 0, after.length, laterUpdates(before, after)]).toEqual([true, before.length, []]);
}, 300_000);

test("on a bridge that gets an uplink the host answers no ARP for others", async () => {
  // A machine on the segment asks for an address that the host reaches another way.
  const asked = "192.0.2.1";
  await run("node1", `ip link add up0 type veth peer name seg0 netns $(cat ${sandbox.folder}/g1/pid); ip link set up0 up`);
  await run("g1", `ip addr add 198.51.100.50/32 dev seg0; ip link set seg0 up; ip route add ${asked} dev seg0 src 198.51.100.50`);
  const answered = () =>
    run(
      "g1",
      `ip neigh flush dev seg0; ping -c1 -W2 ${asked} > /dev/null || true; ip neigh show ${asked} dev seg0 | grep -q lladdr && echo answered || echo silence`,
    );
  try {
    expect(await fabric.end("node1", "SIGKILL")).toBe(137);
    await run("node1", "ovs-vsctl add-port br-ex up0");
    expect(await answered()).toBe("answered");
    await fabric.start("node1");
    const without = { ...now, node1: [] };
    await fabric.announced("an uplink", without);
    await fabric.healthy(without, { of: { node1: ["OVN_AGENT_UPLINK br-ex"] } });
    expect(await answered()).toBe("silence");
    await fabric.reaches("ext", ...pinged(without));

    await run("node1", "ovs-vsctl del-port br-ex up0");
    await fabric.announced("without the uplink", now);
    await run("node1", "ovs-vsctl add-port br-ex up0");
    await fabric.announced("an uplink while the agent runs", without);
    expect(await answered()).toBe("silence");
  } finally {
    await run("node1", "ovs-vsctl --if-exists del-port br-ex up0; ip link del up0");
  }
  await fabric.announced("without the uplink again", now);
  await fabric.reaches("ext", ...pinged(now));
  await fabric.healthy(now);
}, 300_000);

test("deleted addresses, and those of deleted exposures, are withdrawn", async () => {
  // By themselves: northd 25.03 leaves the VIP of a load balancer in nat_addresses that goes in one transaction with NAT of its router.
  await run(
    "node1",
    "ovn-nbctl --wait=sb lb-del lb4; ovn-nbctl --wait=hv lsp-del p2 -- lsp-del v1 -- lr-del r2 -- lsp-del prov-r2 -- lsp-del green-r2 -- lr-nat-del r1 dnat_and_snat 198.51.100.21 -- lr-nat-del r1 dnat_and_snat 198.51.100.22 -- lr-nat-del r1 dnat_and_snat 2001:db8:5::21 -- lr-nat-del r1 dnat_and_snat 2001:db8:5::22",
  );
  await fabric.announced("deleted", { node1: [...ROUTER, "2001:db8:5::80/128", ...TENANT_HOSTS], node2: [...P1, ...P3] });
  await fabric.unreachable("ext", "198.51.100.12", "2001:db8:5::12", ...bareOf(DISTRIBUTED), ...bareOf([...CENTRALISED, ...TAGGED, ...ROUTER2]));
  await expose({ providerPorts: true, tenantNetworks: "subnet" });
  now = { node1: [...ROUTER, ...SUBNETS], node2: [...P1, ...P3] };
  await fabric.announced("by subnet", now);
  await named(now);
  await fabric.reaches("ext", ...[tenant(1, ""), tenant(2, ""), tenant(3, "")].flatMap(bare), ...pinged(now));
  await fabric.unreachable("ext", "2001:db8:5::80");

  // A tenant network behind another chassis that has a part of another one's addresses takes none of its packets.
  const pair = (one: string, other: string) => ({ of: { node1: [`OVN_AGENT_OVERLAP ${one} and ${other}`], node2: [`OVN_AGENT_OVERLAP ${one} and ${other}`] } });
  await run(
    "node1",
    `ovn-nbctl --wait=hv lr-add r3 -- set logical_router r3 options:chassis=node2 -- ls-add thief \
    -- lrp-add r3 r3-prov 0a:00:00:00:05:04 198.51.100.4/24 -- lsp-add prov prov-r3 -- lsp-set-type prov-r3 router -- lsp-set-options prov-r3 router-port=r3-prov -- lsp-set-addresses prov-r3 router \
    -- lrp-add r3 r3-thief 0a:00:00:00:04:01 10.1.0.1/25 -- lsp-add thief thief-r3 -- lsp-set-type thief-r3 router -- lsp-set-options thief-r3 router-port=r3-thief -- lsp-set-addresses thief-r3 router`,
  );
  const contested = { node1: [...ROUTER, SUBNETS[1]!], node2: [...now["node2"]!, "198.51.100.4/32"] };
  await fabric.announced("two tenants with one address", contested);
  await fabric.healthy(contested, pair("blue", "thief"));
  await named(contested);
  await run("node1", "ovn-nbctl --wait=hv lr-del r3 -- lsp-del prov-r3 -- ls-del thief");
  await fabric.announced("one of the tenants is gone", now);

  // A network around the tunnels of other chassis, and a workload with the address of one: both are named, and tunnels go on.
  const taken = "198.18.0.1";
  await run(
    "node1",
    `ovn-nbctl --wait=hv ls-add around -- lrp-add r1 r1-around 0a:00:00:00:03:01 198.18.0.2/31 -- lsp-add around around-r1 -- lsp-set-type around-r1 router -- lsp-set-options around-r1 router-port=r1-around -- lsp-set-addresses around-r1 router -- lsp-set-addresses p1 "${provider(1, "").mac} ${bare(provider(1, "")).join(" ")} ${taken}"`,
  );
  await fabric.healthy(now, { of: { node1: ["OVN_AGENT_HOST_NETWORK around"], node2: ["OVN_AGENT_HOST_NETWORK prov"] } });
  await fabric.announced("around tunnels", now);
  await named(now);
  await fabric.reaches("ext", ...[tenant(1, ""), tenant(2, ""), tenant(3, "")].flatMap(bare));
}, 300_000);

test("an ending agent keeps its objects; --withdraw and the end of the exposure remove them", async () => {
  const held = await fabric.held("node1");
  expect(await fabric.end("node1", "SIGTERM")).toBe(0);
  expect(await fabric.held("node1")).toBe(held);
  await fabric.announced("without an agent", now);
  expect(await fabric.once("node1", "--withdraw")).toMatchObject({ code: 0, stderr: "" });
  expect(await fabric.held("node1")).toBe("");
  await fabric.announced("withdrawn", { ...now, node1: [] });
  expect(await fabric.held("node2")).not.toBe("");
  await expose();
  await fabric.announced("nothing is asked for", {});
  for (const host of ["node2", "node3"]) await becomes(`what is left on ${host}`, () => fabric.held(host), "");
}, 300_000);

/** The agent's hand on a real host: kernel, Open vSwitch and FRR, looked at from outside by their own tools. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { desired as desiredOf, Host } from "@pulumi-ovn/agent";
import { apply, groupsOf, MAX_SCAN_DELAY, plan, type ProgramEnvironment, readFrr, readOrigins, ScanCache, watch } from "@pulumi-ovn/agent/testing";
import { flowsOfLink } from "@pulumi-ovn/provider/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type HostState, NOTHING } from "@pulumi-ovn/provider/agent";
import { bySocket, prefixesIn, SHOW_TABLES } from "../../support/bgp-tables";
import { hasVrf } from "../../support/kernel";
import { processesWith } from "../../support/processes";
import { Switches } from "../../support/switches";
import { bound, EXT, HERE, joined, snapshot } from "../../unit/agent/desired/snapshots";

const AS = 64513;
const TABLE = 1087;
const MAC = "0a:00:00:00:00:07";
const switches = Switches.of({ name: "agent-host", hosts: 1, frr: true, workloads: [] });
const ends: (() => unknown)[] = [];
let client: OvsdbClient;
let host: Host;

const sh = async (script: string, place = "node1"): Promise<string> => {
  const { code, stdout, stderr } = await switches.sandbox.exec(place, ["sh", "-ec", script], { timeout: 30_000 });
  if (code !== 0) throw new Error(`${script}: ${stdout}${stderr}`);
  return stdout.trim();
};
/** A new command each time: a process may end at any time, and the next process knows nothing about it. */
const command = () => [...switches.sandbox.targets.hosts["node1"]!.command];
const newHost = (): Host => new Host({ openvswitch: client, command: command() });

beforeAll(async () => {
  client = await connect(switches.sandbox.targets.hosts["node1"]!.openvswitch!, { database: "Open_vSwitch" });
  host = newHost();
  await sh("sysctl -qw net.ipv6.conf.all.forwarding=1 2>/dev/null || echo 1 > /proc/sys/net/ipv6/conf/all/forwarding");
  await switches.bridge("node1", "br-pro", "patch-pro");
  await switches.bridge("node1", "br-two");
}, 60_000);
afterAll(async () => {
  await client.close();
});
// Each test leaves nothing of the agent's.
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  expect((await newHost().converge(NOTHING)).problems).toEqual([]);
  expect(await kept()).toEqual([]);
  // bgpd processes zebra's message some time after the agent has withdrawn the route.
  await until("announcements to end", 20_000, async () => (await announced()).length === 0);
}, 60_000);

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .filter(Boolean);

/** Everything that has the agent's marks, as the tools print it. */
async function kept(): Promise<string[]> {
  const cookie = await sh("ovs-ofctl -O OpenFlow14 --no-stats --names dump-flows br-pro");
  const kernel =
    await sh(`ip -4 route show table all proto 87; ip -6 route show table all proto 87; ip rule show | grep 'proto 87' || true; ip -6 rule show | grep 'proto 87' || true
    ip neigh show nud permanent | grep 'proto 87' || true; ip neigh show proxy | grep 'proto 87' || true; ip -o addr show | grep -E 'inet (169\\.254)|fd53:d91e' | sed 's/^[0-9]*: //; s/ *\\\\.*//' || true
    ovs-vsctl --timeout=5 --bare --columns=name,tag find Port 'external_ids:pulumi-ovn-agent=true' | tr '\\n' ' '; echo
    ${bySocket("show running-config")} | grep -E 'table-direct|route-map pulumi| vrf ' | sort -u || true
    ip -o link show group 87 | sed 's/^[0-9]*: \\([^:]*\\): .*/device \\1/'`);
  return [...lines(kernel), ...lines(cookie).filter((line) => line.includes("0xc58ba93161ba2261"))];
}

/** Prefixes that the upstream router has learned. */
const announced = async (): Promise<string[]> => prefixesIn(await sh(SHOW_TABLES, "ext"));
const upstreamHas = async (prefixes: readonly string[]): Promise<void> => {
  await until("what is announced", 30_000, async () => JSON.stringify(await announced()) === JSON.stringify(prefixes)).catch(async () =>
    expect(await announced()).toEqual(prefixes),
  );
};

const base: HostState = {
  ...NOTHING,
  devices: ["br-pro"],
  addresses: [
    { device: "br-pro", address: "169.254.1.1/32" },
    { device: "br-pro", address: "fd53:d91e:400:7f17::1:1/128" },
  ],
  rules: [
    { family: 4, priority: 32000, table: TABLE },
    { family: 6, priority: 32000, table: TABLE },
  ],
  flows: [{ bridge: "br-pro", flows: ["priority=900,ip,in_port=1,actions=set_field:0a:00:00:00:00:09->eth_dst,NORMAL"] }],
  bgp: { asNumber: AS, routerId: null, table: TABLE },
};
const route = (destination: string, via: string | null = null, device = "br-pro") => ({ table: TABLE, destination, device, via });
/** Parts of every state that announces. */
const baseline = [
  "32000: from all lookup 1087 proto 87",
  "32000: from all lookup 1087 proto 87",
  "br-pro inet 169.254.1.1/32 scope global proto 0x57 br-pro",
  "br-pro inet6 fd53:d91e:400:7f17::1:1/128 scope global nodad proto 0x57",
  "redistribute table-direct 1087 route-map pulumi-ovn-agent",
  "route-map pulumi-ovn-agent permit 10",
  'cookie=0xc58ba93161ba2261, priority=900,ip,in_port="patch-pro" actions=set_field:0a:00:00:00:00:09->eth_dst,NORMAL',
];
const without = async (some: readonly string[]) => (await kept()).filter((line) => !some.includes(line));
const clean = { isScanned: true, problems: [], changed: 0 };

describe("effects of the driver's interface on FRR, kernel and Open vSwitch, and their removal", () => {
  test("expose_ip and withdraw_ip, of a provider port, a floating IP and a load balancer on a provider network (expose_ovn_lb_on_provider)", async () => {
    const desired = { ...base, routes: [route("198.51.100.5/32"), route("2001:db8::5/128")] };
    expect((await host.converge(desired)).problems).toEqual([]);
    expect(await without(baseline)).toEqual(["198.51.100.5 dev br-pro table 1087 scope link", "2001:db8::5 dev br-pro table 1087 metric 1024 pref medium"]);
    expect((await kept()).filter((line) => baseline.includes(line)).sort()).toEqual(baseline.toSorted());
    expect(
      await sh(
        `cd /proc/sys/net; cat ${["ipv4/conf/br-pro/proxy_arp", "ipv6/conf/br-pro/proxy_ndp", "ipv4/conf/br-pro/forwarding", "ipv6/conf/br-pro/forwarding", "ipv4/neigh/br-pro/proxy_delay", "ipv6/neigh/br-pro/proxy_delay"].join(" ")} | tr '\\n' ' '`,
      ),
    ).toBe("1 1 1 1 0 0");
    await upstreamHas(["198.51.100.5/32", "2001:db8::5/128"]);
    expect(await host.converge(desired)).toEqual(clean);

    await host.converge({ ...desired, routes: [route("198.51.100.5/32")] });
    expect(await without(baseline)).toEqual(["198.51.100.5 dev br-pro table 1087 scope link"]);
    await upstreamHas(["198.51.100.5/32"]);
  }, 60_000);

  test("expose_subnet, expose_remote_ip and what withdraws them: through the gateway, whose neighbour is permanent", async () => {
    const gateway = {
      ...base,
      routes: [route("198.51.100.2/32"), route("2001:db8::2/128")],
      neighbors: ["198.51.100.2", "2001:db8::2"].map((address) => ({ device: "br-pro", address, mac: "0a:00:00:00:00:02" })),
      proxies: [{ device: "br-pro", address: "2001:db8::" }],
    };
    const behind = [route("10.1.0.0/24", "198.51.100.2"), route("10.2.0.7/32", "198.51.100.2"), route("2001:db8:1::/64", "2001:db8::2")];
    expect((await host.converge({ ...gateway, routes: [...gateway.routes, ...behind] })).problems).toEqual([]);
    const way = [
      "198.51.100.2 dev br-pro lladdr 0a:00:00:00:00:02 PERMANENT proto 87",
      "2001:db8::2 dev br-pro lladdr 0a:00:00:00:00:02 PERMANENT proto 87",
      "2001:db8:: dev br-pro proxy proto 87",
    ];
    expect((await without(baseline)).sort()).toEqual(
      [
        "10.1.0.0/24 via 198.51.100.2 dev br-pro table 1087 onlink",
        "10.2.0.7 via 198.51.100.2 dev br-pro table 1087 onlink",
        "198.51.100.2 dev br-pro table 1087 scope link",
        "2001:db8:1::/64 via 2001:db8::2 dev br-pro table 1087 metric 1024 onlink pref medium",
        "2001:db8::2 dev br-pro table 1087 metric 1024 pref medium",
        ...way,
      ].sort(),
    );
    await upstreamHas(["10.1.0.0/24", "10.2.0.7/32", "198.51.100.2/32", "2001:db8:1::/64", "2001:db8::2/128"]);
    // The kernel takes that way for a packet of the fabric.
    expect(await sh("ip route get 10.1.0.99")).toMatch(/^10.1.0.99 via 198.51.100.2 dev br-pro table 1087 /);

    await host.converge(gateway);
    expect((await without(baseline)).sort()).toEqual(
      ["198.51.100.2 dev br-pro table 1087 scope link", "2001:db8::2 dev br-pro table 1087 metric 1024 pref medium", ...way].sort(),
    );
    await upstreamHas(["198.51.100.2/32", "2001:db8::2/128"]);
  }, 60_000);

  test("the bridge does not learn its own MAC from a frame of OVN: packets for the host still arrive (2089297)", async () => {
    const mac = await sh("ovs-vsctl --timeout=5 get Interface br-pro mac_in_use | tr -d '\"'");
    const trace = (flow: string) => sh(`ovs-appctl ofproto/trace br-pro in_port=patch-pro,${flow} -generate | sed -n 's/^Datapath actions: //p'`);
    const spoofed = () => trace(`dl_src=${mac},dl_dst=ff:ff:ff:ff:ff:ff,ip,nw_src=198.51.100.6,nw_dst=192.0.2.1`);
    const delivered = () => trace(`dl_src=0a:00:00:00:00:55,dl_dst=0a:00:00:00:00:66,ip,nw_src=198.51.100.5,nw_dst=192.0.2.1`);
    const learned = async () => (await sh("ovs-appctl fdb/show br-pro")).includes(`  ${mac} `);
    const number = await sh("ovs-vsctl --timeout=5 get Interface patch-pro ofport");
    const flows = flowsOfLink({ device: "br-pro", bridge: "br-pro", mac, tag: null, patch: number, index: 1 });
    // Without the first flow it would be so.
    await host.converge({ ...base, flows: [{ bridge: "br-pro", flows: flows.slice(1) }] });
    const before = await delivered();
    await spoofed();
    expect([await learned(), (await delivered()) === before]).toEqual([true, false]);
    await sh("ovs-appctl fdb/flush br-pro");
    await host.converge({ ...base, flows: [{ bridge: "br-pro", flows }] });
    expect([await spoofed(), await learned(), await delivered()]).toEqual(["drop", false, before]);
    await host.converge(base);
  }, 60_000);

  test("packets of a router's port with the bridge's MAC leave by other writers' flows, which a drop would break", async () => {
    const mac = await sh("ovs-vsctl --timeout=5 get Interface br-pro mac_in_use | tr -d '\"'");
    const number = await sh("ovs-vsctl --timeout=5 get Interface patch-pro ofport");
    const out = async () => {
      await sh("ovs-appctl fdb/flush br-pro");
      return await sh(
        `ovs-appctl ofproto/trace br-pro in_port=patch-pro,dl_src=${mac},dl_dst=0a:00:00:00:00:66,ip,nw_src=198.51.100.2,nw_dst=192.0.2.1 -generate | sed -n 's/^Datapath actions: //p'`,
      );
    };
    const flowsThere = () => sh("ovs-ofctl -O OpenFlow14 --no-stats --names dump-flows br-pro");
    const workload = bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9");
    const wanted = (own: string) =>
      desiredOf(
        snapshot(
          [EXT, workload, ...joined("router2", "ext", `${own} 198.51.100.2/24`, { type: "l3gateway", router: { chassis: HERE } })],
          { providerPorts: true },
          { bridges: { physnet: { name: "br-pro", mac, patches: { ln: number } } } },
        ),
      ).state;
    await sh(`ovs-ofctl add-flow br-pro cookie=0xdeff105,priority=10,in_port=patch-pro,dl_src=${mac},actions=NORMAL`);
    ends.push(() => sh("ovs-ofctl del-flows br-pro cookie=0xdeff105/-1"));
    const [theirs, before] = [await flowsThere(), await out()];
    expect(before).not.toBe("drop");
    // If the router has another MAC, the frame belongs to no router.
    const { flows } = wanted("0a:00:00:00:00:02");
    await host.converge({ ...base, flows });
    expect(await out()).toBe("drop");
    // Leaving out the first flow is not enough: the bridge has learned the MAC at the port from which the packet came.
    await host.converge({ ...base, flows: [{ bridge: "br-pro", flows: flows[0]!.flows.slice(1) }] });
    expect(await out()).toBe("drop");
    const shared = wanted(mac);
    expect((await host.converge(shared)).problems).toEqual([]);
    expect([await flowsThere(), await out(), shared.routes]).toEqual([theirs, before, []]);
  }, 60_000);

  test("FRR's daemons survive repeated additions and removals (2049736)", async () => {
    const folder = join(switches.sandbox.folder, "node1");
    const alive = () => sh(`for daemon in bgpd zebra; do pid=$(cat ${folder}/$daemon.pid); kill -0 $pid; echo $pid $(awk '{print $22}' /proc/$pid/stat); done`);
    const before = await alive();
    for (const round of [1, 2, 3]) {
      expect([
        round,
        (await newHost().converge({ ...base, routes: [route("198.51.100.5/32")] })).problems,
        (await newHost().converge(NOTHING)).problems,
      ]).toEqual([round, [], []]);
    }
    expect(await alive()).toBe(before);
  }, 60_000);

  test("a network with a tag has a port in the VLAN with the bridge's MAC, which moves between bridges and is removed", async () => {
    const tagged = (bridge: string, tag: number): HostState => ({
      ...base,
      taggedPorts: [{ name: "bgp100-abcdefg", bridge, tag, mac: MAC }],
      devices: ["br-pro", "bgp100-abcdefg"],
      addresses: [...base.addresses, { device: "bgp100-abcdefg", address: "169.254.1.100/32" }],
      routes: [route("198.51.100.9/32", null, "bgp100-abcdefg")],
    });
    for (const [bridge, tag] of [
      ["br-pro", 100],
      ["br-pro", 4000],
      ["br-two", 4000],
    ] as const) {
      expect((await host.converge(tagged(bridge, tag))).problems).toEqual([]);
      expect(
        await sh(
          "ovs-vsctl --timeout=5 port-to-br bgp100-abcdefg; ovs-vsctl --timeout=5 get Port bgp100-abcdefg tag; cat /sys/class/net/bgp100-abcdefg/address 2>/dev/null || ip -br link show bgp100-abcdefg | grep -o 0a:00:00:00:00:07",
        ),
      ).toBe(`${bridge}\n${tag}\n${MAC}`);
      expect(await sh("ip route show table 1087")).toBe("198.51.100.9 dev bgp100-abcdefg proto 87 scope link");
    }
    await upstreamHas(["198.51.100.9/32"]);
    await host.converge(base);
    expect(await sh("ovs-vsctl --timeout=5 --bare --columns=name find Interface name=bgp100-abcdefg; ip -o link | grep -c bgp100 || true")).toBe("0");
  }, 60_000);
});

describe("the host recovers", () => {
  const desired: HostState = {
    ...base,
    routes: [route("198.51.100.2/32"), route("10.1.0.0/24", "198.51.100.2"), route("2001:db8::5/128")],
    neighbors: [{ device: "br-pro", address: "198.51.100.2", mac: "0a:00:00:00:00:02" }],
    proxies: [{ device: "br-pro", address: "2001:db8::" }],
  };

  test("after manual flushes, a bridge set down (no ENETDOWN) and changed settings, one round restores the host, and the watch has reported each change", async () => {
    await host.converge(desired);
    const before = await kept();
    let told = 0;
    ends.push(watch({ command: command(), timeout: 30 }, () => told++));
    // The watch does not report its start. A change by the test shows that the watch listens.
    await until("the watch", 20_000, async () => (await sh("ip rule add priority 5 lookup 99; ip rule del priority 5 lookup 99"), told > 0));
    for (const harm of [
      "ip address flush dev br-pro; ip route show table 1087 | grep -c . && exit 1 || true",
      "ip -4 rule del priority 32000; ip -6 rule del priority 32000; ip neigh flush dev br-pro nud permanent; ip route flush table 1087; ip -6 route flush table 1087",
      "echo 0 > /proc/sys/net/ipv4/conf/br-pro/proxy_arp",
      "ip link set br-pro down; echo 0 > /proc/sys/net/ipv4/conf/br-pro/proxy_arp",
    ]) {
      const heard = told;
      await sh(harm);
      await until("news", 20_000, () => told > heard);
      expect((await host.converge(desired)).problems).toEqual([]);
      expect([await kept(), await sh("cat /proc/sys/net/ipv4/conf/br-pro/proxy_arp")]).toEqual([before, "1"]);
    }
    await sh(
      "ovs-ofctl del-flows br-pro; vtysh -d bgpd -c 'configure terminal' -c 'router bgp 64513' -c 'address-family ipv4 unicast' -c 'no redistribute table-direct 1087'; ip -6 neigh del proxy 2001:db8:: dev br-pro",
    );
    expect((await host.converge(desired)).problems).toEqual([]);
    expect(await kept()).toEqual(before);
    expect(await sh("cat /proc/sys/net/ipv4/conf/br-pro/proxy_arp")).toBe("1");
    await upstreamHas(["10.1.0.0/24", "198.51.100.2/32", "2001:db8::5/128"]);
    // Its own changes cause no endless rounds: a round after the last change finds nothing.
    expect(await host.converge(desired)).toEqual(clean);
  }, 90_000);

  test("a bridge that gets an uplink stops answering for other addresses, and has no routes", async () => {
    await host.converge(desired);
    const { flows: _flows, ...uplinked } = { ...NOTHING, bgp: base.bgp, rules: base.rules, silent: ["br-pro"] };
    expect((await host.converge({ ...uplinked, flows: [] })).problems).toEqual([]);
    const answers = () => sh("cat /proc/sys/net/ipv4/conf/br-pro/proxy_arp /proc/sys/net/ipv6/conf/br-pro/proxy_ndp | tr '\\n' ' '");
    expect([await answers(), await sh("ip route show table 1087; ip -o -4 address show dev br-pro")]).toEqual(["0 0", ""]);
    // A setting of others stays.
    await sh("echo 1 > /proc/sys/net/ipv4/conf/br-pro/proxy_arp");
    await host.converge({ ...uplinked, flows: [] });
    expect(await answers()).toBe("1 0");
  }, 60_000);

  test("after an end between any two commands, the next process does exactly the rest", async () => {
    for (const [from, to] of [
      [NOTHING, desired],
      [desired, { ...base, routes: [route("198.51.100.7/32")], bgp: null }],
    ] as const) {
      await newHost().converge(from);
      const all = groupsOf(plan(to, await newHost().read(to)).steps);
      expect(all.length).toBeGreaterThan(5);
      const words = (groups: typeof all) =>
        groups
          .flat()
          .map((step) => JSON.stringify(step))
          .sort();
      for (const [done, group] of all.entries()) {
        expect(words([plan(to, await newHost().read(to)).steps.slice()])).toEqual(words(all.slice(done)));
        expect(await apply({ command: command(), timeout: 30 }, client, group)).toEqual([]);
      }
      expect(await newHost().converge(to)).toEqual(clean);
    }
  }, 90_000);

  test("a killed FRR is a problem while it is down; after its start the routes are announced again, although its files do not contain the agent's lines", async () => {
    await host.converge(desired);
    await upstreamHas(["10.1.0.0/24", "198.51.100.2/32", "2001:db8::5/128"]);
    const folder = join(switches.sandbox.folder, "node1");
    const peer = (await sh("vtysh -d bgpd -c 'show running-config' | sed -n 's/^ neighbor \\([0-9.]*\\) remote-as.*/\\1/p'")).split("\n")[0]!;
    await sh(`pid=$(cat ${folder}/bgpd.pid); kill -9 $pid; while kill -0 $pid 2>/dev/null; do sleep 0.01; done`);
    const down = { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "FRR's bgpd does not answer: Exiting: failed to connect to any daemons." };
    expect((await host.converge(desired)).problems).toEqual([down]);
    // Whom it will have sessions with a new process does not know; one that has seen it does.
    const more = { ...desired, routes: [...desired.routes, route("198.51.100.9/32"), route(`${peer}/32`)] };
    const made = () => sh(`ip route show table 1087 | grep -cE '^(198.51.100.9|${peer}) ' || true`);
    expect([(await newHost().converge(more)).problems, await made()]).toEqual([[down], "0"]);
    const { problems } = await host.converge(more);
    expect([problems.map(({ code, subject }) => `${code} ${subject}`), await made()]).toEqual([
      [`OVN_AGENT_HOST_NETWORK ${peer}/32`, "OVN_AGENT_FRR_DOWN FRR"],
      "1",
    ]);
    await sh(
      `cd ${folder}; bgpd --daemon --user root --group root --config_file $PWD/bgpd.conf --pid_file $PWD/bgpd.pid --log file:$PWD/frr.log > /dev/null 2>&1 < /dev/null`,
    );
    await until("FRR", 20_000, async () => (await host.converge(desired)).problems.length === 0);
    await upstreamHas(["10.1.0.0/24", "198.51.100.2/32", "2001:db8::5/128"]);
  }, 90_000);

  test("FRR is not notified of routes that go with an address, nor of any without zebra: the agent makes it withdraw what it still announces", async () => {
    const stale = { ...desired, routes: [...desired.routes, route("198.51.100.9/32")] };
    const left = ["10.1.0.0/24", "198.51.100.2/32", "2001:db8::5/128"];
    /** As the daemon does, until all is right: what has left problems is tried again. */
    const heals = async (what: string, state: HostState, wanted: readonly string[]) => {
      let left = 0;
      await until(what, 90_000, async () => {
        if (left > 0 || (await host.frrDiffers())) left = (await host.converge(state)).problems.length;
        return JSON.stringify(await announced()) === JSON.stringify(wanted);
      });
    };
    await host.converge(stale);
    await upstreamHas([...left.slice(0, 2), "198.51.100.9/32", left[2]!]);
    await sh("ip -4 address flush dev br-pro");
    expect((await host.converge(desired)).problems).toEqual([]);
    expect(await sh("ip route show table 1087 | grep -c 198.51.100.9 || true")).toBe("0");
    await sleep(1_000);
    expect(await announced()).toContain("198.51.100.9/32");
    await heals("what was flushed to be withdrawn", desired, left);
    expect((await host.converge(desired)).problems).toEqual([]);

    const folder = join(switches.sandbox.folder, "node1");
    await sh(`pid=$(cat ${folder}/zebra.pid); kill -9 $pid; while kill -0 $pid 2>/dev/null; do sleep 0.01; done`);
    const down = [["OVN_AGENT_FRR_DOWN", "FRR's zebra does not answer"]];
    const problems = async (state: HostState) => (await host.converge(state)).problems.map(({ code, message }) => [code, message.split(":")[0]]);
    expect(await host.frrDiffers()).toBe(true);
    const fewer = { ...desired, routes: desired.routes.filter(({ destination }) => destination !== "2001:db8::5/128") };
    for (const state of [desired, fewer, fewer]) expect(await problems(state)).toEqual(down);
    expect([await host.frrDiffers(), await announced()]).toEqual([false, left]);
    await sh(`cd ${folder}; zebra --daemon --user root --group root --pid_file ${folder}/zebra.pid --log file:${folder}/frr.log > /dev/null 2>&1`);
    await heals("the route that was deleted without zebra to be withdrawn", fewer, left.slice(0, 2));
    await until("the host to be right", 20_000, async () => JSON.stringify(await host.converge(fewer)) === JSON.stringify(clean));
    // An agent that was killed between the two steps left a blackhole. The next one removes it.
    await sh(`ip -6 route add blackhole 2001:db8::77/128 table ${TABLE} proto 87; ip route add blackhole 198.51.100.77/32 table ${TABLE} proto 87`);
    // Zebra has all routes again: what is added and deleted from now on reaches the neighbour.
    expect((await newHost().converge(desired)).problems).toEqual([]);
    expect(await sh(`ip route show table ${TABLE} type blackhole; ip -6 route show table ${TABLE} type blackhole`)).toBe("");
    expect((await host.converge(desired)).problems).toEqual([]);
    await upstreamHas(left);
  }, 240_000);

  test("a restart of the switch is detected by its sockets, because the kernel's datapath reports nothing, and its flows are written again", async () => {
    await host.converge(desired);
    const before = await kept();
    let told = 0;
    const { sandbox } = switches;
    const folder = join(sandbox.folder, "node1");
    // No news of the kernel, nor of FRR.
    ends.push(watch({ command: command(), timeout: 30 }, () => told++, { onEvent: () => false, folder: join(folder, "none"), bridges: folder }));
    // Twice after its start, when it surely listens.
    await until("the start of the watch", 20_000, () => told === 2);
    await sandbox.killDaemon("node1", "ovs-vswitchd");
    expect((await host.converge(desired)).problems).toMatchObject([{ code: "OVN_AGENT_FLOWS", subject: "br-pro" }]);
    expect(told).toBe(2);
    await sandbox.startDaemon("node1", "ovs-vswitchd");
    await until("the news", 20_000, () => told > 2);
    await until("the switch", 20_000, async () => (await host.converge(desired)).problems.length === 0);
    expect(await kept()).toEqual(before);
  }, 60_000);

  test("with a hanging bgpd everything else is withdrawn, its lines are reported, and they are removed when it answers", async () => {
    await host.converge(desired);
    const pid = await sh(`cat ${join(switches.sandbox.folder, "node1")}/bgpd.pid`);
    await sh(`kill -STOP ${pid}`);
    const { problems } = await newHost()
      .converge(NOTHING)
      .finally(() => sh(`kill -CONT ${pid}`));
    expect(problems).toEqual([
      {
        code: "OVN_AGENT_FRR_DOWN",
        subject: "FRR",
        message:
          "FRR's bgpd does not answer: vtysh did not end within 5 s; what its running configuration has of the agent's (lines with route-map pulumi-ovn-agent) is not withdrawn",
      },
    ]);
    expect(await kept()).toEqual(["redistribute table-direct 1087 route-map pulumi-ovn-agent", "route-map pulumi-ovn-agent permit 10"]);
    expect(await newHost().converge(NOTHING)).toMatchObject({ problems: [], changed: 3 });
    expect(await kept()).toEqual([]);
  }, 90_000);

  test("FRR's daemons answer by their sockets as by vtysh; one that hangs is reported, and vtysh is asked where there is no socket", async () => {
    await host.converge(desired);
    const file = join(switches.sandbox.folder, "node1/bgpd.pid");
    const bgpd = processesWith(file)[0]!;
    const sockets = join("/proc", String(bgpd), "root", "run/frr");
    const bySockets = { command: ["false"], timeout: 1, sockets };
    const read = async (environment: ProgramEnvironment) => readOrigins(environment, await readFrr(environment));
    const found = await read({ command: command(), timeout: 30 });
    expect(found).toMatchObject({ running: true, mark: true, origins: { 4: { prefixes: ["10.1.0.0/24", "198.51.100.2/32"] } } });
    expect(await read(bySockets)).toEqual(found);

    const hanging = async () => (await readFrr(bySockets)) as { problem?: unknown };
    await sh(`kill -STOP $(cat ${file})`);
    const { problem } = await hanging().finally(() => sh(`kill -CONT $(cat ${file})`));
    expect(problem).toEqual({ code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "FRR's bgpd does not answer: no answer within 1 s" });
    expect(await readFrr({ command: command(), timeout: 30, sockets: "/none" })).toEqual({ ...found, origins: undefined });
  }, 60_000);

  test("a start of an FRR daemon is reported immediately and when its configuration was read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frr-"));
    let told = 0;
    const end = watch({ command: command(), timeout: 30 }, () => told++, { folder });
    writeFileSync(join(folder, "zebra.vty"), "");
    writeFileSync(join(folder, "bgpd.vty"), "");
    await until("the news", 20_000, () => told >= 2);
    end();
    rmSync(folder, { recursive: true });
  }, 30_000);
});

describe("route changes of a cached host are written before the next scan", () => {
  const desired: HostState = { ...base, routes: [route("198.51.100.2/32"), route("10.1.0.0/24", "198.51.100.2")] };
  const other: HostState = {
    ...base,
    routes: [route("198.51.100.2/32"), route("10.1.0.0/24", "198.51.100.3"), route("198.51.100.5/32"), route("2001:db8::5/128")],
  };
  const later = { isScanned: false, problems: [] };
  let told: number;
  /** A host that listens, and has heard what it did itself. */
  async function knowing(by = command()): Promise<Host> {
    const known = new Host({ openvswitch: client, command: by });
    told = 0;
    ends.push(known.watch(() => told++));
    // The first route of a family sets the device up for it.
    await known.converge({ ...desired, routes: [...desired.routes, route("2001:db8::6/128")] });
    await until("the watch", 60_000, async () => (await sh("ip rule add priority 5 lookup 99; ip rule del priority 5 lookup 99"), told > 0));
    return known;
  }
  /** Without a look, once nothing is heard any more of what was done before. */
  const ahead = (known: Host, from: HostState, to: HostState) =>
    until("a change without a look", 60_000, async () => {
      // A scan with a difference is followed by one without.
      for (let round = 1; round <= 2; round++) await known.converge(from);
      const done = await known.converge(to);
      return !done.isScanned && done;
    });

  test("routes, flows and proxies are added, replaced and removed without a scan of the host, and a scan finds no difference", async () => {
    const known = await knowing();
    expect(await ahead(known, desired, other)).toEqual({ ...later, changed: 3 });
    expect(await sh("ip route show table 1087; ip -6 route show table 1087")).toBe(
      "10.1.0.0/24 via 198.51.100.3 dev br-pro proto 87 onlink \n198.51.100.2 dev br-pro proto 87 scope link \n198.51.100.5 dev br-pro proto 87 scope link \n2001:db8::5 dev br-pro proto 87 metric 1024 pref medium",
    );
    const fewer = { ...other, routes: other.routes.slice(0, 3) };
    // Routes that are as desired cause no report, because a look follows when changes pause. The pauses are longer than reports are
    // delayed. Other events are reported now and then, for example soon after ip(8) was started.
    await until("a change that is not told", 60_000, async () => {
      await known.converge(other);
      await sleep(300);
      const before = told;
      await known.converge(fewer);
      await sleep(300);
      return told === before;
    });
    expect(await ahead(known, other, fewer)).toEqual({ ...later, changed: 1 });
    expect(await newHost().converge(fewer)).toEqual(clean);
    expect(await known.converge(fewer)).toEqual(clean);
    const more: HostState = {
      ...fewer,
      flows: fewer.flows.map(({ bridge, flows }) => ({ bridge, flows: [...flows, "priority=901,ip,nw_dst=192.0.2.1,actions=drop"] })),
      proxies: [{ device: "br-pro", address: "2001:db8::" }],
    };
    expect(await ahead(known, fewer, more)).toEqual({ ...later, changed: 2 });
    expect(await sh("ovs-ofctl dump-flows br-pro 'ip,nw_dst=192.0.2.1' | grep -c priority=901; ip -6 neighbour show proxy")).toBe(
      "1\n2001:db8:: dev br-pro proxy proto 87",
    );
    expect(await newHost().converge(more)).toEqual(clean);
    expect(await known.converge(more)).toEqual(clean);
    // Changes that need a scan wait for it.
    expect(await known.converge({ ...desired, rules: [] })).toMatchObject({ isScanned: true, problems: [] });
  }, 150_000);

  test("not after an event of another writer: its replacement of a route stays", async () => {
    const known = await knowing();
    await ahead(known, other, desired);
    const forgets = jest.spyOn(ScanCache.prototype, "forget");
    await sh(`ip route replace 10.1.0.0/24 dev br-pro table ${TABLE} proto static`);
    await until("the news", 60_000, () => forgets.mock.calls.length > 0);
    forgets.mockRestore();
    expect((await known.converge(other)).problems).toMatchObject([{ code: "OVN_AGENT_TAKEN", subject: "route 10.1.0.0/24 of table 1087" }]);
    expect(await sh("ip route show table 1087 10.1.0.0/24")).toBe("10.1.0.0/24 dev br-pro proto static scope link");
    await sh(`ip route flush table ${TABLE}`);
  }, 150_000);

  test("a step that the kernel refuses leads to a scan, which reports it", async () => {
    const known = await knowing();
    await ahead(known, other, desired);
    const wrong = { ...desired, routes: [...desired.routes, route("203.0.113.1/32", "169.254.1.1")] };
    expect(await known.converge(wrong)).toMatchObject({
      isScanned: true,
      problems: [{ code: "OVN_AGENT_KERNEL", subject: "route 203.0.113.1/32 of table 1087" }],
    });
  }, 150_000);

  test("a scan ends for a newer state that needs none", async () => {
    const known = await knowing();
    for (const newer of [() => AbortSignal.abort(), () => AbortSignal.timeout(5)]) {
      await until("a look that was given up", 60_000, async () => (await known.converge(desired), (await known.converge(desired, newer())) === undefined));
    }
    expect(await newHost().converge(desired, AbortSignal.abort())).toEqual(clean);
  }, 150_000);

  describe("counted by the started programs", () => {
    const folder = mkdtempSync(join(tmpdir(), "programs-"));
    const [log, hold] = [join(folder, "log"), join(folder, "hold")];
    /** Each writes a line; grep, by which a look reads settings, waits for as long as it is held. */
    const counting = () => [
      "sh",
      "-c",
      `echo "$*" >> ${log}; case " $* " in *" grep "*) while [ -e ${hold} ]; do sleep 0.02; done;; esac; exec "$@"`,
      "sh",
      ...command(),
    ];
    const counted = (program: string) =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.includes(` ${program}`)).length;
    /** Runs of programs that only looks start, and of those that write after one. */
    const counts = () => ({
      looks: counted("grep -s"),
      asked: counted("vtysh -d bgpd -c show version"),
      batches: counted("ip -force -4 -batch") + counted("ip -force -6 -batch"),
    });
    const newer = new AbortController().signal;
    /** Each state has one more route. A route that is added and immediately deleted counts as a foreign change, as its report arrives late. */
    const states = [1, 2, 3, 4].map(
      (count): HostState => ({ ...desired, routes: [...desired.routes, ...[5, 6, 7, 8].slice(0, count).map((last) => route(`198.51.100.${last}/32`))] }),
    );
    const now = performance.now.bind(performance);
    afterEach(() => (jest.restoreAllMocks(), rmSync(hold, { force: true })));
    afterAll(() => rmSync(folder, { recursive: true }));

    /** A host that is known to be as desired, and has received all reports about that. */
    async function settled(): Promise<Host> {
      const known = await knowing(counting());
      await ahead(known, desired, states[0]!);
      const forgets = jest.spyOn(ScanCache.prototype, "forget");
      // News come in order.
      await sh("ip rule add priority 5 lookup 99; ip rule del priority 5 lookup 99");
      await until("news of both", 60_000, () => forgets.mock.calls.length >= 2);
      forgets.mockRestore();
      expect(await known.converge(states[0]!)).toEqual(clean);
      return known;
    }

    /** A settled host whose last look is so old that changes can no longer delay the next look. */
    async function late(): Promise<Host> {
      const known = await settled();
      expect(await known.converge(states[1]!)).toEqual({ ...later, changed: 1 });
      // From here on the clock does not advance, however long programs take.
      jest.spyOn(performance, "now").mockReturnValue(now() + 2 * MAX_SCAN_DELAY);
      return known;
    }

    test("during continuous changes one scan runs in parallel, and no change waits for it", async () => {
      const known = await late();
      writeFileSync(hold, "");
      const before = counts();
      for (const state of states.slice(2)) expect(await known.converge(state, newer)).toEqual({ ...later, changed: 1 });
      expect(await known.converge(states[3]!, newer)).toEqual({ ...later, changed: 0 });
      await until("the look", 60_000, () => counts().looks > before.looks && counts().asked > before.asked);
      expect(counts()).toEqual({ ...before, looks: before.looks + 1, asked: before.asked + 1 });
      expect(await sh("ip route show table 1087 198.51.100.8")).not.toBe("");
      const confirms = jest.spyOn(ScanCache.prototype, "confirms");
      rmSync(hold);
      await until("its end", 60_000, () => confirms.mock.results.length > 0);
      expect(confirms.mock.results).toEqual([{ type: "return", value: true }]);
      // This look has not seen the writes made during it. A look in a pause confirms them.
      expect(await known.converge(states[3]!, newer)).toEqual(clean);
      expect(counts()).toEqual({ ...before, looks: before.looks + 2, asked: before.asked + 2 });
    }, 150_000);

    test("a scan in a pause ends for a newer state also after the maximum delay", async () => {
      const known = await settled();
      expect(await known.converge(states[1]!)).toEqual({ ...later, changed: 1 });
      writeFileSync(hold, "");
      const [before, newest] = [counts(), new AbortController()];
      const waiting = known.converge(states[1]!, newest.signal);
      await until("the look", 60_000, () => counts().looks > before.looks);
      jest.spyOn(performance, "now").mockImplementation(() => now() + 2 * MAX_SCAN_DELAY);
      newest.abort();
      expect(await waiting).toBeUndefined();
    }, 150_000);

    test("a difference that it finds is reported, and repaired after a scan", async () => {
      const known = await late();
      await sh("ovs-ofctl del-flows br-pro ip");
      const before = told;
      expect(await known.converge(states[2]!, newer)).toEqual({ ...later, changed: 1 });
      await until("the news", 60_000, () => told > before);
      // The kernel's news of the route may be the first: then the look has not ended yet.
      let right = await known.converge(states[2]!, newer);
      await until("a look", 60_000, async () => right?.isScanned === true || ((right = await known.converge(states[2]!, newer)), false));
      expect(right).toEqual({ ...clean, changed: 1 });
      expect(await without(baseline)).toHaveLength(5);
    }, 150_000);

    test("an added and removed device of a workload causes no scan; a change of the bridge's device does", async () => {
      await settled();
      const before = counts();
      const forgets = jest.spyOn(ScanCache.prototype, "forget");
      const heard = told;
      await sh(
        "ip link add tap1 type veth peer name tap2; ip link set tap2 up; ip link set tap1 up; ip address add fe80::77/64 dev tap1 nodad; ip link del tap1",
      );
      await sh("ip link set dev br-pro alias told");
      // The kernel reports events in order.
      await until("news of the bridge", 60_000, () => told > heard && forgets.mock.calls.length > 0);
      expect(forgets.mock.calls).toHaveLength(1);
      expect(counts()).toEqual(before);
    }, 150_000);

    test("a renamed desired device, which the kernel reports by the new name only, causes a scan", async () => {
      await sh("ip link add wanted1 type veth peer name wanted2; ip link set wanted2 up; ip link set wanted1 up");
      const known = await settled();
      const devices = [...states[0]!.devices, "wanted1"];
      expect(await known.converge({ ...states[0]!, devices })).toMatchObject({ isScanned: true, problems: [] });
      const forgets = jest.spyOn(ScanCache.prototype, "forget");
      await sh("ip rule add priority 5 lookup 99; ip rule del priority 5 lookup 99");
      await until("what was told before", 60_000, () => forgets.mock.calls.length >= 2);
      forgets.mockClear();
      await sh("ip link set dev wanted1 name renamed");
      await until("the news", 60_000, () => forgets.mock.calls.length > 0);
      await sh("ip link del wanted2");
    }, 150_000);
  });
});

describe("objects of others", () => {
  test("routes, rules, addresses, neighbours, flows, ports and devices of others stay unchanged, and conflicts are reported", async () => {
    await sh(`ip link set br-pro up
      ip route add 198.51.100.5 dev br-pro table ${TABLE} proto static; ip route add 192.0.2.0/24 dev br-pro table ${TABLE}
      ip rule add priority 32000 lookup 99; ip address add 169.254.1.1/32 dev br-two; ip address add fd53:d91e:400:7f17::7:7/128 dev br-two
      ip neigh add 198.51.100.2 lladdr 0a:00:00:00:00:99 dev br-pro nud permanent; ip -6 neigh add proxy 2001:db8::9 dev br-pro
      ip link add bgp-vrf type veth peer name vrf-10; ovs-ofctl add-flow br-pro cookie=0x3e7,priority=900,ip,in_port=1,actions=drop; ovs-ofctl add-flow br-two cookie=0x3e7,priority=9,actions=drop
      ovs-vsctl --timeout=5 add-port br-pro bgp9-other -- set Interface bgp9-other type=internal
      vtysh -d bgpd -c 'configure terminal' -c 'router bgp 64513' -c 'address-family ipv4 unicast' -c 'redistribute table-direct 99'`);
    const theirs = () =>
      sh(`ip route show table all proto static; ip route show table all | grep 192.0.2; ip rule show; ip -o addr show dev br-two; ip neigh show nud permanent; ip neigh show proxy; ip -o link | grep -oE '(bgp-vrf|vrf-10)@' | sort
      ovs-ofctl -O OpenFlow14 --no-stats dump-flows br-pro cookie=0x3e7/-1; ovs-ofctl -O OpenFlow14 --no-stats dump-flows br-two; ovs-vsctl --timeout=5 get Port bgp9-other tag external_ids; vtysh -d bgpd -c 'show running-config' | grep table-direct | grep -v pulumi`);
    const before = await theirs();
    const { problems } = await host.converge({
      ...base,
      taggedPorts: [{ name: "bgp9-other", bridge: "br-pro", tag: 9, mac: MAC }],
      routes: [route("198.51.100.5/32"), route("198.51.100.6/32")],
      neighbors: [{ device: "br-pro", address: "198.51.100.2", mac: "0a:00:00:00:00:02" }],
      proxies: [{ device: "br-pro", address: "2001:db8::9" }],
    });
    expect(problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      "OVN_AGENT_TAKEN port bgp9-other",
      "OVN_AGENT_TAKEN address 169.254.1.1/32 of br-pro",
      "OVN_AGENT_TAKEN neighbour 198.51.100.2 of br-pro",
      "OVN_AGENT_TAKEN IPv4 rule 32000",
      "OVN_AGENT_TAKEN route 198.51.100.5/32 of table 1087",
      "OVN_AGENT_FOREIGN_ROUTE route 192.0.2.0/24 of table 1087",
      'OVN_AGENT_TAKEN flow priority=900,ip,in_port="patch-pro" of bridge br-pro',
    ]);
    expect((await theirs()).split("\n").filter((line) => !line.includes("proto 87"))).toEqual(before.split("\n"));
    expect((await newHost().converge(NOTHING)).problems).toEqual([]);
    expect(await theirs()).toBe(before);
    await sh(`ip route flush table ${TABLE}; ip rule del priority 32000 lookup 99; ip address flush dev br-two; ip neigh del 198.51.100.2 dev br-pro; ip -6 neigh del proxy 2001:db8::9 dev br-pro; ip link del bgp-vrf
      ovs-ofctl del-flows br-pro; ovs-ofctl del-flows br-two; ovs-vsctl --timeout=5 del-port br-pro bgp9-other; vtysh -d bgpd -c 'configure terminal' -c 'router bgp 64513' -c 'address-family ipv4 unicast' -c 'no redistribute table-direct 99'`);
  }, 60_000);

  test("removal of a device's last IPv4 address deletes no route: its replacement is added first, and the address stays while routes of others need it", async () => {
    const moved = { ...base, routes: [route("198.51.100.5/32")], addresses: [{ device: "br-pro", address: "169.254.2.2/32" }, base.addresses[1]!] };
    await host.converge({ ...moved, addresses: base.addresses });
    const monitor = await switches.sandbox.spawn("node1", ["ip", "monitor", "route"]);
    let heard = "";
    monitor.process.stdout!.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    await until(
      "the monitor",
      20_000,
      async () => (await sh("ip route add 203.0.113.1 dev br-pro table 98; ip route del 203.0.113.1 dev br-pro table 98"), heard.includes("203.0.113.1")),
    );
    expect((await host.converge(moved)).problems).toEqual([]);
    await sh("ip route add 203.0.113.99 dev br-pro table 98");
    await until("the end of its news", 20_000, () => heard.includes("203.0.113.99"));
    monitor.signal("SIGKILL");
    await monitor.exit;
    expect(lines(heard).filter((line) => line.includes("198.51.100.5"))).toEqual([]);

    const held = { code: "OVN_AGENT_ADDRESS_HELD", subject: "address 169.254.2.2/32 of br-pro" };
    expect((await host.converge(NOTHING)).problems).toMatchObject([held]);
    expect(await kept()).toEqual(["br-pro inet 169.254.2.2/32 scope global proto 0x57 br-pro"]);
    expect(await sh("ip route show table 98")).toBe("203.0.113.99 dev br-pro scope link");
    await sh("ip route flush table 98");
    expect(await host.converge(NOTHING)).toEqual({ ...clean, changed: 1 });
  }, 60_000);
});

describe("impossible changes are reported, and the others are made", () => {
  const desired = { ...base, routes: [route("198.51.100.5/32")] };
  const codes = async (state: HostState) => (await host.converge(state)).problems.map(({ code, message }) => `${code} ${message}`);

  test("an FRR with another AS or router id, one that refuses a line, and none", async () => {
    expect(await codes({ ...desired, bgp: { ...base.bgp!, asNumber: 64999 } })).toEqual([
      "OVN_AGENT_FRR_AS FRR runs AS 64513, and the agent's configuration has 64999; nothing is changed in FRR; make both equal",
    ]);
    expect(await codes({ ...desired, bgp: { ...base.bgp!, routerId: "192.0.2.1" } })).toEqual([
      "OVN_AGENT_FRR_ROUTER_ID FRR has router id 172.18.0.111, and the agent's configuration has 192.0.2.1; another one would end all sessions, so nothing is changed in FRR",
    ]);
    const wide = { ...base, rules: [], bgp: { ...base.bgp!, table: 1_000_000 } };
    expect(await codes(wide)).toEqual(
      Array(2).fill(
        'OVN_AGENT_FRR_REFUSED bgpd refuses "redistribute table-direct 1000000 route-map pulumi-ovn-agent": % Unknown command: redistribute table-direct 1000000 route-map pulumi-ovn-agent',
      ),
    );
    expect(await sh("ip route show table 1087")).toBe("");
    const nowhere = new Host({ openvswitch: client, command: [...command(), "env", "PATH=/nowhere"] });
    expect((await nowhere.converge(desired)).problems.map(({ code }) => code)).toEqual(["OVN_AGENT_PROGRAM"]);

    await sh(
      "vtysh -d bgpd -c 'show running-config' | sed -n '/^router bgp/,$p' > /run/bgp.conf; vtysh -d bgpd -c 'configure terminal' -c 'no router bgp 64513'",
    );
    expect(await codes(desired)).toEqual(['OVN_AGENT_FRR_BGP FRR has no BGP instance: configure "router bgp 64513" with its neighbours']);
    expect(await sh("ip route show table 1087")).toBe("198.51.100.5 dev br-pro proto 87 scope link");
    await sh("(echo 'configure terminal'; grep -v '^end' /run/bgp.conf) > /run/back; vtysh -d bgpd < /run/back");
    expect(await codes(desired)).toEqual([]);
    await upstreamHas(["198.51.100.5/32"]);
  }, 60_000);

  test("flows of a port without a number are added when it gets one", async () => {
    const flows = [{ bridge: "br-pro", flows: ["priority=900,ip,in_port=patch-late,actions=NORMAL"] }];
    const [problem, ...more] = (await host.converge({ ...desired, flows })).problems;
    expect([problem!.code, problem!.subject, more]).toEqual(["OVN_AGENT_FLOWS", "br-pro", []]);
    expect(await sh("ip route show table 1087")).toBe("198.51.100.5 dev br-pro proto 87 scope link");
    await sh("ovs-vsctl --timeout=10 add-port br-pro patch-late -- set Interface patch-late type=internal");
    expect((await host.converge({ ...desired, flows })).problems).toEqual([]);
    expect((await kept()).filter((line) => line.includes("patch-late"))).toHaveLength(1);
    await host.converge(NOTHING);
    await sh("ovs-vsctl --timeout=10 del-port br-pro patch-late");
  }, 60_000);

  test("a missing bridge, a missing device, and a kernel without forwarding", async () => {
    await sh("echo 0 > /proc/sys/net/ipv6/conf/all/forwarding");
    const state = {
      ...desired,
      taggedPorts: [{ name: "bgp1-x", bridge: "br-none", tag: 1, mac: MAC }],
      routes: [...desired.routes, route("198.51.100.6/32", null, "nothere"), route("2001:db8::6/128", null, "nothere")],
      flows: [...base.flows, { bridge: "br-none", flows: ["actions=drop"] }],
    };
    expect((await host.converge(state)).problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      "OVN_AGENT_NO_BRIDGE br-none",
      "OVN_AGENT_DEVICE nothere",
      "OVN_AGENT_FORWARDING net.ipv6.conf.all.forwarding",
      "OVN_AGENT_NO_BRIDGE br-none",
    ]);
    expect(await sh("ip route show table 1087")).toBe("198.51.100.5 dev br-pro proto 87 scope link");
    await sh("echo 1 > /proc/sys/net/ipv6/conf/all/forwarding");
  }, 60_000);

  test("a bridge named like the settings of all devices: Linux creates no such device, and the settings stay", async () => {
    const settings = () => sh("cd /proc/sys/net/ipv4/conf; grep . all/forwarding all/proxy_arp default/forwarding default/proxy_arp");
    const before = await settings();
    await sh("ovs-vsctl --timeout=10 --no-wait add-br all -- add-br default");
    const names = ["all", "default"];
    const state = {
      ...base,
      devices: [...base.devices, ...names],
      routes: [...desired.routes, ...names.map((name, at) => route(`203.0.113.${at}/32`, null, name))],
    };
    expect((await host.converge(state)).problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual(names.map((name) => `OVN_AGENT_DEVICE ${name}`));
    expect(await sh("ip route show table 1087")).toBe("198.51.100.5 dev br-pro proto 87 scope link");
    expect(await settings()).toBe(before);
    expect(before).toContain("all/proxy_arp:0");
    await sh("ovs-vsctl --timeout=10 --no-wait del-br all -- del-br default");
  }, 60_000);

  test("tenant networks of addresses that the host has by its own addresses and by router advertisements", async () => {
    await sh(`ip link add dm0 type veth peer name dm1; ip link set dm0 up; ip address add 10.77.0.5/24 dev dm0
      ip -6 route add 2001:db8:77::/64 dev dm0 proto ra metric 1024; ip -6 route add 2001:db8:78::/48 via fe80::1 dev dm0 onlink proto ra`);
    const inside = ["10.77.0.128/25", "2001:db8:77::/80"];
    const beside = ["10.78.0.0/24", "2001:db8:78::/64"];
    const through = (destination: string) => route(destination, destination.includes(":") ? "2001:db8::2" : "198.51.100.2");
    const found = await host.converge({ ...desired, routes: [...desired.routes, ...[...inside, ...beside].map(through)] });
    expect(found.problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual(inside.map((subject) => `OVN_AGENT_HOST_NETWORK ${subject}`));
    const written = await sh("ip route show table 1087 via 198.51.100.2; ip -6 route show table 1087");
    expect(written.split("\n").map((line) => line.split(" ")[0])).toEqual(beside);
    await sh("ip link del dm0");
  }, 60_000);

  test("the kernel's message, once for all objects that it refuses for the same reason", async () => {
    const { problems } = await host.converge({
      ...desired,
      devices: [],
      routes: ["203.0.113.1/32", "203.0.113.2/32", "203.0.113.3/32"].map((destination) => route(destination, "169.254.1.1")),
    });
    expect(problems).toEqual([
      {
        code: "OVN_AGENT_KERNEL",
        subject: "route 203.0.113.1/32 of table 1087",
        message: "the kernel refuses route 203.0.113.1/32 of table 1087: Nexthop has invalid gateway.; 2 more failed for the same reason",
      },
    ]);
  }, 60_000);
});

// Not where the kernel has VRF devices: there the agent makes one.
if (!hasVrf) {
  test("a VRF on a kernel without VRFs is a problem, and nothing is partly written", async () => {
    const direct: HostState = { ...base, routes: [route("198.51.100.5/32"), route("2001:db8::5/128")] };
    const desired: HostState = { ...direct, bgp: { ...base.bgp!, vrf: "bgp-vrf" } };
    const codes = async (state: HostState) => (await host.converge(state)).problems.map(({ code, subject }) => `${code} ${subject}`);
    expect(await codes(desired)).toEqual(["OVN_AGENT_VRF bgp-vrf"]);
    expect(await kept()).toEqual([]);
    await host.converge(direct);
    expect(await codes({ ...desired, routes: direct.routes.slice(0, 1) })).toEqual(["OVN_AGENT_VRF bgp-vrf"]);
    // Announcements stay, except deleted ones.
    await upstreamHas(["198.51.100.5/32"]);
  }, 60_000);
}

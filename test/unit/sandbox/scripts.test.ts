import { execFileSync } from "node:child_process";
import {
  bgpConfiguration,
  daemonCommand,
  establishedSessions,
  exportLines,
  fabricLink,
  hostDaemons,
  hostEnvironment,
  initScript,
  layout,
  leafNames,
  namespaceFiles,
  portCommands,
  workloadCommands,
} from "@pulumi-ovn/sandbox/testing";

const plan = layout({ hosts: 2, frr: true });
const folder = "/tmp/a folder/x";
const files = namespaceFiles(plan, folder);

test("each namespace has its files", () => {
  const daemons = (host: string): string[] => hostDaemons.map((daemon) => `${host}/start-${daemon}`);
  expect([...files.keys()].sort()).toEqual(
    ["ext/bgpd.conf", "ext/setup", ...["node1", "node2"].flatMap((host) => [`${host}/bgpd.conf`, `${host}/setup`, ...daemons(host)])].sort(),
  );
  expect([...namespaceFiles(layout({ hosts: 1 }), folder).keys()]).not.toContain("node1/bgpd.conf");
});

test("every script is valid for a POSIX shell", () => {
  const init = initScript(plan, folder, { PATH: "/bin" }, { conf: "/s/v", ovnnb_db: "/s/n", ovnsb_db: "/s/s" });
  const scripts = [init, ...[...files].filter(([path]) => !path.endsWith(".conf")).map(([, text]) => text)];
  expect(scripts).toHaveLength(1 + 1 + 2 * 7);
  for (const script of scripts) expect(execFileSync("sh", ["-n"], { input: script }).toString()).toBe("");
});

test("a host's Open vSwitch has its chassis, its tunnels and its workload", () => {
  const setup = files.get("node2/setup")!;
  for (const setting of [
    "external_ids:system-id=node2",
    "external_ids:ovn-encap-ip=198.18.0.2",
    "external_ids:ovn-is-interconn=true",
    "external_ids:ovn-bridge-mappings=physnet:br-ex",
    "external_ids:ovn-bridge-datapath-type=netdev",
    "add-port br-int vm2 ",
    "external_ids:iface-id=vm2",
    "address add 198.18.0.2/24 dev br-phy",
    "address add 172.18.0.112/24 dev br-ex",
  ])
    expect(setup).toContain(setting);
  expect(setup).not.toContain("vm1");
});

test("a zone of several hosts has its databases on the first; the others wait for them", () => {
  const shared = namespaceFiles(layout({ hosts: 3, hostsPerZone: 2 }), folder);
  const daemons = (host: string): string[] =>
    [...shared.keys()].filter((path) => path.startsWith(`${host}/start-`)).map((path) => path.slice(`${host}/start-`.length));
  expect(daemons("node1")).toEqual([...hostDaemons]);
  expect(daemons("node2")).toEqual(["ovsdb-server", "ovs-vswitchd", "ovn-controller"]);
  const [first, second, alone] = ["node1", "node2", "node3"].map((host) => shared.get(`${host}/setup`)!);
  expect(second).toContain(`external_ids:ovn-remote=unix:'${folder}/node1'/ovnsb_db.sock`);
  expect(second).toContain(`export OVN_NB_DB='unix:${folder}/node1/ovnnb_db.sock'`);
  expect(second).toContain(`export OVS_RUNDIR='${folder}/node2'`);
  expect(second).toContain(`timeout 30 sh -c 'until [ -e "$0" ]; do sleep 0.01; done' '${folder}/node1/zone-ready'`);
  expect(second).not.toMatch(/NB_Global|start-ovn-northd|start-ovn[ns]b_db/);
  expect(first).toContain("ovn-nbctl --timeout=30 --wait=sb set NB_Global . name=node1 options:name=node1\n: > zone-ready");
  expect(alone).toContain("ovn-nbctl --timeout=30 --wait=sb set NB_Global . name=node3 options:name=node3\n");
  expect(alone).not.toContain("zone-ready");
  for (const script of [first!, second!, alone!]) expect(execFileSync("sh", ["-n"], { input: script }).toString()).toBe("");
});

test("daemons find each other by their folder", () => {
  expect(daemonCommand("ovn-northd", "/f")).toBe(
    "ovn-northd --detach --no-chdir --pidfile=/f/ovn-northd.pid --log-file=/f/ovn-northd.log -vconsole:off --ovnnb-db=unix:/f/ovnnb_db.sock --ovnsb-db=unix:/f/ovnsb_db.sock",
  );
  expect(daemonCommand("ovs-vswitchd", "/f")).toContain(" --disable-system unix:/f/db.sock");
  expect(hostEnvironment("/f")).toMatchObject({ OVN_NB_DB: "unix:/f/ovnnb_db.sock", OVN_SB_DB: "unix:/f/ovnsb_db.sock", OVS_RUNDIR: "/f" });
  expect(exportLines({ A: "x y", B: "z" })).toBe("export A='x y'\nexport B=z");
});

test("a workload's port has its iface-id and MAC", () => {
  expect(portCommands({ name: "web", host: "node1", ifaceId: "ns_web", mac: "0a:58:00:00:00:01" })).toBe(
    `-- --may-exist add-port br-int web -- set Interface web external_ids:iface-id=ns_web external_ids:attached-mac='"0a:58:00:00:00:01"'`,
  );
  expect(portCommands({ name: "web", host: "node1" })).toBe("-- --may-exist add-port br-int web -- set Interface web external_ids:iface-id=web");
});

test("router advertisements are accepted unless there is a static IPv6 gateway", () => {
  const dual = workloadCommands(
    { name: "a", host: "node1", mac: "0a:58:00:00:00:01", addresses: ["10.0.0.2/24", "fd00::2/64"], gateways: ["10.0.0.1", "fd00::1"] },
    "7",
  );
  expect(dual).toContain("accept_ra");
  expect(dual).toContain(
    "link set eth0 address 0a:58:00:00:00:01 up\naddress add 10.0.0.2/24 dev eth0\naddress add fd00::2/64 dev eth0 nodad\nroute add default via 10.0.0.1\nroute add default via fd00::1\nEND",
  );
  expect(workloadCommands({ name: "a", host: "node1", gateways: ["10.0.0.1"] }, "7")).not.toContain("accept_ra");
});

test("BGP sessions connect each host with the upstream router", () => {
  const host = bgpConfiguration(plan.hosts[0]!, 2);
  expect(host.match(/neighbor \S+ remote-as \d+/g)).toEqual(["neighbor 172.18.0.1 remote-as 64512", "neighbor fc00:f853:ccd:e793::1 remote-as 64512"]);
  expect(host).toContain("router bgp 64513\n bgp router-id 172.18.0.111\n");
  const upstream = bgpConfiguration("upstream", 2);
  expect(upstream.match(/neighbor \S+ remote-as \d+/g)).toEqual([
    "neighbor 172.18.0.111 remote-as 64513",
    "neighbor fc00:f853:ccd:e793::6f remote-as 64513",
    "neighbor 172.18.0.112 remote-as 64513",
    "neighbor fc00:f853:ccd:e793::70 remote-as 64513",
  ]);
  expect(upstream.match(/neighbor 172\S+ activate/g)).toHaveLength(2);
});

test("established sessions are counted over the address families", () => {
  const peers = (...states: string[]): object => ({ peers: Object.fromEntries(states.map((state, index) => [`p${index}`, { state }])) });
  expect(establishedSessions(JSON.stringify({ ipv4Unicast: peers("Established", "Active"), ipv6Unicast: peers("Established") }))).toBe(2);
  expect(establishedSessions("{}")).toBe(0);
  const withRoutes = JSON.stringify({
    ipv4Unicast: { peers: { a: { state: "Established", pfxRcd: 1 }, b: { state: "Established", pfxRcd: 0 }, c: { state: "Active", pfxRcd: 1 } } },
  });
  expect([establishedSessions(withRoutes), establishedSessions(withRoutes, { withRoutes: true })]).toEqual([2, 1]);
});

test("a host without OVN has only Open vSwitch", () => {
  const plain = namespaceFiles(
    layout({
      hosts: 2,
      ovn: false,
      workloads: [
        { name: "a", host: "node1", bridge: "tier" },
        { name: "b", host: "node1" },
      ],
    }),
    folder,
  );
  expect([...plain.keys()].filter((path) => path.includes("/start-"))).toEqual([
    "node1/start-ovsdb-server",
    "node1/start-ovs-vswitchd",
    "node2/start-ovsdb-server",
    "node2/start-ovs-vswitchd",
  ]);
  const setup = plain.get("node1/setup")!;
  expect(setup).not.toMatch(/ovn-|br-int|NB_Global|zone-ready|ovnnb_db\.db/);
  expect(setup).toContain("-- --may-exist add-br tier -- set Bridge tier datapath_type=netdev -- --may-exist add-port tier a");
  expect(setup).not.toContain("add-port tier b");
  expect(setup).toContain("link add name b type veth peer name eth0");
  for (const text of [setup, plain.get("node2/setup")!]) expect(execFileSync("sh", ["-n"], { input: text }).toString()).toBe("");
});

describe("a fabric", () => {
  const fabric = namespaceFiles(layout({ hosts: 2, fabric: true }), folder);
  const of = (file: string, pattern: RegExp) => fabric.get(file)!.match(pattern);

  test("has for each cable's end the address next to that of its other end, and on no other cable", () => {
    const all = leafNames.flatMap((leaf) => Array.from({ length: 101 }, (_, number) => fabricLink(leaf, number)));
    expect(fabricLink("leaf1", 0)).toEqual({ leaf: ["100.64.1.2/31", "fd64:0:0:1::2/127"], other: ["100.64.1.3/31", "fd64:0:0:1::3/127"] });
    expect(fabricLink("leaf2", 100)).toEqual({ leaf: ["100.64.2.202/31", "fd64:0:0:2::ca/127"], other: ["100.64.2.203/31", "fd64:0:0:2::cb/127"] });
    expect(new Set(all.flatMap(({ leaf, other }) => [...leaf, ...other])).size).toBe(4 * 202);
  });

  test("has sessions of a leaf with the upstream router and each host, and of these with both leaves, in both families", () => {
    const remote = /neighbor \S+ remote-as \d+/g;
    expect(of("leaf2/bgpd.conf", remote)).toEqual([
      "neighbor 100.64.2.3 remote-as 64512",
      "neighbor fd64:0:0:2::3 remote-as 64512",
      "neighbor 100.64.2.5 remote-as 64513",
      "neighbor fd64:0:0:2::5 remote-as 64513",
      "neighbor 100.64.2.7 remote-as 64513",
      "neighbor fd64:0:0:2::7 remote-as 64513",
    ]);
    expect(of("leaf2/bgpd.conf", /router bgp \d+/g)).toEqual(["router bgp 64515"]);
    expect(of("node2/bgpd.conf", remote)).toEqual([
      "neighbor 100.64.1.6 remote-as 64514",
      "neighbor fd64:0:0:1::6 remote-as 64514",
      "neighbor 100.64.2.6 remote-as 64515",
      "neighbor fd64:0:0:2::6 remote-as 64515",
    ]);
    expect(of("ext/bgpd.conf", remote)).toEqual([
      "neighbor 100.64.1.2 remote-as 64514",
      "neighbor fd64:0:0:1::2 remote-as 64514",
      "neighbor 100.64.2.2 remote-as 64515",
      "neighbor fd64:0:0:2::2 remote-as 64515",
    ]);
    expect(of("ext/bgpd.conf", /default-originate/g)).toHaveLength(4);
    // A host passes no routes of one leaf on to the other.
    expect(of("node2/bgpd.conf", /filter-list own out/g)).toHaveLength(4);
    expect(fabric.get("node2/bgpd.conf")).toContain("\nbgp as-path access-list own seq 5 permit ^$\nrouter bgp 64513\n bgp router-id 172.18.0.112\n");
  });

  test("has a br-ex without a port to the outside and without an address, and hosts that route", () => {
    const setup = fabric.get("node1/setup")!;
    expect(setup).toContain("add-br br-ex -- set Bridge br-ex datapath_type=netdev");
    expect(setup).not.toMatch(/ex0|172\.18\.0/);
    expect(setup).toContain("/conf/all/forwarding");
    expect(of("node1/setup", /address add \S+ dev leaf\d/g)).toEqual([
      "address add 100.64.1.5/31 dev leaf1",
      "address add fd64:0:0:1::5/127 dev leaf1",
      "address add 100.64.2.5/31 dev leaf2",
      "address add fd64:0:0:2::5/127 dev leaf2",
    ]);
    expect(initScript(layout({ hosts: 2, fabric: true }), folder, {}, { conf: "/s/v", ovnnb_db: "/s/n", ovnsb_db: "/s/s" })).not.toContain("external");
    for (const place of ["ext", "leaf1", "leaf2", "node1"]) expect(execFileSync("sh", ["-n"], { input: fabric.get(`${place}/setup`)! }).toString()).toBe("");
  });
});

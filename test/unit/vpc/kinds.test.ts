import { expandVpc, logicalRouterBridge, vpcBridges } from "@pulumi-ovn/provider";
import { type MeshFacts, portNumbers, portSecurityFlows, PROBED_FLOWS, routerMac, SWITCHING_FLOWS } from "@pulumi-ovn/provider/testing";
import { codedFailures } from "../../support/refusals";
import { meetingPorts } from "./meeting-ports";
import { SAMPLE } from "./sample";

const plan = expandVpc(SAMPLE);
const router = (change: object = {}, broken: MeshFacts = {}) =>
  logicalRouterBridge.render(logicalRouterBridge.schema.parse({ ...plan.routers["h1"], ...change }), broken);
const bridges = (change: object = {}) => {
  const args = vpcBridges.schema.parse({ ...plan.bridges["h1"], ...change });
  vpcBridges.judge!(args);
  return vpcBridges.render(args);
};
const PROTOCOLS = ["OpenFlow10", "OpenFlow11", "OpenFlow12", "OpenFlow13", "OpenFlow14", "OpenFlow15"];

const internal = (bridge: string, labels: object) => [
  {
    table: "Port",
    key: bridge,
    columns: { name: bridge, interfaces: [{ table: "Interface", key: bridge }], external_ids: { map: labels } },
    parent: { table: "Bridge", row: { table: "Bridge", key: bridge }, column: "ports" },
  },
  { table: "Interface", key: bridge, columns: { name: bridge, type: "internal" } },
];

test("a host's bridges: one for each tier, protected tunnels to every other host, the workloads' interfaces", () => {
  const { rows, flows, outputs, working } = bridges({ tiers: { web: 1001 }, remotes: { h2: "192.0.2.2" } });
  const inBridge = { table: "Bridge", row: { table: "Bridge", key: "br-t1001" }, column: "ports" };
  expect(rows).toEqual({
    database: "Open_vSwitch",
    rows: [
      {
        table: "Bridge",
        key: "br-t1001",
        columns: { name: "br-t1001", datapath_type: "system", fail_mode: "secure", protocols: PROTOCOLS, external_ids: { map: { vpc: "blue", tier: "web" } } },
        parent: { table: "Open_vSwitch", row: { name: "." }, column: "bridges" },
        carries: { table: "Port", key: "vpc", value: "blue" },
      },
      ...internal("br-t1001", { vpc: "blue", tier: "web" }),
      {
        table: "Port",
        key: "t1001-h2",
        columns: {
          name: "t1001-h2",
          interfaces: [{ table: "Interface", key: "t1001-h2" }],
          protected: true,
          external_ids: { map: { vpc: "blue", tier: "web", host: "h2" } },
        },
        parent: inBridge,
      },
      {
        table: "Interface",
        key: "t1001-h2",
        columns: {
          name: "t1001-h2",
          type: "gre",
          options: { map: { key: "1001", local_ip: "192.0.2.1", remote_ip: "192.0.2.2" } },
          bfd: { map: { enable: "true", bfd_remote_dst_mac: "00:23:20:00:00:01" } },
        },
      },
      {
        table: "Port",
        key: "tap1",
        columns: { name: "tap1", interfaces: [{ table: "Interface", key: "tap1" }], external_ids: { map: { tier: "web" } } },
        parent: inBridge,
      },
      { table: "Interface", key: "tap1", columns: { name: "tap1" } },
    ],
  });
  expect(flows).toEqual({ bridges: [{ bridge: "br-t1001", fragments: "nx-match", flows: PROBED_FLOWS }] });
  expect(outputs).toEqual({ bridges: { web: "br-t1001" } });
  expect(working).toEqual(["t1001-h2"]);
});

test("without BFD a host's bridges equal those of an older release", () => {
  const { rows, flows } = bridges({ bfd: false });
  expect([rows.rows.filter(({ columns }) => "bfd" in columns), flows.bridges.map(({ flows: own }) => own)]).toEqual([[], [SWITCHING_FLOWS, SWITCHING_FLOWS]]);
  expect(bridges({ bfd: undefined })).toEqual(bridges({ bfd: false }));
});

test("an agent receives broken ends on other hosts if BFD can't show them", () => {
  const broken = { "h1 t1001-h2": "BFD is down", "h2 t1001-h1": "missing" };
  const held = (change: object) => router({ agent: true, ...change }, broken).agent?.held;
  expect([held({}), held({ bfd: true })]).toEqual(["h2 t1001-h1: missing", undefined]);
});

test("port security: the interface requests a number, which its tier's flows contain", () => {
  const secured = { tap1: { mac: "0A:00:00:00:01:01", addresses: ["10.1.1.11"] } };
  const { rows, flows, numbers } = bridges({ ports: { tap1: "web", tap2: "web", tap3: "db" }, portSecurity: secured });
  const number = portNumbers(["tap1"]).get("tap1")!;
  expect(rows.rows.filter(({ table, key }) => table === "Interface" && key.startsWith("tap")).map(({ columns }) => columns)).toEqual([
    { name: "tap3" },
    { name: "tap1", ofport_request: number },
    { name: "tap2" },
  ]);
  expect(flows.bridges).toEqual([
    { bridge: "br-t1002", fragments: "nx-match", flows: PROBED_FLOWS },
    {
      bridge: "br-t1001",
      fragments: "nx-match",
      flows: [...PROBED_FLOWS, ...portSecurityFlows([{ number, mac: "0a:00:00:00:01:01", addresses: ["10.1.1.11"] }])],
    },
  ]);
  expect([numbers, bridges().numbers]).toEqual([{ tap1: number }, undefined]);
});

test("port security: interfaces of two tiers with colliding names have one number, each on its bridge", () => {
  const [first, second] = meetingPorts();
  const own = (last: number) => ({ mac: `0a:00:00:00:01:0${last}`, addresses: [`10.1.1.${last}`] });
  const { rows, flows, numbers } = bridges({ ports: { [first]: "db", [second]: "web" }, portSecurity: { [first]: own(1), [second]: own(2) } });
  const number = portNumbers([second]).get(second)!;
  expect(numbers).toEqual({ [first]: number, [second]: number });
  expect(rows.rows.filter(({ table, key }) => table === "Interface" && key.startsWith("p")).map(({ columns }) => columns)).toEqual([
    { name: first, ofport_request: number },
    { name: second, ofport_request: number },
  ]);
  expect(flows.bridges.map((bridge) => bridge.flows.slice(PROBED_FLOWS.length))).toEqual([
    portSecurityFlows([{ number, ...own(1) }]),
    portSecurityFlows([{ number, ...own(2) }]),
  ]);
});

test("hosts share the rows of common ports, and those of another VPC or other tiers are separate", () => {
  const port = (change: object) => bridges(change).rows.rows.find(({ table, key }) => table === "Port" && key === "t1001-h2")!;
  const own = { tiers: { web: 1001 }, remotes: { h2: "192.0.2.2" }, ports: {} };
  expect(port({ ...own, host: "h3", tunnelAddress: "192.0.2.3" })).toBe(port(own));
  expect(Object.isFrozen(port(own))).toBe(true);
  expect(
    [
      { ...own, vpc: "red" },
      { ...own, tiers: { app: 1001 } },
    ].map((change) => port(change).columns["external_ids"]),
  ).toEqual([{ map: { vpc: "red", tier: "web", host: "h2" } }, { map: { vpc: "blue", tier: "app", host: "h2" } }]);
});

test.each(["gre", "geneve", "vxlan"])("tunnels of type %s", (tunnelType) => {
  const types = bridges({ tunnelType })
    .rows.rows.filter(({ table, key }) => table === "Interface" && key.startsWith("t1"))
    .map(({ columns }) => columns["type"]);
  expect(types).toEqual([tunnelType, tunnelType, tunnelType, tunnelType]);
});

test("a logical router: its bridge, and a pair of patch ports for each tier, the outer one in a VLAN", () => {
  const { rows, outputs } = router({ tiers: { web: plan.routers["h1"]!.tiers["web"] }, workloads: {}, datapathType: "netdev" });
  const labels = { vpc: "blue", tier: "web" };
  expect(rows.rows).toEqual([
    {
      table: "Bridge",
      key: "lr-blue",
      columns: { name: "lr-blue", datapath_type: "netdev", fail_mode: "secure", protocols: PROTOCOLS, external_ids: { map: { vpc: "blue" } } },
      parent: { table: "Open_vSwitch", row: { name: "." }, column: "bridges" },
    },
    ...internal("lr-blue", { vpc: "blue" }),
    {
      table: "Port",
      key: "pr1001",
      columns: { name: "pr1001", interfaces: [{ table: "Interface", key: "pr1001" }], external_ids: { map: labels } },
      parent: { table: "Bridge", row: { table: "Bridge", key: "lr-blue" }, column: "ports" },
    },
    { table: "Interface", key: "pr1001", columns: { name: "pr1001", type: "patch", options: { map: { peer: "pt1001" } } } },
    {
      table: "Port",
      key: "pt1001",
      columns: { name: "pt1001", interfaces: [{ table: "Interface", key: "pt1001" }], tag: 4095, vlan_mode: "access", external_ids: { map: labels } },
      parent: { table: "Bridge", row: { name: "br-t1001" }, column: "ports" },
    },
    { table: "Interface", key: "pt1001", columns: { name: "pt1001", type: "patch", options: { map: { peer: "pr1001" } } } },
  ]);
  expect(outputs).toEqual({ bridge: "lr-blue", state: "enabled" });
});

test("its flows: the router's bridge first, so that redirects have a ready router; `enabled: false` removes only the redirects", () => {
  const [on, off] = [router().flows.bridges, router({ enabled: false }).flows.bridges];
  expect(on.map(({ bridge }) => bridge)).toEqual(["lr-blue", "br-t1002", "br-t1001"]);
  const gone = on.flatMap(({ bridge, flows }, index) => flows.filter((flow) => !off[index]!.flows.includes(flow)).map((flow) => `${bridge} ${flow}`));
  const mac = routerMac("blue", "h1");
  expect(gone).toEqual([
    `br-t1002 table=2,priority=100,dl_dst=0a:58:0a:01:02:01,ip,nw_dst=10.1.1.0/24,actions=mod_dl_dst:${mac},output:pt1002`,
    `br-t1002 table=2,priority=100,dl_dst=0a:58:0a:01:02:01,ipv6,ipv6_dst=fd01:1::/64,actions=mod_dl_dst:${mac},output:pt1002`,
    `br-t1001 table=2,priority=100,dl_dst=0a:58:0a:01:01:01,ip,nw_dst=10.1.2.0/24,actions=mod_dl_dst:${mac},output:pt1001`,
  ]);
  expect(off.flatMap(({ flows }, index) => flows.filter((flow) => !on[index]!.flows.includes(flow)))).toEqual([]);
  expect(router({ enabled: false }).rows).toEqual(router().rows);
  expect(router({ enabled: false })).toMatchObject({ outputs: { state: "disabled" } });
});

test("without one of its tunnels a logical router equals a disabled one", () => {
  expect(router().fallback).toEqual({
    interfaces: ["t1002-h2", "t1002-h3", "t1001-h2", "t1001-h3"],
    flows: router({ enabled: false }).flows,
    path: "remotes",
    what: "the logical router is disabled, and packets go through the virtual router",
  });
  expect(router({ enabled: false }).fallback).toBeUndefined();
});

test("a logical router is disabled by a tunnel that fails at either end, and a preview warns", () => {
  const fallen = router({}, { "h2 t1002-h1": "File exists", "h3 t1001-h1": "missing" });
  const why = "h2 t1002-h1: File exists; h3 t1001-h1: missing";
  expect([fallen.flows, fallen.rows, fallen.fallback]).toEqual([router({ enabled: false }).flows, router().rows, undefined]);
  expect(fallen).toMatchObject({
    outputs: { state: `fallback: ${why}` },
    warnings: [
      {
        path: "remotes",
        code: "OVN_WARN_FALLBACK",
        message: expect.stringContaining(`the virtual router: ${why}; "pulumi up" makes missing ones again`) as unknown,
      },
    ],
  });
  expect([router().warnings, router({ enabled: false }).warnings]).toEqual([undefined, undefined]);
});

test("without a tier's bridge a logical router has no objects on it, and is disabled on the others", () => {
  const fallen = router({}, { "h1 br-t1002": "missing", "h1 t1002-h2": "missing" });
  const [whole, off] = [router(), router({ enabled: false })];
  expect(fallen.flows.bridges).toEqual(off.flows.bridges.filter(({ bridge }) => bridge !== "br-t1002"));
  expect(fallen.rows.rows).toEqual(whole.rows.rows.filter(({ key }) => key !== "pt1002"));
  expect(fallen.rows.rows.filter(({ key }) => key === "pr1002").length).toBe(2);
  expect(fallen).toMatchObject({ outputs: { state: "fallback: h1 br-t1002: missing; h1 t1002-h2: missing" }, warnings: [{ code: "OVN_WARN_FALLBACK" }] });
  // A missing bridge of another host does not change the rows.
  expect(router({}, { "h2 br-t1002": "missing" }).rows).toEqual(whole.rows);
});

test("flows of one bridge are all different", () => {
  for (const { flows } of [...router({ conntrackZone: 5 }).flows.bridges, ...bridges().flows.bridges]) expect(new Set(flows).size).toBe(flows.length);
});

test("refused tunnels over IPv6 can be rendered, so their states are refreshed and deleted; a host without remotes has none", () => {
  const args = vpcBridges.schema.parse({ ...plan.bridges["h1"], tunnelAddress: "fd00::1", remotes: { h2: "fd00::2" } });
  expect(vpcBridges.render(args).working).toEqual(["t1002-h2", "t1001-h2"]);
  for (const how of [{ tunnelType: "geneve" }, { tunnelType: "vxlan" }, { datapathType: "netdev" }, { remotes: {} }])
    expect(codedFailures(() => vpcBridges.judge!({ ...args, ...how } as typeof args))).toEqual([]);
});

test.each<[string, () => unknown, [string, string, string][]]>([
  ["the host among its remotes", () => bridges({ remotes: { h1: "192.0.2.9" } }), [["remotes.h1", "duplicate", '"h1" is the host itself']]],
  ["an interface of an unknown tier", () => bridges({ ports: { tap1: "app" } }), [["ports.tap1", "unknown-tier", '"app" is not one of db, web']]],
  [
    "an interface with a tunnel's name",
    () => bridges({ ports: { "t1001-h2": "web" } }),
    [['ports["t1001-h2"]', "duplicate", 'name t1001-h2 is already used by the tunnel of tier "web" to host "h2"']],
  ],
  [
    "an interface with the name of a patch port",
    () => bridges({ ports: { pt1002: "web" } }),
    [["ports.pt1002", "duplicate", 'name pt1002 is already used by a patch port of tier "db"']],
  ],
  [
    "an interface with the name of the logical router's bridge",
    () => bridges({ ports: { "lr-blue": "web" } }),
    [['ports["lr-blue"]', "duplicate", "name lr-blue is already used by the bridge of the logical router"]],
  ],
  [
    "port security of an interface that is nowhere, and without an address",
    () => bridges({ portSecurity: { tap9: { mac: "0a:00:00:00:01:09", addresses: [] } } }),
    [
      ["portSecurity.tap9", "unknown-port", '"tap9" is not one of "ports": name its tier there'],
      ["portSecurity.tap9.addresses", "required", "needs at least one address"],
    ],
  ],
  [
    "two interfaces with an equal MAC and address",
    () =>
      bridges({
        ports: { tap1: "web", tap2: "web" },
        portSecurity: Object.fromEntries(["tap1", "tap2"].map((port) => [port, { mac: "0a:00:00:00:01:09", addresses: ["10.1.1.9"] }])),
      }),
    [
      ["portSecurity.tap2.mac", "duplicate", "MAC 0a:00:00:00:01:09 is already used by interface tap1"],
      ["portSecurity.tap2.addresses[0]", "duplicate", "address 10.1.1.9 is already used by interface tap1"],
    ],
  ],
  [
    "a key that the tunnels can't have",
    () => bridges({ tunnelType: "vxlan", tiers: { web: 16_777_216 }, ports: {} }),
    [["tiers.web", "out-of-range", "tunnel key 16777216 is out of range: 1 to 16777215 for vxlan"]],
  ],
  [
    "a remote with the host's own tunnel address",
    () => bridges({ remotes: { h2: "192.0.2.1" } }),
    [["remotes.h2", "duplicate", 'tunnel address 192.0.2.1 is already used by host "h1"']],
  ],
  [
    "two remotes with one address",
    () => bridges({ remotes: { h2: "192.0.2.2", h3: "192.0.2.2" } }),
    [["remotes.h3", "duplicate", 'tunnel address 192.0.2.2 is already used by host "h2"']],
  ],
  [
    "a remote of another family",
    () => bridges({ remotes: { h2: "fd00::2" } }),
    [["remotes.h2", "family", "fd00::2 is IPv6, and other hosts of the VPC have IPv4: a tunnel has one family"]],
  ],
  [
    "the default tunnels over IPv6 in the kernel's datapath",
    () => bridges({ tunnelAddress: "fd00::1", remotes: { h2: "fd00::2" } }),
    [["tunnelType", "family", 'gre over IPv6 needs the userspace datapath: use geneve or vxlan, or datapathType "netdev"']],
  ],
  [
    "two tiers with one key",
    () => bridges({ tiers: { a: 5, b: 5 }, remotes: {}, ports: {} }),
    [["tiers.b", "duplicate", 'tunnel key 5 is already used by tier "a"']],
  ],
  [
    "a workload of an unknown tier",
    () => router({ workloads: { w: { tier: "app", mac: "0a:00:00:00:00:01", addresses: [] } } }),
    [["workloads.w.tier", "unknown-tier", '"app" is not one of db, web']],
  ],
  [
    "two workloads with one address",
    () =>
      router({
        workloads: {
          a: { tier: "web", mac: "0a:00:00:00:00:01", addresses: ["10.1.1.9"] },
          b: { tier: "web", mac: "0a:00:00:00:00:02", addresses: ["10.1.1.9"] },
        },
      }),
    [["workloads.b.addresses[0]", "duplicate", 'address 10.1.1.9 is already used by workload "a"']],
  ],
  [
    "two tiers of a router with one key",
    () => router({ tiers: Object.fromEntries(["a", "b"].map((tier) => [tier, { ...plan.routers["h1"]!.tiers["db"] }])), workloads: {} }),
    [["tiers.b.key", "duplicate", 'tunnel key 1002 is already used by tier "a"']],
  ],
  ["an unknown ACL list", () => router({ acls: {} }), [["tiers.web.acl", "unknown-acl", '"web" is not one of default_allow, default_deny']]],
])("%s is refused", (_what, call, expected) => {
  expect(codedFailures(call)).toEqual(expected);
});

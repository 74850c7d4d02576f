import dns from "node:dns/promises";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { Framer } from "@pulumi-ovn/ovsdb-client/testing";
import { NO_NORTHBOUND } from "@pulumi-ovn/provider/agent";
import { binaries } from "@pulumi-ovn/sandbox";
import { desired } from "@pulumi-ovn/agent";
import { connect, type OVN_Southbound } from "@pulumi-ovn/ovsdb-client";
import { exposureOf } from "../../support/agent-input";
import { SouthboundRows, type SouthboundServer, WatchedSource, agentHost, southboundServer } from "../../support/agent-zone";
import { oldSchema } from "../../support/old-schema";
import type { OpenVSwitch } from "../../support/open-vswitch";
import { Proxy } from "../../support/ovsdb-proxy";
import { runProgram } from "../../support/ovsdb-server";

/** A zone with a provider network, a router with a gateway on h1, a tenant network behind it, and workloads here and elsewhere. */
interface Zone {
  readonly server: SouthboundServer;
  readonly rows: SouthboundRows;
  readonly host: OpenVSwitch;
  readonly h1: string;
  readonly h2: string;
  readonly datapaths: Readonly<Record<"ext" | "router1" | "tenant1" | "other", string>>;
}

async function zone(stack: AsyncDisposableStack, schema?: string): Promise<Zone> {
  const server = await southboundServer(schema);
  stack.defer(() => server.remove());
  const rows = stack.use(await SouthboundRows.connect(server.endpoint));
  const [h1, h2] = [await rows.chassis("h1"), await rows.chassis("h2")];
  const datapaths = {
    ext: await rows.datapath("ext"),
    router1: await rows.datapath("router1"),
    tenant1: await rows.datapath("tenant1"),
    other: await rows.datapath("other"),
  };
  const { ext, router1, tenant1, other } = datapaths;
  await rows.port("ln", ext, { type: "localnet", options: { network_name: "physnet" } });
  await rows.port("router1-ext", router1, {
    type: "patch",
    mac: ["0a:00:00:00:01:01 198.51.100.2/24"],
    options: { peer: "ext-router1", "chassis-redirect-port": "cr" },
  });
  await rows.port("ext-router1", ext, { type: "patch", mac: ["router"], options: { peer: "router1-ext" } });
  await rows.port("cr", router1, {
    type: "chassisredirect",
    chassis: h1,
    mac: ["0a:00:00:00:01:01 198.51.100.2/24"],
    options: { "distributed-port": "router1-ext" },
  });
  await rows.port("router1-tenant1", router1, { type: "patch", mac: ["0a:00:00:00:01:02 10.1.0.1/24"], options: { peer: "tenant1-router1" } });
  await rows.port("tenant1-router1", tenant1, { type: "patch", mac: ["router"], options: { peer: "router1-tenant1" } });
  const up = schema === undefined ? { up: true } : {};
  await rows.port("here", ext, { chassis: h1, mac: ["0a:00:00:00:00:09 198.51.100.9"], ...up });
  await rows.port("elsewhere", other, { chassis: h2, mac: ["0a:00:00:00:00:08 10.8.0.8"], ...up });
  await rows.port("member", tenant1, { chassis: h2, mac: ["0a:00:00:00:00:05 10.1.0.5"], ...up });
  await rows.exposures({ blue: exposureOf({ providerPorts: true, tenantNetworks: "host" }) });
  const host = stack.use(await agentHost(server.endpoint));
  return { server, rows, host, h1, h2, datapaths };
}
const watched = (stack: AsyncDisposableStack, { host }: Pick<Zone, "host">, more: object = {}) =>
  stack.use(new WatchedSource({ openvswitch: host.endpoint, ...more }));

const BETWEEN = ["cr", "ext-router1", "ln", "router1-ext", "router1-tenant1", "tenant1-router1"];
const routesOf = (source: WatchedSource) => desired(source.snapshot!).state.routes.map(({ destination }) => destination);

test("the first snapshot is complete and has no workload that does not concern the chassis", async () => {
  await using stack = new AsyncDisposableStack();
  const setting = await zone(stack);
  const source = watched(stack, setting);
  expect([source.snapshot, source.problems]).toEqual([null, []]);
  await source.until("a snapshot", () => source.snapshot !== null);
  expect(source.ports).toEqual([...BETWEEN, "here", "member"].sort());
  expect(source.published).toHaveLength(1);
  const { ports, ...rest } = source.snapshot!;
  expect(rest).toEqual({
    chassis: { name: "h1", uuid: setting.h1 },
    otherChassis: { [setting.h2]: "h2" },
    bridges: { physnet: { name: "br-ex", mac: "0a:00:00:00:00:ee", patches: { ln: "7" }, uplinks: [] } },
    loadBalancers: [],
    northbound: NO_NORTHBOUND,
    servers: [],
    tunnels: ["198.18.0.2"],
    unreadable: {},
    exposures: { blue: expect.any(String) as string },
  });
  expect(ports.find(({ name }) => name === "router1-ext")).toEqual({
    name: "router1-ext",
    type: "patch",
    datapath: setting.datapaths.router1,
    network: "router1",
    router: true,
    logicalRouter: "router1",
    chassis: null,
    up: false,
    mac: ["0a:00:00:00:01:01 198.51.100.2/24"],
    natAddresses: [],
    tag: null,
    options: { peer: "ext-router1", "chassis-redirect-port": "cr" },
    externalIds: {},
  });
  expect(routesOf(source)).toEqual(["10.1.0.5/32", "198.51.100.2/32", "198.51.100.9/32"]);
});

test("workloads are added and removed with their relation to the chassis: binding, gateway, exposure, tenant network", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host, h1, h2, datapaths } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  await rows.change("here", { chassis: h2 });
  await source.until("moved away", () => !source.ports.includes("here"));
  await rows.change("elsewhere", { chassis: h1 });
  await source.until("moved here", () => source.ports.includes("elsewhere"));
  await rows.change("cr", { chassis: h2 });
  await source.until("the gateway has moved away", () => !source.ports.includes("member"));
  await rows.change("cr", { chassis: h1 });
  await source.until("the gateway is back", () => source.ports.includes("member"));
  await rows.exposures({ blue: exposureOf({ tenantNetworks: "subnet" }) });
  await source.until("by subnet", () => !source.ports.includes("member"));
  await rows.exposures({});
  await source.until("nothing is asked for", () => source.ports.length === 0);
  await rows.exposures({ blue: exposureOf({ tenantNetworks: "host", exclude: { networks: ["tenant1"], ports: [], labels: {} } }) });
  await source.until("excluded", () => source.ports.length > 0);
  expect(source.ports).toEqual([...BETWEEN, "elsewhere"].sort());
  // A second tenant network, behind the router that is here already.
  const tenant2 = await rows.datapath("tenant2");
  await rows.port("late", tenant2, { chassis: h2, up: true, mac: ["0a:00:00:00:00:06 10.2.0.5"] });
  await rows.port("tenant2-router1", tenant2, { type: "patch", options: { peer: "router1-tenant2" } });
  await rows.port("router1-tenant2", datapaths.router1, { type: "patch", mac: ["0a:00:00:00:01:03 10.2.0.1/24"], options: { peer: "tenant2-router1" } });
  await source.until("the new network", () => source.ports.includes("late"));
});

test("workloads of other chassis with possible addresses of a local tenant network are read, and not announced", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host, h2, datapaths } = await zone(stack);
  const source = watched(stack, { host });
  await rows.port("far", datapaths.ext, { chassis: h2, up: true, mac: ["0a:00:00:00:00:07 10.1.0.5"] });
  const router2 = await rows.datapath("router2");
  await rows.port("router2-ext", router2, { type: "l3gateway", chassis: h2, mac: ["0a:00:00:00:02:01 198.51.100.3/24"], options: { peer: "ext-router2" } });
  await rows.port("ext-router2", datapaths.ext, { type: "l3gateway", chassis: h2, mac: ["router"], options: { peer: "router2-ext" } });
  await rows.port("router2-other", router2, { type: "patch", mac: ["0a:00:00:00:02:02 10.8.0.1/24 10.1.0.1/24"], options: { peer: "other-router2" } });
  await rows.port("other-router2", datapaths.other, { type: "patch", mac: ["router"], options: { peer: "router2-other" } });
  await rows.port("member2", datapaths.tenant1, { chassis: h2, up: true, mac: ["0a:00:00:00:00:06 10.1.0.6"] });
  await source.until("only this chassis is named", () => source.ports.includes("member2"));
  expect([source.ports.includes("far"), routesOf(source)]).toEqual([false, ["10.1.0.5/32", "10.1.0.6/32", "198.51.100.2/32", "198.51.100.9/32"]]);
  const everywhere = (more: object) => exposureOf({ chassis: ["h1", "h2"], tenantNetworks: "host", ...more });
  await rows.exposures({ blue: everywhere({ providerPorts: true }) });
  await source.until("a workload on the provider network has the address", () => source.ports.includes("far") && !routesOf(source).includes("10.1.0.5/32"));
  await rows.change("far", { mac: ["0a:00:00:00:00:07 198.51.100.7"] });
  await source.until("it has another one", () => routesOf(source).includes("10.1.0.5/32"));
  await rows.change("elsewhere", { mac: ["0a:00:00:00:00:08 10.1.0.6"] });
  await source.until("a workload of another tenant has one", () => source.ports.includes("elsewhere") && !routesOf(source).includes("10.1.0.6/32"));
  expect(routesOf(source)).toEqual(["10.1.0.5/32", "198.51.100.2/32", "198.51.100.9/32"]);
  // Without tenant networks there is one wire, and no workload elsewhere makes a difference.
  await rows.exposures({ blue: everywhere({ providerPorts: true, tenantNetworks: undefined }) });
  await source.until("provider ports alone", () => !source.ports.includes("far"));
  expect(source.ports).not.toContain("elsewhere");
});

test("a thousand changed ports of other chassis cause no update", async () => {
  await using stack = new AsyncDisposableStack();
  const { server, rows, host, h2, datapaths } = await zone(stack);
  const proxy = await Proxy.start(server.socket);
  stack.defer(() => proxy.stop());
  const source = watched(stack, { host }, { southbound: proxy.endpoint });
  await source.until("the first", () => source.ports.includes("member"));
  let updates = 0;
  const framer = new Framer({ maxMessageBytes: 1e8, maxDepth: 1000 }, (text) => (updates += text.includes('"method":"update') ? 1 : 0));
  for (const pair of proxy.pairs) pair.server.on("data", (chunk: Buffer) => framer.push(chunk));
  await rows.client.transaction((tx) => {
    for (let n = 0; n < 1_000; n++)
      tx.insert("Port_Binding", {
        logical_port: `far${n}`,
        datapath: datapaths.other,
        tunnel_key: 1_000 + n,
        chassis: h2,
        mac: [`0a:00:00:01:00:01 10.8.${n >> 8}.${n & 255}`],
      });
  });
  for (const up of [true, false, true]) await rows.client.transaction((tx) => tx.update("Port_Binding", [["datapath", "==", datapaths.other]], { up }));
  await rows.change("here", { mac: ["0a:00:00:00:00:09 198.51.100.10"] });
  await source.until("the change here", () => source.snapshot!.ports.some(({ mac }) => mac.includes("0a:00:00:00:00:09 198.51.100.10")));
  expect(updates).toBe(1);
  expect(source.published).toHaveLength(2);
});

test("after a restart of the server the last snapshot stays, the problem is reported, and changes are followed again", async () => {
  await using stack = new AsyncDisposableStack();
  const { server, rows, host } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  const before = source.snapshot;
  await server.kill();
  await source.until("the trouble", () => source.problems.length > 0);
  expect([source.problems, source.snapshot === before]).toEqual([["OVN_AGENT_SOUTHBOUND"], true]);
  await server.start();
  await source.until("connected again", () => source.problems.length === 0);
  await rows.change("here", { mac: ["0a:00:00:00:00:09 198.51.100.11"] });
  await source.until("a change", () => source.snapshot !== before && source.ports.length === 8);
  expect(routesOf(source)).toContain("198.51.100.11/32");
  expect(source.published).toHaveLength(2);
});

test("ChassisCreateEvent: a chassis that is registered again has another row, and no snapshot lacks the ports of it", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host, h1 } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  const encap = () => ({ type: "geneve", ip: "198.18.0.9", chassis_name: "h1" }) as const;
  const { value, uuid } = await rows.client.transaction((tx) => {
    tx.delete("Chassis", h1);
    const again = tx.insert("Chassis", { name: "h1", hostname: "h1", encaps: [tx.insert("Encap", encap())] });
    for (const name of ["here", "cr"]) tx.update("Port_Binding", { logical_port: name }, { chassis: again });
    return again;
  });
  await source.until("the new row", () => source.snapshot!.chassis.uuid === uuid(value));
  expect(source.published.map(({ chassis, ports }) => [chassis.uuid === h1, ports.length])).toEqual([
    [true, 8],
    [false, 8],
  ]);
  await rows.client.transaction((tx) => tx.delete("Chassis", uuid(value)));
  await source.until("no chassis", () => source.snapshot!.chassis.uuid === null);
  expect(source.ports).toEqual([]);
});

test("load balancers with the datapaths of their groups, for as long as an exposure asks for them", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host, datapaths } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  await rows.client.transaction((tx) => {
    const group = (...of: string[]) => tx.insert("Logical_DP_Group", { datapaths: of });
    tx.insert("Load_Balancer", {
      name: "lb",
      vips: { "198.51.100.60:80": "10.1.0.5:80", "198.51.100.61:80": "" },
      datapath_group: group(datapaths.tenant1),
      ls_datapath_group: group(datapaths.ext),
      lr_datapath_group: group(datapaths.router1),
    });
    tx.insert("Load_Balancer", { name: "old", vips: { "198.51.100.62": "10.1.0.5" }, datapaths: [datapaths.router1] });
  });
  await rows.exposures({ blue: exposureOf({ loadBalancers: true }) });
  await source.until("load balancers", () => source.snapshot!.loadBalancers.length === 2);
  const list = () => source.snapshot!.loadBalancers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(list()).toEqual([
    {
      name: "lb",
      routersKnown: true,
      vips: { "198.51.100.60:80": "10.1.0.5:80", "198.51.100.61:80": "" },
      datapaths: [datapaths.tenant1, datapaths.ext, datapaths.router1].sort(),
    },
    { name: "old", routersKnown: true, vips: { "198.51.100.62": "10.1.0.5" }, datapaths: [datapaths.router1] },
  ]);
  expect(routesOf(source)).toEqual(["198.51.100.60/32", "198.51.100.62/32"]);
  await rows.client.transaction((tx) => tx.delete("Load_Balancer", { name: "lb" }));
  await source.until("one is gone", () => source.snapshot!.loadBalancers.length === 1);
  await rows.exposures({ blue: exposureOf({ providerPorts: true }) });
  await source.until("nobody asks", () => source.snapshot!.loadBalancers.length === 0);
});

test("a database of an older release is read without its missing columns, until it is upgraded", async () => {
  await using stack = new AsyncDisposableStack();
  const schema = await oldSchema("ovn-sb.ovsschema", "20.21.0", [
    "Port_Binding.up",
    "Load_Balancer.datapath_group",
    "Load_Balancer.ls_datapath_group",
    "Load_Balancer.lr_datapath_group",
  ]);
  stack.defer(() => schema.remove());
  const { server, rows, host, datapaths } = await zone(stack, schema.file);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  const up = () =>
    source
      .snapshot!.ports.filter((port) => port.up)
      .map(({ name }) => name)
      .sort();
  expect(up()).toEqual(["cr", "here", "member"]);
  await rows.client.transaction((tx) => tx.insert("Load_Balancer", { name: "old", vips: { "198.51.100.62": "10.1.0.5" }, datapaths: [datapaths.tenant1] }));
  await rows.exposures({ blue: exposureOf({ loadBalancers: true }) });
  await source.until("the load balancer", () => source.snapshot!.loadBalancers.length === 1);
  expect(routesOf(source)).toEqual(["198.51.100.62/32"]);
  await runProgram("ovsdb-client", ["convert", server.endpoint, (await binaries()).schema("ovn-sb.ovsschema")], server.folder);
  await rows.change("here", { up: false });
  await source.until("the new column", () => up().join() === "cr");
  // From now on the routers that have it are named.
  expect(routesOf(source)).toEqual([]);
  await rows.client.transaction((tx) =>
    tx.update("Load_Balancer", { name: "old" }, { lr_datapath_group: tx.insert("Logical_DP_Group", { datapaths: [datapaths.router1] }) }),
  );
  await source.until("its router", () => routesOf(source).join() === "198.51.100.62/32");
});

test("the host: bridges, patch ports and their numbers, its name and its Southbound database", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host, h1, h2 } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  const bridges = () => source.snapshot!.bridges;
  await host.vsctl("set", "Interface", "patch-ln-to-br-int", "ofport=[]");
  await source.until("no number", () => Object.keys(bridges()["physnet"]!.patches).length === 0);
  await host.vsctl(
    "set",
    "Interface",
    "patch-ln-to-br-int",
    "ofport=9",
    "--",
    "set",
    "Open_vSwitch",
    ".",
    'external_ids:ovn-bridge-mappings="physnet:br-ex, physnet2:br-none,broken"',
  );
  await source.until("a number, and another mapping", () => bridges()["physnet"]?.patches["ln"] === "9" && bridges()["physnet2"] !== undefined);
  expect(bridges()).toEqual({
    physnet: { name: "br-ex", mac: "0a:00:00:00:00:ee", patches: { ln: "9" }, uplinks: [] },
    physnet2: { name: "br-none", mac: null, patches: {}, uplinks: [] },
  });
  const uplinks = (wanted: string[]) =>
    source.until(`uplinks ${wanted.join()}`, () => JSON.stringify(bridges()["physnet"]!.uplinks) === JSON.stringify(wanted));
  await host.vsctl("add-port", "br-ex", "eth1", "--", "add-port", "br-ex", "inner", "--", "set", "Interface", "inner", "type=internal");
  await uplinks(["eth1"]);
  // Also through a patch port to another bridge, except to br-int.
  const patch = (bridge: string, name: string, peer: string) => [
    "--",
    "add-port",
    bridge,
    name,
    "--",
    "set",
    "Interface",
    name,
    "type=patch",
    `options:peer=${peer}`,
  ];
  await host.vsctl(
    "del-port",
    "eth1",
    "--",
    "add-br",
    "br-phy",
    "--",
    "add-port",
    "br-phy",
    "bond0",
    ...patch("br-ex", "to-phy", "to-ex"),
    ...patch("br-phy", "to-ex", "to-phy"),
  );
  await uplinks(["bond0"]);
  await host.vsctl("del-br", "br-phy");
  await uplinks([]);
  await host.vsctl("set", "Open_vSwitch", ".", 'external_ids:ovn-chassis-mac-mappings="physnet2:0A:00:00:00:00:EF, physnet:0a:00:00:00:00:ee"');
  await source.until("MACs of the chassis", () => bridges()["physnet"]?.chassisMac !== undefined);
  expect(Object.values(bridges()).map(({ chassisMac }) => chassisMac)).toEqual(["0a:00:00:00:00:ee", "0a:00:00:00:00:ef"]);
  await host.vsctl("remove", "Open_vSwitch", ".", "external_ids", "ovn-chassis-mac-mappings");
  await source.until("none", () => bridges()["physnet"]!.chassisMac === undefined);
  // Another name is another chassis, with its own settings.
  await host.vsctl("set", "Open_vSwitch", ".", "external_ids:system-id=h2", "external_ids:ovn-bridge-mappings-h2=physnet3:br-ex");
  await source.until("h2", () => source.snapshot!.chassis.name === "h2");
  expect([source.snapshot!.chassis.uuid, Object.keys(bridges())]).toEqual([h2, ["physnet3"]]);
  expect(source.published.filter(({ chassis }) => chassis.uuid !== (chassis.name === "h1" ? h1 : h2))).toEqual([]);
  await rows.exposures({ green: exposureOf({ chassis: ["h2"], providerPorts: true }) });
  await source.until("what is on h2", () => source.ports.includes("elsewhere"));
  expect(source.ports).not.toContain("here");
});

test.each<[string, readonly string[]]>([
  ["its name", ["remove", "Open_vSwitch", ".", "external_ids", "system-id"]],
  ["all of its settings", ["clear", "Open_vSwitch", ".", "external_ids"]],
  ["a name that is one", ["set", "Open_vSwitch", ".", 'external_ids:system-id=""']],
])("a host that has lost %s is the chassis that it was until it has a name, and the databases are followed meanwhile", async (_what, change) => {
  await using stack = new AsyncDisposableStack();
  const { server, rows, host, h1, h2 } = await zone(stack);
  const source = watched(stack, { host }, { southbound: server.endpoint });
  await source.until("the first", () => source.ports.includes("member"));
  const before = routesOf(source);
  await host.vsctl(...change);
  await source.until("the trouble", () => source.problems.length > 0);
  expect([source.problems, routesOf(source), source.snapshot!.chassis]).toEqual([["OVN_AGENT_NO_CHASSIS"], before, { name: "h1", uuid: h1 }]);
  await rows.change("here", { chassis: h2 });
  await source.until("moved away", () => !source.ports.includes("here"));
  await host.vsctl("set", "Interface", "patch-ln-to-br-int", "ofport=9");
  await source.until("another number", () => source.snapshot!.bridges["physnet"]?.patches["ln"] === "9");
  expect(routesOf(source)).toEqual(before.filter((destination) => destination !== "198.51.100.9/32"));
  // An agent that starts by then can't know which chassis it is.
  const late = watched(stack, { host }, { southbound: server.endpoint });
  await late.until("the trouble", () => late.problems.length > 0);
  expect([late.problems, late.snapshot]).toEqual([["OVN_AGENT_NO_CHASSIS"], null]);
  await host.vsctl("set", "Open_vSwitch", ".", "external_ids:system-id=h2", "external_ids:ovn-bridge-mappings=physnet:br-ex");
  await source.until("another name", () => source.snapshot!.chassis.name === "h2");
  await late.until("the name", () => late.snapshot?.chassis.name === "h2");
  expect([source.problems, late.problems, source.published.filter(({ chassis }) => chassis.uuid === null)]).toEqual([[], [], []]);
});

test("another Southbound database, a removed one, and a silent one", async () => {
  await using stack = new AsyncDisposableStack();
  const { host, server } = await zone(stack);
  await host.vsctl("remove", "Open_vSwitch", ".", "external_ids", "ovn-remote");
  const source = watched(stack, { host });
  await source.until("none", () => source.problems.length > 0);
  expect([source.problems, source.snapshot]).toEqual([["OVN_AGENT_NO_REMOTE"], null]);
  await host.vsctl("set", "Open_vSwitch", ".", 'external_ids:ovn-remote="unix:/nowhere/sb.sock"');
  await source.until("no answer", () => source.problems[0] === "OVN_AGENT_SOUTHBOUND");
  await host.vsctl("set", "Open_vSwitch", ".", `external_ids:ovn-remote="${server.endpoint}"`);
  await source.until("the right one", () => source.ports.includes("member") && source.problems.length === 0);
  const second = await southboundServer();
  stack.defer(() => second.remove());
  await using rows = await SouthboundRows.connect(second.endpoint);
  const uuid = await rows.chassis("h1");
  await host.vsctl("set", "Open_vSwitch", ".", `external_ids:ovn-remote="${second.endpoint}"`);
  await source.until("the second", () => source.snapshot!.chassis.uuid === uuid);
  expect(source.ports).toEqual([]);
});

test("a recreated database is empty at first: the last snapshot is used until it contains the chassis", async () => {
  await using stack = new AsyncDisposableStack();
  const { server, host, rows } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("the first", () => source.ports.includes("member"));
  const before = source.snapshot;
  await server.kill();
  await rm(join(server.folder, "db.db"));
  await runProgram("ovsdb-tool", ["create", join(server.folder, "db.db"), (await binaries()).schema("ovn-sb.ovsschema")], server.folder);
  await server.start();
  await source.until("the trouble", () => source.problems.includes("OVN_AGENT_NO_CHASSIS"));
  expect(source.snapshot).toBe(before);
  // Any ovn-sbctl makes the row; and ovn-controller may be there before northd.
  await rows.client.transaction((tx) => tx.insert("SB_Global", {}));
  const uuid = await rows.chassis("h1");
  await rows.datapath("later");
  const late = stack.use(new WatchedSource({ openvswitch: host.endpoint }));
  await late.until("the trouble of one that has just started", () => late.problems.length > 0);
  expect([late.problems, late.snapshot, source.problems]).toEqual([["OVN_AGENT_NO_CHASSIS"], null, ["OVN_AGENT_NO_CHASSIS"]]);
  expect(source.snapshot).toBe(before);
  await rows.exposures({ blue: JSON.stringify({ version: 2 }) });
  await source.until("the chassis", () => source.snapshot!.chassis.uuid === uuid);
  // It is the same zone's: what was read of its exposures holds where it can't be any more.
  expect([source.problems, source.ports, source.snapshot!.exposures, Object.keys(source.snapshot!.unreadable)]).toEqual([[], [], before!.exposures, ["blue"]]);
  expect(new Set(source.published.map(({ chassis }) => chassis.uuid))).toEqual(new Set([before!.chassis.uuid, uuid]));
});

test("a database that was recreated while no agent ran gives no snapshot while it is empty, without northd or without the chassis", async () => {
  await using stack = new AsyncDisposableStack();
  const server = await southboundServer();
  stack.defer(() => server.remove());
  const host = stack.use(await agentHost(server.endpoint));
  const source = watched(stack, { host });
  const becomes = (...wanted: unknown[]) =>
    source.until(JSON.stringify(wanted), () => JSON.stringify([source.problems, source.snapshot?.chassis.uuid, source.database]) === JSON.stringify(wanted));
  await becomes(["OVN_AGENT_NO_CHASSIS"], undefined, undefined);
  // ovn-controller may be there before northd.
  await using client = await connect<OVN_Southbound>(server.endpoint, { database: "OVN_Southbound" });
  const { value: early, uuid } = await client.transaction((tx) =>
    tx.insert("Chassis", { name: "h1", hostname: "h1", encaps: [tx.insert("Encap", { type: "geneve", ip: "198.18.0.9", chassis_name: "h1" })] }),
  );
  await client.transaction((tx) => tx.delete("Chassis", uuid(early)));
  await using rows = await SouthboundRows.connect(server.endpoint);
  await rows.exposures({ blue: exposureOf({ providerPorts: true }) });
  await rows.chassis("h2");
  expect([source.problems, source.published]).toEqual([["OVN_AGENT_NO_CHASSIS"], []]);
  const [global] = await client.select("SB_Global", {});
  const database = global!._uuid;
  // An agent that has used this database knows that the chassis has left it.
  await host.vsctl("set", "Open_vSwitch", ".", "external_ids:pulumi-ovn-bgp-southbound=7d8fa4a5-0000-4000-8000-000000000000");
  const other = watched(stack, { host });
  await other.until("the same", () => other.problems.length > 0);
  expect([other.problems, other.snapshot]).toEqual([["OVN_AGENT_NO_CHASSIS"], null]);
  await host.vsctl("set", "Open_vSwitch", ".", `external_ids:pulumi-ovn-bgp-southbound=${database}`);
  await becomes([], null, database);
  const h1 = await rows.chassis("h1");
  await becomes([], h1, database);
  expect(source.published.map(({ chassis }) => chassis.uuid)).toEqual([null, h1]);
});

test("an exposure of a newer release keeps its last readable form, also for a new agent; one that was never readable is omitted", async () => {
  await using stack = new AsyncDisposableStack();
  const { host, rows, h1, datapaths } = await zone(stack);
  const NEWER = JSON.stringify({ version: 2, chassis: ["h1"] });
  const readable = exposureOf({ providerPorts: true });
  await rows.exposures({ blue: readable });
  const first = watched(stack, { host });
  await first.until("a snapshot", () => first.snapshot !== null);
  expect(first.noted.exposures).toEqual({ blue: readable });
  await rows.exposures({ blue: NEWER, green: NEWER });
  await first.until("another exposure", () => Object.keys(first.snapshot!.exposures).length === 2);
  const why = "this agent does not know its version; it needs a newer release";
  expect([first.snapshot!.exposures, first.snapshot!.unreadable]).toEqual([{ blue: readable, green: NEWER }, { blue: why }]);
  expect(desired(first.snapshot!).problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
    "OVN_AGENT_EXPOSURE green",
    "OVN_AGENT_EXPOSURE_HELD blue",
  ]);
  // It continues with the workloads.
  await rows.port("more", datapaths.ext, { chassis: h1, mac: ["0a:00:00:00:00:0a 198.51.100.10"], up: true });
  await first.until("the workload", () => routesOf(first).includes("198.51.100.10/32"));
  expect(routesOf(first)).toContain("198.51.100.9/32");
  expect(first.noted.exposures).toEqual({ blue: readable });

  const noted = async (ids: Record<string, string>) => {
    for (const [key, text] of Object.entries(ids)) await host.vsctl("set", "Open_vSwitch", ".", `external_ids:${JSON.stringify(key)}=${JSON.stringify(text)}`);
  };
  // The agent knows nothing about an exposure of another zone with the same name.
  await noted({
    "pulumi-ovn-bgp-southbound": "7d8fa4a5-0000-4000-8000-000000000000",
    "pulumi-ovn-bgp-exposure:blue": readable,
    "pulumi-ovn-bgp-exposure:gone": readable,
  });
  const stranger = watched(stack, { host });
  await stranger.until("a snapshot", () => stranger.snapshot !== null);
  expect([stranger.snapshot!.exposures, stranger.snapshot!.unreadable, routesOf(stranger)]).toEqual([{ blue: NEWER, green: NEWER }, {}, []]);
  expect(stranger.noted.exposures).toEqual({});
  await stranger.close();

  await noted({ "pulumi-ovn-bgp-southbound": first.database! });
  const second = watched(stack, { host });
  await second.until("a snapshot", () => second.snapshot !== null);
  expect([second.snapshot!.exposures, second.snapshot!.unreadable, routesOf(second)]).toEqual([first.snapshot!.exposures, { blue: why }, routesOf(first)]);
  expect(second.noted.exposures).toEqual({ blue: readable });

  const other = exposureOf({ providerPorts: true, table: 1300 });
  await rows.exposures({ blue: other });
  await second.until("what can be read again", () => second.snapshot!.exposures["blue"] === other);
  expect([second.snapshot!.unreadable, second.noted.exposures]).toEqual([{}, { blue: other }]);
  await rows.exposures({ blue: exposureOf({ chassis: ["h2"] }) });
  await second.until("what names another chassis", () => routesOf(second).length === 0);
  expect(second.noted.exposures).toEqual({});
  // It is unknown whether it names this one again: reports are equal before and after a restart.
  await rows.exposures({ blue: NEWER });
  await second.until("what can't be read", () => second.snapshot!.exposures["blue"] === NEWER);
  expect([second.snapshot!.unreadable, desired(second.snapshot!).problems.map(({ code }) => code)]).toEqual([{}, ["OVN_AGENT_EXPOSURE"]]);
  await rows.exposures({});
  await first.until("the end", () => routesOf(first).length === 0);
  expect(first.noted.exposures).toEqual({});
});

test("reports the servers of the endpoints immediately, also while they can't be reached", async () => {
  await using stack = new AsyncDisposableStack();
  const { host } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("a snapshot", () => source.snapshot !== null);
  const { ports } = source.snapshot!;
  await host.vsctl(
    "set",
    "Open_vSwitch",
    ".",
    'external_ids:ovn-remote="ssl:192.0.2.9:6642,tcp:[2001:db8::9]:6642"',
    'external_ids:ovn-nb-remote="tcp:192.0.2.8:6641"',
  );
  await source.until("other servers", () => source.snapshot!.servers.length > 0);
  expect([source.snapshot!.servers, source.snapshot!.ports]).toEqual([["192.0.2.8", "192.0.2.9", "2001:db8::9"], ports]);
});

test("a server with a host name has the address of its connection, from the first snapshot on, also after the connection is lost", async () => {
  await using stack = new AsyncDisposableStack();
  const setting = await zone(stack);
  const relay = createServer(
    (client) => void pipeline(client, createConnection(setting.server.endpoint.slice("unix:".length)), client, () => undefined),
  ).listen(0, "127.0.0.1");
  await once(relay, "listening");
  // Other owners of the name are unknown if the look-up fails.
  const resolver = jest.spyOn(dns, "lookup").mockRejectedValue(new Error("no resolver"));
  stack.defer(() => resolver.mockRestore());
  const source = watched(stack, setting, { southbound: `tcp:localhost:${(relay.address() as AddressInfo).port}` });
  await source.until("a snapshot", () => source.snapshot !== null);
  expect(source.published[0]!.servers).toEqual(["127.0.0.1"]);
  relay.close();
  await setting.server.kill();
  await source.until("the trouble", () => source.problems.length > 0);
  expect([source.snapshot!.servers, resolver.mock.calls.map(([name]) => name)]).toEqual([["127.0.0.1"], ["localhost"]]);
});

test("tunnels of other chassis are added and removed; without an exposure none is read", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host } = await zone(stack);
  const source = watched(stack, { host });
  const tunnels = (wanted: string[]) => source.until(wanted.join(), () => JSON.stringify(source.snapshot?.tunnels) === JSON.stringify(wanted));
  await tunnels(["198.18.0.2"]);
  const { tunnels: before } = source.snapshot!;
  await rows.change("here", { mac: [] });
  await source.until("a port without addresses", () => source.snapshot!.ports.some(({ name, mac }) => name === "here" && mac.length === 0));
  expect(source.snapshot!.tunnels).toBe(before);
  await rows.client.transaction((tx) => {
    const encaps = ["geneve", "vxlan"].map((type) => tx.insert("Encap", { type: type as "geneve", ip: "2001:db8::3", chassis_name: "h3" }));
    tx.insert("Chassis", { name: "h3", hostname: "h3", encaps });
  });
  await tunnels(["198.18.0.2", "2001:db8::3"]);
  await rows.client.transaction((tx) => tx.delete("Chassis", { name: "h2" }));
  await tunnels(["2001:db8::3"]);
  await rows.exposures({});
  await tunnels([]);
});

test("a chassis that moves to another zone uses no exposure of the old one, even if it can't read one of the same name", async () => {
  await using stack = new AsyncDisposableStack();
  const { host, server, rows: before } = await zone(stack);
  const source = watched(stack, { host });
  await source.until("a snapshot", () => source.ports.includes("member"));
  const second = await southboundServer();
  stack.defer(() => second.remove());
  await using rows = await SouthboundRows.connect(second.endpoint);
  const uuid = await rows.chassis("h1");
  const NEWER = JSON.stringify({ version: 2, chassis: ["h1"] });
  await rows.exposures({ blue: NEWER });
  await host.vsctl("set", "Open_vSwitch", ".", `external_ids:ovn-remote="${second.endpoint}"`);
  await source.until("the other zone", () => source.snapshot!.chassis.uuid === uuid);
  expect([source.snapshot!.exposures, source.snapshot!.unreadable, source.noted.exposures]).toEqual([{ blue: NEWER }, {}, {}]);
  // A database of the same zone under another endpoint is the same zone's.
  await host.vsctl("set", "Open_vSwitch", ".", `external_ids:ovn-remote="${server.endpoint}"`);
  await source.until("the first zone again", () => source.snapshot!.chassis.uuid !== uuid);
  const { exposures } = source.snapshot!;
  await before.exposures({ blue: NEWER });
  await source.until("what can't be read", () => Object.keys(source.snapshot!.unreadable).length > 0);
  await host.vsctl(
    "set",
    "Open_vSwitch",
    ".",
    `external_ids:ovn-remote="${server.endpoint},unix:/nowhere/sb.sock"`,
    "external_ids:ovn-bridge-mappings=physnet2:br-ex",
  );
  await source.until("what is seen by the other endpoint", () => Object.hasOwn(source.snapshot!.bridges, "physnet2"));
  expect(source.snapshot!.exposures).toEqual(exposures);
});

test("the source waits for the host's database and reports its loss", async () => {
  await using stack = new AsyncDisposableStack();
  const source = stack.use(new WatchedSource({ openvswitch: "unix:/nowhere/db.sock" }));
  await source.until("the trouble", () => source.problems.length > 0);
  expect([source.problems, source.snapshot]).toEqual([["OVN_AGENT_OPENVSWITCH"], null]);
});

test("simultaneous changes are reported once, and none after an abort", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host, h1, datapaths } = await zone(stack);
  const abort = new AbortController();
  const source = stack.use(new WatchedSource({ openvswitch: host.endpoint }, { signal: abort.signal }));
  await source.until("the first", () => source.ports.includes("member"));
  const before = source.calls;
  await rows.client.transaction((tx) => {
    for (let n = 0; n < 50; n++) tx.insert("Port_Binding", { logical_port: `more${n}`, datapath: datapaths.ext, tunnel_key: 2_000 + n, chassis: h1 });
  });
  await source.until("all of them", () => source.ports.length === 58);
  expect(source.calls).toBe(before + 1);
  abort.abort();
  await source.close();
  await rows.change("here", { mac: [] });
  expect(source.calls).toBe(before + 1);
  const early = stack.use(new WatchedSource({ openvswitch: host.endpoint }, { signal: AbortSignal.abort() }));
  await early.close();
  expect([early.calls, early.snapshot]).toEqual([0, null]);
});

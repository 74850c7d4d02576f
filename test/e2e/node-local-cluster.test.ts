import { prepareHost } from "../../examples/node-local/host.mts";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { ask, packetsOf, reachable, serve } from "../support/host-services";
import { Workspace } from "../support/workspace";

/** One central for two hosts, as in a cluster with one zone, and node names of which one is the end of the other. */
const PORT = 8081;
const VIPS = ["10.96.0.2", "fd10:96::2"] as const;
const nodes = {
  a: { host: "node1", vm: "vm1", subnet: 1, hostAddresses: ["172.18.0.111", "fc00:f853:ccd:e793::6f"] },
  "b-a": { host: "node2", vm: "vm2", subnet: 2, hostAddresses: ["172.18.0.112", "fc00:f853:ccd:e793::70"] },
} as const;
type Node = keyof typeof nodes;
const names = Object.keys(nodes) as Node[];

const management = (node: Node) => {
  const { subnet } = nodes[node];
  return {
    port: `k8s-${node}`,
    mac: `0a:58:c0:a8:0${subnet}:02`,
    addresses: [`192.168.${subnet}.2/24`, `fd00:${subnet}::2/64`],
    gateways: [`192.168.${subnet}.1`, `fd00:${subnet}::1`],
  };
};

let sandbox: Sandbox;
let workspace: Workspace;
const servers: AsyncDisposable[] = [];

async function run(place: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, argv, { timeout: 20_000 });
  if (code !== 0) throw new Error(`${argv.join(" ")} in ${place}: ${stderr}`);
  return stdout.trim();
}

/** A switch for each node with a workload and the management port, and one router, which has no routes of its own. */
async function cluster(): Promise<void> {
  await run("node2", "ovs-vsctl", "set", "Open_vSwitch", ".", `external_ids:ovn-remote=unix:${sandbox.folder}/node1/ovnsb_db.sock`);
  const commands = ["lr-add ovn_cluster_router"];
  for (const node of names) {
    const { subnet, vm } = nodes[node];
    const { port, mac, addresses } = management(node);
    const [vmMac, vmAddresses] = [`0a:58:c0:a8:0${subnet}:0a`, [`192.168.${subnet}.10`, `fd00:${subnet}::a`]];
    commands.push(
      `ls-add ${node}`,
      `lrp-add ovn_cluster_router rtos-${node} 0a:58:c0:a8:0${subnet}:01 192.168.${subnet}.1/24 fd00:${subnet}::1/64`,
      `lsp-add ${node} stor-${node} -- lsp-set-type stor-${node} router -- lsp-set-addresses stor-${node} router -- lsp-set-options stor-${node} router-port=rtos-${node}`,
      `lsp-add ${node} ${vm} -- lsp-set-addresses ${vm} "${vmMac} ${vmAddresses.join(" ")}"`,
      `lsp-add ${node} ${port} -- lsp-set-addresses ${port} "${[mac, ...addresses].join(" ").replaceAll(/\/\d+/g, "")}"`,
    );
    const lines = [
      `ip address flush dev eth0 scope global`,
      `ip link set eth0 address ${vmMac}`,
      `ip address add ${vmAddresses[0]}/24 dev eth0; ip address add ${vmAddresses[1]}/64 dev eth0 nodad`,
      `ip route replace default via 192.168.${subnet}.1; ip -6 route replace default via fd00:${subnet}::1`,
    ];
    await run(vm, "sh", "-ec", lines.join("\n"));
  }
  await run("node1", "sh", "-ec", `ovn-nbctl ${commands.join(" -- ")}`);
}

function program(some: readonly Node[], more: object = {}): string {
  const hosts = some.map((node) => {
    const { port, addresses } = management(node);
    const { host, hostAddresses } = nodes[node];
    return [
      node,
      {
        hostZone: host,
        chassis: host,
        routerPort: `rtos-${node}`,
        hostAddresses,
        management: { port, addresses: addresses.map((address) => address.split("/")[0]) },
      },
    ];
  });
  const zones = { central: { router: "ovn_cluster_router", nodes: Object.fromEntries(hosts) as object } };
  return `
const local = new ovn.NodeLocalAccess("local", { datapathType: "netdev", usedSubnets: ["192.168.0.0/16"], defaultRoute: true, zones: ${JSON.stringify(zones)}, ...${JSON.stringify(more)} });
exports.addresses = local.addresses;`;
}

/** Rows of a node in the cluster's database, with their versions: a row that was written has another. */
async function rowsOf(node: Node): Promise<unknown> {
  const select = (table: string) => ({
    op: "select",
    table,
    where: [["external_ids", "includes", ["map", [["pulumi-ovn:node", node]]]]],
    columns: ["_uuid", "_version"],
  });
  const transaction = JSON.stringify(["OVN_Northbound", select("NAT"), select("Logical_Router_Policy")]);
  const results = JSON.parse(await run("node1", "ovsdb-client", "transact", `unix:${sandbox.folder}/node1/ovnnb_db.sock`, transaction)) as { rows: object[] }[];
  return results.map(({ rows }) => rows.map((row) => JSON.stringify(row)).sort());
}

const sizes = (rows: unknown) => (rows as unknown[][]).map(({ length }) => length);
const twenty = (seen: string, asked: string) => Array.from({ length: 20 }, () => ({ seen, asked }));

/** The host sends to a service address whose only backend is the host itself. */
async function ownService(node: Node, index: 0 | 1, source: string): Promise<void> {
  const { host } = nodes[node];
  await reachable(sandbox, host, VIPS[index], 443);
  const seen = await packetsOf(sandbox, host, ["phy0", "ex0"], PORT, async () => {
    expect(await ask(sandbox, host, VIPS[index], 443, 20)).toEqual(twenty(source, VIPS[index]));
  });
  expect(seen).toEqual({ phy0: [], ex0: [] });
}

beforeAll(async () => {
  sandbox = await up({ name: "test-node-local-1", hosts: 2 });
  await cluster();
  const hosts = Object.fromEntries(Object.entries(sandbox.zones).map(([name, { openvswitch }]) => [name, { openvswitch }]));
  const { northbound, southbound } = sandbox.zones["node1"]!;
  workspace = await Workspace.create(program(names), { central: { northbound, southbound }, ...hosts });
  await workspace.up();
  for (const node of names) {
    await prepareHost(sandbox, nodes[node].host, { management: management(node), local: { addresses: ["169.254.0.1/20", "fd99:1::1/64"] }, services: VIPS });
    servers.push(await serve(sandbox, nodes[node].host, PORT));
    const balancers = VIPS.map((vip, index) => {
      const [front, back] = [vip, nodes[node].hostAddresses[index]!].map((address) => (index === 1 ? `[${address}]` : address));
      return `lb-add ${node}-${index} ${front}:443 ${back}:${PORT} -- ls-lb-add ${node} ${node}-${index}`;
    });
    await run("node1", "sh", "-ec", `ovn-nbctl --wait=hv ${balancers.join(" -- ")}`);
  }
}, 180_000);

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await sandbox?.down();
  await workspace?.[Symbol.asyncDispose]();
});

it("serves each node on its own host, independent of the gateway port's chassis", async () => {
  expect(
    await run("node1", "sh", "-c", "ovn-sbctl --bare --columns=chassis find Port_Binding type=chassisredirect | xargs -I{} ovn-sbctl get Chassis {} name"),
  ).toBe("node1");
  await ownService("a", 0, "169.254.0.3");
  await ownService("a", 1, "fd99:1::3");
  await ownService("b-a", 0, "169.254.0.4");
  await ownService("b-a", 1, "fd99:1::4");
  for (const node of names) {
    const { vm, subnet, hostAddresses } = nodes[node];
    await reachable(sandbox, vm, hostAddresses[0], PORT);
    expect(await ask(sandbox, vm, hostAddresses[0], PORT, 20)).toEqual(twenty(`192.168.${subnet}.10`, hostAddresses[0]));
    await reachable(sandbox, vm, hostAddresses[1], PORT);
    expect(await ask(sandbox, vm, hostAddresses[1], PORT, 20)).toEqual(twenty(`fd00:${subnet}::a`, hostAddresses[1]));
  }
});

const trace = (target: string) => {
  const packet = `inport=="vm1" && eth.src==0a:58:c0:a8:01:0a && eth.dst==0a:58:c0:a8:01:01 && ip.ttl==64 && udp`;
  return run(
    "node1",
    "ovn-trace",
    "a",
    `${packet} && ${target.includes(":") ? `ip6.src==fd00:1::a && ip6.dst==${target}` : `ip4.src==192.168.1.10 && ip4.dst==${target}`}`,
  );
};

it("matches by its default routes only packets for the node's own host", async () => {
  for (const target of nodes.a.hostAddresses) expect(await trace(target)).toContain('output to "k8s-a"');
  for (const target of [...nodes["b-a"].hostAddresses, "192.0.2.77", "2001:db8::77"])
    expect(await trace(target)).toMatch(/lr_in_policy .*priority 1001, .*\n +drop;$/);
});

it("removes the rows of a node, and keeps those of a node whose name has the same ending", async () => {
  expect(sizes(await rowsOf("a"))).toEqual([2, 4]);
  const before = await rowsOf("b-a");
  expect(sizes(before)).toEqual([2, 4]);
  await workspace.write(program(["b-a"]));
  await workspace.up();
  expect(sizes(await rowsOf("a"))).toEqual([0, 0]);
  expect(await rowsOf("b-a")).toEqual(before);
  expect(await run("node1", "ovs-vsctl", "get", "Open_vSwitch", ".", "external_ids:ovn-bridge-mappings")).toBe('"physnet:br-ex"');
  expect(await run("node1", "ovs-vsctl", "list-br")).not.toContain("br-local");
  await ownService("b-a", 0, "169.254.0.4");
  await ownService("b-a", 1, "fd99:1::4");
});

it("gives a returning node the free address and moves no other; without its routes all packets are dropped", async () => {
  await workspace.write(program(names, { defaultRoute: false }));
  await workspace.up();
  expect(JSON.parse(await workspace.must("stack", "output", "addresses", "--json", "--stack", "dev"))).toEqual({
    a: ["169.254.0.3", "fd99:1::3"],
    "b-a": ["169.254.0.4", "fd99:1::4"],
  });
  expect(await run("node1", "ovn-nbctl", "--bare", "--columns=ip_prefix", "list", "Logical_Router_Static_Route")).toBe("");
  expect(await run("node1", "ovn-nbctl", "--bare", "--columns=priority", "find", "Logical_Router_Policy", "priority=1001")).toBe("");
  await run("node1", "ovn-nbctl", "--wait=sb", "sync");
  for (const target of nodes.a.hostAddresses) expect(await trace(target)).toMatch(/lr_in_ip_routing .*priority 0, .*\n +drop;$/);
});

it("in local mode sends packets of a management port out through the host, with the node's address as source", async () => {
  const outside = ["192.0.2.77", "2001:db8::77"] as const;
  const sources = await Promise.all(outside.map((address, index) => sourceOutside(address, index)));
  expect(sources).toEqual(["nothing", "nothing"]);
  await workspace.write(program(names, { gatewayMode: "local", clusterSubnets: ["192.168.0.0/16", "fd00::/16"] }));
  await workspace.up();
  expect([await sourceOutside(outside[0], 0), await sourceOutside(outside[1], 1)]).toEqual(["169.254.0.4", "fd99:1::4"]);
});

/** Source address of a request that the host sends by its management port, seen on the local network; it gets no answer. */
async function sourceOutside(address: string, index: number): Promise<string> {
  const { addresses, gateways } = management("b-a");
  await run("node2", "ip", "route", "replace", address, "via", gateways[index]!, "dev", "ovn-k8s-mp0", "src", addresses[index]!.split("/")[0]!);
  const seen = await packetsOf(sandbox, "node2", ["ovn-k8s-gw0"], 9999, async () => {
    expect(await ask(sandbox, "node2", address, 9999, 1, 2_000)).toEqual([null]);
  });
  const [first] = seen["ovn-k8s-gw0"]!.filter((line) => line.includes(` > ${address}.9999`));
  return first === undefined ? "nothing" : /IP6? (\S+)\.\d+ > /.exec(first)![1]!;
}

it("serves a node while the gateway port's chassis is dead", async () => {
  await sandbox.killDaemon("node1", "ovn-controller");
  await sandbox.killDaemon("node1", "ovs-vswitchd");
  await ownService("b-a", 0, "169.254.0.4");
  await ownService("b-a", 1, "fd99:1::4");
});

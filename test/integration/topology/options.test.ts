import { rmSync } from "node:fs";
import { connect } from "@pulumi-ovn/ovsdb-client";
import { expandLayer2Network, kinds, type Layer2NetworkArgs, type RowKind, type RowSet, type ZoneArgs, type ZonePlan } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { Sandbox, up } from "@pulumi-ovn/sandbox";
import { node } from "../../unit/topology/networks";
import { addStorageNetwork, STORAGE, storageAddresses } from "../../support/second-external";
import { runFolder } from "../../support/sandbox-runs";

const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;

const MANAGED = "192.0.2.77";
const SERVICES = ["10.96.0.0/12", "fd10:96::/112"];
const base: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
  nodes: { node1: node(1), node2: node(2) },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  },
};

let sandbox: Sandbox;
let written: Layer2NetworkArgs | undefined;

/** The row sets of a zone in the order in which they depend on each other. */
function setsOf(plan: ZonePlan): [string, RowSet][] {
  const set = <Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown): [string, RowSet] => [kind.name, kind.render(kind.schema.parse(args)).set];
  return [
    // First, or northd warns of an unknown chassis for every remote port.
    set(kinds.RemoteChassis, plan.remoteChassis),
    set(kinds.Layer2Switch, plan.switch),
    set(kinds.GatewayRouter, plan.gatewayRouter),
    set(kinds.Layer2Gateway, plan.gateway),
    set(kinds.WorkloadPorts, plan.workloads),
  ];
}

/** Brings all zones from the network that was written last to this one, as the resources would. */
async function write(args: Layer2NetworkArgs | undefined): Promise<void> {
  const [before, after] = [written, args].map((network) => network && expandLayer2Network(network).zones);
  for (const zone of ["node1", "node2"]) {
    const previous = new Map(before ? setsOf(before[zone]!) : []);
    const desired = new Map(after ? setsOf(after[zone]!) : []);
    const names = after ? [...desired.keys()] : [...previous.keys()].reverse();
    for (const name of names) {
      const { database } = (desired.get(name) ?? previous.get(name))!;
      const { northbound, southbound } = sandbox.zones[zone]!;
      const client = await connect(database === "OVN_Northbound" ? northbound : southbound, { database });
      const target = { client, owner: `urn:pulumi:dev::net::${name}::${zone}` };
      const wanted = desired.get(name);
      await (wanted ? ensureRows(target, wanted, { previous: previous.get(name) }) : removeRows(target, previous.get(name)!));
      await client.close();
    }
  }
  written = args;
  for (const zone of ["node1", "node2"]) await output(zone, "ovn-nbctl", "--timeout=20", "--wait=hv", "sync");
}

async function output(place: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, argv, { timeout: 30_000 });
  expect([argv, code, stderr]).toEqual([argv, 0, ""]);
  return stdout;
}

/** Three packets, of which the first may be lost to neighbour discovery. */
async function reaches(from: string, to: string): Promise<boolean> {
  const { stdout } = await sandbox.exec(from, ["ping", "-q", "-c3", "-i0.2", "-W1", to], { timeout: 30_000 });
  return /[123] received/.test(stdout);
}

/** Until the first packet returns: those before it are lost while neighbours are resolved. */
async function answers(from: string, to: string): Promise<void> {
  await output(from, "ping", "-q", "-c1", "-w20", to);
}

/** The address that `from` has in the eyes of the host that has `to`. */
async function sourceSeen(place: string, from: string, to: string): Promise<string> {
  const capture = await sandbox.spawn(place, [
    "timeout",
    "20",
    "tcpdump",
    "-nn",
    "-l",
    "-c1",
    "-i",
    "any",
    "icmp or icmp6",
    "and",
    "dst",
    "host",
    to,
    "and",
    "greater",
    "70",
  ]);
  let text = "";
  const started = new Promise<void>((resolve) =>
    capture.process.stderr!.on("data", (data: Buffer) => {
      if (String(data).includes("listening on")) resolve();
    }),
  );
  capture.process.stdout!.on("data", (data: Buffer) => {
    text += String(data);
  });
  await started;
  const pings = await sandbox.spawn(from, ["ping", "-q", "-i0.3", to], "ignore");
  await capture.exit;
  pings.signal("SIGINT");
  await pings.exit;
  return /IP6? (\S+) > /.exec(text)?.[1] ?? text;
}

/** Warnings of northd, without the usual line for a gateway chassis on a port with a key, and the number of these lines. */
async function northdWarnings(zone: string): Promise<string[]> {
  const log = await output(zone, "cat", `${folder}/options/${zone}/ovn-northd.log`);
  return log.split("\n").filter((line) => /\|(WARN|ERR)\|/.test(line) && !/requests same tunnel key|Dropped \d+ log messages|connection/.test(line));
}

beforeAll(async () => {
  sandbox = await up({ name: "options", hosts: 2 });
  // Plays the host behind the management port; it has an address outside all networks.
  await sandbox.addWorkload("node1", {
    name: "host1",
    ifaceId: "k8s-blue_node1",
    mac: "0a:58:cb:cb:00:02",
    addresses: ["203.203.0.2/16", "2010:100:200::2/60"],
    gateways: ["203.203.0.1", "2010:100:200::1"],
  });
  for (const address of [`${MANAGED}/32`, "10.96.0.1/32", "fd10:96::1/128"]) await output("host1", "ip", "address", "add", address, "dev", "lo");
});
afterAll(async () => {
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

test("without options", async () => {
  await write(base);
  for (const [from, to] of [
    ["vm1", "203.203.0.18"],
    ["vm1", "2010:100:200::12"],
    ["vm2", "192.0.2.1"],
    ["vm1", "2001:db8::1"],
    ["vm1", "100.65.0.3"],
    ["vm1", "fd99::3"],
    ["vm2", "100.65.0.2"],
  ] as const) {
    expect([from, to, await reaches(from, to)]).toEqual([from, to, true]);
  }
  expect(await reaches("vm1", MANAGED)).toBe(false);
  expect(await sourceSeen("ext", "vm1", "192.0.2.1")).toBe("172.18.0.11");
  expect(await northdWarnings("node1")).toEqual([]);
});

test("management port: node addresses are reached through it, with the masquerade address as source", async () => {
  const nodes = { ...base.nodes, node1: { ...node(1), hostAddresses: [MANAGED] } };
  await write({ ...base, nodes, networkId: 6, management: { services: SERVICES }, masquerade: { hostFlows: true } });
  expect(await sourceSeen("host1", "vm1", MANAGED)).toBe("169.254.0.22");
  // The range is larger than the network, so a route to it would come after the one that leads outside.
  for (const [address, source] of [
    ["10.96.0.1", "169.254.0.22"],
    ["fd10:96::1", "fd69::16"],
  ] as const) {
    await answers("vm1", address);
    expect(await sourceSeen("host1", "vm1", address)).toBe(source);
  }
  expect(await reaches("vm1", MANAGED)).toBe(true);
  expect(await reaches("vm1", "203.203.0.18")).toBe(true);
  expect(await northdWarnings("node1")).toEqual([]);
});

test("masquerade: packets leave with the gateway router's masquerade address", async () => {
  await output("ext", "ip", "route", "add", "169.254.0.21/32", "via", "172.18.0.11");
  expect(await sourceSeen("ext", "vm1", "192.0.2.1")).toBe("169.254.0.21");
  expect(await reaches("vm1", "192.0.2.1")).toBe(true);
});

test("local gateway mode: all packets leave through the management port, and no longer afterwards", async () => {
  await write({ ...base, management: {}, gatewayMode: "local" });
  expect(await sourceSeen("host1", "vm1", MANAGED)).toBe("203.203.0.17");
  expect(await reaches("vm1", MANAGED)).toBe(true);
  expect(await reaches("vm1", "192.0.2.1")).toBe(false);
  await write(base);
  expect(await reaches("vm1", "10.96.0.1")).toBe(false);
  expect(await reaches("vm1", MANAGED)).toBe(false);
  expect(await sourceSeen("ext", "vm1", "192.0.2.1")).toBe("172.18.0.11");
});

test("several external networks: each packet leaves by its destination's network, with the router's address there", async () => {
  const configured = async () =>
    Promise.all(
      [["show"], ["lr-route-list", "GR_blue_node1"], ["lr-nat-list", "GR_blue_node1"]].map(([command, ...words]) =>
        output("node1", "ovn-nbctl", command!, ...words),
      ),
    );
  const before = await configured();
  await addStorageNetwork(sandbox);
  await answers("vm1", STORAGE.behind[0]);
  // Packets leave by the first network as long as no other network has a route.
  expect(await sourceSeen("ext", "vm1", STORAGE.behind[0])).toBe("172.18.0.11");

  const further = (index: number) => ({
    ...node(index),
    furtherExternals: { [STORAGE.name]: { addresses: storageAddresses(index), mtu: 1400, routes: STORAGE.routes } },
  });
  await write({ ...base, nodes: { node1: further(1), node2: further(2) } });
  for (const address of [...STORAGE.router, ...STORAGE.behind]) await answers("vm2", address);
  await answers("vm1", STORAGE.behind[0]);
  expect(await sourceSeen("ext", "vm1", STORAGE.router[0])).toBe("10.50.0.11");
  expect(await sourceSeen("ext", "vm1", STORAGE.behind[0])).toBe("10.50.0.11");
  expect(await sourceSeen("ext", "vm2", STORAGE.behind[1])).toBe("fd50::c");
  expect(await sourceSeen("ext", "vm1", "192.0.2.1")).toBe("172.18.0.11");
  expect(await sourceSeen("ext", "vm2", "2001:db8::1")).toBe("fc00:f853:ccd:e793::c");
  expect(await northdWarnings("node1")).toEqual([]);

  await write(base);
  expect(await sourceSeen("ext", "vm1", STORAGE.behind[0])).toBe("172.18.0.11");
  expect(await configured()).toEqual(before);
});

test("no row remains", async () => {
  await write(undefined);
  for (const table of ["Logical_Switch", "Logical_Router", "Static_MAC_Binding", "ACL", "NAT"])
    expect(await output("node1", "ovn-nbctl", "--bare", "--columns=_uuid", "list", table)).toBe("");
  expect(await output("node1", "ovn-sbctl", "--bare", "--columns=name", "list", "Chassis")).toBe("node1\n");
});

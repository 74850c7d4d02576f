import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Baseline, EVERYWHERE, flowsOf, planOf, programs, readSouthbound, type Shadow, type ZoneFlows, zoneRows } from "@pulumi-ovn/cli/testing";
import { observedOf } from "@pulumi-ovn/provider/testing";
import { checkedIntent, type IntentArgs, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { facts, node, spec } from "../../../support/advertisement";
import { Handled } from "../../../support/handled";
import { type Declared, partsOf, previewBetween } from "../../../support/planned";
import { checked, disconnect, ownerOf } from "../../../support/provider";
import { pulumiOvn } from "../../../support/pulumi-ovn";
import { TestZones } from "../../../support/zones";

jest.setTimeout(120_000);

const SWITCH = "blue_ovn_layer2_switch";
const COMPONENT = "urn:pulumi:dev::trial::ovn:network:Layer2Network::blue";

const outside = (last: number) => ({ addresses: [`172.18.0.${last}/24`], nextHops: ["172.18.0.1"] });
const network: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["203.203.0.0/16"],
  tunnelKeys: { switch: 16715779, router: 16715780 },
  nodes: {
    node1: { id: 2, tunnelAddresses: ["172.18.0.11"], external: outside(11) },
    node2: { id: 3, tunnelAddresses: ["172.18.0.12"], external: outside(12) },
  },
  workloads: { vm1: { node: "node1", addresses: ["203.203.0.21"] }, vm2: { node: "node2", addresses: ["203.203.0.22"] } },
};
const drop = (port: number) => ({
  table: "ACL",
  columns: { direction: "to-lport", priority: 1000, match: `outport == "vm2" && tcp.dst == ${port}`, action: "drop" },
  parent: { table: "Logical_Switch", row: SWITCH, column: "acls" },
});
const stack = (port: number, args = network): Declared[] => [
  ...partsOf(args),
  { kind: "NorthboundRows", name: "rules", args: { zone: "node2", entries: { drop: drop(port) } } },
];

const INTENTS: readonly IntentArgs[] = [
  { from: "vm1", to: "vm2", reach: true },
  { from: "vm1", to: "vm2", protocol: "tcp", port: 22, blocked: true },
  { from: "vm1", to: "vm2", protocol: "tcp", port: 23, reach: true },
  { from: "vm1", to: { address: "198.51.100.9" }, reach: true, sourceAddress: "172.18.0.11", byNode: "node1" },
];
const intents = Object.fromEntries(
  INTENTS.map((args) => {
    const workloads = Object.fromEntries(Object.entries(network.workloads!).map(([name, { addresses }]) => [name, { addresses: [...addresses!], labels: {} }]));
    const { text, intent } = checkedIntent(args, { workloads, nodes: ["node1", "node2"], subnets: [...network.subnets], decidesSource: true });
    return [text, intent];
  }),
);

interface State {
  readonly type: string;
  readonly inputs: Record<string, unknown>;
}
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: State;
  readonly newState?: State;
}

/** Steps of a preview with the network's component and its list of workloads. */
async function steps(before: readonly Declared[], after: readonly Declared[]): Promise<Step[]> {
  const planned = (JSON.parse(await previewBetween(before, after)) as { steps: Step[] }).steps;
  const child = (state: State | undefined) => state && { ...state, parent: COMPONENT };
  const same = (urn: string, state: object): Step => ({ op: "same", urn, oldState: state as State, newState: state as State });
  return [
    same(COMPONENT, { type: "ovn:network:Layer2Network", inputs: { intents } }),
    same(`${COMPONENT.replace("::blue", "")}$pulumi-nodejs:dynamic/ovn:NetworkMembers::blue-members`, {
      type: "pulumi-nodejs:dynamic/ovn:NetworkMembers",
      parent: COMPONENT,
      inputs: { workloads: network.workloads },
    }),
    ...planned.map((step) => ({ ...step, oldState: child(step.oldState), newState: child(step.newState) }) as Step),
  ];
}

let folder: string;
let zones: TestZones;
let targets: Connections;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "live-"));
  zones = await TestZones.start(["node1", "node2"]);
  await writeFile(join(folder, "Pulumi.yaml"), "name: trial\nruntime: nodejs\n");
  await writeFile(join(folder, "Pulumi.dev.yaml"), "config:\n  ovn:targets: targets.yaml\n");
  await writeFile(join(folder, "targets.yaml"), JSON.stringify({ zones: zones.config }));
  targets = new Connections(zones.config);
  for (const { op, newState } of await steps([], stack(22)))
    if (op === "create") await new Handled(newState!.type.split(":").at(-1)!).create(newState!.inputs, targets);
  await writeFile(join(folder, "state.json"), await exported());
});
afterAll(async () => {
  await Promise.all([targets.close(), disconnect()]);
  await zones.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The output of `pulumi stack export`. */
async function exported(): Promise<string> {
  const resources = (await steps(stack(22), stack(22))).map(({ urn, newState }) => ({ urn, ...newState }));
  return JSON.stringify({ version: 3, deployment: { resources } });
}

/** Everything in the databases, with counters and timestamps. */
async function contents(): Promise<string[]> {
  const all = Object.values(zones.centrals).flatMap((central) =>
    [central.northbound, central.southbound].map(async (endpoint) => (await central.run("ovsdb-client", ["dump", endpoint])).stdout),
  );
  return Promise.all(all);
}

async function sbctl(zone: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await zones.centrals[zone]!.run("ovn-sbctl", args);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

function tableTexts({ tables }: ZoneFlows): Record<string, string> {
  return Object.fromEntries([...tables].filter(([tableKey]) => tableKey !== EVERYWHERE));
}

const simulate = (...args: string[]) => pulumiOvn(["simulate", "--live", "--cwd", folder, ...args]);
const now = (...args: string[]) => simulate("--intents-only", "--state", join(folder, "state.json"), ...args);

it("judges intents by the live databases, and writes nothing to them", async () => {
  await zones.settled();
  const before = await contents();
  expect(await now()).toEqual({
    code: 0,
    stdout: "trial/dev: 0 of 4 intents broken, 0 not known, in the live databases\n  4 intents hold\n",
    stderr: "",
  });
  expect(await contents()).toEqual(before);
  // A row of another writer.
  await zones.nbctl("node2", "acl-add", SWITCH, "to-lport", "1001", 'outport == "vm2" && tcp.dst == 23', "drop");
  const { code, stdout, stderr } = await now("--json");
  expect([code, stderr]).toEqual([1, "pulumi-ovn simulate: OVN_INTENT: 1 of 4 intents do not hold in the live databases\n"]);
  const why = "vm1 to vm2, tcp port 23, IPv4: dropped in table ls_out_acl_action of blue_ovn_layer2_switch";
  expect(JSON.parse(stdout)).toEqual({
    project: "trial",
    stack: "dev",
    intents: Object.keys(intents).map((intent, index) => ({
      kind: "Layer2Network",
      network: "blue",
      intent,
      ...(index === 2 ? { verdict: "broken", why } : { verdict: "holds" }),
    })),
  });
});

it("applies a plan to the live rows, and names next hops that no chassis has resolved", async () => {
  const { node1, node2 } = network.nodes;
  const moved = { ...network, nodes: { node1: { ...node1!, external: outside(13) }, node2: node2! } };
  const file = join(folder, "preview.json");
  await writeFile(file, JSON.stringify({ steps: await steps(stack(22), stack(24, moved)) }));
  const before = await contents();
  const { code, stdout, stderr } = await simulate("--preview", file);
  expect([code, stderr]).toEqual([1, "pulumi-ovn simulate: OVN_INTENT: the update breaks 2 of 4 intents\n"]);
  // The drop of port 23 is another writer's: it stays, and its port is asked about.
  for (const line of [
    "broken before and after the update: Layer2Network blue: vm1 reaches vm2, tcp port 23 (",
    '\nLost\n  vm1 to vm2: tcp 24 IPv4; ACL drop of NorthboundRows "rules" decides\n',
    "\nGained\n  vm1 to vm2: tcp 22 IPv4; ",
    "vm1 to outside: icmp IPv4, tcp 22 IPv4, tcp 23 IPv4, tcp 24 IPv4; source address 172.18.0.13 instead of 172.18.0.11; ",
    "zone node1 has no MAC binding of the next hop on physical network physnet; the next hop is assumed to answer\n",
  ])
    expect(stdout).toContain(line);
  expect(await contents()).toEqual(before);
  const port = "logical_port=rtoe-GR_blue_node1";
  const datapath = await sbctl("node1", "--bare", "--columns=datapath", "find", "Port_Binding", port);
  await sbctl("node1", "create", "MAC_Binding", port, "ip=172.18.0.1", 'mac="0a:00:00:00:00:99"', `datapath=${datapath}`, `timestamp=${Date.now()}`);
  expect((await simulate("--preview", file)).stdout).not.toContain("zone node1 has no MAC binding");
});

it("copies what chassis have reported: northd translates the copy to the same flows", async () => {
  const [router, port] = ["GR_blue_node2", "rtoe-GR_blue_node2"];
  // A chassis of an old release: northd avoids what it does not know.
  await sbctl("node2", "chassis-add", "old", "geneve", "192.0.2.1");
  await zones.nbctl("node2", "--bfd", "lr-route-add", router, "192.0.2.0/25", "172.18.0.99", port);
  await zones.nbctl("node2", "set", "Logical_Router", router, "options:dynamic-routing=true");
  await zones.nbctl("node2", "lb-add", "web", "203.203.255.1:80", "203.203.0.22:80", "tcp", "--", "ls-lb-add", SWITCH, "web");
  const check = [
    "--id=@check",
    "create",
    "Load_Balancer_Health_Check",
    'vip="203.203.255.1:80"',
    "--",
    "add",
    "Load_Balancer",
    "web",
    "health_check",
    "@check",
  ];
  await zones.nbctl("node2", ...check, "--", "set", "Load_Balancer", "web", 'ip_port_mappings:203.203.0.22="vm2:203.203.0.1"');
  await zones.settled();
  await sbctl("node2", "set", "BFD", ".", "status=up");
  await sbctl("node2", "set", "Service_Monitor", ".", "status=offline");
  const found = (column: string) => sbctl("node2", "--bare", `--columns=${column}`, "find", "Port_Binding", `logical_port=${port}`);
  const [datapath, binding] = [await found("datapath"), await found("_uuid")];
  // An incremental run of northd keeps flows that a whole run does not have.
  await zones.centrals["node2"]!.kill("northd");
  await zones.centrals["node2"]!.start("northd");
  await sbctl("node2", "create", "Learned_Route", `datapath=${datapath}`, `logical_port=${binding}`, "ip_prefix=192.0.2.128/25", "nexthop=172.18.0.98");
  await zones.settled();
  const { Logical_Flow: flows } = await zoneRows(targets, "node2", "OVN_Southbound", { Logical_Flow: ["match", "actions"] });
  const texts = flows.map(({ match, actions }) => `${match as string} ${actions as string}`);
  expect(["192.0.2.0/25", "192.0.2.128/25"].map((prefix) => texts.filter((text) => text.includes(prefix)).length)).toEqual([2, 2]);
  expect(texts.filter((text) => text.includes("203.203.255.1") && text.includes("drop;"))).toHaveLength(1);
  const plan = planOf({ steps: (await steps(stack(22), stack(22))) as never });
  await using baseline = await Baseline.create(plan, programs, undefined, targets);
  const copied = baseline.world.flows.get("node2")!;
  const live = flowsOf(await readSouthbound({ connections: targets, zone: "node2" } as unknown as Shadow), baseline.world.zones.get("node2")!);
  expect(tableTexts(copied)).toEqual(tableTexts(live));
});

it("shows which prefixes come and go, by generated objects and by the exposed addresses of the plan", async () => {
  const floating = {
    table: "NAT",
    columns: { type: "dnat_and_snat", external_ip: "172.18.0.60", logical_ip: "203.203.0.22" },
    parent: { table: "Logical_Router", row: "GR_blue_node2", column: "nat" },
  };
  const exposure = { zone: "node2", mode: "ovn", routers: { GR_blue_node2: { table: 1200 } }, floatingIPs: true };
  const exposed = { type: "pulumi-nodejs:dynamic/ovn:BgpExposure", inputs: await checked("BgpExposure", "floating", exposure, zones.config) };
  const advertised = (second: string) => {
    const observed = observedOf(spec(), facts({ nodes: [node("node1", { default: "10.244.0.0/24" }), node("node2", { default: second })] }));
    return { type: "pulumi-nodejs:dynamic/ovn:RouteAdvertisement", inputs: { cluster: "prod", ...spec(), observed } };
  };
  const nat: Declared = { kind: "NorthboundRows", name: "floating", args: { zone: "node2", entries: { floating } } };
  const all = [
    ...(await steps(stack(22), [...stack(22), nat])),
    { op: "same", urn: ownerOf("BgpExposure", "floating"), oldState: exposed, newState: exposed },
    { op: "update", urn: ownerOf("RouteAdvertisement", "fabric"), oldState: advertised("10.244.1.0/24"), newState: advertised("10.244.9.0/24") },
  ];
  const file = join(folder, "announced.json");
  await writeFile(file, JSON.stringify({ steps: all }));
  const { stdout, stderr } = await simulate("--preview", file);
  expect([stdout, stderr]).toEqual([
    expect.stringContaining(`
Announcements
  node2, BgpExposure "floating": +172.18.0.60/32
  node2, RouteAdvertisement "fabric": +10.244.9.0/24, -10.244.1.0/24
`),
    "",
  ]);
});

it.each([
  [
    "project",
    /^pulumi-ovn simulate: OVN_PREVIEW: .*of-another\.json is of project "other", and the project in .* is "trial"; pass --cwd with the folder of "other"\n$/,
  ],
  ["stack", /^pulumi-ovn simulate: OVN_ZONE: zone "node[12]" is not configured: .*\n$/],
])("refuses a preview and a state of another %s in one line", async (part, message) => {
  const other = part === "project" ? "urn:pulumi:dev::other::" : "urn:pulumi:other::trial::";
  const file = join(folder, "of-another.json");
  await writeFile(file, JSON.stringify({ steps: await steps(stack(22), stack(22)) }).replaceAll("urn:pulumi:dev::trial::", other));
  const { code, stdout, stderr } = await simulate("--preview", file);
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)]);
  const state = join(folder, "state-of-another.json");
  await writeFile(state, (await exported()).replaceAll("urn:pulumi:dev::trial::", other));
  const ofState = await simulate("--intents-only", "--state", state);
  const expected = message.source.replace("PREVIEW", "STATE").replace("of-another", "state-of-another");
  expect([ofState.code, ofState.stdout, ofState.stderr]).toEqual([1, "", expect.stringMatching(expected)]);
});

it("names the zone whose database it can't read", async () => {
  await writeFile(
    join(folder, "targets.yaml"),
    JSON.stringify({ zones: { ...zones.config, node2: { northbound: `unix:${folder}/none`, southbound: `unix:${folder}/none`, timeout: 1 } } }),
  );
  const { code, stdout, stderr } = await now();
  expect([code, stdout, stderr]).toEqual([
    1,
    "",
    `pulumi-ovn simulate: OVSDB_CONNECTION: zone "node2" can't be copied: unix:${folder}/none: connect ENOENT: there is no such socket; is the server running, and is the path right?\n`,
  ]);
});

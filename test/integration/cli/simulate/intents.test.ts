import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkedIntent, type IntentArgs, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { type Declared, partsOf, previewBetween } from "../../../support/planned";
import { pulumiOvn } from "../../../support/pulumi-ovn";

jest.setTimeout(120_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "intents-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const outside = (last: number) => ({
  addresses: [`172.18.0.${last}/24`, `fc00:f853:ccd:e793::${last}/64`],
  nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
});
const workload = (node: string, last: number, ...more: string[]) => ({ node, addresses: [`203.203.0.${last}`, ...more] });
const network = (external: number, workloads: Layer2NetworkArgs["workloads"]): Layer2NetworkArgs => ({
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: { switch: 16715779, router: 16715780 },
  nodes: { node1: { id: 2, external: outside(11) }, node2: { id: 3, external: outside(external) } },
  workloads: { vm1: workload("node1", 21, "2010:100:200::21"), vm2: workload("node2", 22, "2010:100:200::22"), vm3: workload("node2", 23), ...workloads },
});
const before = network(12, { vm4: workload("node1", 24) });
const after = network(13, {});

const drop = (match: string) => ({
  table: "ACL",
  columns: { direction: "to-lport", priority: 1000, match, action: "drop" },
  parent: { table: "Logical_Switch", row: "blue_ovn_layer2_switch", column: "acls" },
});
const floating = {
  table: "NAT",
  columns: { type: "dnat_and_snat", external_ip: "172.18.0.60", logical_ip: "203.203.0.23" },
  parent: { table: "Logical_Router", row: "GR_blue_node2", column: "nat" },
};
const reroute = {
  table: "Logical_Router_Policy",
  columns: { priority: 100, match: "ip4.src == 203.203.0.23", action: "reroute", nexthops: ["100.88.0.5"] },
  parent: { table: "Logical_Router", row: "blue_transit_router", column: "policies" },
};

/** The resources of the stack, with the names that the component `Layer2Network` gives them. */
const stack = (args: Layer2NetworkArgs, acls: object, node2: object): Declared[] => [
  ...partsOf(args),
  ...["node1", "node2"].map((zone) => ({ kind: "NorthboundRows", name: `rules-${zone}`, args: { zone, entries: acls } })),
  ...Object.entries(node2).map(([name, entry]) => ({ kind: "NorthboundRows", name, args: { zone: "node2", entries: { entry } } })),
];
const old = stack(
  before,
  {
    telnet: drop('outport == "vm2" && tcp.dst == 23'),
    removed: drop('outport == "vm1" && tcp.dst == 23'),
    kept: drop('outport == "vm3" && tcp.dst == 23'),
  },
  { floating },
);
const wanted = stack(after, { ipv6: drop('outport == "vm2" && icmp6'), kept: drop('outport == "vm3" && tcp.dst == 23') }, { reroute });

const away = { address: "198.51.100.9" };
const INTENTS: readonly IntentArgs[] = [
  { from: "vm1", to: "vm2", family: 4, reach: true },
  { from: "vm1", to: "vm2", family: 6, reach: true },
  { from: "vm1", to: "vm2", protocol: "tcp", port: 23, blocked: true },
  { from: "vm3", to: "vm1", protocol: "tcp", port: 23, reach: true },
  { from: "vm1", to: "vm3", protocol: "tcp", port: 23, reach: true },
  { from: "vm1", to: "vm4", reach: true },
  { from: "vm1", to: away, reach: true, sourceAddress: "172.18.0.11", byNode: "node1" },
  { from: "vm2", to: away, reach: true, sourceAddress: "172.18.0.12" },
  { from: "vm3", to: away, protocol: "tcp", port: 443, reach: true, byNode: "node2" },
  { from: "vm1", to: { address: "172.18.0.60" }, reach: true },
];
/** Verdicts in the order of the intents. */
const VERDICTS = [
  ["holds"],
  ["broken", "vm1 to vm2, icmp, IPv6: dropped in table ls_out_acl_action of blue_ovn_layer2_switch"],
  ["broken", "vm1 to vm2, tcp port 23, IPv4: delivered in node2"],
  ["mended"],
  ["broken-before", "vm1 to vm3, tcp port 23, IPv4: dropped in table ls_out_acl_action of blue_ovn_layer2_switch"],
  ["broken", "the network does not have workload vm4"],
  ["holds"],
  ["broken", "vm2 to 198.51.100.9, icmp, IPv4: source address 172.18.0.13"],
  ["broken", "vm3 to 198.51.100.9, tcp port 443, IPv4: leaves by node1"],
  ["broken", "vm1 to 172.18.0.60, icmp, IPv4: it arrives elsewhere"],
];

const intents = Object.fromEntries(
  INTENTS.map((args) => {
    const workloads = Object.fromEntries(Object.entries(before.workloads!).map(([name, { addresses }]) => [name, { addresses: [...addresses!], labels: {} }]));
    const { text, intent } = checkedIntent(args, { workloads, nodes: ["node1", "node2"], subnets: [...before.subnets], decidesSource: true });
    return [text, intent];
  }),
);

const COMPONENT = "urn:pulumi:dev::trial::ovn:network:Layer2Network::blue";
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: { inputs: Record<string, unknown> };
  readonly newState?: { inputs: Record<string, unknown> };
}

/** A preview with the network's component and its list of workloads. */
async function previewOf(change: (step: Step) => Step = (step) => step, from = old, to = wanted): Promise<string> {
  const { steps } = JSON.parse(await previewBetween(from, to)) as { steps: Step[] };
  const child = (state: Step["oldState"]) => state && { ...state, parent: COMPONENT };
  const members = ({ workloads }: Layer2NetworkArgs) => ({ type: "pulumi-nodejs:dynamic/ovn:NetworkMembers", parent: COMPONENT, inputs: { workloads } });
  const component = { type: "ovn:network:Layer2Network", inputs: { intents } };
  const all = [
    { op: "same", urn: COMPONENT, oldState: component, newState: component },
    {
      op: "update",
      urn: `${COMPONENT.replace("::blue", "")}$pulumi-nodejs:dynamic/ovn:NetworkMembers::blue-members`,
      oldState: members(before),
      newState: members(after),
    },
    ...steps.map((step) =>
      change({ ...step, ...(step.oldState && { oldState: child(step.oldState) }), ...(step.newState && { newState: child(step.newState) }) } as Step),
    ),
  ];
  const file = join(folder, "preview.json");
  await writeFile(file, JSON.stringify({ steps: all }));
  return file;
}

it("judges intents of a Layer2Network before and after a plan, the same by simulate and by diff", async () => {
  const file = await previewOf();
  const [simulated, differing] = [await pulumiOvn(["simulate", "--preview", file, "--json"]), await pulumiOvn(["diff", file, "--intents", "--json"])];
  const expected = Object.keys(intents).map((intent, index) => {
    const [verdict, why] = VERDICTS[index]!;
    return { kind: "Layer2Network", network: "blue", intent, verdict, ...(why !== undefined && { why }) };
  });
  const { intents: judged, omissions } = JSON.parse(simulated.stdout) as { intents: unknown; omissions: unknown };
  expect([judged, omissions]).toEqual([expected, []]);
  expect((JSON.parse(differing.stdout) as { judged: unknown }).judged).toEqual(expected);
  const error = "OVN_INTENT: the update breaks 6 of 10 intents\n";
  expect([simulated.code, simulated.stderr, differing.code, differing.stderr]).toEqual([1, `pulumi-ovn simulate: ${error}`, 1, `pulumi-ovn diff: ${error}`]);
});

it("does not judge intents by paths through a zone with a resource that is left out", async () => {
  const hidden = { hidden: "the arguments hold a secret" };
  const file = await previewOf((step) =>
    step.urn.endsWith("::rules-node2") ? { ...step, newState: { ...step.newState!, inputs: { ...step.newState!.inputs, rows: hidden } } } : step,
  );
  const { code, stdout } = await pulumiOvn(["simulate", "--preview", file, "--markdown"]);
  const lines = stdout.split("\n").filter((line) => line.includes(" Layer2Network blue: ") || line.includes(" before and after the update"));
  const unknown = (intent: string, pair: string) =>
    `- \`not known: Layer2Network blue: ${intent} (${pair}: zone node2: NorthboundRows "rules-node2" is left out: its arguments are hidden as secrets)\``;
  expect([code, lines]).toEqual([
    1,
    [
      unknown("vm1 reaches vm2, IPv4", "vm1 to vm2, icmp, IPv4"),
      unknown("vm1 reaches vm2, IPv6", "vm1 to vm2, icmp, IPv6"),
      unknown("vm1 does not reach vm2, tcp port 23", "vm1 to vm2, tcp port 23, IPv4"),
      unknown("vm3 reaches vm1, tcp port 23", "vm3 to vm1, tcp port 23, IPv4"),
      unknown("vm1 reaches vm3, tcp port 23", "vm1 to vm3, tcp port 23, IPv4"),
      "- `BROKEN by the update: Layer2Network blue: vm1 reaches vm4 (the network does not have workload vm4)`",
      unknown("vm2 reaches 198.51.100.9, as 172.18.0.12", "vm2 to 198.51.100.9, icmp, IPv4"),
      unknown("vm3 reaches 198.51.100.9, tcp port 443, by node2", "vm3 to 198.51.100.9, tcp port 443, IPv4"),
      "- `BROKEN by the update: Layer2Network blue: vm1 reaches 172.18.0.60 (vm1 to 172.18.0.60, icmp, IPv4: it arrives elsewhere)`",
      "- `1 intent holds before and after the update`",
    ],
  ]);
});

it("says that ports in zones of other stacks are not simulated, and judges no intent by packets to them", async () => {
  const inNode1 = (declared: readonly Declared[]) => declared.filter(({ args }) => (args as { zone: string }).zone === "node1");
  const file = await previewOf(undefined, inNode1(old), inNode1(wanted));
  const { code, stdout } = await pulumiOvn(["simulate", "--preview", file, "--json"]);
  const { intents: judged, unknowns } = JSON.parse(stdout) as { intents: { intent: string; verdict: string; why?: string }[]; unknowns: string[] };
  expect([code, unknowns[0]]).toEqual([1, "packets from and to vm2, vm3 are not simulated: no zone of this stack has these ports"]);
  expect(judged.find(({ intent }) => intent === "vm1 reaches vm2, IPv4")).toEqual({
    kind: "Layer2Network",
    network: "blue",
    intent: "vm1 reaches vm2, IPv4",
    verdict: "unknown",
    why: "vm1 to vm2, icmp, IPv4: sent to port vm2 of another zone, and no zone of the stack has that port",
  });
});

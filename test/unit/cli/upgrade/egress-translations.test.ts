import { planStages, type Settings, settingsAfter } from "@pulumi-ovn/cli/upgrade";
import { egressNetworkOf, expandEgressIPPolicy, expandLayer2Network, kinds, type RowKind, type ZoneArgs } from "@pulumi-ovn/provider";
import { everyNode, inState, THREE } from "../../../support/upgrade-stack";

const OLD: Settings = { upgrade: undefined, nodes: everyNode("gateway") };
const NEW: Settings = { upgrade: undefined, nodes: everyNode("transit") };

interface Translation {
  readonly match: string;
  readonly priority: number;
  readonly prefixLength: number;
}

/** Source translations of IPv4 packets of vm1 on the gateway router of node2: the router's own one, and that of an egress policy. */
function translationsIn(settings: Settings): { own: Translation; egress: Translation } {
  const network = expandLayer2Network(inState(settings));
  const { addresses } = expandEgressIPPolicy({ name: "web", workloads: ["vm1"], addresses: { "172.18.0.202": "node2" }, network: egressNetworkOf(network) });
  const subnets = translations(kinds.GatewayRouter, network.zones.node2!.gatewayRouter).filter(({ columns }) =>
    String(columns.logical_ip).startsWith("203.203."),
  );
  const [[own], [egress]] = [subnets, translations(kinds.EgressAddress, addresses[0]!.args)];
  return { own: read(own!), egress: read(egress!) };
}

function translations<Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown) {
  return kind.render(kind.schema.parse(args)).set.rows.filter(({ table }) => table === "NAT");
}

function read({ columns }: ReturnType<typeof translations>[number]): Translation {
  return { match: String(columns.match), priority: Number(columns.priority ?? 0), prefixLength: Number(String(columns.logical_ip).split("/")[1] ?? 32) };
}

/** OVN prefers one with a match, then the higher priority; among those without one the longer prefix. */
function goesBefore(one: Translation, other: Translation): boolean {
  if (one.match === "" || other.match === "") return one.match !== other.match ? one.match !== "" : one.prefixLength > other.prefixLength;
  return one.priority > other.priority;
}

const walk = (from: Settings, back: boolean) =>
  planStages(from, { back, order: THREE, batch: 3 }).reduce<Settings[]>((list, stage) => [...list, settingsAfter(list.at(-1)!, stage)], [from]);
/** Between the network's rows of a stage and the policy's, whether the policy's workloads keep its address. */
const keeps = (before: Settings, after: Settings) => goesBefore(translationsIn(before).egress, translationsIn(after).own);

test.each([
  ["there", OLD, false],
  ["back", NEW, true],
] as const)("on the way %s an egress policy goes before the router's own translation, also while only the network is written", (_way, from, back) => {
  const states = walk(from, back);
  expect(states.map((settings) => [settings, keeps(settings, settings)])).toEqual(states.map((settings) => [settings, true]));
  expect(states.slice(1).map((after, index) => [after, keeps(states[index]!, after)])).toEqual(states.slice(1).map((after) => [after, true]));
});

test("the match of the router's own translation is missing in settle, that of the policy only outside", () => {
  const matches = (settings: Settings) => Object.values(translationsIn(settings)).map(({ match }) => match !== "");
  const transit = everyNode("transit");
  expect([OLD, { upgrade: "announce", nodes: transit } as const, { upgrade: "settle", nodes: transit } as const, NEW].map(matches)).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [false, false],
  ]);
});

test("a direct step from none to follow would lose the address, so the way back includes settle", () => {
  expect(keeps(NEW, { upgrade: "follow", nodes: everyNode("transit") })).toBe(false);
});
